// Tokens of the expression language (language.md section 3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "read/json.h"

namespace espalier::read {

// A string to be parsed: its text, and where each byte of it stands in the file.
class Snippet {
 public:
  Snippet(const JsonFile* file, const JsonText* text, std::int32_t pointer)
      : file_(file), text_(text), pointer_(pointer) {}

  std::string_view text() const { return text_->text; }
  Loc loc(std::size_t begin, std::size_t end) const {
    return file_->loc(*text_, begin, end, pointer_);
  }

 private:
  const JsonFile* file_;
  const JsonText* text_;
  std::int32_t pointer_;
};

struct Token {
  enum class Kind : std::uint8_t { name, word, number, text, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;  // of a quoted text, what stands between the quotes
  std::size_t begin = 0, end = 0;

  bool is(std::string_view symbol_or_word) const {
    return (kind == Kind::symbol || kind == Kind::word) && text == symbol_or_word;
  }
};

// "name 'x'", "number 3", "'+'", "the end": for messages.
std::string describe(const Token&);

bool is_reserved(std::string_view word);  // if then else fun for in and or not true false inf nan

// All tokens, the last of kind end. Comments and white space are skipped.
Result<std::vector<Token>> lex(const Snippet&, Diagnostics*);

}  // namespace espalier::read

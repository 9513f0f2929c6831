// What reading the text form of wave consists of: a place among the tokens, and scalars.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "wave/lexer.h"
#include "wave/wave.h"

namespace espalier::wave {

// Thrown behind the first mistake in a text, once it is reported; caught by parse().
struct Unreadable {};

class Cursor {
 public:
  Cursor(const Sources&, std::int32_t file, Diagnostics&);

  const Token& here() const { return tokens_[at_]; }
  Loc loc() const { return loc(here()); }
  Loc loc(const Token&) const;
  bool at_mark(std::string_view mark) const;
  bool at_word(std::string_view word) const;
  bool accept_mark(std::string_view mark);
  bool accept_word(std::string_view word);
  void expect_mark(std::string_view mark);
  void expect_word(std::string_view word);
  Token take();

  std::string name(std::string_view what);    // a word, or in quotes
  std::string string(std::string_view what);  // in quotes
  std::int64_t integer();
  std::vector<std::int64_t> shape();  // "[3, 4]", or nothing
  Dtype dtype();
  bool at_cast() const;          // "f64("
  bool at_dtype_suffix() const;  // ":f64"

  [[noreturn]] void fail(Kind, const Token&, const std::string& message) const;
  [[noreturn]] void unexpected(std::string_view wanted) const;

 private:
  static bool is_dtype(const Token&);
  std::int32_t file_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// The domains and values that have a name so far.
struct Known {
  const Entry* entry = nullptr;
  std::map<std::string, Id> domains, values;
  // Of the operator that the scalar stands in.
  std::vector<std::int64_t> axes, bounds;

  Id domain(Cursor&) const;  // named at the cursor
  Id value(Cursor&) const;
};

ScalarRef parse_scalar(Cursor&, const Known&);

}  // namespace espalier::wave

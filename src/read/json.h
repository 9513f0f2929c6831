// JSON with places: what nlohmann's SAX reader finds, as a tree that keeps positions, duplicate
// keys and the exact text of numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace espalier::read {

inline constexpr int deepest = 256;  // nesting of JSON, and of expressions

// A string of the file, decoded, with the way back to its bytes.
struct JsonText {
  struct Escape {
    std::uint32_t decoded;  // the byte behind what the escape stands for
    std::uint32_t raw;      // the byte behind the escape, from the string's first byte
  };
  std::string text;
  std::uint32_t offset = 0, length = 0;  // in the file, with the quotes
  std::vector<Escape> escapes;

  // The place in the file of byte `position` of `text`; the closing quote for its end.
  std::uint32_t raw(std::size_t position) const;
};

// One value. Members of an object keep their order; of two with one key (which is reported) the
// first counts.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool boolean() const { return number_ != 0; }
  double number() const { return number_; }
  const JsonText& string() const { return extra_->string; }
  const std::string& text() const { return extra_->string.text; }

  // Items of an array; values of an object, whose keys are keys()[i].
  const std::vector<Json>& items() const { return items_; }
  const std::vector<JsonText>& keys() const { return extra_->keys; }
  const Json* find(std::string_view key) const;  // null where absent; of an object

  std::uint32_t offset() const { return offset_; }
  std::uint32_t length() const { return length_; }

 private:
  friend class JsonBuilder;
  struct Extra {
    JsonText string;
    std::vector<JsonText> keys;
  };
  Kind kind_ = Kind::null;
  std::uint32_t offset_ = 0, length_ = 0;
  double number_ = 0;
  std::vector<Json> items_;
  std::unique_ptr<Extra> extra_;
};

const char* kind_words(Json::Kind);  // "a string"

// A file and its value.
class JsonFile {
 public:
  JsonFile(Sources* sources, std::int32_t file, Json root)
      : sources_(sources), file_(file), root_(std::move(root)) {}

  const Json& root() const { return root_; }
  std::int32_t file() const { return file_; }
  // Places of a value, a key, or a stretch of a string; the pointer is that of the value, or of the
  // key's value.
  Loc loc(const Json&) const;
  Loc key_loc(const JsonText& key) const;
  Loc loc(const JsonText&, std::size_t begin, std::size_t end, std::int32_t pointer) const;
  std::int32_t pointer(std::uint32_t offset) const;  // of the innermost value there; -1: the root
  std::string_view raw(const Json&) const;           // its text in the file

 private:
  Sources* sources_;
  std::int32_t file_;
  Json root_;
};

// Parses the text of `file`. Diagnostics: encoding, byte-order mark, syntax, truncated, trailing
// text, depth, numbers out of range, duplicate keys. Never recurses deeper than `deepest`.
Result<JsonFile> parse_json(Sources*, std::int32_t file, Diagnostics*);

}  // namespace espalier::read

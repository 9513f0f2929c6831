#include "read/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/bug.h"
#include "base/kinds.h"
#include "read/utf8.h"

namespace espalier::read {

std::uint32_t JsonText::raw(std::size_t position) const {
  const auto at = static_cast<std::uint32_t>(position);
  const auto next =
      std::upper_bound(escapes.begin(), escapes.end(), at,
                       [](std::uint32_t value, const Escape& e) { return value < e.decoded; });
  const std::uint32_t start = offset + 1;
  return next == escapes.begin() ? start + at : start + next[-1].raw + (at - next[-1].decoded);
}

const Json* Json::find(std::string_view key) const {
  if (kind_ != Kind::object) return nullptr;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (extra_->keys[i].text == key) return &items_[i];
  return nullptr;
}

const char* kind_words(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null: return "null";
    case Json::Kind::boolean: return "a boolean";
    case Json::Kind::number: return "a number";
    case Json::Kind::string: return "a string";
    case Json::Kind::array: return "a list";
    case Json::Kind::object: return "an object";
  }
  throw Bug("JSON of no kind");
}

// Builds the tree from nlohmann's events, which come without places: each token is found again in
// the text, behind the one before it.
class JsonBuilder {
 public:
  JsonBuilder(const Sources& sources, std::int32_t file, Diagnostics* diagnostics)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

  bool null() { return add(scalar(Json::Kind::null, 4)); }
  bool boolean(bool value) {
    Json json = scalar(Json::Kind::boolean, value ? 4 : 5);
    json.number_ = value;
    return add(std::move(json));
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool binary(nlohmann::json::binary_t&) { throw Bug("binary value in JSON text"); }

  bool string(std::string& value) {
    Json json;
    json.kind_ = Json::Kind::string;
    json.extra_ = std::make_unique<Json::Extra>();
    json.extra_->string = take_string(std::move(value));
    json.offset_ = json.extra_->string.offset;
    json.length_ = json.extra_->string.length;
    return add(std::move(json));
  }

  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool start_array(std::size_t) { return open(Json::Kind::array); }
  bool key(std::string& value) {
    stack_.back().extra_->keys.push_back(take_string(std::move(value)));
    return true;
  }
  bool end_object() {
    report_duplicates(stack_.back());
    return close();
  }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& error) {
    const std::size_t end = std::min(position, text_.size());
    const bool literal = std::string_view(error.what()).find("invalid literal") != npos;
    const std::size_t begin = start_of_word(end, literal);
    const bool at_end = position > text_.size() || token.empty() || token == "<U+0000>";
    if (error.id == 406)
      report(Kind::json_number, start_of_token(), 1, "the number is too large for a double");
    else if (done_)
      report(Kind::json_trailing, start_of_token(), 1, "text behind the end of the JSON value");
    else if (at_end && end + 1 >= text_.size())
      report(Kind::json_truncated, text_.empty() ? 0 : text_.size() - 1, 1,
             stack_.empty() ? "the file is empty" : "the file ends before its JSON value does");
    else
      report(Kind::json_syntax, begin, std::max<std::size_t>(end - begin, 1),
             "not JSON: " + reason(error.what()));
    return false;
  }

  // nlohmann takes a zero byte for the end of the text.
  bool at_end() {
    if (start_of_token() == text_.size()) return true;
    report(Kind::json_trailing, cursor_, 1, "text behind the end of the JSON value");
    return false;
  }

  Json take_root() { return std::move(root_); }

 private:
  // "invalid literal; expected string literal" of nlohmann's message.
  static std::string reason(std::string_view what) {
    const std::size_t start = what.find(" - ");
    std::string text(start == std::string_view::npos ? what : what.substr(start + 3));
    const std::size_t last = text.find("; last read: '");
    if (last != std::string::npos) {
      const std::size_t end = text.find("'", last + 14);
      const std::size_t tail = text.find("; expected", end == std::string::npos ? last : end);
      text = text.substr(0, last) + (tail == std::string::npos ? "" : text.substr(tail));
    }
    return text;
  }

  void report(Kind kind, std::size_t offset, std::size_t length, std::string message) {
    diagnostics_->error(kind, place(offset, length), std::move(message));
  }

  static constexpr std::size_t npos = std::string_view::npos;

  // Of the word or number whose last byte, or the one behind it, was read last.
  std::size_t start_of_word(std::size_t end, bool literal) const {
    const auto in_word = [&](std::size_t at) {
      const char c = text_[at];
      return std::string_view("+-._").find(c) != npos || (c >= '0' && c <= '9') ||
             ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    };
    if (literal && end > 1 && !in_word(end - 1) && in_word(end - 2)) --end;
    std::size_t begin = end > 0 ? end - 1 : 0;
    if (end > 0 && in_word(begin))
      while (begin > 0 && in_word(begin - 1)) --begin;
    return begin;
  }

  Loc place(std::size_t offset, std::size_t length) const {
    return {file_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), -1};
  }

  std::size_t start_of_token() {
    while (cursor_ < text_.size() &&
           std::string_view(" \t\r\n,:").find(text_[cursor_]) != std::string_view::npos)
      ++cursor_;
    return cursor_;
  }

  Json scalar(Json::Kind kind, std::size_t length) {
    Json json;
    json.kind_ = kind;
    json.offset_ = static_cast<std::uint32_t>(start_of_token());
    json.length_ = static_cast<std::uint32_t>(length);
    cursor_ += length;
    return json;
  }

  bool number(double value) {
    const std::size_t begin = start_of_token();
    const std::size_t end = text_.find_first_not_of("0123456789+-.eE", begin);
    Json json = scalar(Json::Kind::number, std::min(end, text_.size()) - begin);
    json.number_ = value;
    return add(std::move(json));
  }

  JsonText take_string(std::string value) {
    JsonText out;
    out.text = std::move(value);
    const std::size_t start = start_of_token();
    std::size_t at = start + 1;
    std::uint32_t decoded = 0;
    while (text_[at] != '"') {
      if (text_[at] != '\\') {
        ++at;
        ++decoded;
        continue;
      }
      const std::size_t length = escape_length(at);
      decoded += escaped_bytes(at, length);
      at += length;
      out.escapes.push_back({decoded, static_cast<std::uint32_t>(at - start - 1)});
    }
    cursor_ = at + 1;
    out.offset = static_cast<std::uint32_t>(start);
    out.length = static_cast<std::uint32_t>(cursor_ - start);
    return out;
  }

  std::uint32_t code_unit(std::size_t at) const {
    return static_cast<std::uint32_t>(
        std::stoul(std::string(text_.substr(at + 2, 4)), nullptr, 16));
  }

  // nlohmann has checked that escapes are well formed and surrogates come in pairs.
  std::size_t escape_length(std::size_t at) const {
    if (text_[at + 1] != 'u') return 2;
    const std::uint32_t unit = code_unit(at);
    return unit >= 0xd800 && unit < 0xdc00 ? 12 : 6;
  }

  std::uint32_t escaped_bytes(std::size_t at, std::size_t length) const {
    if (length == 2) return 1;
    if (length == 12) return 4;
    const std::uint32_t unit = code_unit(at);
    return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }

  bool open(Json::Kind kind) {
    Json json = scalar(kind, 1);
    if (stack_.size() == deepest) {
      report(Kind::json_depth, json.offset_, 1,
             fmt::format("JSON nests deeper than {} levels", deepest));
      return false;
    }
    if (kind == Json::Kind::object) json.extra_ = std::make_unique<Json::Extra>();
    stack_.push_back(std::move(json));
    return true;
  }

  bool close() {
    Json json = std::move(stack_.back());
    stack_.pop_back();
    cursor_ = start_of_token() + 1;
    json.length_ = static_cast<std::uint32_t>(cursor_) - json.offset_;
    return add(std::move(json));
  }

  bool add(Json json) {
    if (stack_.empty()) {
      root_ = std::move(json);
      done_ = true;
    } else {
      stack_.back().items_.push_back(std::move(json));
    }
    return true;
  }

  void report_duplicates(const Json& object) {
    const auto& keys = object.keys();
    if (keys.size() < 2) return;
    std::vector<const JsonText*> order;
    for (const JsonText& key : keys) order.push_back(&key);
    std::stable_sort(order.begin(), order.end(),
                     [](const JsonText* a, const JsonText* b) { return a->text < b->text; });
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
      if (order[i]->text != order[first]->text) {
        first = i;
        continue;
      }
      diagnostics_
          ->error(Kind::duplicate_key, place(order[i]->offset, order[i]->length),
                  fmt::format("key '{}' stands twice in one object", order[i]->text))
          .notes.push_back({place(order[first]->offset, order[first]->length), "first here"});
    }
  }

  std::string_view text_;
  std::int32_t file_;
  Diagnostics* diagnostics_;
  std::size_t cursor_ = 0;
  std::vector<Json> stack_;  // open objects and arrays
  Json root_;
  bool done_ = false;
};

namespace {

// The member of `json` in which byte `offset` lies, as its number; -1 if none.
int child_at(const Json& json, std::uint32_t offset) {
  const auto& items = json.items();
  const bool object = json.is(Json::Kind::object);
  const auto start = [&](const Json& item) {
    return object ? json.keys()[static_cast<std::size_t>(&item - items.data())].offset
                  : item.offset();
  };
  const auto next = std::partition_point(items.begin(), items.end(),
                                         [&](const Json& item) { return start(item) <= offset; });
  if (next == items.begin()) return -1;
  const Json& item = next[-1];
  return offset < item.offset() + item.length() ? static_cast<int>(next - items.begin()) - 1 : -1;
}

std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::int32_t JsonFile::pointer(std::uint32_t offset) const {
  std::string path;
  const Json* at = &root_;
  for (int child = child_at(*at, offset); child >= 0; child = child_at(*at, offset)) {
    const auto number = static_cast<std::size_t>(child);
    path += '/';
    path += at->is(Json::Kind::object) ? escaped(at->keys()[number].text) : std::to_string(child);
    at = &at->items()[number];
  }
  return path.empty() ? -1 : sources_->intern_pointer(path);
}

Loc JsonFile::loc(const Json& json) const {
  return {file_, json.offset(), json.length(), pointer(json.offset())};
}

Loc JsonFile::key_loc(const JsonText& key) const {
  return {file_, key.offset, key.length, pointer(key.offset)};
}

Loc JsonFile::loc(const JsonText& text, std::size_t begin, std::size_t end,
                  std::int32_t pointer) const {
  const std::uint32_t from = text.raw(begin);
  const std::uint32_t to = text.raw(end);
  return {file_, from, std::max(to, from + 1) - from, pointer};
}

std::string_view JsonFile::raw(const Json& json) const {
  return std::string_view(sources_->text(file_)).substr(json.offset(), json.length());
}

Result<JsonFile> parse_json(Sources* sources, std::int32_t file, Diagnostics* diagnostics) {
  const std::string& text = sources->text(file);
  if (text.starts_with("\xef\xbb\xbf")) {
    diagnostics->error(Kind::json_bom, {file, 0, 3, -1},
                       "the file begins with a byte-order mark; save it as plain UTF-8");
    return Failed{};
  }
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string::npos) {
    diagnostics->error(Kind::json_encoding, {file, static_cast<std::uint32_t>(bad), 1, -1},
                       fmt::format("byte 0x{:02x} is not UTF-8 here",
                                   static_cast<unsigned>(static_cast<unsigned char>(text[bad]))));
    return Failed{};
  }
  JsonBuilder builder(*sources, file, diagnostics);
  const std::size_t before = diagnostics->all().size();
  if (!nlohmann::json::sax_parse(text, &builder) || !builder.at_end()) {
    require(diagnostics->all().size() > before, "JSON refused without a diagnostic");
    return Failed{};
  }
  return JsonFile(sources, file, builder.take_root());
}

}  // namespace espalier::read

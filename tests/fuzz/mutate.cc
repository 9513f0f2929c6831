#include "tests/fuzz/mutate.h"

#include <cctype>
#include <nlohmann/json.hpp>
#include <vector>

namespace espalier::fuzz {
namespace {

using Json = nlohmann::ordered_json;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A few changes, mostly one.
int changes(Random& random) { return random.chance(0.6) ? 1 : random.between(2, 6); }

struct Span {
  std::size_t begin, size;
};

Span any_span(const std::string& text, Random& random) {
  const std::size_t begin = at(random.below(static_cast<int>(text.size())));
  const int most = random.chance(0.5) ? 1 : random.chance(0.5) ? 16 : 200;
  return {begin, std::min(text.size() - begin, at(random.between(1, most)))};
}

void change_bytes(std::string& text, Random& random) {
  if (text.empty()) return text.assign(1, static_cast<char>(random.below(256))), void();
  const Span span = any_span(text, random);
  const std::string bytes = text.substr(span.begin, span.size);
  switch (random.below(6)) {
    case 0: text[span.begin] = static_cast<char>(text[span.begin] ^ (1 << random.below(8))); return;
    case 1: text[span.begin] = static_cast<char>(random.below(256)); return;
    case 2: text.erase(span.begin, span.size); return;
    case 3: text.insert(span.begin, bytes); return;
    case 4:
      text.erase(span.begin, span.size);
      text.insert(at(random.below(static_cast<int>(text.size() + 1))), bytes);
      return;
    default:
      if (random.chance(0.1)) return text.resize(span.begin);
      text.insert(span.begin, 1, static_cast<char>(random.below(256)));
  }
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c < 0; }

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (in_word(text[i]))
      while (end < text.size() && in_word(text[end])) ++end;
    else if (text[i] == ' ')
      while (end < text.size() && text[end] == ' ') ++end;
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

const std::vector<std::string> awkward = {"0",
                                          "1",
                                          "2",
                                          "-1",
                                          "255",
                                          "256",
                                          "2147483647",
                                          "2147483648",
                                          "1e300",
                                          "1e-300",
                                          "1e999",
                                          "inf",
                                          "nan",
                                          "(",
                                          ")",
                                          "[",
                                          "]",
                                          "{",
                                          "}",
                                          ",",
                                          ":",
                                          "=",
                                          "==",
                                          "*",
                                          "**",
                                          "@",
                                          "//",
                                          "%",
                                          "/",
                                          ".",
                                          "..",
                                          "if",
                                          "for",
                                          "in",
                                          "fun",
                                          "->",
                                          "and",
                                          "not",
                                          "match",
                                          "true",
                                          "null",
                                          "\"",
                                          "'",
                                          "\\",
                                          "#",
                                          "\n",
                                          "_",
                                          "*rest",
                                          "sum",
                                          "softmax",
                                          "fold",
                                          "scan",
                                          "zip",
                                          "reverse",
                                          "reshape",
                                          "einsum",
                                          "concat",
                                          "argmax",
                                          "zeros",
                                          "vjp",
                                          "len",
                                          "f32",
                                          "f16",
                                          "i8",
                                          "bool",
                                          "index",
                                          "\xc3\xa9",
                                          "\\u0000",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "18446744073709551616",
                                          "4611686018427387904",
                                          "[]",
                                          "()",
                                          "{}",
                                          "\"\"",
                                          "3.5",
                                          "\t"};

void change_tokens(std::vector<std::string>& tokens, Random& random) {
  if (tokens.empty()) return tokens.push_back(random.pick(awkward));
  const auto any = [&] { return at(random.below(static_cast<int>(tokens.size()))); };
  const std::size_t here = any();
  const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(here);
  switch (random.below(6)) {
    case 0: tokens[here] = random.pick(awkward); return;
    case 1: tokens[here] = tokens[any()]; return;
    case 2: tokens.erase(place); return;
    case 3: tokens.insert(place, random.pick(awkward)); return;
    case 4: std::swap(tokens[here], tokens[any()]); return;
    default: {
      const std::size_t size = std::min(tokens.size() - here, at(random.between(1, 12)));
      const std::vector<std::string> some(place, place + static_cast<std::ptrdiff_t>(size));
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(any()), some.begin(), some.end());
    }
  }
}

void collect(Json& value, std::vector<Json*>* all) {
  all->push_back(&value);
  if (value.is_structured())
    for (Json& child : value) collect(child, all);
}

Json awkward_value(Random& random) {
  static const std::vector<const char*> values = {"null",
                                                  "true",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "2147483648",
                                                  "4611686018427387904",
                                                  "1.5",
                                                  "1e300",
                                                  "[]",
                                                  "{}",
                                                  "\"\"",
                                                  "\"x\"",
                                                  "[[]]",
                                                  "[null]",
                                                  "{\"\": 1}",
                                                  "-0.0",
                                                  "7",
                                                  "\"_\"",
                                                  "\"[]\"",
                                                  "\"0\"",
                                                  "\"inf\"",
                                                  "\"a b\"",
                                                  "9223372036854775807",
                                                  "-9223372036854775808"};
  return Json::parse(random.pick(values));
}

void rename_key(Json& object, Random& random) {
  const int which = random.below(static_cast<int>(object.size()));
  Json renamed = Json::object();
  int i = 0;
  for (const auto& [key, value] : object.items())
    renamed[i++ == which ? (random.chance(0.5) ? key + "x" : random.pick(awkward)) : key] = value;
  object = std::move(renamed);
}

void remove_member(Json& value, Random& random) {
  const auto which = at(random.below(static_cast<int>(value.size())));
  if (value.is_array())
    value.erase(which);
  else
    value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(which)));
}

void change_string(Json& value, Random& random) {
  std::vector<std::string> tokens = tokens_of(value.get<std::string>());
  change_tokens(tokens, random);
  std::string text;
  for (const std::string& token : tokens) text += token;
  value = text;
}

void change_json(Json& document, Random& random) {
  std::vector<Json*> all;
  collect(document, &all);
  Json& here = *random.pick(all);
  const Json other = *random.pick(all);  // a copy: it may lie within `here`, or hold it
  switch (random.below(8)) {
    case 0: here = awkward_value(random); return;
    case 1: here = other; return;
    case 2:
      if (here.is_structured() && !here.empty()) remove_member(here, random);
      return;
    case 3:
      if (here.is_object() && !here.empty()) rename_key(here, random);
      return;
    case 4: here = Json::array({Json(here)}); return;
    case 5:
      if (here.is_array()) here.insert(here.begin(), other);
      if (here.is_object()) here[random.pick(awkward)] = other;
      return;
    default:
      if (here.is_string()) change_string(here, random);
  }
}

}  // namespace

std::string mutate_bytes(std::string text, Random& random) {
  for (int n = changes(random); n > 0; --n) change_bytes(text, random);
  return text;
}

std::string mutate_tokens(const std::string& text, Random& random) {
  std::vector<std::string> tokens = tokens_of(text);
  for (int n = changes(random); n > 0; --n) change_tokens(tokens, random);
  std::string out;
  for (const std::string& token : tokens) out += token;
  return out;
}

std::string mutate_json(const std::string& text, Random& random) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) return text;
  for (int n = changes(random); n > 0; --n) change_json(document, random);
  return document.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace espalier::fuzz

#include "fun/json_out.h"

#include <fmt/format.h>

namespace espalier::fun {

namespace {

constexpr std::size_t widest = 100;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    else
      out += c;
  }
  return out + '"';
}

std::string key_text(const JsonOut& json, std::size_t i) {
  return json.kind == JsonOut::Kind::object ? quoted(json.keys[i]) + ": " : "";
}

// On one line; stops early once it is too long to matter.
std::string flat(const JsonOut& json) {
  if (json.kind == JsonOut::Kind::string) return quoted(json.text);
  if (json.kind == JsonOut::Kind::literal) return json.text;
  const bool object = json.kind == JsonOut::Kind::object;
  std::string out = object ? "{" : "[";
  for (std::size_t i = 0; i < json.items.size() && out.size() <= widest; ++i) {
    if (i > 0) out += ", ";
    out += key_text(json, i) + flat(json.items[i]);
  }
  return out + (object ? "}" : "]");
}

void print(const JsonOut& json, std::size_t indent, std::size_t used, bool outermost,
           std::string* out) {
  const bool compound = json.kind == JsonOut::Kind::object || json.kind == JsonOut::Kind::list;
  const std::string line = flat(json);
  if (!compound || json.items.empty() || (!outermost && used + line.size() < widest)) {
    *out += line;
    return;
  }
  const bool object = json.kind == JsonOut::Kind::object;
  *out += object ? "{" : "[";
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    *out += i > 0 ? ",\n" : "\n";
    const std::string key = key_text(json, i);
    *out += std::string(indent + 2, ' ') + key;
    print(json.items[i], indent + 2, indent + 2 + key.size(), false, out);
  }
  *out += '\n' + std::string(indent, ' ') + (object ? '}' : ']');
}

}  // namespace

JsonOut json_string(std::string text) { return {JsonOut::Kind::string, std::move(text), {}, {}}; }
JsonOut json_literal(std::string text) { return {JsonOut::Kind::literal, std::move(text), {}, {}}; }
JsonOut json_list(std::vector<JsonOut> items) {
  return {JsonOut::Kind::list, {}, std::move(items), {}};
}
JsonOut json_object() { return {}; }

std::string pretty(const JsonOut& json) {
  std::string out;
  print(json, 0, 0, true, &out);
  return out + '\n';
}

}  // namespace espalier::fun

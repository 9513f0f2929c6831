#include "emit/arrays.h"

#include <fmt/format.h>

#include "base/float16.h"
#include "base/numbers.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

std::string element(Dtype dtype, const Column& column, std::size_t i) {
  constexpr Specials specials = {"INFINITY", "NAN"};
  switch (dtype) {
    case Dtype::f32: return literal(static_cast<float>(column.real[i]), specials);
    case Dtype::f64: return literal(column.real[i], specials);
    case Dtype::f16: return fmt::format("0x{:04x}", f16_bits(column.real[i]));
    case Dtype::bf16: return fmt::format("0x{:04x}", bf16_bits(column.real[i]));
    case Dtype::i64: return literal(column.integer[i]);
    default: return literal(static_cast<std::int32_t>(column.integer[i]));
  }
}

}  // namespace

std::vector<std::string> element_texts(Dtype dtype, const Column& column) {
  const std::size_t count = is_float(dtype) ? column.real.size() : column.integer.size();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; i++) out.push_back(element(dtype, column, i));
  return out;
}

std::string array_text(const std::string& name, Dtype dtype, const Column& column) {
  const std::vector<std::string> elements = element_texts(dtype, column);
  const std::size_t count = elements.size();
  if (count == 0) return "";
  std::string out = fmt::format("const {} {}[{}] = {{\n", memory_type(dtype), name, count);
  std::string line = "   ";
  for (std::size_t i = 0; i < count; i++) {
    const std::string text = elements[i] + (i + 1 < count ? "," : "");
    if (line.size() + 1 + text.size() > 99) {
      out += line + "\n";
      line = "   ";
    }
    line += " " + text;
  }
  return out + line + "};\n";
}

std::string array_text(const std::string& name, const std::vector<std::int64_t>& int32s) {
  return array_text(name, Dtype::i32, Column{{}, int32s});
}

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:03o}", byte);  // three octal digits end by themselves
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace espalier::emit

// Element types, the same in every IR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

enum class Dtype : std::uint8_t { f32, f64, f16, bf16, i8, i32, i64, boolean };

constexpr bool is_float(Dtype t) { return t <= Dtype::bf16; }
constexpr bool is_integer(Dtype t) { return t >= Dtype::i8 && t <= Dtype::i64; }

constexpr int bytes(Dtype t) {  // of one element in memory
  constexpr int table[] = {4, 8, 2, 2, 1, 4, 8, 1};
  return table[static_cast<int>(t)];
}

constexpr std::string_view dtype_name(Dtype t) {
  constexpr std::string_view table[] = {"f32", "f64", "f16", "bf16", "i8", "i32", "i64", "bool"};
  return table[static_cast<int>(t)];
}

// The element type that other libraries call `name`, "f32" for "float32"; else "".
std::string dtype_meant(std::string_view name);

}  // namespace espalier

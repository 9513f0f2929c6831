// The integer arithmetic of the language: it wraps, `//` and `%` round down, and dividing by zero gives
// zero.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace espalier::wave {

// `value` modulo 2 to the width of `dtype`, as a signed number; a bool is 0 or 1.
inline std::int64_t wrap(std::int64_t value, Dtype dtype) {
  switch (dtype) {
    case Dtype::i8: return static_cast<std::int8_t>(value);
    case Dtype::i32: return static_cast<std::int32_t>(value);
    case Dtype::boolean: return value != 0;
    default: return value;
  }
}

inline std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return wrapping_sub(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace espalier::wave

// The integer arithmetic of the language: it wraps, `//` and `%` round down, and dividing by zero
// gives zero.
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

// Of a negative power the part before the point: 1 and -1 have one, of all else it is 0.
inline std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  std::int64_t power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = wrapping_mul(power, base);
    base = wrapping_mul(base, base);
  }
  return power;
}

}  // namespace espalier::wave

// The two 16-bit floating-point formats, as bits: binary16 (f16) and bfloat16 (bf16).
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace espalier {

// Round to nearest, ties to even, in one step from the double; too large becomes infinity, a NaN
// stays a (quiet) NaN.
std::uint16_t f16_bits(double);
std::uint16_t bf16_bits(double);

// Exact.
double f16_value(std::uint16_t bits);
double bf16_value(std::uint16_t bits);

inline double round_to_f16(double x) { return f16_value(f16_bits(x)); }
inline double round_to_bf16(double x) { return bf16_value(bf16_bits(x)); }

// To the values of a floating-point dtype; other dtypes keep x.
double rounded(double x, Dtype);

}  // namespace espalier

#include "base/float16.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace espalier {

namespace {

struct Format {
  int exponent_bits, fraction_bits;
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
};

constexpr Format f16 = {5, 10}, bf16 = {8, 7};

// `value` / 2^shift, to nearest, ties to even.
std::uint64_t shift_right(std::uint64_t value, int shift) {
  if (shift > 63) return 0;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t low = value & (2 * half - 1), high = value >> shift;
  return high + (low > half || (low == half && (high & 1) != 0) ? 1 : 0);
}

std::uint16_t encode(double x, Format format) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t sign = bits >> 63 << 15, fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const int drop = 52 - format.fraction_bits;
  std::uint64_t out = format.infinity();
  if (exponent == 0x7ff) {
    if (fraction != 0) out |= fraction >> drop | std::uint64_t{1} << (format.fraction_bits - 1);
  } else if (exponent != 0) {  // a subnormal double is zero in either format
    // Counted in units of the fraction, a carry out of it steps the exponent, as it should.
    const int biased = exponent - 1023 + format.bias();
    const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
    out = shift_right(significand, drop + std::max(0, 1 - biased));
    if (biased > 1) out += static_cast<std::uint64_t>(biased - 1) << format.fraction_bits;
    out = std::min(out, format.infinity());
  } else {
    out = 0;
  }
  return static_cast<std::uint16_t>(sign | out);
}

double decode(std::uint16_t bits, Format format) {
  const int magnitude = bits & 0x7fff;
  const int exponent = magnitude >> format.fraction_bits;
  const int fraction = magnitude & ((1 << format.fraction_bits) - 1);
  double value = 0;
  if (exponent == (1 << format.exponent_bits) - 1)
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - format.bias() - format.fraction_bits);
  else
    value = std::ldexp(fraction + (1 << format.fraction_bits),
                       exponent - format.bias() - format.fraction_bits);
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace

std::uint16_t f16_bits(double x) { return encode(x, f16); }
std::uint16_t bf16_bits(double x) { return encode(x, bf16); }
double f16_value(std::uint16_t bits) { return decode(bits, f16); }
double bf16_value(std::uint16_t bits) { return decode(bits, bf16); }

double rounded(double x, Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return static_cast<double>(static_cast<float>(x));
    case Dtype::f16: return round_to_f16(x);
    case Dtype::bf16: return round_to_bf16(x);
    case Dtype::f64:
    case Dtype::i8:
    case Dtype::i32:
    case Dtype::i64:
    case Dtype::boolean: break;
  }
  return x;
}

}  // namespace espalier

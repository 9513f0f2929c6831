// The elementwise operators of the model language, for float, double and vec, and the integer ones.
// A float gets the same bits as the lane of a vec: both are compiled from one text, in which at
// most one product feeds each addition, so that it is contracted the same way.
//
// exp, expm1, log, log1p, tanh, sigmoid and erf of float are our own: polynomials fitted here by
// minimax, at most 4 units in the last place off over all floats, exact at 0, infinities and NaN,
// subnormal results included. The rest is composed of these or comes from <cmath>.
#ifndef ESPALIER_V0_1_MATH_H
#define ESPALIER_V0_1_MATH_H

#include <cmath>
#include <limits>
#include <type_traits>

#include "lanes.h"

namespace espalier {
inline namespace v0_1 {
inline namespace ESPALIER_V0_1_ISA {

// A constant of type V: float, double or vec.
template <class V>
V constant(double x) {
  return static_cast<V>(x);
}
template <>
inline vec constant<vec>(double x) {
  return splat(static_cast<float>(x));
}

// The bodies below take V = float or vec.
namespace body {

template <class V>
V abs(V x) {
  return from_bits(to_bits(x) & 0x7fffffffu);
}

template <class V>
V with_sign(V x, V sign) {
  return from_bits(to_bits(x) | (to_bits(sign) & 0x80000000u));
}

// ((p x + c) x + ...) + last
template <class V>
V horner(V p, V) {
  return p;
}
template <class V, class... Rest>
V horner(V p, V x, float c, Rest... rest) {
  return horner(p * x + c, x, rest...);
}

// e^x = 2^n (1 + tail) for -104 <= x <= 89: x = n ln 2 + r, |r| <= ln 2 / 2, tail = e^r - 1.
template <class V>
struct SplitExp {
  decltype(to_bits(V())) n;  // modulo 2^32
  V tail;

  explicit SplitExp(V x) {
    const V shifted = x * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: the sum is an integer
    const V whole = shifted - 12582912.0f;
    n = to_bits(shifted) - 0x4b400000u;
    const V r = (x - whole * 0.693145752f) - whole * 1.42860677e-6f;  // ln 2 in two parts
    const V p =
        horner(constant<V>(1.39475823e-3), r, 8.36724788e-3f, 4.16662656e-2f, 1.66665375e-1f, 0.5f);
    tail = (p * r) * r + r;
  }
};

template <class V, class Bits>
V power_of_two(Bits n) {
  return from_bits((n + 127u) << 23);
}

template <class V>
V exp(V x) {
  x = select(x < -104.0f, constant<V>(-104), x);
  x = select(x > 89.0f, constant<V>(89), x);
  const SplitExp<V> e(x);
  const auto half = ((e.n + 256u) >> 1) - 128u;  // in two steps, for subnormals and the last octave
  return (e.tail + 1.0f) * power_of_two<V>(half) * power_of_two<V>(e.n - half);
}

template <class V>
V expm1(V x) {
  V y = select(x < -25.0f, constant<V>(-25), x);
  y = select(y > 89.0f, constant<V>(89), y);
  const SplitExp<V> e(y);
  const V half = power_of_two<V>(e.n - 1u);
  return with_sign((half * e.tail + (half - 0.5f)) * 2.0f, x);
}

// (e^2x - 1) / (e^2x + 1) by way of e^2x - 1, which keeps the digits of small x
template <class V>
V tanh(V x) {
  const V size = abs(x);
  const SplitExp<V> e(select(size > 20.0f, constant<V>(40), size + size));
  const V scale = power_of_two<V>(e.n);
  const V m = scale * e.tail + (scale - 1.0f);
  return with_sign(m / (m + 2.0f), x);
}

// x = 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2)
template <class V>
V log(V x) {
  const auto tiny = x < 0x1p-126f;
  const auto bits = to_bits(select(tiny, x * 0x1p23f, x)) - 0x3f3504f3u;
  const V f = from_bits((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  const V e = from_bits(((bits + 0x40000000u) >> 23) + 0x4b000000u) -
              select(tiny, constant<V>(8388608 + 128 + 23), constant<V>(8388608 + 128));
  V p = horner(constant<V>(-7.63382912e-2), f, 1.27612203e-1f, -1.31602630e-1f, 1.42018095e-1f,
               -1.66233540e-1f, 2.00012252e-1f, -2.50008225e-1f, 3.33333313e-1f, -0.5f);
  p = (p * f) * f + (e * 1.42860677e-6f + f);
  p = e * 0.693145752f + p;
  p = select(x < std::numeric_limits<float>::infinity(), p, x);
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  return select(x > 0.0f, p,
                select(x < 0.0f, constant<V>(nan), select(x == 0.0f, constant<V>(-infinity), x)));
}

// Kahan's: the error of log(1 + x) is that of the rounded 1 + x, which the quotient takes out
template <class V>
V log1p(V x) {
  const V u = x + 1.0f, d = u - 1.0f;
  const V y = select(d == 0.0f, x, log(u) * (x / d));
  return select(x < std::numeric_limits<float>::infinity(), y, x);
}

// x P(x^2) near 0, else 1 - e^(-t P(t)) with t = |x|
template <class V>
V erf(V x) {
  const V s = x * x;
  const V p = horner(constant<V>(-5.99939201e-4), s, 4.99482732e-3f, -2.67677177e-2f,
                     1.12818457e-1f, -3.76124978e-1f, 1.28379151e-1f);
  const V near = p * x + x;
  const V size = abs(x), t = select(size > 4.0f, constant<V>(4), size);
  const V q = horner(constant<V>(-2.13988271e-4), t, 3.21498071e-3f, -2.28900369e-2f,
                     1.05261944e-1f, 6.35718226e-1f, 1.12851441f);
  return select(size > 0.92f, with_sign(1.0f - exp(-(q * t)), x), near);
}

}  // namespace body

// The functions above: `float` and `vec` from one body, `double` from <cmath>. Where a vec is an
// array, lane by lane.
#if ESPALIER_V0_1_VECTORS
#define ESPALIER_VEC_OF(name) body::name(x)
#else
#define ESPALIER_VEC_OF(name) by_lane(x, [](float v) { return body::name(v); })
#endif
#define ESPALIER_OWN(name, of_double)                  \
  inline float name(float x) { return body::name(x); } \
  inline double name(double x) { return of_double; }   \
  inline vec name(vec x) { return ESPALIER_VEC_OF(name); }
ESPALIER_OWN(abs, std::fabs(x))
ESPALIER_OWN(exp, std::exp(x))
ESPALIER_OWN(expm1, std::expm1(x))
ESPALIER_OWN(tanh, std::tanh(x))
ESPALIER_OWN(log, std::log(x))
ESPALIER_OWN(log1p, std::log1p(x))
ESPALIER_OWN(erf, std::erf(x))
#undef ESPALIER_OWN
#undef ESPALIER_VEC_OF

// What <cmath> has for numbers, lane by lane for vectors. round() goes to the even of two equally
// near, as PyTorch's.
#define ESPALIER_LANEWISE(name, from)                        \
  inline float name(float x) { return std::from(x); }        \
  inline double name(double x) { return std::from(x); }      \
  inline vec name(vec x) {                                   \
    return by_lane(x, [](float v) { return std::from(v); }); \
  }
ESPALIER_LANEWISE(floor, floor)
ESPALIER_LANEWISE(ceil, ceil)
ESPALIER_LANEWISE(round, nearbyint)
ESPALIER_LANEWISE(sqrt, sqrt)
ESPALIER_LANEWISE(sin, sin)
ESPALIER_LANEWISE(cos, cos)
ESPALIER_LANEWISE(tan, tan)
ESPALIER_LANEWISE(asin, asin)
ESPALIER_LANEWISE(acos, acos)
ESPALIER_LANEWISE(atan, atan)
ESPALIER_LANEWISE(sinh, sinh)
ESPALIER_LANEWISE(cosh, cosh)
#undef ESPALIER_LANEWISE

namespace body {

// `a // b` and `a % b`: the quotient rounded down, and a remainder with the sign of b
template <class T>
T floormod(T a, T b) {
  const T m = std::fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
template <class T>
T floordiv(T a, T b) {
  if (b == 0) return a / b;
  const T quotient = (a - floormod(a, b)) / b, down = std::floor(quotient);
  if (quotient == 0) return std::copysign(T(0), a / b);
  return quotient - down > T(0.5) ? down + 1 : down;
}

}  // namespace body

#define ESPALIER_LANEWISE(name, from)                                  \
  inline float name(float x, float y) { return from(x, y); }           \
  inline double name(double x, double y) { return from(x, y); }        \
  inline vec name(vec x, vec y) {                                      \
    return by_lane(x, y, [](float a, float b) { return from(a, b); }); \
  }
ESPALIER_LANEWISE(floordiv, body::floordiv)
ESPALIER_LANEWISE(floormod, body::floormod)
ESPALIER_LANEWISE(pow, std::pow)
ESPALIER_LANEWISE(atan2, std::atan2)
#undef ESPALIER_LANEWISE

// The rest are of any V: float, double, vec; the first four of integers too. Of minimum and
// maximum, equals give the first, and NaN wins.
template <class V>
V minimum(V a, V b) {
  return select((b < a) | (b != b), b, a);
}
template <class V>
V maximum(V a, V b) {
  return select((a < b) | (b != b), b, a);
}
template <class V>
V clip(V x, V low, V high) {
  return minimum(maximum(x, low), high);
}
template <class V>
V sign(V x) {  // of NaN 0
  return select(x > V{}, constant<V>(1), V{}) - select(x < V{}, constant<V>(1), V{});
}
template <class V>
auto isnan(V x) {
  return x != x;
}
template <class V>
V leaky_relu(V x, V slope = constant<V>(0.01)) {
  return select(x > V{}, x, slope * x);
}
template <class V>
V elu(V x, V alpha = constant<V>(1)) {
  return select(x > V{}, x, alpha * expm1(x));
}
template <class V>
V sigmoid(V x) {
  const V z = exp(-abs(x));
  return select(x < V{}, z, constant<V>(1)) / (z + constant<V>(1));
}

#define ESPALIER_COMPOSED(name, value) \
  template <class V>                   \
  V name(V x) {                        \
    return value;                      \
  }
ESPALIER_COMPOSED(square, (x * x))
ESPALIER_COMPOSED(reciprocal, constant<V>(1) / x)
ESPALIER_COMPOSED(rsqrt, constant<V>(1) / sqrt(x))
ESPALIER_COMPOSED(relu, maximum(V{}, x))
ESPALIER_COMPOSED(gelu, (x * constant<V>(0.5) *
                         (erf(x * constant<V>(0.70710678118654752)) + constant<V>(1))))
ESPALIER_COMPOSED(softplus, relu(x) + log1p(exp(-abs(x))))
ESPALIER_COMPOSED(silu, (x * sigmoid(x)))
ESPALIER_COMPOSED(mish, (x * tanh(softplus(x))))
ESPALIER_COMPOSED(hardsigmoid, clip(x + constant<V>(3), V{}, constant<V>(6)) / constant<V>(6))
ESPALIER_COMPOSED(hardswish, (x * hardsigmoid(x)))
#undef ESPALIER_COMPOSED

// Integers wrap, without undefined behaviour; division by zero gives 0.
template <class I>
constexpr bool is_integer = std::is_integral<I>::value && !std::is_same<I, bool>::value;
template <class I>
using unsigned_of = std::conditional_t<sizeof(I) < 8, std::uint32_t, std::uint64_t>;

#define ESPALIER_WRAPPING(name, op)                                                          \
  template <class I>                                                                         \
  I name(I a, I b) {                                                                         \
    return static_cast<I>(static_cast<unsigned_of<I>>(a) op static_cast<unsigned_of<I>>(b)); \
  }
ESPALIER_WRAPPING(wrap_add, +)
ESPALIER_WRAPPING(wrap_sub, -)
ESPALIER_WRAPPING(wrap_mul, *)
#undef ESPALIER_WRAPPING

template <class I>
std::enable_if_t<is_integer<I>, I> abs(I a) {
  return a < 0 ? wrap_sub(I{0}, a) : a;
}
template <class I>
std::enable_if_t<is_integer<I>, I> floordiv(I a, I b) {
  if (b == 0) return 0;
  if (b == -1) return wrap_sub(I{0}, a);
  return static_cast<I>(a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
}
template <class I>
std::enable_if_t<is_integer<I>, I> floormod(I a, I b) {
  if (b == 0 || b == -1) return 0;
  const I m = static_cast<I>(a % b);
  return m != 0 && (m < 0) != (b < 0) ? static_cast<I>(m + b) : m;
}
template <class I>
std::enable_if_t<is_integer<I>, I> pow(I a, I b) {  // a negative power is 1 / a^-b rounded to 0
  if (b < 0) return a == 1 ? I{1} : a == -1 ? (b % 2 == 0 ? I{1} : I{-1}) : I{0};
  I result = 1;
  for (; b > 0; b = static_cast<I>(b / 2), a = wrap_mul(a, a))
    if (b % 2 != 0) result = wrap_mul(result, a);
  return result;
}

// Conversion between number types: float to integer goes towards 0 and saturates, NaN gives 0;
// integer to integer wraps; to bool: is it not 0?
template <class To, class From>
To cast(From x) {
  if constexpr (std::is_same<To, bool>::value) {
    return x != From{};
  } else if constexpr (std::is_floating_point<From>::value && std::is_integral<To>::value) {
    using Limits = std::numeric_limits<To>;
    constexpr From end = static_cast<From>(Limits::max() / 2 + 1) * 2;  // 2^bits, exact
    if (x != x) return 0;
    if (x >= end) return Limits::max();
    return x < static_cast<From>(Limits::min()) ? Limits::min() : static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

// 16-bit floats as they are stored; to them by rounding to the nearest, ties to even.
inline float from_bf16(std::uint16_t h) { return from_bits(std::uint32_t{h} << 16); }
inline std::uint16_t to_bf16(float x) {
  const std::uint32_t bits = to_bits(x);
  if (x != x) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
inline float from_f16(std::uint16_t h) {
  const std::uint32_t sign = (h & 0x8000u) << 16, rest = h & 0x7fffu;
  if (rest < 0x0400u)  // zero and subnormal: units of 2^-24
    return from_bits(sign | to_bits(static_cast<float>(rest) * 0x1p-24f));
  return from_bits(sign | ((rest << 13) + (rest < 0x7c00u ? 0x38000000u : 0x70000000u)));
}
inline std::uint16_t to_f16(float x) {
  const std::uint32_t sign = to_bits(x) >> 16 & 0x8000u, rest = to_bits(x) & 0x7fffffffu;
  std::uint32_t h;
  if (rest > 0x7f800000u)
    h = 0x7e00u | (rest >> 13 & 0x3ffu);
  else if (rest >= 0x477ff000u)  // 65520 and above round to infinity
    h = 0x7c00u;
  else if (rest < 0x38800000u)  // subnormal: the sum has units of 2^-24
    h = to_bits(from_bits(rest) + 0.5f) - 0x3f000000u;
  else
    h = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13;
  return static_cast<std::uint16_t>(sign | h);
}

}  // namespace ESPALIER_V0_1_ISA
}  // namespace v0_1
}  // namespace espalier

#endif

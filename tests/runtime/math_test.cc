#include "runtime/math.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace {

using espalier::from_bits;
using espalier::lanes;
using espalier::to_bits;
using espalier::vec;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// A function of a number, as float, vec and double, and the most by which float may be off.
struct Function {
  const char* name;
  float (*of_float)(float);
  vec (*of_vec)(vec);
  double (*of_double)(double);
  double ulps;       // of the answer
  double ulps_of_x;  // or of the argument, for functions that subtract or that are x * y
};

#define FUNCTION(name, ulps, ulps_of_x)                                                      \
  {                                                                                          \
#name, [](float x) { return espalier::name(x); }, [](vec x) { return espalier::name(x); }, \
        [](double x) { return espalier::name(x); }, ulps, ulps_of_x \
  }
constexpr int own = 8;  // the first of them; the others are <cmath>'s or composed of these
const Function functions[] = {
    FUNCTION(exp, 4, 0),       FUNCTION(expm1, 4, 0),      FUNCTION(tanh, 4, 0),
    FUNCTION(sigmoid, 4, 0),   FUNCTION(log, 4, 0),        FUNCTION(log1p, 4, 0),
    FUNCTION(erf, 4, 0),       FUNCTION(softplus, 4, 0),   FUNCTION(elu, 4, 0),
    FUNCTION(silu, 4, 4),      FUNCTION(mish, 4, 4),       FUNCTION(gelu, 4, 4),
    FUNCTION(relu, 0, 0),      FUNCTION(leaky_relu, 2, 0), FUNCTION(hardsigmoid, 2, 1),
    FUNCTION(hardswish, 3, 4), FUNCTION(abs, 0, 0),        FUNCTION(sign, 0, 0),
    FUNCTION(square, 1, 0),    FUNCTION(reciprocal, 1, 0), FUNCTION(rsqrt, 2, 0),
    FUNCTION(sqrt, 1, 0),      FUNCTION(floor, 0, 0),      FUNCTION(ceil, 0, 0),
    FUNCTION(round, 0, 0),     FUNCTION(sin, 4, 0),        FUNCTION(cos, 4, 0),
    FUNCTION(tan, 4, 0),       FUNCTION(asin, 4, 0),       FUNCTION(acos, 4, 0),
    FUNCTION(atan, 4, 0),      FUNCTION(sinh, 4, 0),       FUNCTION(cosh, 4, 0),
};
#undef FUNCTION

// The distance of floats near x.
double ulp(double x) {
  const double size = std::fmin(std::fmax(std::fabs(x), 1.17549435e-38), 3.4e38);
  int exponent;
  std::frexp(size, &exponent);
  return std::ldexp(1.0, exponent - 24);
}

bool near(const Function& f, float x, float got, double want) {
  if (want != want) return got != got;
  if (static_cast<float>(want) == got) return true;
  if (std::fabs(want) > 3.4028234e38) return got == (want > 0 ? infinity : -infinity);
  const double off = std::fabs(static_cast<double>(got) - want);
  return off <= f.ulps * ulp(want) || off <= f.ulps_of_x * ulp(static_cast<double>(x));
}

// All floats whose bits are multiples of `step`, and the neighbours of zero, one and infinity.
void check_floats(const Function& f, std::uint64_t step) {
  INFO(f.name);
  float x[lanes], y[lanes];
  int filled = 0;
  const auto check = [&](float v) {
    x[filled++] = v;
    if (filled < lanes) return;
    filled = 0;
    espalier::storeu(y, f.of_vec(espalier::loadu(x)));
    for (int i = 0; i < lanes; i++) {
      const float one = f.of_float(x[i]);
      const bool same = to_bits(one) == to_bits(y[i]) || (one != one && y[i] != y[i]);
      if (same && near(f, x[i], one, f.of_double(static_cast<double>(x[i])))) continue;
      CAPTURE(x[i]);
      CAPTURE(one);
      CAPTURE(y[i]);
      REQUIRE(false);
    }
  };
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += step)
    check(from_bits(static_cast<std::uint32_t>(bits)));
  for (const std::uint32_t at : {0x00000000u, 0x00800000u, 0x3f800000u, 0x7f800000u, 0x42b00000u})
    for (std::uint32_t k = 0; k < 1000; k++)
      for (const std::uint32_t sign : {0u, 0x80000000u}) check(from_bits((at + k - 500) ^ sign));
  for (int i = 0; i < lanes; i++) check(0.25f);
}

TEST_CASE("functions of float are accurate, and a lane has the bits of a number") {
  for (const Function& f : functions) check_floats(f, 40009);
}

TEST_CASE("the same of our own functions for all 2^32 floats" * doctest::test_suite("slow")) {
  for (int f = 0; f < own; f++) check_floats(functions[f], 1);
}

TEST_CASE("exact where one looks") {
  using namespace espalier;
  for (const float zero : {0.0f, -0.0f})
    for (float (*f)(float) :
         {+[](float x) { return espalier::tanh(x); }, +[](float x) { return espalier::erf(x); },
          +[](float x) { return espalier::expm1(x); }, +[](float x) { return espalier::log1p(x); }})
      CHECK(to_bits(f(zero)) == to_bits(zero));
  CHECK(espalier::exp(0.0f) == 1);
  CHECK(sigmoid(0.0f) == 0.5f);
  CHECK(espalier::log(1.0f) == 0);
  CHECK(espalier::tanh(infinity) == 1);
  CHECK(espalier::tanh(-infinity) == -1);
  CHECK(sigmoid(-infinity) == 0);
  CHECK(espalier::exp(-infinity) == 0);
  CHECK(espalier::log(0.0f) == -infinity);
  CHECK(espalier::round(2.5f) == 2);
  CHECK(espalier::round(-0.5f) == 0);
  CHECK(sign(-3.0f) == -1);
  CHECK(relu(-infinity) == 0);
}

TEST_CASE("tanh, sigmoid and erf do not fall, and stay in their range") {
  for (float (*f)(float) :
       {+[](float x) { return espalier::tanh(x); }, +[](float x) { return espalier::sigmoid(x); },
        +[](float x) { return espalier::erf(x); }}) {
    float last = -1;
    for (float x = 3.5f; x < 200; x += 0.0625f) {
      CHECK(f(x) <= 1);
      CHECK(f(-x) >= -1);
      if (x > 20) CHECK(f(x) >= last);
      last = f(x);
    }
  }
}

TEST_CASE("minimum and maximum hand NaN on, and give the first of equals") {
  using namespace espalier;
  CHECK(minimum(1.0f, 2.0f) == 1);
  CHECK(maximum(1.0, 2.0) == 2);
  CHECK(isnan(minimum(nan, 1.0f)));
  CHECK(isnan(minimum(1.0f, nan)));
  CHECK(isnan(maximum(nan, 1.0f)));
  CHECK(isnan(maximum(1.0f, nan)));
  CHECK(std::signbit(maximum(-0.0f, 0.0f)));
  CHECK(!std::signbit(minimum(0.0f, -0.0f)));
  CHECK(isnan(clip(nan, 0.0f, 1.0f)));
  CHECK(isnan(relu(nan)));
  CHECK(clip(7, 0, 5) == 5);
  CHECK(minimum(std::int8_t{3}, std::int8_t{-4}) == -4);
  CHECK(sign(std::int64_t{-9}) == -1);
  vec a = splat(1), b = splat(2);
  a[0] = nan;
  b[1] = nan;
  const vec low = minimum(a, b);
  CHECK(isnan(static_cast<float>(low[0])));
  CHECK(isnan(static_cast<float>(low[1])));
  CHECK(low[2] == 1);
  CHECK(clip(splat(3), splat(0), splat(2))[0] == 2);
}

TEST_CASE("float division rounds down") {
  using namespace espalier;
  CHECK(floordiv(7.0f, 2.0f) == 3);
  CHECK(floordiv(-7.0f, 2.0f) == -4);
  CHECK(floormod(-7.0f, 2.0f) == 1);
  CHECK(floormod(7.0, -2.0) == -1);
  CHECK(floordiv(7.0, -2.0) == -4);
  CHECK(floordiv(1.0, 0.1) == 9);  // as Python's, since 0.1 is a little more than a tenth
  CHECK(floordiv(1.0f, 0.0f) == infinity);
  CHECK(isnan(floormod(1.0f, 0.0f)));
  CHECK(floordiv(splat(-7), splat(2))[lanes - 1] == -4);
  CHECK(floormod(splat(-7), splat(2))[lanes - 1] == 1);
  CHECK(espalier::pow(splat(3), splat(2))[lanes - 1] == 9);
}

template <class I>
void check_integers() {
  using namespace espalier;
  const I least = std::numeric_limits<I>::min(), most = std::numeric_limits<I>::max();
  CHECK(wrap_add(most, I{1}) == least);
  CHECK(wrap_sub(least, I{1}) == most);
  CHECK(wrap_mul(most, I{2}) == I{-2});
  CHECK(wrap_mul(most, most) == I{1});
  CHECK(espalier::abs(least) == least);
  CHECK(espalier::abs(I{-5}) == I{5});
  CHECK(floordiv(least, I{-1}) == least);
  CHECK(floormod(least, I{-1}) == 0);
  CHECK(floordiv(I{5}, I{0}) == 0);
  CHECK(floormod(I{5}, I{0}) == 0);
  for (int a = -9; a <= 9; a++)
    for (int b = -4; b <= 4; b++) {
      if (b == 0) continue;
      const I q = floordiv(static_cast<I>(a), static_cast<I>(b));
      CHECK(q == static_cast<I>(std::floor(static_cast<double>(a) / b)));
      CHECK(q * b + floormod(static_cast<I>(a), static_cast<I>(b)) == a);
    }
  CHECK(espalier::pow(I{-3}, I{3}) == I{-27});
  CHECK(espalier::pow(I{2}, I{0}) == I{1});
  CHECK(espalier::pow(I{2}, I{-1}) == I{0});
  CHECK(espalier::pow(I{-1}, I{-3}) == I{-1});
  CHECK(espalier::pow(I{2}, I{100}) == I{0});
}

TEST_CASE("integers wrap and divide without a trap") {
  check_integers<std::int8_t>();
  check_integers<std::int32_t>();
  check_integers<std::int64_t>();
}

TEST_CASE("casts saturate, NaN gives 0, integers wrap") {
  using espalier::cast;
  CHECK(cast<std::int32_t>(3e9f) == 2147483647);
  CHECK(cast<std::int32_t>(-3e9f) == -2147483647 - 1);
  CHECK(cast<std::int32_t>(2147483648.0f) == 2147483647);
  CHECK(cast<std::int32_t>(-2147483648.0f) == -2147483647 - 1);
  CHECK(cast<std::int32_t>(2147483647.0) == 2147483647);
  CHECK(cast<std::int32_t>(nan) == 0);
  CHECK(cast<std::int64_t>(infinity) == std::numeric_limits<std::int64_t>::max());
  CHECK(cast<std::int64_t>(-1e30) == std::numeric_limits<std::int64_t>::min());
  CHECK(cast<std::int8_t>(-129.5f) == -128);
  CHECK(cast<std::int8_t>(-128.5f) == -128);
  CHECK(cast<std::int8_t>(-1.9f) == -1);
  CHECK(cast<std::int8_t>(std::int32_t{300}) == 44);
  CHECK(cast<bool>(0.5f));
  CHECK(!cast<bool>(0));
  CHECK(cast<float>(true) == 1);
  CHECK(cast<float>(0.1) == 0.1f);
}

// The nearest of all 16-bit floats by search, ties to the one of even bits.
std::uint16_t nearest(double x, float (*value)(std::uint16_t), std::uint16_t infinite) {
  const auto at = [&](int bits) {
    return bits == infinite ? std::ldexp(1.0, infinite == 0x7c00 ? 16 : 128)
                            : static_cast<double>(value(static_cast<std::uint16_t>(bits)));
  };
  int low = 0, high = infinite;  // at(low) <= |x|, at(high) >= |x| or beyond all
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (at(middle) <= std::fabs(x) ? low : high) = middle;
  }
  const double down = std::fabs(x) - at(low), up = at(high) - std::fabs(x);
  const int best = down < up || (!(down > up) && low % 2 == 0) ? low : high;
  return static_cast<std::uint16_t>(best | (std::signbit(x) ? 0x8000 : 0));
}

TEST_CASE("16-bit floats: back and forth is exact, and others round to the nearest even") {
  using namespace espalier;
  for (std::uint32_t h = 0; h < 0x10000; h++) {
    const std::uint16_t bits = static_cast<std::uint16_t>(h);
    if (!isnan(from_f16(bits))) REQUIRE(to_f16(from_f16(bits)) == bits);
    if (!isnan(from_bf16(bits))) REQUIRE(to_bf16(from_bf16(bits)) == bits);
  }
  CHECK(from_f16(0x3c00) == 1);
  CHECK(from_f16(0x0001) == 5.96046448e-8f);
  CHECK(from_f16(0x7bff) == 65504);
  CHECK(from_f16(0xfc00) == -infinity);
  CHECK(isnan(from_f16(to_f16(nan))));
  CHECK(isnan(from_bf16(to_bf16(nan))));
  CHECK(isnan(from_bf16(to_bf16(from_bits(0x7f800001u)))));
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 10007) {
    const float x = from_bits(static_cast<std::uint32_t>(bits));
    if (isnan(x) || std::isinf(x)) continue;
    REQUIRE(to_f16(x) == nearest(static_cast<double>(x), from_f16, 0x7c00));
    REQUIRE(to_bf16(x) == nearest(static_cast<double>(x), from_bf16, 0x7f80));
  }
}

}  // namespace

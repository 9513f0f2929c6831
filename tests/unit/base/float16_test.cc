#include "base/float16.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace espalier;

namespace {

struct Format {
  std::uint16_t (*bits)(double);
  double (*value)(std::uint16_t);
  std::uint16_t infinity;
};

constexpr Format formats[] = {{f16_bits, f16_value, 0x7c00}, {bf16_bits, bf16_value, 0x7f80}};

std::uint16_t half_word(int i) { return static_cast<std::uint16_t>(i); }

}  // namespace

TEST_CASE("known values") {
  CHECK(f16_value(0x3c00) == 1);
  CHECK(f16_value(0xc000) == -2);
  CHECK(f16_value(0x7bff) == 65504);
  CHECK(f16_value(0x0001) == std::ldexp(1, -24));
  CHECK(f16_value(0x0400) == std::ldexp(1, -14));
  CHECK(f16_bits(1.0 / 3) == 0x3555);
  CHECK(bf16_value(0x3f80) == 1);
  CHECK(bf16_value(0x7f7f) == std::ldexp(255, 120));
  CHECK(bf16_value(0x0001) == std::ldexp(1, -133));
  CHECK(bf16_bits(3.14159265358979) == 0x4049);
}

TEST_CASE("every value reads back, in order") {
  for (const Format& f : formats) {
    for (int i = 0; i <= 0xffff; ++i) {
      const double value = f.value(half_word(i));
      if ((i & 0x7fff) > f.infinity) {
        CHECK_MESSAGE(std::isnan(value), i);
        CHECK_MESSAGE(std::isnan(f.value(f.bits(value))), i);
      } else if (f.bits(value) != i) {
        FAIL_CHECK(i);  // -0 and 0 are told apart here
      }
      if (i > 0 && i <= f.infinity && f.value(half_word(i - 1)) >= value) FAIL_CHECK(i);
    }
  }
}

TEST_CASE("what lies between two values goes to the nearer, at the middle to the even one") {
  for (const Format& f : formats) {
    for (int i = 0; i < f.infinity; ++i) {
      const double low = f.value(half_word(i));
      const double high =
          i + 1 < f.infinity ? f.value(half_word(i + 1)) : 2 * low - f.value(half_word(i - 1));
      const double middle = low / 2 + high / 2;
      const int even = i + (i & 1);
      for (const double sign : {1.0, -1.0}) {
        const int s = sign < 0 ? 0x8000 : 0;
        const bool right = f.bits(sign * middle) == (s | even) &&
                           f.bits(sign * std::nextafter(middle, low)) == (s | i) &&
                           f.bits(sign * std::nextafter(middle, high)) == (s | (i + 1)) &&
                           f.bits(sign * std::nextafter(low, high)) == (s | i);
        if (!right) FAIL_CHECK(i);
      }
    }
  }
}

TEST_CASE("too large, too small, and not a number") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Format& f : formats) {
    CHECK(f.bits(infinity) == f.infinity);
    CHECK(f.bits(-infinity) == (f.infinity | 0x8000));
    CHECK(f.bits(1e300) == f.infinity);
    CHECK(f.bits(1e-300) == 0);
    CHECK(f.bits(-1e-300) == 0x8000);
    CHECK(f.bits(std::numeric_limits<double>::denorm_min()) == 0);
    CHECK(f.bits(-0.0) == 0x8000);
    // A signalling NaN whose payload lies below the format's fraction must not become infinity.
    CHECK(std::isnan(f.value(f.bits(std::numeric_limits<double>::signaling_NaN()))));
    CHECK(std::isnan(f.value(f.bits(std::nan("1")))));
  }
}

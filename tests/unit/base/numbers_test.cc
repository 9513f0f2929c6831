#include "base/numbers.h"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "base/float16.h"

using namespace espalier;

namespace {

constexpr Specials cpp = {"INFINITY", "NAN"};
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("shortest text, with a point or an exponent") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(100.0) == "100.0");
  CHECK(shortest(-0.0) == "-0.0");
  CHECK(shortest(1e-30) == "1e-30");
  CHECK(shortest(1e30) == "1e+30");
  CHECK(shortest(5e-324) == "5e-324");
  CHECK(shortest(0.1f) == "0.1");
  CHECK(shortest(16777216.0f) == "16777216.0");
  CHECK(shortest(std::numeric_limits<float>::denorm_min()) == "1e-45");
  CHECK(shortest(infinity) == "inf");
  CHECK(shortest(-infinity) == "-inf");
  CHECK(shortest(std::nan("")) == "nan");
}

TEST_CASE("C++ literals") {
  CHECK(literal(0.5f, cpp) == "0.5f");
  CHECK(literal(-1.0f, cpp) == "-1.0f");
  CHECK(literal(1e-30f, cpp) == "1e-30f");
  CHECK(literal(0.5, cpp) == "0.5");
  CHECK(literal(-0.0f, cpp) == "-0.0f");
  CHECK(literal(-std::numeric_limits<float>::infinity(), cpp) == "-INFINITY");
  CHECK(literal(std::nanf(""), cpp) == "NAN");
  CHECK(literal_f16(f16_value(0x3555), cpp) == "0.3333f");
  CHECK(literal_bf16(bf16_value(0x3dcd), cpp) == "0.1f");
  CHECK(literal_f16(-infinity, cpp) == "-INFINITY");
  CHECK(literal(std::int32_t{-7}) == "-7");
  CHECK(literal(INT32_MIN) == "(-2147483647 - 1)");
  CHECK(literal(INT64_MIN) == "(-9223372036854775807 - 1)");
  CHECK(literal(UINT32_MAX) == "4294967295u");
  CHECK(literal(UINT64_MAX) == "18446744073709551615u");
}

TEST_CASE("text reads back to the bit") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto d = std::bit_cast<double>(random());
    if (std::isfinite(d) &&
        std::bit_cast<std::uint64_t>(*parse_double(shortest(d))) != std::bit_cast<std::uint64_t>(d))
      FAIL_CHECK(shortest(d));
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(f) &&
        std::bit_cast<std::uint32_t>(*parse_float(shortest(f))) != std::bit_cast<std::uint32_t>(f))
      FAIL_CHECK(shortest(f));
  }
}

TEST_CASE("every 16-bit value reads back, as a float that is rounded") {
  for (int i = 0; i <= 0xffff; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const double h = f16_value(bits), b = bf16_value(bits);
    if (std::isfinite(h)) {
      const float read = *parse_float(shortest_f16(h));
      if (f16_bits(static_cast<double>(read)) != bits) FAIL_CHECK(shortest_f16(h));
    }
    if (std::isfinite(b)) {
      const float read = *parse_float(shortest_bf16(b));
      if (bf16_bits(static_cast<double>(read)) != bits) FAIL_CHECK(shortest_bf16(b));
    }
  }
}

TEST_CASE("numbers are read whole or not at all") {
  CHECK(parse_double("1") == 1.0);
  CHECK(parse_double("-.5e+1") == -5.0);
  CHECK(parse_double("5.") == 5.0);
  CHECK(parse_double("1E3") == 1000.0);
  CHECK(parse_double("inf") == infinity);
  CHECK(parse_double("-inf") == -infinity);
  CHECK(std::isnan(*parse_double("nan")));
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "+1", " 1", "1 ", "1,5", "0x1", "1f",
                           "infinity", "nan(1)", "--1", "1.2.3"})
    CHECK_MESSAGE(!parse_double(text), text);
}

TEST_CASE("numbers beyond the type's range") {
  CHECK(parse_double("1e400") == infinity);
  CHECK(parse_double("-1e99999999999999999999") == -infinity);
  CHECK(parse_double(std::string(400, '9')) == infinity);
  CHECK(parse_double("1e-400") == 0.0);
  CHECK(std::signbit(*parse_double("-1e-99999999999999999999")));
  CHECK(parse_double("0." + std::string(400, '0') + "1") == 0.0);
  CHECK(parse_double("0e999999") == 0.0);
  CHECK(parse_float("3.5e38") == std::numeric_limits<float>::infinity());
  CHECK(parse_float("1e-60") == 0.0f);
  CHECK(parse_float("1e-45") == std::numeric_limits<float>::denorm_min());
}

TEST_CASE("integers") {
  CHECK(parse_int("-12") == -12);
  CHECK(parse_int("9223372036854775807") == INT64_MAX);
  CHECK(!parse_int("9223372036854775808"));
  CHECK(!parse_int("1.0"));
  CHECK(!parse_int(""));
}

TEST_CASE("the locale does not matter") {
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  CHECK(shortest(1.5) == "1.5");
  CHECK(parse_double("1.5") == 1.5);
  std::setlocale(LC_ALL, "C");
}

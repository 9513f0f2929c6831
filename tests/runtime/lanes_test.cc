#include "runtime/lanes.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

namespace {

using espalier::lanes;
using espalier::mask;
using espalier::vec;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

vec some(float start, float step) {
  float x[lanes];
  for (int i = 0; i < lanes; i++) x[i] = start + static_cast<float>(i) * step;
  return espalier::loadu(x);
}

template <class F>
void check_lanes(vec got, F expected) {
  for (int i = 0; i < lanes; i++) {
    const float want = expected(i);
    REQUIRE(espalier::to_bits(got[i]) == espalier::to_bits(want));
  }
}

TEST_CASE("aligned and unaligned loads and stores move every lane") {
  alignas(64) float in[2 * lanes], out[2 * lanes] = {};
  for (int i = 0; i < 2 * lanes; i++) in[i] = static_cast<float>(i) + 0.5f;
  check_lanes(espalier::load(in + lanes), [&](int i) { return in[lanes + i]; });
  check_lanes(espalier::loadu(in + 1), [&](int i) { return in[1 + i]; });
  espalier::store(out, espalier::load(in));
  for (int i = 0; i < 2 * lanes; i++) CHECK(out[i] == (i < lanes ? in[i] : 0));
  espalier::storeu(out + 3, espalier::loadu(in + 3));
  for (int i = 0; i < lanes + 3; i++) CHECK(out[i] == in[i]);
}

TEST_CASE("splat keeps the sign of zero and infinities") {
  for (const float x : {0.0f, -0.0f, 1.5f, std::numeric_limits<float>::infinity(), 1e-45f})
    check_lanes(espalier::splat(x), [&](int) { return x; });
}

TEST_CASE("arithmetic by lane, with vectors and with numbers") {
  const vec a = some(-3, 0.75f), b = some(2, -0.3f);
  const auto at = [](vec x, int i) { return static_cast<float>(x[i]); };
  check_lanes(a + b, [&](int i) { return at(a, i) + at(b, i); });
  check_lanes(a - b, [&](int i) { return at(a, i) - at(b, i); });
  check_lanes(a * b, [&](int i) { return at(a, i) * at(b, i); });
  check_lanes(a / b, [&](int i) { return at(a, i) / at(b, i); });
  check_lanes(-a, [&](int i) { return -at(a, i); });
  check_lanes(-vec{}, [&](int) { return -0.0f; });
  check_lanes(a * 2.0f, [&](int i) { return at(a, i) * 2.0f; });
  check_lanes(1.0f - a, [&](int i) { return 1.0f - at(a, i); });
  vec c = a;
  c += b;
  c -= a;
  c *= b;
  c /= a;
  check_lanes(c, [&](int i) { return ((at(a, i) + at(b, i)) - at(a, i)) * at(b, i) / at(a, i); });
}

TEST_CASE("comparisons give masks for select, and NaN compares as numbers do") {
  vec a = some(0, 1), b = espalier::splat(2);
  a[1] = nan;
  const auto check = [&](mask m, auto expected) {
    check_lanes(espalier::select(m, espalier::splat(1), vec{}), [&](int i) {
      return expected(static_cast<float>(a[i]), static_cast<float>(b[i])) ? 1.0f : 0.0f;
    });
  };
  check(a < b, [](float x, float y) { return x < y; });
  check(a <= b, [](float x, float y) { return x <= y; });
  check(a > b, [](float x, float y) { return x > y; });
  check(a >= b, [](float x, float y) { return x >= y; });
  check(a == b, [](float x, float y) { return x == y; });
  check(a != b, [](float x, float y) { return x != y; });
  check(!(a < b), [](float x, float y) { return !(x < y); });
  check((a < b) | (a == b), [](float x, float y) { return x <= y; });
  check((a >= b) & (a <= b), [](float x, float y) { return x == y; });
}

TEST_CASE("the sum of the lanes goes in their order") {
  const vec a = some(1e8f, 0.7f);
  float expected = a[0];
  for (int i = 1; i < lanes; i++) expected += a[i];
  CHECK(espalier::sum(a) == expected);
}

}  // namespace

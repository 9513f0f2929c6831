#include "fun/dim.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace espalier::fun {
namespace {

const Dim n = Dim::named("n"), m = Dim::named("m");
const Dim hidden = Dim::named("hidden", 48), embed = Dim::named("embed", 32);

TEST_CASE("a dim remembers how it was written") {
  CHECK((Dim(3) * hidden + Dim(1)).str() == "3 * hidden + 1");
  CHECK((hidden - Dim(1)).str() == "hidden - 1");
  CHECK((Dim(1) - hidden).str() == "1 - hidden");
  CHECK((Dim(-1) * hidden).str() == "0 - hidden");
  CHECK((hidden - hidden).str() == "0");
  CHECK(((n - m) * (n + m)).str() == "n * n - m * m");
  CHECK((floor_div(n - m, Dim(2)) + Dim(1)).str() == "(n - m) // 2 + 1");
  CHECK((Dim(2) * floor_div(n, m)).str() == "2 * (n // m)");
}

TEST_CASE("values") {
  CHECK((Dim(3) * hidden + embed).value() == 176);
  CHECK(!(hidden + n).bound());
  CHECK((hidden + n - n).value() == 48);
  CHECK(floor_div(Dim(7), Dim(2)).value() == 3);
  CHECK(floor_div(Dim(-7), Dim(2)).value() == -4);
  CHECK(floor_div(hidden, Dim(5)).value() == 9);
  CHECK(floor_div(hidden, Dim(2)).str() == "hidden // 2");
  CHECK(floor_div(Dim(4) * hidden, Dim(2)).str() == "2 * hidden");
  CHECK((Dim(3) - Dim(3)).is_literal());
  CHECK(!hidden.is_literal());
}

TEST_CASE("equality goes by value, or by normal form where a name is unbound") {
  CHECK(hidden == Dim(48));
  CHECK(hidden + n == n + Dim(48));
  CHECK(hidden + n != n + Dim(49));
  CHECK(n != m);
  CHECK(n != Dim(3));
  CHECK(floor_div(n, hidden) == floor_div(n, Dim(48)));
}

TEST_CASE("binding and solving") {
  const Dim d = Dim(2) * n + m;
  CHECK(d.unbound_names() == std::vector<std::string>{"m", "n"});
  CHECK(d.bind({{"n", hidden}, {"m", Dim(1)}}).str() == "2 * hidden + 1");
  CHECK(d.bind({{"n", hidden}}).unbound_names() == std::vector<std::string>{"m"});
  CHECK((Dim(3) * n).solve("n", Dim(3) * hidden)->str() == "hidden");
  CHECK((n + Dim(1)).solve("n", Dim(5))->value() == 4);
  CHECK(!(n + Dim(6)).solve("n", Dim(5)));
  CHECK(!(Dim(2) * n).solve("n", Dim(5)));
  CHECK(!(n * n).solve("n", Dim(9)));
  CHECK(!floor_div(n, Dim(2)).solve("n", Dim(9)));
  CHECK(!hidden.solve("n", Dim(48)));
  CHECK((hidden + n).solve("n", Dim(50))->value() == 2);
}

TEST_CASE("overflow") {
  const Dim big = INT64_MAX;
  CHECK((big + Dim(1)).overflowed());
  CHECK((big * hidden).overflowed());
  CHECK((big * big + hidden - big).overflowed());
  CHECK(floor_div(hidden, Dim(0)).overflowed());
  CHECK(floor_div(Dim(INT64_MIN), Dim(-1)).overflowed());
  CHECK(!(big - Dim(1)).overflowed());
  Dim wide = 1;
  for (int i = 0; i < 40; ++i) wide = wide * (Dim::named("a" + std::to_string(i)) + Dim(1));
  CHECK(wide.overflowed());
}

}  // namespace
}  // namespace espalier::fun

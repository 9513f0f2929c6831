#include "ops/use.h"

#include <doctest/doctest.h>

#include "uses.h"

using namespace espalier;
using namespace espalier::test;

namespace {

std::shared_ptr<fun::Expr> number_expr(double value, const std::string& text = "") {
  auto e = fun::make(fun::Expr::Kind::number, {});
  e->number = value;
  e->number_text = text;
  return e;
}

}  // namespace

TEST_CASE("a checked expression becomes a use") {
  auto x = fun::make(fun::Expr::Kind::variable, {});
  x->type = type_of("f32[3 * hidden]");
  auto e = fun::make(fun::Expr::Kind::op, {});
  e->name = "split";
  e->parts = {x};
  e->options = {{"sections", number_expr(3)}, {"axis", number_expr(-1)}};
  CHECK(inferred(ops::use_of(*e)) == "(f32[hidden], f32[hidden], f32[hidden])");
}

TEST_CASE("literals become options") {
  CHECK(ops::option_of(*number_expr(0.5)).number == 0.5);
  CHECK_FALSE(ops::option_of(*number_expr(0.5)).integral);
  CHECK(ops::option_of(*number_expr(1, "true")).number == 1);
  CHECK(ops::option_of(*number_expr(9007199254740992.0, "9007199254740993")).dim.value() ==
        9007199254740993);
  auto dtype = fun::make(fun::Expr::Kind::variable, {});
  dtype->name = "f16";
  CHECK(ops::option_of(*dtype).text == "f16");
  auto pair = fun::make(fun::Expr::Kind::list, {});
  pair->parts = {number_expr(1), number_expr(-2)};
  const ops::Option made = ops::option_of(*pair);
  REQUIRE(made.list.size() == 2);
  CHECK(made.list[1].dim.value() == -2);
}

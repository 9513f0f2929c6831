#include "fun/walk.h"

#include <doctest/doctest.h>

namespace espalier::fun {
namespace {

ExprRef variable(const std::string& name) {
  auto out = make(Expr::Kind::variable, {});
  out->name = name;
  return out;
}

ExprRef op(const std::string& name, std::vector<ExprRef> parts) {
  auto out = make(Expr::Kind::op, {});
  out->name = name;
  out->parts = std::move(parts);
  return out;
}

PatternRef bound(const std::string& name) {
  auto out = make_pattern(Pattern::Kind::variable, {});
  out->name = name;
  return out;
}

TEST_CASE("rewriting shares what does not change") {
  const ExprRef x = variable("x"), left = op("-", {x}), right = op("-", {variable("y")});
  const ExprRef whole = op("+", {left, right});
  const auto keep = [](const ExprRef& expr) { return expr; };
  CHECK(rewrite(whole, keep) == whole);
  const ExprRef changed =
      rewrite(whole, [](const ExprRef& expr) { return expr->name == "y" ? variable("z") : expr; });
  CHECK(changed != whole);
  CHECK(changed->parts[0] == left);
  CHECK(changed->parts[1]->parts[0]->name == "z");
  int seen = 0;
  visit(whole, [&](const ExprRef&) { ++seen; });
  CHECK(seen == 5);
}

TEST_CASE("free variables") {
  auto block = make(Expr::Kind::block, {});
  block->statements = {{bound("a"), op("+", {variable("a"), variable("b")}), false}};
  auto each = make(Expr::Kind::each, {});
  each->params = {bound("k")};
  each->parts = {op("*", {variable("k"), variable("a")}), variable("ks")};
  block->parts = {each};
  CHECK(free_variables(block) == std::set<std::string>{"a", "b", "ks"});
}

}  // namespace
}  // namespace espalier::fun

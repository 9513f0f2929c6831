#include "loop_pass/round_products.h"

#include <doctest/doctest.h>

#include "loop/build.h"

using namespace espalier;
using namespace espalier::loop;

namespace {

const ExprRef a = variable("a", float_type), b = variable("b", float_type);
const ExprRef ab = binary("*", float_type, a, b);

ExprRef sum(const ExprRef& x, const ExprRef& y) { return binary("+", float_type, x, y); }

std::string calls(const std::vector<Stmt>& body) {
  std::string text;
  for (const Stmt& s : body)
    visit(s, [&](const Expr& e) { text += e.kind == Expr::Kind::call ? e.name + " " : ""; });
  return text;
}

std::string after(std::vector<Stmt> body) {
  Module module;
  module.functions.emplace_back().body = std::move(body);
  loop_pass::round_products(module);
  return calls(module.functions[0].body);
}

}  // namespace

TEST_CASE("of two products in a sum, one is rounded first") {
  CHECK(after({let("c", sum(ab, ab))}) == "rounded ");
  CHECK(after({let("c", sum(unary("-", float_type, ab), ab))}) == "rounded ");
  CHECK(after({let("c", sum(sum(ab, ab), ab))}) == "rounded ");
  CHECK(after({let("p", ab), let("c", sum(variable("p", float_type), ab))}) == "rounded ");
  CHECK(after({let("c", sum(call("square", float_type, {a}), ab))}) == "rounded square ");
  CHECK(after({variable_of("c", float_type, ab), assign("c", "+", ab)}) == "rounded ");
}

TEST_CASE("a sum with one product stays as it is") {
  CHECK(after({let("c", sum(ab, a))}) == "");
  CHECK(after({let("c", sum(sum(ab, a), ab))}) == "");
  CHECK(after({variable_of("c", float_type, number(0, Dtype::f32)), assign("c", "+", ab)}) == "");
  CHECK(after({let("n", add(mul(variable("i"), variable("j")),
                            mul(variable("k"), variable("l"))))}) == "");
}

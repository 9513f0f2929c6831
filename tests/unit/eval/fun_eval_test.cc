#include "eval/fun_eval.h"

#include <doctest/doctest.h>

#include "fun/forest.h"

namespace espalier::eval {
namespace {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::TypeRef;

const TypeRef real = fun::scalar(Dtype::f32);
const TypeRef tree = fun::data_type("Tree");

ExprRef expr(Expr::Kind kind, TypeRef type, std::vector<ExprRef> parts, const std::string& name) {
  auto e = fun::make(kind, {});
  e->type = std::move(type);
  e->parts = std::move(parts);
  e->name = name;
  return e;
}

ExprRef local(const std::string& name, const TypeRef& type) {
  return expr(Expr::Kind::variable, type, {}, name);
}

fun::PatternRef variable(const std::string& name, const TypeRef& type) {
  auto p = fun::make_pattern(Pattern::Kind::variable, {});
  p->name = name;
  p->type = type;
  return p;
}

fun::Case variant_case(const std::string& name, std::vector<fun::PatternRef> parts, ExprRef body) {
  auto p = fun::make_pattern(Pattern::Kind::variant, {});
  p->name = name;
  p->type_name = "Tree";
  p->type = tree;
  p->parts = std::move(parts);
  return {p, std::move(body)};
}

// f(t: Tree) -> f32 = match t { Leaf(x): x; Node(a, b): f(a) - f(b) }
fun::Module differences() {
  fun::Module module;
  module.types.push_back(
      {"Tree",
       {},
       false,
       {{"Leaf", {{"x", real, {}}}, {}}, {"Node", {{"a", tree, {}}, {"b", tree, {}}}, {}}},
       {}});
  auto match = fun::make(Expr::Kind::match, {});
  match->type = real;
  match->parts = {local("t", tree)};
  match->cases.push_back(variant_case("Leaf", {variable("x", real)}, local("x", real)));
  const auto call = [](const std::string& of) {
    return expr(Expr::Kind::call, real, {local(of, tree)}, "f");
  };
  match->cases.push_back(variant_case("Node", {variable("a", tree), variable("b", tree)},
                                      expr(Expr::Kind::op, real, {call("a"), call("b")}, "-")));
  fun::Function f;
  f.name = "f";
  f.args = {{{"t", tree, {}}, ""}};
  f.returns = real;
  f.body = match;
  module.functions.push_back(f);
  module.entries.push_back({"f", "f", false, "", {}});
  module.entries.push_back({"f_nodes", "f", true, "", {}});
  return module;
}

// Node 2n has leaf 2n + 1 and node 2n + 2 below it, the last is a leaf; leaf i holds i.
ForestData chain(std::int64_t inner) {
  ForestData data;
  data.nodes = 2 * inner + 1;
  data.columns.resize(3);
  for (std::int64_t n = 0; n < data.nodes; ++n) {
    const bool node = n % 2 == 0 && n + 1 < data.nodes;
    data.variant.push_back(node ? 1 : 0);
    data.columns[0].real.push_back(node ? 0 : static_cast<double>(n));
    data.columns[1].integer.push_back(node ? n + 1 : -1);
    data.columns[2].integer.push_back(node ? n + 2 : -1);
  }
  return data;
}

CallsData root(std::int64_t node) {
  CallsData calls;
  calls.count = 1;
  calls.columns.resize(1);
  calls.columns[0].integer = {node};
  return calls;
}

TEST_CASE("a row per call, and a row per node") {
  const fun::Module module = differences();
  const Outcome one = evaluate(module, {}, module.entries[0], chain(2), root(0));
  REQUIRE(one.status.ok());
  REQUIRE(one.results.size() == 1);
  CHECK(one.results[0].name == "value");
  CHECK(one.results[0].data.shape == std::vector<std::int64_t>{1});
  CHECK(one.results[0].data.f == std::vector<double>{1.0 - (3.0 - 4.0)});
  const Outcome all = evaluate(module, {}, module.entries[1], chain(2), {});
  REQUIRE(all.status.ok());
  CHECK(all.results[0].data.f == std::vector<double>{2, 1, -1, 3, 4});
}

TEST_CASE("no calls, and no nodes") {
  const fun::Module module = differences();
  CallsData none;
  none.columns.resize(1);
  const Outcome outcome = evaluate(module, {}, module.entries[0], chain(1), none);
  REQUIRE(outcome.status.ok());
  CHECK(outcome.results[0].data.shape == std::vector<std::int64_t>{0});
  ForestData empty;
  empty.columns.resize(3);
  CHECK(evaluate(module, {}, module.entries[1], empty, {}).status.ok());
}

TEST_CASE("depth does not count") {
  const fun::Module module = differences();
  const Outcome outcome = evaluate(module, {}, module.entries[0], chain(100000), root(0));
  REQUIRE(outcome.status.ok());
  CHECK(outcome.results[0].data.f == std::vector<double>{100000});
}

TEST_CASE("a bad forest is a status") {
  const fun::Module module = differences();
  ForestData data = chain(1);
  data.columns[2].integer[0] = 7;
  const Outcome outcome = evaluate(module, {}, module.entries[0], data, root(0));
  CHECK(outcome.status.code == "child_out_of_range");
  CHECK(outcome.results.empty());
}

}  // namespace
}  // namespace espalier::eval

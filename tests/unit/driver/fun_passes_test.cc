// Every pass on fun, one after the other: the verifier finds nothing wrong, and the evaluator gives
// the same answers as for the model as checked.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "base/file.h"
#include "driver/pipeline.h"
#include "emit/small_inputs.h"
#include "eval/fun_eval.h"
#include "fun/forest.h"
#include "fun/text.h"
#include "fun/verify.h"
#include "read/model.h"

namespace espalier {
namespace {

eval::Weights random_weights(const fun::Module& module) {
  std::mt19937 random(11);
  eval::Weights weights;
  for (const fun::Named& param : module.params)
    for (const fun::Leaf& leaf : fun::leaves(param)) {
      std::vector<std::int64_t> shape;
      for (const fun::Dim& dim : leaf.type->shape) shape.push_back(dim.value());
      ops::Tensor t = ops::zeros(leaf.type->dtype, shape);
      for (double& x : t.f) x = std::sin(static_cast<double>(random()));
      weights.emplace(leaf.name, std::move(t));
    }
  return weights;
}

bool same_number(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= 1e-11 * (1 + std::abs(b));
}

void check_same(const eval::Outcome& a, const eval::Outcome& b) {
  CHECK(a.status.code == b.status.code);
  REQUIRE(a.results.size() == b.results.size());
  for (std::size_t r = 0; r < a.results.size(); ++r) {
    REQUIRE(a.results[r].data.f.size() == b.results[r].data.f.size());
    for (std::size_t i = 0; i < a.results[r].data.f.size(); ++i)
      CHECK(same_number(a.results[r].data.f[i], b.results[r].data.f[i]));
    CHECK(a.results[r].data.i == b.results[r].data.i);
  }
}

struct Input {
  const fun::Entry* entry;
  emit::SmallInput data;
};

std::vector<Input> inputs_of(const fun::Module& module) {
  std::vector<Input> inputs;
  for (const fun::Entry& entry : module.entries) {
    const Arguments arguments = fun::arguments_of(*module.find_function(entry.function));
    int count = 0;
    for (emit::SmallInput& each :
         emit::small_inputs(fun::forest_of(module), arguments, entry.nodes))
      if (each.forest.nodes <= 30 && ++count <= 4) inputs.push_back({&entry, std::move(each)});
  }
  return inputs;
}

void check_passes(const std::string& name, const std::string& text) {
  driver::Session session;
  driver::Program program;
  program.stage = driver::Stage::fun;
  Result<fun::Module> model =
      read::read_model_text(&session.sources, name, text, &session.diagnostics);
  if (!model) FAIL(format(session.diagnostics.all()[0], session.sources, false));
  program.fun = *model;
  fun::Module first;
  eval::Weights weights;
  std::vector<Input> inputs;
  std::vector<eval::Outcome> expected;
  for (const driver::Pass& pass : driver::pipeline()) {
    if (pass.from != driver::Stage::fun || pass.to != driver::Stage::fun) continue;
    CAPTURE(pass.name);
    if (!pass.run(program, session))
      FAIL(format(session.diagnostics.all()[0], session.sources, false));
    CAPTURE(fun::print(*program.fun));
    REQUIRE(fun::verify(*program.fun) == "");
    if (pass.name == "check") {
      first = *program.fun;
      weights = random_weights(first);
      inputs = inputs_of(first);
      for (const Input& input : inputs)
        expected.push_back(
            eval::evaluate(first, weights, *input.entry, input.data.forest, input.data.calls));
      continue;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CAPTURE(inputs[i].entry->name);
      CAPTURE(inputs[i].data.title);
      check_same(eval::evaluate(*program.fun, weights, *inputs[i].entry, inputs[i].data.forest,
                                inputs[i].data.calls),
                 expected[i]);
    }
  }
}

}  // namespace

TEST_CASE("every example keeps its answers through the passes on fun") {
  std::set<std::filesystem::path> paths;
  for (const auto& folder : std::filesystem::directory_iterator(ESPALIER_ROOT "/examples"))
    if (std::filesystem::exists(folder.path() / "model.json"))
      paths.insert(folder.path() / "model.json");
  for (const auto& path : paths) {
    CAPTURE(path.string());
    check_passes(path.string(), *read_file(path));
  }
}

TEST_CASE("closures, folds and nested patterns keep their answers") {
  check_passes("m", R"j({"espalier": 1, "name": "m", "dims": {"n": 3},
    "types": {"Tree": {"Leaf": {"x": "f32[n]"}, "Pair": {"a": "Tree", "b": "Tree"},
                       "Many": {"k": "index[4]", "ks": "[Tree]"}},
              "Box[a]": {"Box": {"it": "a", "more": "f32"}}},
    "params": {"W": "f32[n, n]", "p": "(u: f32[n], v: f32)"},
    "functions": {
      "nested": {"args": {"t": "Tree"}, "returns": "f32[n]", "body": {"match": "t", "cases": {
        "Pair(Leaf(x), Leaf(y))": "x + y",
        "Pair(Leaf(x), b)": "x - nested(b)",
        "Pair(a, Many(0, []))": "tanh(nested(a))",
        "Pair(a, b)": "nested(a) * nested(b)",
        "Many(_, [])": "zeros[n]",
        "Many(1, [one])": "nested(one) + 1",
        "Many(k, [first, *rest])": ["xs = [nested(r) for r in rest]",
                                    "nested(first) + sum(xs) + cast(k, f32)"],
        "Leaf(x)": "W @ x"}}},
      "both": {"args": {"s": "Tree", "t": "Tree"}, "returns": "f32", "body":
        {"match": "(s, t)", "cases": {"(Leaf(x), Leaf(y))": "dot(x, y)", "(Leaf(x), _)": "sum(x)",
                                      "(_, Leaf(y))": "sum(y) - 1", "_": "2"}}},
      "last": {"args": {"xs": "[f32]"}, "returns": "f32", "body": {"match": "xs", "cases": {
        "[]": "0", "[x]": "x", "[*_, y, x]": "x - y"}}},
      "compose": {"forall": ["a", "b", "c"], "args": {"f": "(a) -> b", "g": "(b) -> c"},
                  "body": "fun(x) -> g(f(x))"},
      "apply_all": {"forall": ["a"], "args": {"fs": "((a) -> a, (a) -> a)", "x": "a"},
                    "body": ["(f, g) = fs", "f(g(x))"]},
      "higher": {"args": {"x": "f32[n]", "flag": "bool", "ys": "[f32[n]]"}, "returns": "(r: f32[n], s: f32, top: f32[n])",
        "body": ["scale(k) = fun(v) -> v * k",
                 "f = if flag then scale(2) else fun(v) -> v + p.u",
                 "h = compose(f, compose(tanh, fun(v) -> W @ v))",
                 "boxed = Box.Box(h(x), 3)",
                 "Box.Box(it, more) = boxed",
                 "(m, c) = fold(fun((a, b), y) -> (a + f(y) * b, b * 0.5), (zeros[n], 1), ys)",
                 "runs = scan(fun(s, y) -> s + sum(y), p.v, ys)",
                 "best = match_top(ys)",
                 "(r = apply_all((f, h), it) + m, s = c + more + sum(runs) + fold(maximum, 0, [sum(y) for y in reverse(ys)]), top = best)"]},
      "match_top": {"args": {"ys": "[f32[n]]"}, "returns": "f32[n]", "body": {"match": "ys", "cases": {
        "[]": "ones[n]", "ys": "max(ys)"}}},
      "small": {"args": {"x": "f32"}, "returns": "(a: f32, b: i64, c: f32)", "body": [
        "xs = [x, x + 1, 3 * 2 + 0.5]", "(a = fold(fun(s, y) -> s * y, 1, xs), b = len(xs), c = if 2 < 3 then sum(y * y for y in xs) else inf)"]},
      "weigh": {"args": {"t": "Tree", "w": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
        "Leaf(x)": "w * sum(x)", "Pair(a, b)": "weigh(a, w + 1) - weigh(b, w * 2)",
        "Many(k, ks)": "w + sum(weigh(c, w + cast(i, f32)) for (i, c) in enumerate(ks))"}}}
    },
    "entries": {"nested": {}, "both": {}, "last": {}, "higher": {}, "small": {}, "weigh": {}}})j");
}

}  // namespace espalier

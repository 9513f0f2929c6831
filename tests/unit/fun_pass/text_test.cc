// Checked models as text: read back and checked again, they are the same.
#include "fun/text.h"

#include <doctest/doctest.h>

#include <string>

#include "fun/verify.h"
#include "fun_pass/check.h"
#include "read/model.h"

namespace espalier {
namespace {

// The model, checked, as text.
std::string checked(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  auto module = read::read_model_text(&sources, "m.json", text, &diagnostics);
  if (module) fun_pass::check(*module, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) FAIL(format(d, sources, false));
  CHECK(fun::verify(*module) == "");
  return fun::print(*module);
}

std::string model(const std::string& types, const std::string& params, const std::string& functions,
                  const std::string& entries) {
  return R"js({"espalier": 1, "name": "m", "dims": {"n": 3, "words": 9}, "types": )js" + types +
         R"(, "params": )" + params + R"(, "functions": )" + functions + R"(, "entries": )" +
         entries + "}";
}

TEST_CASE("a Tree-LSTM over children") {
  const std::string once = checked(
      model(R"js({"Tree": {"Node": {"word": "index[words]", "children": "[Tree]"}}})js",
            R"js({"E": "f32[words, n]", "W": "f32[n, n]", "U": "f32[n, n]", "b": "f32[n]"})js",
            R"js({"encode": {"args": {"t": "Tree"}, "returns": "(h: f32[n], c: f32[n])",
        "body": {"match": "t", "cases": {"Node(word, children)": [
          "x = E[word]", "ks = [encode(k) for k in children]", "hs = sum(k.h for k in ks)",
          "i = sigmoid(W @ x + U @ hs + b)",
          "c = i * tanh(x) + sum(sigmoid(W @ x + U @ k.h + b) * k.c for k in ks)",
          "(h = i * tanh(c), c = c)"]}}}})js",
            R"js({"encode": {"outputs": "nodes"}})js"));
  CHECK(checked(once) == once);
}

TEST_CASE("generics, numbers of several dtypes, slices and lists") {
  const std::string once = checked(model(
      R"js({"Pair[a]": {"Pair": {"x": "a", "y": "a"}}, "Tree": {"Leaf": {"w": "index[words]"},
            "Node": {"p": "Pair[Tree]"}}})js",
      R"js({"cell": "(W: f64[n, n], b: f64[n])"})js",
      R"js({"twice": {"forall": ["a"], "args": {"f": "(a) -> a", "x": "a"}, "body": "f(f(x))"},
            "f": {"args": {"t": "Tree", "xs": "[f64[n]]"}, "returns": "f64[n]",
              "body": {"match": "t", "cases": {
                "Leaf(w)": ["k = len(xs) + 1", "half(x) = 0.5 * x",
                  "s = fold(fun (s, x) -> s + x, zeros[n], xs)",
                  "twice(half, s) + cell.b[::1] * cast(w, f64) - -2"],
                "Node(Pair.Pair(l, r))": ["a = f(l, xs)", "if sum(a) > 0 then a else f(r, xs)"]}}}})js",
      R"js({"f": {}})js"));
  CHECK(checked(once) == once);
}

}  // namespace
}  // namespace espalier

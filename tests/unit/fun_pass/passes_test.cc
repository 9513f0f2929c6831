// Each pass on fun by itself: a function's body before, after.
#include "fun/text.h"
#include "fun_pass/cse.h"
#include "fun_pass/dce.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/fold.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/partial_evaluate.h"
#include "tests/unit/fun_pass/checked.h"

namespace espalier {

using test::Checked;
using test::model;
using test::tree;

namespace {

// The body of `function` in the checked model, after the pass.
std::string after(const std::string& text, const std::string& function,
                  void (*pass)(fun::Module&)) {
  Checked checked(text);
  REQUIRE_MESSAGE(checked.ok, checked.messages());
  if (pass) pass(checked.module);
  return fun::print(checked.body(function));
}

void flatten(fun::Module& module) {
  Diagnostics diagnostics;
  CHECK(fun_pass::flatten_match(module, diagnostics));
}

void inlined(fun::Module& module) {
  Diagnostics diagnostics;
  CHECK(fun_pass::inline_calls(module, diagnostics));
}

const std::string entry = R"j("entries": {"f": {}})j";

}  // namespace

TEST_CASE("check: a generic function is an instance, a closure is applied where it is called") {
  const std::string text = model(
      R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]",
                "body": ["b = x + x", "add(y) = y + b", "twice(add, scale(x))"]},
          "twice": {"forall": ["a"], "args": {"g": "(a) -> a", "x": "a"}, "body": "g(g(x))"},
          "scale": {"forall": ["k"], "args": {"x": "f32[k]"}, "body": "x / sqrt(k)"})j",
      "", "", entry);
  CHECK(after(text, "f", nullptr) == R"j([
  "b = x + x",
  "x_2 = scale_4(x)",
  "y = x_2 + b",
  "y + b"
])j");
  CHECK(after(text, "scale_4", nullptr) == "x / sqrt(4.0)");
}

TEST_CASE("check: a recursive function with a function argument takes what that holds") {
  const std::string text = model(
      R"j("f": {"args": {"t": "Tree", "x": "f32"}, "returns": "f32",
                "body": ["g(y) = y * x", "total(g, t)"]},
          "total": {"args": {"g": "(f32) -> f32", "t": "Tree"}, "returns": "f32",
                    "body": {"match": "t", "cases": {"Node(l, r)": "g(total(g, l) + total(g, r))",
                                                     "_": "1"}}})j",
      "", tree, entry);
  CHECK(after(text, "f", nullptr) == "total(t, x)");
  CHECK(after(text, "total", nullptr).find("y = total(l, x) + total(r, x)") != std::string::npos);
}

TEST_CASE("check: literals, dims and zeros take the dtype that their place asks for") {
  Checked checked(model(R"j("f": {"args": {"x": "f64[n]"}, "returns": "f64",
      "body": ["y = 1 + x * sqrt(n) + zeros[n]", "fold(fun(s, z) -> s + z, 0, [sum(y), 1])"]})j"));
  REQUIRE_MESSAGE(checked.ok, checked.messages());
  const fun::Expr& block = checked.body("f");
  CHECK(fun::str(*block.statements[0].value->type) == "f64[n]");
  CHECK(fun::str(*block.parts[0]->type) == "f64");
}

TEST_CASE("check: a list is known to have items behind a case for []") {
  for (const char* body :
       {R"j({"match": "xs", "cases": {"[]": "0", "_": "max(x * 2 for x in reverse(xs))"}})j",
        R"j({"match": "xs", "cases": {"[x, *rest]": "max(xs)", "[]": "0"}})j",
        R"j(["ys = [x + 1 for x in xs]", {"match": "xs", "cases": {"[]": "0",
           "zs": "max(y * z for (y, z) in zip(ys, zs))"}}])j",
        R"j("max([1, 2])")j"}) {
    const Checked checked(
        model(std::string(R"j("f": {"args": {"xs": "[f32]"}, "returns": "f32", "body": )j") + body +
              "}"));
    CHECK(checked.messages() == "");
  }
}

TEST_CASE("inline_calls binds arguments under names that are free") {
  const std::string text = model(
      R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]",
                "body": ["y = tanh(x)", "z = g(x + x, y)", "g(z, z)"]},
          "g": {"args": {"x": "f32[n]", "y": "f32[n]"}, "returns": "f32[n]",
                "body": ["z = x * y", "z + y"]})j",
      "", "", entry);
  CHECK(after(text, "f", inlined) == R"j([
  "y = tanh(x)",
  "x_2 = x + x",
  "z_2 = x_2 * y",
  "z = z_2 + y",
  "z_3 = z * z",
  "z_3 + z"
])j");
}

TEST_CASE("flatten_match: nested patterns, lists and numbers") {
  const std::string text = model(
      R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
            "Many(0, [])": "1", "Many(w, [k])": "f(k)", "Many(w, ks)": "cast(w, f32)", "_": "2"}}})j",
      "", tree, entry);
  CHECK(after(text, "f", flatten) == R"j({
  "match": "t",
  "cases": {
    "Tree.Many(w, ks)": {
      "match": "ks",
      "cases": {
        "[]": {
          "if": {"op": "==", "args": ["w", {"const": 0, "type": "i64"}]},
          "then": {"const": 1, "type": "f32"},
          "else": "cast(w, dtype='f32')"
        },
        "[k, *rest]": {"match": "rest", "cases": {"[]": "f(k)", "[_, *_]": "cast(w, dtype='f32')"}}
      }
    },
    "_": {"const": 2, "type": "f32"}
  }
})j");
}

TEST_CASE("flatten_match: patterns in statements and comprehensions") {
  const std::string text = model(
      R"j("f": {"args": {"b": "Box", "bs": "[Box]"}, "returns": "f32", "body": [
            "Box.Box(it, (u, v)) = b", "it + u * v + sum(x - y for Box.Box(x, (y, _)) in bs)"]})j",
      "", R"j("Box": {"Box": {"it": "f32", "more": "(f32, f32)"}})j", entry);
  const std::string flat = after(text, "f", flatten);
  CAPTURE(flat);
  CHECK(flat.find("{\"match\": \"b\"") == std::string::npos);
  CHECK(flat.find("\"match\": \"item\"") != std::string::npos);
  CHECK(flat.find("(u, v) = more") != std::string::npos);
}

TEST_CASE("flatten_match refuses lists taken from both ends") {
  Checked checked(model(R"j("f": {"args": {"xs": "[f32]"}, "returns": "f32", "body": {
      "match": "xs", "cases": {"[]": "0", "[x]": "x", "[x, y, *_]": "y", "[*_, z]": "z"}}})j"));
  CHECK(checked.diagnostics.all()[0].kind == Kind::redundant_case);
  Checked both(model(R"j("f": {"args": {"xs": "[f32]", "c": "[f32]"}, "returns": "f32", "body": {
      "match": "(xs, c)", "cases": {"([x, *_], [])": "x", "([*_, z], _)": "z", "_": "0"}}})j"));
  REQUIRE_MESSAGE(both.ok, both.messages());
  CHECK(!fun_pass::flatten_match(both.module, both.diagnostics));
  CHECK(both.diagnostics.all()[0].kind == Kind::mixed_list_ends);
  CHECK(both.underlined() == "[*_, z]");
}

TEST_CASE("partial_evaluate: tuples, known cases and literal lists") {
  const std::string text = model(
      R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": [
            "s = (h = x * x, c = x)", "(a, b) = (s.h + x, s)", "k = if true then a else 1 / x",
            "fold(fun(t, y) -> t * y, k, [b.c, 0.5 + 0.25])"]})j",
      "", "", entry);
  CHECK(after(text, "f", fun_pass::partial_evaluate) == R"j([
  "s_h = x * x",
  "a = s_h + x",
  "state = a * x",
  {
    "let": "y",
    "be": {"op": "+", "args": [{"const": 0.5, "type": "f32"}, {"const": 0.25, "type": "f32"}]}
  },
  "state_2 = state * y",
  "state_2"
])j");
}

TEST_CASE("fold: scalar operators on literals, and what is then known") {
  const std::string text = model(
      R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": [
            "s = (h = x * x, c = x)", "(a, b) = (s.h + x, s)", "k = if 1 < 2 then a else 1 / x",
            "fold(fun(t, y) -> t * y, k, [b.c, 0.5 + 0.25]) / (if len([x, x]) == 2 then x else 0)"]})j",
      "", "", entry);
  CHECK(after(text, "f", fun_pass::fold) == R"j([
  "s_h = x * x",
  "a = s_h + x",
  "state = a * x",
  {"let": "state_2", "be": {"op": "*", "args": ["state", {"const": 0.75, "type": "f32"}]}},
  "state_2 / x"
])j");
}

TEST_CASE("fold computes only what is exact in its dtype") {
  const std::string text = model(
      R"j("f": {"args": {}, "returns": "f32", "body": "0.1 + 0.2"},
          "g": {"args": {}, "returns": "i8", "body": "cast(100, i8) + 100"})j",
      "", "", R"j("entries": {"f": {}, "g": {}})j");
  CHECK(after(text, "f", fun_pass::fold) == "0.1 + 0.2");
}

TEST_CASE("cse: a call that stands twice is named, branches share nothing") {
  const std::string text = model(
      R"j("f": {"args": {"t": "Tree"}, "returns": "(a: f32, b: f32)", "body": {"match": "t", "cases": {
            "Node(l, r)": "(a = f(l).a + f(r).b, b = f(l).b)",
            "Many(_, [])": "(a = 1, b = 2)", "Many(_, [k, *_])": "f(k)",
            "Leaf(w)": ["x = cast(w, f32)", "y = cast(w, f32)", "(a = x, b = y)"]}}})j",
      "", tree, entry);
  const std::string shared = after(text, "f", fun_pass::cse);
  CAPTURE(shared);
  CHECK(shared.find("of_f = f(l)") != std::string::npos);
  CHECK(shared.find("(a = of_f.a + f(r).b, b = of_f.b)") != std::string::npos);
  CHECK(shared.find("(a = x, b = x)") != std::string::npos);
}

TEST_CASE("dce: unused statements, names and functions go") {
  const std::string text = model(
      R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
            "Many(w, ks)": ["a = g(w)", "b = sum(f(k) for k in ks)", "c = a + b", "b"],
            "_": "1"}}},
          "g": {"args": {"i": "index[vocab]"}, "returns": "f32", "body": "cast(i, f32)"})j",
      "", tree, entry);
  Checked checked(text);
  REQUIRE_MESSAGE(checked.ok, checked.messages());
  fun_pass::dce(checked.module);
  const std::string left = fun::print(checked.body("f"));
  CHECK(left.find("Tree.Many(_, ks)") != std::string::npos);
  CHECK(left.find("a = g") == std::string::npos);
  CHECK(checked.module.find_function("g") == nullptr);
}

}  // namespace espalier

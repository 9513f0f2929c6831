// What fun prints, the reader reads.
#include <doctest/doctest.h>

#include <string>

#include "fun/text.h"
#include "ops/op.h"
#include "read/model.h"

namespace espalier::read {
namespace {

bool is_operator(const std::string& name) { return ops::find(name) != nullptr; }

Result<fun::Module> parse(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  auto module = read_model_text(&sources, "m.json", text, &diagnostics);
  for (const Diagnostic& d : diagnostics.all()) FAIL(format(d, sources, false));
  return module;
}

std::string model(const std::string& body) {
  return R"js({"espalier": 1, "name": "m", "types": {"T": {"A": {}}},
    "functions": {"f": {"body": )js" +
         body + "}}}";
}

// The body of f, as printed.
std::string body_of(const std::string& text) {
  const auto module = parse(text);
  return fun::print(*module->functions[0].body);
}

TEST_CASE("the notation comes back as it was written") {
  for (const char* const text : {"a + b * c - d",
                                 "(a + b) * c",
                                 "a - (b - c)",
                                 "a / b / c",
                                 "a / (b / c)",
                                 "-x ** 2",
                                 "(-x) ** 2",
                                 "(-3) ** 2",
                                 "-3",
                                 "-(3)",
                                 "a - -3",
                                 "a ** -b",
                                 "(a ** b) ** c",
                                 "a ** b ** c",
                                 "not a == b",
                                 "not (not a)",
                                 "(a == b) == c",
                                 "a and b or c",
                                 "a and (b or c)",
                                 "if a then b else if c then d else e",
                                 "(if a then b else c) + 1",
                                 "fun (x, _) -> x + 1",
                                 "(fun (x) -> x)(3)",
                                 "f(a, b, axis=0)",
                                 "sum(k.h for k in ks)",
                                 "[a for (b, c) in d]",
                                 "sum([a for b in c], axis=1)",
                                 "[[a for b in c]]",
                                 "[]",
                                 "[a, b]",
                                 "(a,)",
                                 "(a, b)",
                                 "(h = a, c = b)",
                                 "x[1, :, 2:, :3, ::2, -1:n:2]",
                                 "t.0.1",
                                 "T.A()",
                                 "zeros[n, m]",
                                 "einsum('ij,j->i', W, x)",
                                 "true and false",
                                 "inf",
                                 "-inf",
                                 "nan",
                                 "1.50",
                                 "1e-5",
                                 "007",
                                 "(3).x",
                                 "(a + b).h",
                                 "cast(x, f32)",
                                 "\u00e9\u0394 + \u4e2d"})
    CHECK(body_of(model('"' + std::string(text) + '"')) == text);
}

TEST_CASE("parentheses that mean nothing go") {
  CHECK(body_of(model(R"js("((a * b)) + (c)")js")) == "a * b + c");
  CHECK(body_of(model(R"js("sum([x for x in xs])")js")) == "sum(x for x in xs)");
  CHECK(body_of(model(R"("a  # comment")")) == "a");
}

TEST_CASE("the structured form means the same, and comes out of it again") {
  const char* const pairs[][2] = {
      {R"({"op": "+", "args": [{"var": "a"}, {"const": 0.5}]})", "a + 0.5"},
      {R"({"op": "-", "args": ["x"]})", "-x"},
      {R"({"op": "concat", "args": ["a", "b"], "axis": 0})", "concat(a, b, axis=0)"},
      {R"({"call": "encode", "args": ["k"]})", "encode(k)"},
      {R"({"construct": "T.A", "args": []})", "T.A()"},
      {R"({"field": "h", "of": "k"})", "k.h"},
      {R"({"tuple": {"h": "a", "c": "b"}})", "(h = a, c = b)"},
      {R"({"tuple": ["a"]})", "(a,)"},
      {R"({"list": ["a", 1, true]})", "[a, 1, true]"},
      {R"js({"each": "k", "for": "(k, _)", "in": "ks"})js", "[k for (k, _) in ks]"},
      {R"({"fun": ["x", "y"], "body": "x"})", "fun (x, y) -> x"},
      {R"({"index": "x", "at": ["i", {"slice": [null, 3]}, {"slice": [1, null, 2]}]})",
       "x[i, :3, 1::2]"},
      {R"({"op": "zeros", "args": ["n", 3]})", "zeros[n, 3]"},
      {R"({"const": "ij->ji"})", "'ij->ji'"},
      {R"({"const": "-inf"})", "-inf"},
      {R"({"if": "a", "then": "b", "else": "c"})", "if a then b else c"},
      {R"(["a"])", "a"},
      {R"([[1, 2], [3, 4]])", "[[1, 2], [3, 4]]"},
  };
  for (const auto& [form, text] : pairs) CHECK(body_of(model(form)) == text);
}

const char* const whole = R"js({
  "espalier": 1, "name": "m", "doc": "A \"model\".",
  "dims": {"n": 3, "m": "2 * n + 1"},
  "types": {"S": "(h: f32[n], c: f32[m])", "Pair[a, b]": {"Pair": {"x": "a", "y": "[b]"}},
            "D": {"shared": true, "variants": {"Node": {"ins": "[D]"}, "End": {}}}},
  "params": {"W": "f32[n, m]", "cell": "(W: bf16[n], b: (f32, i8))"},
  "constants": {"k": {"type": "f32[2, 2]", "value": [[0.1, "inf"], ["-inf", "nan"]]},
                "i": {"type": "index[n]", "value": 2}},
  "weights": {"files": ["a", "b"], "tensors": {"W": "w:0"}},
  "functions": {
    "g": {"doc": "Does it.", "forall": ["p", "q"], "args": {"f": "(p) -> f32[q]", "x": "p", "y": null},
          "body": "f(x)"},
    "f": {"args": {"d": "D", "s": {"type": "S", "combine": "sum"}}, "returns": "S",
          "body": [{"let": "h(x)", "be": {"match": "(x, d)", "cases": {"(0, D.End())": ["y = 1", "y"], "_": "2"}}},
                   {"let": "(a, [b, *c])", "be": {"op": "*", "args": [{"const": 2, "type": "f64"}, "sqrt(h(1))"]}},
                   "k(x) = x + 1",
                   "zeros[n]"]}},
  "entries": {"f": {"doc": "An entry."}, "e": {"function": "f", "outputs": "nodes"}},
  "gradients": {"df": {"of": "f", "wrt": ["W"], "keep": ["h"]}}
})js";

TEST_CASE("a whole module, printed, read and printed again") {
  const std::string once = fun::print(*parse(whole));
  CHECK(fun::print(*parse(once)) == once);
  CHECK(once.find("\"k(x) = x + 1\"") != std::string::npos);
  CHECK(once.find(R"({"const": 2, "type": "f64"})") != std::string::npos);
  CHECK(once.find(R"("m": "2 * n + 1")") != std::string::npos);
}

TEST_CASE("expanding is idempotent and loses nothing") {
  const auto module = parse(whole);
  const std::string expanded = fun::print_expanded(*module, is_operator);
  const auto again = parse(expanded);
  CHECK(fun::print_expanded(*again, is_operator) == expanded);
  CHECK(fun::print(*again) == fun::print(*module));
  CHECK(expanded.find(R"({"op": "sqrt")") != std::string::npos);
}

TEST_CASE("an expression as deep as allowed can be expanded and read") {
  std::string sum = "x";
  for (int i = 0; i < 250; ++i) sum += " + x";
  const auto module = parse(model('"' + sum + '"'));
  const auto again = parse(fun::print_expanded(*module, is_operator));
  CHECK(fun::print(*again->functions[0].body) == sum);
}

}  // namespace
}  // namespace espalier::read

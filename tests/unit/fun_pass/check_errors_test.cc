// Mistakes in names, types and calls. Each case: the model, and the kind, the underlined text and a
// part of the message of its first diagnostic.
#include "tests/unit/fun_pass/checked.h"

namespace espalier {

using test::Checked;
using test::model;
using test::refuse;
using test::tree;

TEST_CASE("unknown name, with the nearest") {
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]", "body": "tanhh(x)"})j"),
         Kind::unknown_name, "tanhh", "did you mean 'tanh'?");
  refuse(
      model(R"j("f": {"args": {"hidden": "f32[n]"}, "returns": "f32[n]", "body": "hiden + 1"})j"),
      Kind::unknown_name, "hiden", "did you mean 'hidden'?");
  refuse(model(R"j("f": {"forall": ["a"], "args": {"x": "a"}, "body": "y"})j"), Kind::unknown_name,
         "y", "unknown name 'y'");
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": "Tree"})j", "", tree),
         Kind::type_as_value, "Tree", "is a type");
}

TEST_CASE("a name twice in a scope") {
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": ["a = 1", "a = 2", "a"]})j"),
         Kind::duplicate_name, "a", "defined twice");
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": ["(a, a) = (1, 2)", "a"]})j"),
         Kind::duplicate_name, "a", "twice");
  refuse(model(R"j("f": {"args": {"xs": "[(f32, f32)]"}, "returns": "f32",
                        "body": "sum(a for (a, a) in xs)"})j"),
         Kind::duplicate_name, "a", "twice in a pattern");
}

TEST_CASE("unknown field") {
  refuse(
      model(R"j("f": {"args": {"s": "(h: f32, cell: f32)"}, "returns": "f32", "body": "s.cel"})j"),
      Kind::unknown_field, "cel", "did you mean 'cell'?");
  refuse(model(R"j("f": {"args": {"s": "f32"}, "returns": "f32", "body": "s.h"})j"),
         Kind::not_a_tuple, "h", "f32, which is no tuple");
}

TEST_CASE("unknown variant") {
  refuse(model(R"j("f": {"args": {}, "returns": "Tree", "body": "Tree.Leav(3)"})j", "", tree),
         Kind::unknown_variant, "Leav", "did you mean 'Leaf'?");
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32",
                        "body": {"match": "t", "cases": {"Leav(w)": "1"}}})j",
               "", tree),
         Kind::unknown_variant, "Leav(w)", "did you mean 'Leaf'?");
}

TEST_CASE("a variant's fields") {
  refuse(model(R"j("f": {"args": {}, "returns": "Tree", "body": "Tree.Leaf(3, 4)"})j", "", tree),
         Kind::wrong_variant_fields, "4", "has 1 field (word: index[vocab = 9]), found 2");
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32",
                        "body": {"match": "t", "cases": {"Leaf()": "1", "_": "2"}}})j",
               "", tree),
         Kind::wrong_variant_fields, "Leaf()", "has 1 field (word: index[vocab = 9]), found 0");
}

TEST_CASE("calling what is no function") {
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32", "body": "x(3)"})j"),
         Kind::not_a_function, "x", "it is f32[n = 4]");
}

TEST_CASE("the number of arguments") {
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": "g(1)"},
                  "g": {"args": {"x": "f32", "y": "f32"}, "returns": "f32", "body": "x + y"})j"),
         Kind::wrong_argument_count, "g", "'g' takes 2 arguments (x: f32, y: f32), found 1");
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": ["g(x) = x", "g(1, 2)"]})j"),
         Kind::wrong_argument_count, "2", "takes 1 argument (x), found 2");
}

TEST_CASE("types that do not fit, both shown with their dims") {
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[m]", "body": "x"})j"),
         Kind::type_mismatch, "x", "the result of 'f': expected f32[m = 3], found f32[n = 4]");
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32", "body": "g(x)"},
                  "g": {"args": {"y": "f32[m]"}, "returns": "f32", "body": "sum(y)"})j"),
         Kind::type_mismatch, "x", "argument 'y' of 'g': expected f32[m = 3], found f32[n = 4]");
  refuse(model(R"j("f": {"args": {"xs": "[f32]"}, "returns": "f64",
                        "body": "fold(fun(s, x) -> 'x', 0, xs)"})j"),
         Kind::misplaced_text, "'x'", "einsum");
  refuse(model(R"j("f": {"args": {"xs": "[f32[n]]"}, "returns": "f32[n]",
                        "body": "fold(fun(s, x) -> sum(x) + s, sum(zeros[3]) < 1, xs)"})j"),
         Kind::not_numbers, "s", "bool");
  refuse(model(R"j("f": {"args": {"xs": "[f32[n]]"}, "returns": "f32",
                        "body": "fold(fun(s, x) -> s + x, sum(xs)[0], xs)"})j"),
         Kind::fold_state, "fun(s, x) -> s + x", "starts with f32, but its function gives f32[n");
}

TEST_CASE("nothing says what a type is") {
  refuse(model(R"j("f": {"args": {}, "returns": "i64", "body": ["xs = []", "len(xs)"]})j"),
         Kind::cannot_infer, "[]", "of what type the items");
}

TEST_CASE("match that does not cover everything") {
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
                  "Leaf(w)": "1", "Many(w, [])": "2", "Node(l, r)": "3"}}})j",
               "", tree),
         Kind::non_exhaustive_match, "", "has no case for Many(_, [_, *_])");
  refuse(model(R"j("f": {"args": {"x": "f32"}, "returns": "f32",
                        "body": {"match": "x", "cases": {"0": "1", "1": "2"}}})j"),
         Kind::non_exhaustive_match, "", "has no case for _");
}

TEST_CASE("a case that is never taken") {
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
                  "Leaf(w)": "1", "_": "2", "Node(l, r)": "3"}}})j",
               "", tree),
         Kind::redundant_case, "Node(l, r)", "never taken");
}

TEST_CASE("a pattern that may not match") {
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32",
                        "body": ["Tree.Leaf(w) = t", "1"]})j",
               "", tree),
         Kind::refutable_pattern, "Tree.Leaf(w)", "does not match Node(_, _)");
  refuse(model(R"j("f": {"args": {"xs": "[[f32]]"}, "returns": "[f32]",
                        "body": "[x for [x] in xs]"})j"),
         Kind::refutable_pattern, "[x]", "'for' must always match, and this one does not match []");
}

TEST_CASE("patterns of another type") {
  refuse(
      model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32", "body": ["(a, b) = x", "1"]})j"),
      Kind::pattern_type, "(a, b)", "cannot match f32[n = 4]");
  refuse(model(R"j("f": {"args": {"i": "index[n]"}, "returns": "f32",
                        "body": {"match": "i", "cases": {"7": "1", "_": "2"}}})j"),
         Kind::pattern_type, "7", "never index[n = 4]");
}

TEST_CASE("local functions do not recur") {
  refuse(
      model(
          R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": ["g(y) = g(y) + 1", "g(x)"]})j"),
      Kind::recursive_local_function, "g", "calls itself");
}

TEST_CASE("signatures of recursive functions and entries") {
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "body": {"match": "t", "cases": {
                  "Node(l, r)": "f(l) + f(r)", "_": "1"}}})j",
               "", tree),
         Kind::missing_signature, "", "'f' is recursive and has to state the types of its result");
  refuse(model(R"j("f": {"args": {"x": null}, "returns": "f32", "body": "x"})j", "", "",
               R"j("entries": {"f": {}})j"),
         Kind::missing_signature, "", "is an entry and has to state the types of its arguments");
}

TEST_CASE("a reduction of a list that may be empty") {
  refuse(model(R"j("f": {"args": {"xs": "[f32]"}, "returns": "f32", "body": "max(xs)"})j"),
         Kind::empty_list_reduction, "max(xs)", "'max' of a list that may be empty");
  refuse(model(R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
                  "Many(w, ks)": "mean(f(k) for k in ks)", "_": "1"}}})j",
               "", tree),
         Kind::empty_list_reduction, "mean(f(k) for k in ks)", "may be empty");
}

TEST_CASE("named arguments of functions") {
  refuse(model(R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": "g(y=x)"},
                  "g": {"args": {"y": "f32"}, "returns": "f32", "body": "y"})j"),
         Kind::named_argument, "y", "only operators take named arguments");
}

TEST_CASE("the condition of if") {
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]",
                        "body": "if x > 0 then x else -x"})j"),
         Kind::condition_not_scalar, "x > 0", "found bool[n = 4]; tensors use select");
}

TEST_CASE("names of forall") {
  refuse(model(R"j("f": {"forall": ["k"], "args": {"x": "f32[2 * k]"}, "body": "x"})j"),
         Kind::forall_not_bound, "", "'k' of 'forall' stands alone");
  refuse(
      model(R"j("f": {"args": {"x": "f32[n]", "y": "f32[m]"}, "returns": "f32", "body": "g(x, y)"},
                  "g": {"forall": ["k"], "args": {"x": "f32[k]", "y": "f32[k]"}, "body": "dot(x, y)"})j"),
      Kind::generic_conflict, "y", "'k' of 'g' is m = 3 by this argument, but n = 4");
}

TEST_CASE("branches and items of one type") {
  refuse(model(R"j("f": {"args": {"c": "bool", "x": "f32[n]", "y": "f32[m]"}, "returns": "f32[n]",
                        "body": "sum(if c then x else y)"})j"),
         Kind::branch_types_differ, "y", "f32[n = 4] and f32[m = 3]");
  refuse(model(R"j("f": {"args": {"x": "f32[n]", "y": "f32[m]"}, "returns": "i64",
                        "body": "len([x, y])"})j"),
         Kind::list_items_differ, "y", "f32[n = 4] and f32[m = 3]");
}

TEST_CASE("functions where only data can be") {
  refuse(model(R"j("f": {"args": {}, "returns": "i64", "body": "len([fun(x) -> x])"})j"),
         Kind::function_as_value, "fun(x) -> x", "an item of a list cannot be a function");
}

TEST_CASE("numbers that do not fit") {
  refuse(model(R"j("f": {"args": {"x": "i8"}, "returns": "i8", "body": "x + 200"})j"),
         Kind::number_out_of_range, "200", "200 does not fit i8");
  refuse(model(R"j("f": {"args": {}, "returns": "Tree", "body": "Tree.Leaf(9)"})j", "", tree),
         Kind::number_out_of_range, "9", "not in index[vocab = 9]");
}

TEST_CASE("options and axes are literals") {
  refuse(model(R"j("f": {"args": {"x": "f32[n]", "k": "i64"}, "returns": "f32[n]",
                        "body": "softmax(x, axis=k)"})j"),
         Kind::option_not_constant, "k", "'axis' of 'softmax' has to be a literal");
  refuse(model(R"j("f": {"args": {"k": "i64"}, "returns": "f32[n]", "body": "zeros[k]"})j"),
         Kind::option_not_constant, "", "an axis of 'zeros'");
  refuse(model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "(f32[2], f32[2])",
                        "body": "split(x, 2, sections=2)"})j"),
         Kind::duplicate_argument, "2", "'sections' of 'split' is given twice");
}

TEST_CASE("going through what is no list") {
  refuse(
      model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32", "body": "sum(y for y in x)"})j"),
      Kind::not_a_list, "x", "goes through a list, found f32[n = 4]");
}

TEST_CASE("indexing") {
  refuse(model(R"j("f": {"args": {"xs": "[f32]"}, "returns": "f32", "body": "xs[0]"})j"),
         Kind::not_indexable, "xs", "lists are not indexed");
  refuse(
      model(
          R"j("f": {"args": {"x": "f32[m]", "i": "index[n]"}, "returns": "f32", "body": "x[i]"})j"),
      Kind::index_too_wide, "i", "index[n = 4] may exceed an axis of m = 3");
}

TEST_CASE("matches with too many combinations") {
  std::string fields, pattern;
  for (int i = 0; i < 24; ++i) fields += (i ? ", t" : "\"t") + std::to_string(i) + "\": \"Tree\"";
  (void)pattern;
  std::string types, cases, args;
  for (int i = 0; i < 24; ++i) {
    args += std::string(i ? ", " : "") + "\"t" + std::to_string(i) + "\": \"Bit\"";
    types += std::string(i ? ", t" : "(t") + std::to_string(i);
  }
  for (int i = 0; i < 24; ++i) {
    std::string one;
    for (int k = 0; k < 24; ++k)
      one += std::string(k ? ", " : "") + (k == i                  ? "Zero()"
                                           : k == (i * 7 + 5) % 24 ? "One()"
                                                                   : "_");
    cases += "\"(" + one + ")\": \"1\", ";
  }
  refuse(model("\"f\": {\"args\": {" + args + "}, \"returns\": \"f32\", \"body\": {\"match\": \"" +
                   types + ")\", \"cases\": {" + cases + "\"_\": \"2\"}}}",
               "", R"j("Bit": {"Zero": {}, "One": {}})j"),
         Kind::match_too_complex, "", "split it");
}

TEST_CASE("functions that are applied without end") {
  refuse(model(R"j("f": {"args": {"x": "f32"}, "returns": "f32",
                        "body": ["w(g) = g(g)", "w(w)"]})j"),
         Kind::endless_elaboration, "", "without end");
  refuse(model(R"j("f": {"args": {}, "returns": "i64", "body": "g(1, 1)"},
                  "g": {"forall": ["a"], "args": {"x": "a", "n": "i64"}, "returns": "i64",
                        "body": "if n > 3 then n else g([x], n + 1)"})j"),
         Kind::endless_elaboration, "", "without end");
}

TEST_CASE("types that double") {
  std::string body = "\"a0 = (1, 1)\"";
  for (int i = 0; i < 40; ++i)
    body += ", \"a" + std::to_string(i + 1) + " = (a" + std::to_string(i) + ", a" +
            std::to_string(i) + ")\"";
  refuse(model("\"f\": {\"args\": {}, \"returns\": \"f32\", \"body\": [" + body + ", \"1\"]}"),
         Kind::type_size, "", "thousands of parts");
}

TEST_CASE("entries") {
  refuse(model(R"j("f": {"args": {}, "returns": "f32", "body": "1"})j", "", "",
               R"j("entries": {"e": {"function": "ff"}})j"),
         Kind::unknown_function, "", "entry 'e' names no function: 'ff'");
  refuse(model(R"j("f": {"args": {"g": "(f32) -> f32"}, "returns": "f32", "body": "g(1)"})j", "",
               "", R"j("entries": {"f": {}})j"),
         Kind::entry_type, "", "takes or gives a function");
  refuse(model(R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": "x"})j", "", "",
               R"j("entries": {"f": {"outputs": "nodes"}})j"),
         Kind::entry_nodes, "", "takes f32");
}

TEST_CASE("combine without a shared type") {
  refuse(model(R"j("f": {"args": {"t": "Tree", "p": {"type": "f32", "combine": "sum"}},
                        "returns": "f32", "body": "p"})j",
               "", tree),
         Kind::combine_without_shared, "", "no argument is of a shared type");
}

TEST_CASE("gradients") {
  const std::string f =
      R"j("f": {"args": {"x": "f32"}, "returns": "(y: f32)", "body": "(y = W * x)"})j";
  refuse(model(f, R"j("W": "f32")j", "",
               R"j("entries": {}, "gradients": {"g": {"of": "f", "wrt": ["V"]}})j"),
         Kind::gradient_name, "", "with respect to 'V'");
  refuse(model(f, R"j("W": "f32")j", "",
               R"j("entries": {}, "gradients": {"g": {"of": "f", "wrt": ["W"], "keep": ["z"]}})j"),
         Kind::gradient_keep, "", "keeps 'z', but 'f' gives y");
  refuse(
      model(
          f, R"j("W": "f32")j", "",
          R"j("entries": {}, "gradients": {"g": {"of": "f", "wrt": ["W", "x"], "keep": ["y"]}})j"),
      Kind::gradient_not_yet, "", "not yet compiled");
  refuse(
      model(
          R"j("f": {"args": {"x": "f32"}, "returns": "f32", "body": "grad(fun(y) -> y * y)(x)"})j"),
      Kind::gradient_not_yet, "grad(fun(y) -> y * y)(x)", "'grad' is not yet compiled");
  refuse(
      model(
          R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]", "body": "grad(fun(y) -> y * y)(x)"})j"),
      Kind::gradient_of_no_scalar, "grad(fun(y) -> y * y)(x)", "result is a scalar");
  refuse(
      model(R"j("f": {"args": {"x": "f32[n]"}, "returns": "f32[n]", "body": "vjp(tanh, x)(x)"})j"),
      Kind::gradient_not_yet, "vjp(tanh, x)(x)", "'vjp' is not yet compiled");
  refuse(model(R"j("f": {"args": {"x": "f32[n]", "y": "f32[m]"}, "returns": "f32[n]",
                         "body": "vjp(tanh, x)(y)"})j"),
         Kind::type_mismatch, "y", "the seed: expected f32[n = 4], found f32[m = 3]");
}

}  // namespace espalier

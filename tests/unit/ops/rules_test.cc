#include <doctest/doctest.h>

#include "uses.h"

using namespace espalier;
using namespace espalier::test;

TEST_CASE("elementwise operators broadcast and keep the dtype") {
  CHECK(inferred(use("+", {"f32[hidden]", "f32[hidden]"})) == "f32[hidden]");
  CHECK(inferred(use("*", {"f32[n, 1]", "f32[m]"})) == "f32[n, m]");
  CHECK(inferred(use("-", {"f64", "f64[n, m]"})) == "f64[n, m]");
  CHECK(inferred(use("-", {"i32[n]"})) == "i32[n]");
  CHECK(inferred(use("+", {"f32[48]", "f32[hidden]"})) == "f32[hidden]");
  CHECK(inferred(use("+", {"index[n]", "i64"})) == "i64");
  CHECK(inferred(use("<", {"f32[n]", "f32"})) == "bool[n]");
  CHECK(inferred(use("==", {"bool", "bool"})) == "bool");
  CHECK(inferred(use("not", {"bool[n]"})) == "bool[n]");
  CHECK(inferred(use("select", {"bool[n]", "f32", "f32[m, n]"})) == "f32[m, n]");
  CHECK(inferred(use("isnan", {"f32[n]"})) == "bool[n]");
  CHECK(inferred(use("leaky_relu", {"f32[n]"}, {{"negative_slope", number(0.2)}})) == "f32[n]");
  CHECK(inferred(use("clip", {"f32[n]", "f32", "f32"})) == "f32[n]");
}

TEST_CASE("elementwise operators refuse") {
  CHECK(inferred(use("+", {"f32[hidden]", "f32[embed]"})) ==
        "E120: '+' cannot broadcast f32[hidden = 48] and f32[embed = 32] together: hidden = 48 "
        "against embed = 32");
  CHECK(inferred(use("+", {"f32[n]", "f64[n]"})) ==
        "E121: '+' got f32[n = 5] and f64[n = 5]; write cast(x, f32) to make them the same");
  CHECK(inferred(use("*", {"i64", "f32[n]"})) ==
        "E121: '*' got i64 and f32[n = 5]; write cast(x, f32) to make them the same");
  CHECK(inferred(use("exp", {"i64[n]"})) ==
        "E133: 'exp' takes real numbers but got i64[n = 5]; write exp(cast(x, f32))");
  CHECK(inferred(use("/", {"i64", "i64"})) ==
        "E133: '/' takes real numbers but got i64; use '//', or cast(x, f32) first");
  CHECK(inferred(use("+", {"bool", "bool"})) ==
        "E134: '+' takes numbers but got bool; write cast(x, f32) or cast(x, i64)");
  CHECK(inferred(use("and", {"bool", "f32"})) ==
        "E135: 'and' takes bools but got f32; compare it first, as in x != 0");
  CHECK(inferred(use("select", {"f32", "f32", "f32"})) ==
        "E135: 'select' takes a bool as its condition but got f32");
  CHECK(inferred(use("select", {"bool", "f32", "i64"})) ==
        "E121: 'select' chooses between f32 and i64; cast one of them");
  CHECK(inferred(use("tanh", {"(f32, f32)"})) ==
        "E136: 'tanh' takes tensors but got (f32, f32); take one of its fields");
  CHECK(inferred(use("tanh", {"[f32]"})) ==
        "E136: 'tanh' takes tensors but got [f32]; write [tanh(x) for x in ..]");
  CHECK(inferred(use("tanh", {"f32", "f32"})) == "E132: 'tanh' takes 1 operand but got 2: tanh(a)");
  CHECK(inferred(use("-", {})) == "E132: '-' takes 1 or 2 operands but got 0");
  CHECK(inferred(use("concat", {})) ==
        "E132: 'concat' takes at least 1 operand but got 0: concat(a, .., axis=)");
  CHECK(inferred(use("elu", {"f32"}, {{"alhpa", number(1)}})) ==
        "E130: 'elu' has no option 'alhpa'; did you mean 'alpha'?");
  CHECK(inferred(use("sum", {"f32[n]"}, {{"along", number(0)}})) ==
        "E130: 'sum' has no option 'along': sum(a, axis=, keepdims=)");
  CHECK(inferred(use("elu", {"f32"}, {{"alpha", text("x")}})) ==
        "E138: 'elu' takes a literal number as 'alpha'");
}

TEST_CASE("products") {
  CHECK(inferred(use("@", {"f32[hidden, embed]", "f32[embed]"})) == "f32[hidden]");
  CHECK(inferred(use("@", {"f32[n]", "f32[n, m]"})) == "f32[m]");
  CHECK(inferred(use("@", {"f32[n]", "f32[n]"})) == "f32");
  CHECK(inferred(use("@", {"f32[n, m]", "f32[m, k]"})) == "f32[n, k]");
  CHECK(inferred(use("@", {"f32[2, n, m]", "f32[m, k]"})) == "f32[2, n, k]");
  CHECK(inferred(use("@", {"f32[2, 1, n, m]", "f32[7, m, k]"})) == "f32[2, 7, n, k]");
  CHECK(inferred(use("@", {"f32[2, n, m]", "f32[m]"})) == "f32[2, n]");
  CHECK(inferred(use("@", {"f32[hidden, n]", "f32[hidden]"})) ==
        "E120: '@' takes [.., n] and [n, ..] but got f32[hidden = 48, n = 5] and f32[hidden = 48]; "
        "the other way round they fit");
  CHECK(inferred(use("@", {"f32[2, n, m]", "f32[3, m, k]"})) ==
        "E120: '@' cannot broadcast f32[2, n = 5, m = 3] and f32[3, m = 3, k = 4] together: 2 "
        "against 3");
  CHECK(inferred(use("@", {"f32[n]", "f32"})) ==
        "E122: '@' takes vectors and matrices but got f32; use '*' with a scalar");
  CHECK(inferred(use("@", {"f32[n]", "f16[n]"})) ==
        "E121: '@' got f32[n = 5] and f16[n = 5]; write cast(x, f32) to make them the same");
  CHECK(inferred(use("dot", {"f32[n]", "f32[n]"})) == "f32");
  CHECK(inferred(use("dot", {"f32[n]", "f32[m]"})) ==
        "E120: 'dot' takes operands of one shape but got f32[n = 5] and f32[m = 3]");
  CHECK(inferred(use("dot", {"f32[n, m]", "f32[m]"})) ==
        "E122: 'dot' takes a vector here but got f32[n = 5, m = 3]");
  CHECK(inferred(use("outer", {"f32[n]", "f32[m]"})) == "f32[n, m]");
}

TEST_CASE("einsum") {
  const auto einsum = [](const std::string& equation, const std::vector<std::string>& types) {
    return inferred(use("einsum", types, {{"equation", text(equation)}}));
  };
  CHECK(einsum("hij,i,j->h", {"f32[k, n, n]", "f32[n]", "f32[n]"}) == "f32[k]");
  CHECK(einsum("ij, jk", {"f32[n, m]", "f32[m, k]"}) == "f32[n, k]");
  CHECK(einsum("ii->", {"f32[n, n]"}) == "f32");
  CHECK(einsum("i->ii", {"f32[n]"}) == "E126: 'einsum' has 'i' twice in its result");
  CHECK(einsum("i->j", {"f32[n]"}) == "E126: 'einsum' has 'j' in its result, which no operand has");
  CHECK(einsum("i.->i", {"f32[n]"}) == "E126: 'einsum' takes letters, commas and one ->");
  CHECK(inferred(use("einsum", {"f32"}, {{"equation", number(1)}})) ==
        "E126: 'einsum' takes a text like 'ij,j->i'");
  CHECK(einsum("i,j->i", {"f32[n]"}) == "E127: 'i,j->i' is for 2 operands but got 1");
  CHECK(einsum("ij->i", {"f32[n]"}) == "E127: 'ij->i' has 2 axes where it got f32[n = 5]");
  CHECK(einsum("i,i->", {"f32[n]", "f32[m]"}) == "E127: 'i,i->' has 'i' of both n = 5 and m = 3");
  CHECK(inferred(use("einsum", {"f32"})) ==
        "E131: 'einsum' lacks its argument 'equation': einsum(equation, a, ..)");
}

TEST_CASE("reductions of tensors") {
  CHECK(inferred(use("sum", {"f32[n, m]"})) == "f32");
  CHECK(inferred(use("sum", {"f32[n, m]"}, {{"axis", number(-1)}})) == "f32[n]");
  CHECK(inferred(use("sum", {"f32[n, m, k]"}, {{"axis", list({0, 2})}})) == "f32[m]");
  CHECK(inferred(use("max", {"f32[n, m]"}, {{"axis", number(0)}, {"keepdims", number(1)}})) ==
        "f32[1, m]");
  CHECK(inferred(use("argmax", {"f32[n]"})) == "index[n]");
  CHECK(inferred(use("argmax", {"f32[n, m]"}, {{"axis", number(1)}})) == "i64[n]");
  CHECK(inferred(use("argmin", {"f32[2, n]"})) == "index[2 * n]");
  CHECK(inferred(use("prod", {"i32[n]"})) == "i32");
  CHECK(inferred(use("mean", {"i32[n]"})) ==
        "E133: 'mean' takes real numbers but got i32[n = 5]; write mean(cast(x, f32))");
  CHECK(inferred(use("sum", {"bool[n]"})) ==
        "E134: 'sum' takes numbers but got bool[n = 5]; write cast(x, f32) or cast(x, i64)");
  CHECK(inferred(use("sum", {"f32[n, m]"}, {{"axis", number(2)}})) ==
        "E123: 'sum' has no axis 2 here: f32[n = 5, m = 3] has axes 0 to 1");
  CHECK(inferred(use("sum", {"f32"}, {{"axis", number(0)}})) ==
        "E123: 'sum' has no axis 0 here: f32 has no axes");
  CHECK(inferred(use("sum", {"f32[n, m]"}, {{"axis", list({0, -2})}})) ==
        "E124: 'sum' names an axis twice");
  CHECK(inferred(use("sum", {"f32[n]"}, {{"axis", number(0.5)}})) ==
        "E138: 'sum' takes literal integers as 'axis'");
  CHECK(inferred(use("max", {"f32[0]"})) ==
        "E142: 'max' of f32[0] goes over an axis of length 0, where it has no value");
  CHECK(inferred(use("sum", {"f32[0]"})) == "f32");
}

TEST_CASE("reductions and softmax of lists") {
  CHECK(inferred(use("sum", {"[f32[n]]"})) == "f32[n]");
  CHECK(inferred(use("norm", {"[f32]"})) == "f32");
  CHECK(inferred(use("max", {"[f32[n, m]]"})) == "f32[n, m]");
  CHECK(inferred(use("argmax", {"[f32]"})) == "i64");
  CHECK(inferred(use("argmax", {"[f32[n]]"})) == "i64[n]");
  CHECK(inferred(use("sum", {"[index[n]]"})) == "i64");
  CHECK(inferred(use("softmax", {"[f32]"})) == "[f32]");
  CHECK(inferred(use("log_softmax", {"[f32[n]]"})) == "[f32[n]]");
  CHECK(inferred(use("sum", {"[(f32, f32)]"})) ==
        "E136: 'sum' takes tensors but got (f32, f32); take one of its fields");
  CHECK(inferred(use("sum", {"[f32[n]]"}, {{"axis", number(0)}})) ==
        "E144: 'sum' of a list goes over its items and takes no axis");
}

TEST_CASE("normalizing and losses") {
  CHECK(inferred(use("softmax", {"f32[n, m]"})) == "f32[n, m]");
  CHECK(inferred(use("softmax", {"f32"})) ==
        "E123: 'softmax' has no axis -1 here: f32 has no axes");
  CHECK(inferred(use("softmax", {"f32[n, m]"}, {{"axis", list({0, 1})}})) ==
        "E138: 'softmax' takes one axis");
  CHECK(inferred(use("layer_norm", {"f32[k, n]", "f32[n]", "f32[n]"})) == "f32[k, n]");
  CHECK(inferred(use("layer_norm", {"f32[k, n]", "f32[n]", "f32[k]"})) ==
        "E120: 'layer_norm' of f32[k = 4, n = 5] takes a vector of n = 5 here but got f32[k = 4]");
  CHECK(inferred(use("rms_norm", {"f32[n]", "f32[n]"}, {{"eps", number(1e-6)}})) == "f32[n]");
  CHECK(inferred(use("rms_norm", {"f32", "f32"})) ==
        "E122: 'rms_norm' goes over the last axis but got a scalar");
  CHECK(inferred(use("cross_entropy", {"f32[n]", "index[n]"})) == "f32");
  CHECK(inferred(use("cross_entropy", {"f32[n]", "f32"})) ==
        "E137: 'cross_entropy' takes integers here but got f32");
  CHECK(inferred(use("cross_entropy", {"f32[n, m]", "i64"})) ==
        "E122: 'cross_entropy' takes a vector here but got f32[n = 5, m = 3]");
  CHECK(inferred(use("mse", {"f32[n]", "f32[n]"})) == "f32");
  CHECK(inferred(use("kl", {"f32[n]", "f32[m]"})) ==
        "E120: 'kl' takes operands of one shape but got f32[n = 5] and f32[m = 3]");
}

TEST_CASE("joining and cutting") {
  CHECK(inferred(use("concat", {"f32[hidden]", "f32[embed]"})) == "f32[embed + hidden]");
  CHECK(inferred(use("concat", {"f32[n, m]", "f32[n, k]"}, {{"axis", number(1)}})) ==
        "f32[n, k + m]");
  CHECK(inferred(use("concat", {"f32[n, m]", "f32[n, k]"})) ==
        "E120: 'concat' along axis 0 takes tensors that agree in all other axes but got f32[n = 5, "
        "m = 3] and f32[n = 5, k = 4]");
  CHECK(inferred(use("concat", {"f32", "f32"})) ==
        "E122: 'concat' joins axes but got the scalar f32; use 'stack'");
  CHECK(inferred(use("concat", {"f32[n]", "f64[n]"})).substr(0, 4) == "E121");
  CHECK(inferred(use("stack", {"f32[n]", "f32[n]"})) == "f32[2, n]");
  CHECK(inferred(use("stack", {"f32", "f32", "f32"})) == "f32[3]");
  CHECK(inferred(use("stack", {"f32[n]", "f32[n]"}, {{"axis", number(-1)}})) == "f32[n, 2]");
  CHECK(inferred(use("stack", {"f32[n]", "f32[m]"})).substr(0, 4) == "E120");
  CHECK(inferred(use("split", {"f32[3 * hidden]"}, {{"sections", number(3)}})) ==
        "(f32[hidden], f32[hidden], f32[hidden])");
  CHECK(inferred(use("split", {"f32[n, k]"}, {{"sections", number(2)}, {"axis", number(1)}})) ==
        "(f32[n, k // 2], f32[n, k // 2])");
  CHECK(inferred(use("split", {"f32[n]"}, {{"sections", number(2)}})) ==
        "E125: 'split' cannot cut axis 0 of f32[n = 5] (n = 5) into 2 equal parts");
  CHECK(inferred(use("split", {"f32[n]"}, {{"sections", number(0)}})).substr(0, 4) == "E125");
  CHECK(inferred(use("split", {"f32[n]"})) ==
        "E131: 'split' lacks its argument 'sections': split(a, sections, axis=)");
}

TEST_CASE("shapes") {
  CHECK(inferred(use("reshape", {"f32[n, k]"}, {{"shape", list({named("k"), named("n")})}})) ==
        "f32[k, n]");
  CHECK(inferred(use("reshape", {"f32[n, k]"}, {{"shape", list({number(-1), number(2)})}})) ==
        "f32[(k * n) // 2, 2]");
  CHECK(inferred(use("reshape", {"f32[n]"}, {{"shape", list({2, 2})}})) ==
        "E141: 'reshape' makes f32[2, 2] of f32[n = 5]: 4 elements of 5");
  CHECK(inferred(use("reshape", {"f32[n]"}, {{"shape", list({-2})}})) ==
        "E139: 'reshape' takes lengths and at most one -1");
  CHECK(inferred(use("transpose", {"f32[n, m]"})) == "f32[m, n]");
  CHECK(inferred(use("transpose", {"f32[n]"})) ==
        "E122: 'transpose' takes a matrix here but got f32[n = 5]");
  CHECK(inferred(use("permute", {"f32[n, m, k]"}, {{"axes", list({2, 0, -2})}})) == "f32[k, n, m]");
  CHECK(inferred(use("permute", {"f32[n, m]"}, {{"axes", list({0, 0})}})) ==
        "E140: 'permute' of f32[n = 5, m = 3] takes each of its 2 axes once");
  CHECK(inferred(use("pad", {"f32[n]"}, {{"widths", list({list({1, 2})})}})) == "f32[n + 3]");
  CHECK(inferred(use("pad", {"f32[n]"}, {{"widths", list({list({-1, 2})})}})) ==
        "E139: 'pad' takes no negative widths; use a slice");
  CHECK(inferred(use("pad", {"f32[n]"}, {{"widths", list({1, 2})}})) ==
        "E138: 'pad' of f32[n = 5] takes a pair [before, after] for each axis, 1 in all");
  CHECK(inferred(use("flip", {"f32[n, m]"}, {{"axis", number(1)}})) == "f32[n, m]");
  CHECK(inferred(use("tile", {"f32[n]"}, {{"counts", list({2, 3})}})) == "f32[2, 3 * n]");
  CHECK(inferred(use("tile", {"f32[n]"}, {{"counts", list({-1})}})) ==
        "E139: 'tile' got -1 in 'counts', which cannot be negative");
  CHECK(inferred(use("broadcast", {"f32[m]"}, {{"shape", list({named("n"), named("m")})}})) ==
        "f32[n, m]");
  CHECK(inferred(use("broadcast", {"f32[m]"}, {{"shape", list({named("n")})}})) ==
        "E120: 'broadcast' cannot make f32[n = 5] of f32[m = 3]");
  CHECK(inferred(use("cast", {"f32[n]"}, {{"dtype", text("bool")}})) == "bool[n]");
  CHECK(inferred(use("cast", {"f32[n]"}, {{"dtype", text("f33")}})) ==
        "E138: 'cast' takes one of f32, f64, f16, bf16, i8, i32, i64, bool");
  CHECK(inferred(use("dropout", {"f32[n]"}, {{"p", number(0.5)}})) == "f32[n]");
  CHECK(inferred(use("dropout", {"f32[n]"}, {{"p", number(2)}})) ==
        "E138: 'dropout' takes a probability between 0 and 1");
}

TEST_CASE("made of nothing, and tables") {
  ops::Use zeros = use("zeros", {}, {{"shape", list({named("n"), number(2)})}});
  CHECK(inferred(zeros) == "f32[n, 2]");
  zeros.result = fun::scalar(Dtype::f64);  // what the context asks for
  CHECK(inferred(zeros) == "f64[n, 2]");
  CHECK(inferred(use("ones", {}, {{"shape", list({named("n")})}})) == "f32[n]");
  CHECK(inferred(use("iota", {}, {{"shape", list({named("n")})}})) == "f32[n]");
  CHECK(inferred(use("iota", {}, {{"shape", list({2, 2})}})) == "E122: 'iota' has one axis");
  CHECK(inferred(use("full", {"i32"}, {{"shape", list({named("n")})}})) == "i32[n]");
  CHECK(inferred(use("full", {"i32[n]"}, {{"shape", list({named("n")})}})) ==
        "E122: 'full' takes a scalar here but got i32[n = 5]");
  CHECK(inferred(use("one_hot", {"index[n]"}, {{"classes", named("n")}})) == "f32[n]");
  CHECK(inferred(use("one_hot", {"i64[m]"}, {{"classes", named("n")}})) == "f32[m, n]");
  CHECK(inferred(use("one_hot", {"f32"}, {{"classes", named("n")}})) ==
        "E137: 'one_hot' takes integers here but got f32");
  CHECK(inferred(use("take", {"f32[vocab, n]", "i64[k]"})) == "f32[k, n]");
  CHECK(inferred(use("take", {"f32[vocab, n]", "index[n]"}, {{"axis", number(1)}})) ==
        "f32[vocab]");
  CHECK(inferred(use("take", {"f32[n]", "f32"})) == "E137: 'take' takes integers here but got f32");
}

#include "ops/index.h"

#include <doctest/doctest.h>

#include "fake_lowering.h"
#include "uses.h"

using namespace espalier;
using namespace espalier::test;
using ops::Subscript;
using ops::Tensor;

namespace {

Subscript slice(std::optional<fun::Dim> begin, std::optional<fun::Dim> end,
                std::optional<fun::Dim> step = {}) {
  Subscript s;
  s.slice = true;
  s.begin = std::move(begin);
  s.end = std::move(end);
  s.step = std::move(step);
  return s;
}
Subscript literal(std::int64_t value) {
  Subscript s;
  s.literal = fun::Dim(value);
  s.type = fun::scalar(Dtype::i64);
  return s;
}
Subscript computed(const std::string& type) {
  Subscript s;
  s.type = type_of(type);
  return s;
}

std::string indexed(const std::string& base, const std::vector<Subscript>& subscripts) {
  Diagnostics diagnostics;
  const auto made = ops::infer_index(type_of(base), subscripts, {}, diagnostics);
  if (made) return fun::str(*made->result);
  return std::string(kind_id(diagnostics.all().at(0).kind)) + ": " + diagnostics.all()[0].message;
}

std::vector<Subscript> resolved(const std::string& base, const std::vector<Subscript>& subscripts) {
  Diagnostics diagnostics;
  const auto made = ops::infer_index(type_of(base), subscripts, {}, diagnostics);
  REQUIRE(made);
  return made->subscripts;
}

Tensor matrix() {  // [3, 4], row r column c holds 10 r + c
  return {Dtype::f32, {3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, {}};
}

// Evaluates, and checks that the lowering does the same.
Tensor both(const std::vector<Subscript>& subscripts, const std::vector<std::int64_t>& indices) {
  const auto found = ops::evaluate_index(matrix(), subscripts, indices);
  REQUIRE(found);
  FakeLowering lowering;
  std::vector<ops::Term> terms;
  for (const std::int64_t index : indices) terms.push_back(lowering.input(ops::integer(index)));
  const ops::Term lowered = ops::lower_index(lowering.input(matrix()), subscripts, terms, lowering);
  CHECK(lowering.value(lowered).f == found->f);
  CHECK(lowered.shape == found->shape);
  CHECK(lowering.failed.empty());
  return *found;
}

}  // namespace

TEST_CASE("types of indexing") {
  CHECK(indexed("f32[vocab, embed]", {computed("index[vocab]")}) == "f32[embed]");
  CHECK(indexed("f32[n, m]", {literal(-1), literal(0)}) == "f32");
  CHECK(indexed("f32[n, m]", {slice({}, {}), computed("i64")}) == "f32[n]");
  CHECK(indexed("f32[2 * hidden]", {slice(dim_of("hidden"), {})}) == "f32[hidden]");
  CHECK(indexed("f32[n]", {slice(fun::Dim(1), fun::Dim(-1))}) == "f32[n - 2]");
  CHECK(indexed("f32[n]", {slice({}, {}, fun::Dim(2))}).substr(0, 4) == "f32[");
  CHECK(indexed("f32[n]", {slice(fun::Dim(2), fun::Dim(2))}) == "f32[0]");
}

TEST_CASE("indexing refuses") {
  CHECK(indexed("f32[n]", {literal(0), literal(0)}) ==
        "E128: 2 indices for f32[n = 5], which has 1 axis");
  CHECK(indexed("[f32]", {literal(0)}) == "E136: only tensors are indexed, but this is [f32]");
  CHECK(indexed("f32[n]", {slice(fun::Dim(0), fun::Dim(6))}) ==
        "E129: the slice 0:6 does not lie within an axis of n = 5");
  CHECK(indexed("f32[n]", {slice(fun::Dim(3), fun::Dim(2))}) ==
        "E129: the slice 3:2 does not lie within an axis of n = 5");
  CHECK(indexed("f32[n]", {slice({}, {}, fun::Dim(-1))}) ==
        "E129: a slice's step is positive, not -1; use flip to turn an axis round");
  CHECK(indexed("f32[n]", {literal(5)}) == "E143: there is no index 5 on an axis of n = 5");
  CHECK(indexed("f32[n]", {literal(-6)}) == "E143: there is no index -6 on an axis of n = 5");
  CHECK(indexed("f32[n]", {computed("f32")}) ==
        "E137: f32[n = 5] is indexed with integers but got f32");
  CHECK(indexed("f32[n]", {computed("i64[m]")}) ==
        "E137: f32[n = 5] is indexed with integers but got i64[m = 3]; use take(x, indices)");
}

TEST_CASE("values of indexing") {
  const std::string base = "f32[3, 4]";
  CHECK(both(resolved(base, {literal(-1)}), {}).f == std::vector<double>{20, 21, 22, 23});
  CHECK(both(resolved(base, {computed("index[3]"), slice(fun::Dim(1), fun::Dim(3))}), {1}).f ==
        std::vector<double>{11, 12});
  CHECK(both(resolved(base, {slice({}, {}, fun::Dim(2)), computed("i64")}), {3}).f ==
        std::vector<double>{3, 23});
  CHECK(both(resolved(base, {slice(fun::Dim(-2), {}), slice({}, {}, fun::Dim(3))}), {}).f ==
        std::vector<double>{10, 13, 20, 23});
}

TEST_CASE("indices out of range") {
  const auto subscripts = resolved("f32[3, 4]", {computed("i32")});
  CHECK_FALSE(ops::evaluate_index(matrix(), subscripts, {3}));
  CHECK_FALSE(ops::evaluate_index(matrix(), subscripts, {-1}));
  FakeLowering lowering;
  const ops::Term index = lowering.input(ops::integer(-1, Dtype::i32));
  const ops::Term row = ops::lower_index(lowering.input(matrix()), subscripts, {index}, lowering);
  CHECK(lowering.failed == std::vector<std::string>{"index_out_of_range"});
  CHECK(lowering.details == std::vector<std::int64_t>{-1});
  CHECK(lowering.value(row).f == std::vector<double>{0, 1, 2, 3});  // some row, none outside
}

TEST_CASE("subscripts of a checked expression") {
  const auto number_at = [](double value) {
    auto e = fun::make(fun::Expr::Kind::number, {});
    e->number = value;
    e->type = fun::scalar(Dtype::i64);
    return e;
  };
  auto base = fun::make(fun::Expr::Kind::variable, {});
  base->type = type_of("f32[3, 4]");
  auto i = fun::make(fun::Expr::Kind::variable, {});
  i->type = type_of("index[3]");
  auto e = fun::make(fun::Expr::Kind::index, {});
  e->parts = {base};
  e->indices = {fun::Index{i, nullptr, nullptr, nullptr, false},
                fun::Index{nullptr, number_at(1), number_at(3), nullptr, true}};
  CHECK(both(ops::subscripts_of(*e), {2}).f == std::vector<double>{21, 22});
  CHECK(ops::computed_indices(*e).size() == 1);
}

// The lowering of every operator of the table against its evaluation, on random tensors.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

#include "fake_lowering.h"
#include "ops/elementwise.h"
#include "uses.h"

using namespace espalier;
using namespace espalier::test;
using ops::Tensor;

namespace {

struct Example {
  std::vector<std::string> types;
  ops::Options options;
};

// Reals between 0.1 and 1, so that logarithms and arc functions are defined.
Tensor random_tensor(const fun::Type& type, std::mt19937& random) {
  const bool index = type.kind == fun::Type::Kind::index;
  Tensor made = ops::zeros(index ? Dtype::i64 : type.dtype,
                           index ? std::vector<std::int64_t>{} : ops::extents_of(type.shape));
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (double& value : made.f) value = draw(0.1, 1);
  for (std::int64_t& value : made.i)
    value = static_cast<std::int64_t>(index ? draw(0, static_cast<double>(type.shape[0].value()))
                                            : draw(0, type.dtype == Dtype::boolean ? 2 : 3));
  return made;
}

void check_close(const Tensor& a, const Tensor& b) {
  CHECK(a.shape == b.shape);
  CHECK(a.dtype == b.dtype);
  CHECK(a.i == b.i);
  REQUIRE(a.f.size() == b.f.size());
  for (std::size_t k = 0; k < a.f.size(); ++k) {
    if (std::isnan(a.f[k]))
      CHECK(std::isnan(b.f[k]));
    else
      CHECK(a.f[k] == doctest::Approx(b.f[k]).epsilon(1e-12));
  }
}

void check_example(const std::string& name, const Example& example) {
  std::mt19937 random(20240607);
  const ops::Use made = checked(use(name, example.types, example.options));
  const bool list = !made.types.empty() && made.types[0]->kind == fun::Type::Kind::list;
  FakeLowering lowering;
  lowering.list_items = 3;
  std::vector<Tensor> args;
  std::vector<ops::Term> terms;
  for (const fun::TypeRef& type : made.types) {
    if (list) {
      const fun::TypeRef item = type->parts[0];
      const std::vector<Tensor> rows = {random_tensor(*item, random), random_tensor(*item, random),
                                        random_tensor(*item, random)};
      args.push_back(ops::stack(rows, rows[0]));
    } else {
      args.push_back(random_tensor(*type, random));
    }
    terms.push_back(lowering.input(args.back(), list));
  }
  const std::vector<Tensor> expected = made.op->evaluate(made, args);
  const std::vector<ops::Term> lowered = made.op->lower(made, terms, lowering);
  REQUIRE(expected.size() == lowered.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    check_close(lowering.value(lowered[k]), expected[k]);
  CHECK(lowering.failed.empty());
}

std::vector<Example> elementwise_examples(const ops::Operator& op) {
  std::vector<Example> made;
  for (int operands = op.min_args; operands <= op.max_args; ++operands) {
    const ops::Elementwise& row =
        ops::elementwise_row(ops::opcode_of(op, static_cast<std::size_t>(operands)));
    for (const std::string dtype : {"f32", "f64", "f16", "i64", "i8", "bool"}) {
      const unsigned kind = dtype[0] == 'f'   ? ops::reals
                            : dtype[0] == 'i' ? ops::integers
                                              : ops::bools;
      if ((row.takes & kind) == 0) continue;
      const std::vector<std::string> shapes = {"[n, m]", "[m]", "[n, 1]"};
      Example example;
      for (int k = 0; k < operands; ++k)
        example.types.push_back(dtype + shapes[static_cast<std::size_t>(k)]);
      if (op.name == "select") example.types[0] = "bool[n, m]";
      made.push_back(example);
    }
  }
  return made;
}

const ops::Options axis0 = {{"axis", number(0)}}, axis1 = {{"axis", number(1)}};

std::vector<Example> reduction_examples() {
  return {{{"f32[n]"}, {}},
          {{"f32[n, m]"}, {}},
          {{"f32"}, {}},
          {{"f32[n, m, k]"}, {{"axis", list({0, 2})}, {"keepdims", number(1)}}},
          {{"f32[n, m, k]"}, axis1},
          {{"[f32]"}, {}},
          {{"[f32[n, m]]"}, {}}};
}

ops::Options equation(const char* letters) { return {{"equation", text(letters)}}; }
ops::Options shaped(std::initializer_list<double> shape) { return {{"shape", list(shape)}}; }

std::map<std::string, std::vector<Example>> structured_examples() {
  std::map<std::string, std::vector<Example>> made;
  for (const char* name :
       {"sum", "mean", "prod", "max", "min", "argmax", "argmin", "logsumexp", "norm"})
    made[name] = reduction_examples();
  made["sum"].push_back({{"i32[n, m]"}, axis0});
  made["sum"].push_back({{"[index[n]]"}, {}});
  for (const char* name : {"softmax", "log_softmax"})
    made[name] = {{{"f32[n]"}, {}}, {{"f64[n, m, k]"}, axis1}, {{"[f32]"}, {}}, {{"[f32[n]]"}, {}}};
  made["reshape"] = {{{"f32[k, m]"}, shaped({2, 6})},       {{"f32[2, m, k]"}, shaped({6, 4})},
                     {{"f32[6, k]"}, shaped({2, 3, 2, 2})}, {{"f32[n]"}, shaped({1, 5, 1})},
                     {{"f32[1, n, 1]"}, shaped({5})},       {{"f32[1]"}, shaped({})},
                     {{"i64[k, m]"}, shaped({-1})},         {{"f32[2, 3, 4]"}, shaped({4, 3, 2})}};
  made["transpose"] = {{{"f32[n, m]"}, {}}};
  made["permute"] = {{{"f32[n, m, k]"}, {{"axes", list({2, 0, 1})}}}};
  made["concat"] = {{{"f32[n]", "f32[m]", "f32[k]"}, {}},
                    {{"f32[n, m]", "f32[n, k]"}, axis1},
                    {{"f32[n]"}, {}},
                    {{"f32[n]", "f32[0]", "f32[m]"}, {}}};
  made["stack"] = {
      {{"f32[n]", "f32[n]", "f32[n]"}, {}}, {{"f32", "f32"}, {}}, {{"f32[n]", "f32[n]"}, axis1}};
  made["split"] = {{{"f32[3 * n]"}, {{"sections", number(3)}}},
                   {{"f32[n, k]"}, {{"sections", number(2)}, {"axis", number(-1)}}}};
  made["pad"] = {{{"f32[n, m]"}, {{"widths", list({list({1, 2}), list({0, 1})})}}},
                 {{"i32[n]"}, {{"widths", list({list({0, 0})})}, {"value", number(7)}}}};
  made["flip"] = {{{"f32[n, m]"}, {}}, {{"f32[n, m]"}, axis1}};
  made["tile"] = {{{"f32[n]"}, {{"counts", list({2, 3})}}},
                  {{"f32[n, m]"}, {{"counts", list({2})}}}};
  made["broadcast"] = {{{"f32[n, 1]"}, shaped({2, 5, 3})}};
  made["zeros"] = made["ones"] = {{{}, shaped({2, 3})}, {{}, shaped({})}};
  made["full"] = {{{"f32"}, shaped({2, 3})}};
  made["iota"] = {{{}, shaped({4})}};
  made["one_hot"] = {{{"index[n]"}, {{"classes", number(5)}}},
                     {{"i64[k]"}, {{"classes", number(3)}}}};
  made["cast"] = {{{"f64[n]"}, {{"dtype", text("f16")}}},
                  {{"f32[n]"}, {{"dtype", text("i32")}}},
                  {{"i64[n]"}, {{"dtype", text("f32")}}},
                  {{"bool[n]"}, {{"dtype", text("i8")}}},
                  {{"index[n]"}, {{"dtype", text("bool")}}}};
  made["take"] = {{{"f32[n, m]", "i64[k]"}, {}},
                  {{"f32[n, m]", "index[m]"}, axis1},
                  {{"f32[k, m, n]", "i32[2, k]"}, axis1}};
  made["dropout"] = {{{"f32[n]"}, {{"p", number(0.5)}}}};
  made["@"] = {{{"f32[n, m]", "f32[m]"}, {}},
               {{"f32[n]", "f32[n, m]"}, {}},
               {{"f32[n]", "f32[n]"}, {}},
               {{"f32[n, m]", "f32[m, k]"}, {}},
               {{"f32[2, 1, n, m]", "f32[3, m, k]"}, {}},
               {{"f32[2, n, m]", "f32[m]"}, {}},
               {{"f32[m]", "f32[2, m, k]"}, {}},
               {{"i64[n, m]", "i64[m]"}, {}}};
  made["dot"] = {{{"f32[n]", "f32[n]"}, {}}};
  made["outer"] = {{{"f32[n]", "f32[m]"}, {}}};
  made["einsum"] = {{{"f32[2, n, m]", "f32[n]", "f32[m]"}, equation("hij,i,j->h")},
                    {{"f32[n, m]", "f32[m, k]"}, equation("ij,jk")},
                    {{"f32[n, m]"}, equation("ij->ji")},
                    {{"f32[n, n]"}, equation("ii->")},
                    {{"f32[n]", "f32[m]", "f32[n, m]"}, equation("i,j,ij->")},
                    {{"f32[n]", "f32[m]"}, equation("i,j->ji")},
                    {{"f32[n]", "f32[m]"}, equation("i,j->")},
                    {{"f32", "f32[m]"}, equation(",j->j")},
                    {{"f32[n, m]", "f32[m, k]", "f32[k, 2]"}, equation("ij,jk,kl->il")}};
  made["layer_norm"] = {{{"f32[n]", "f32[n]", "f32[n]"}, {}},
                        {{"f32[k, n]", "f32[n]", "f32[n]"}, {{"eps", number(0.01)}}}};
  made["rms_norm"] = {{{"f32[n]", "f32[n]"}, {}}, {{"f32[k, n]", "f32[n]"}, {}}};
  made["cross_entropy"] = {{{"f32[n]", "index[n]"}, {}}, {{"f32[n]", "i64"}, {}}};
  made["mse"] = made["kl"] = {{{"f32[n]", "f32[n]"}, {}}, {{"f32[n, m]", "f32[n, m]"}, {}}};
  return made;
}

}  // namespace

TEST_CASE("every operator computes what it evaluates to") {
  const auto structured = structured_examples();
  for (const ops::Operator* op : ops::all()) {
    const std::string name(op->name);
    CAPTURE(name);
    const auto found = structured.find(name);
    REQUIRE((op->elementwise || found != structured.end()));  // a new row needs examples here
    for (const Example& example : op->elementwise ? elementwise_examples(*op) : found->second) {
      CAPTURE(example.types);
      check_example(name, example);
    }
  }
}

TEST_CASE("computed indices are checked, and read nothing outside") {
  const ops::Use take = checked(use("take", {"f32[n]", "i64[2, m]"}));
  FakeLowering lowering;
  const Tensor x{Dtype::f32, {5}, {1, 2, 3, 4, 5}, {}};
  const Tensor indices{Dtype::i64, {2, 3}, {}, {0, 4, 1, 2, -3, 9}};
  const auto made = take.op->lower(take, {lowering.input(x), lowering.input(indices)}, lowering);
  CHECK(lowering.failed == std::vector<std::string>{"index_out_of_range"});
  CHECK(lowering.details == std::vector<std::int64_t>{-3});
  CHECK(lowering.value(made[0]).f == std::vector<double>{1, 5, 2, 3, 1, 5});
}

TEST_CASE("composed shapes leave plain indices") {
  FakeLowering lowering;
  const ops::Term x = lowering.input(ops::zeros(Dtype::f32, {6, 4}));
  const ops::Use apart = checked(use("reshape", {"f32[6, 4]"}, shaped({2, 3, 4})));
  const ops::Use together = checked(use("reshape", {"f32[2, 3, 4]"}, shaped({6, 4})));
  const ops::Term there = apart.op->lower(apart, {x}, lowering)[0];
  const ops::Term back = together.op->lower(together, {there}, lowering)[0];
  const std::vector<wave::ScalarRef> index = {wave::axis(0, 6), wave::axis(1, 4)};
  CHECK(wave::equal(back.at(index), x.at(index)));
}

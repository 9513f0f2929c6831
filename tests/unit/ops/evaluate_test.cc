// Evaluation against numbers computed by numpy and by Python's math.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ops/scalar_eval.h"
#include "uses.h"

using namespace espalier;
using namespace espalier::test;
using ops::Tensor;
using Values = std::vector<double>;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

Tensor tensor(std::vector<std::int64_t> shape, Values values) {
  return {Dtype::f64, std::move(shape), std::move(values), {}};
}
Tensor integers(std::vector<std::int64_t> shape, std::vector<std::int64_t> values) {
  return {Dtype::i64, std::move(shape), {}, std::move(values)};
}

fun::TypeRef type_of_tensor(const Tensor& t) {
  std::vector<fun::Dim> shape(t.shape.begin(), t.shape.end());
  return fun::tensor(t.dtype, shape);
}

std::vector<Tensor> all_results(const std::string& name, const std::vector<Tensor>& args,
                                ops::Options options = {}) {
  ops::Use made = use(name, {}, std::move(options));
  for (const Tensor& arg : args) made.types.push_back(type_of_tensor(arg));
  made = checked(made);
  return made.op->evaluate(made, args);
}

Tensor result(const std::string& name, const std::vector<Tensor>& args, ops::Options options = {}) {
  return all_results(name, args, std::move(options)).at(0);
}

void check(const Tensor& found, const std::vector<std::int64_t>& shape, const Values& expected) {
  CHECK(found.shape == shape);
  REQUIRE(found.f.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (std::isnan(expected[k]))
      CHECK(std::isnan(found.f[k]));
    else if (std::isinf(expected[k]))
      CHECK(found.f[k] == expected[k]);
    else
      CHECK(found.f[k] == doctest::Approx(expected[k]).epsilon(1e-13));
  }
}

double of(const std::string& name, Values args) {
  std::vector<Tensor> tensors;
  for (const double arg : args) tensors.push_back(tensor({}, {arg}));
  const Tensor found = result(name, tensors);
  return found.real() ? found.f.at(0) : static_cast<double>(found.i.at(0));
}

std::int64_t of_integers(const std::string& name, std::vector<std::int64_t> args) {
  std::vector<Tensor> tensors;
  for (const std::int64_t arg : args) tensors.push_back(integers({}, {arg}));
  return result(name, tensors).i.at(0);
}

}  // namespace

TEST_CASE("functions of one real number") {
  const struct {
    const char* name;
    double at_low, at_high;  // at -0.75 and 0.5
  } known[] = {
      {"sigmoid", 0.320821300824607, 0.6224593312018546},
      {"softplus", 0.38687100611489994, 0.9740769841801067},
      {"gelu", -0.16997051428265114, 0.34573123063700656},
      {"silu", -0.24061597561845527, 0.3112296656009273},
      {"mish", -0.27649471450546514, 0.3752452113048951},
      {"elu", -0.5276334472589853, 0.5},
      {"leaky_relu", -0.0075, 0.5},
      {"relu", 0, 0.5},
      {"hardsigmoid", 0.375, 0.5833333333333334},
      {"hardswish", -0.28125, 0.2916666666666667},
      {"erf", -0.7111556336535151, 0.5204998778130465},
      {"tanh", -0.6351489523872873, 0.46211715726000974},
      {"exp", 0.4723665527410147, 1.6487212707001282},
      {"expm1", -0.5276334472589853, 0.6487212707001282},
      {"log1p", -1.3862943611198906, 0.4054651081081644},
      {"sin", -0.6816387600233341, 0.479425538604203},
      {"cos", 0.7316888688738209, 0.8775825618903728},
      {"tan", -0.9315964599440725, 0.5463024898437905},
      {"asin", -0.848062078981481, 0.5235987755982989},
      {"acos", 2.4188584057763776, 1.0471975511965979},
      {"atan", -0.6435011087932844, 0.4636476090008061},
      {"sinh", -0.82231673193583, 0.5210953054937474},
      {"cosh", 1.2946832846768448, 1.1276259652063807},
      {"abs", 0.75, 0.5},
      {"sign", -1, 1},
      {"floor", -1, 0},
      {"ceil", 0, 1},
      {"round", -1, 0},
      {"square", 0.5625, 0.25},
      {"reciprocal", -1 / 0.75, 2},
      {"-", 0.75, -0.5},
      {"isnan", 0, 0},
  };
  for (const auto& row : known) {
    CAPTURE(row.name);
    CHECK(of(row.name, {-0.75}) == doctest::Approx(row.at_low).epsilon(1e-14));
    CHECK(of(row.name, {0.5}) == doctest::Approx(row.at_high).epsilon(1e-14));
  }
  CHECK(of("log", {0.3}) == doctest::Approx(-1.2039728043259361));
  CHECK(of("sqrt", {2.5}) == doctest::Approx(1.5811388300841898));
  CHECK(of("rsqrt", {2.5}) == doctest::Approx(0.6324555320336759));
}

TEST_CASE("ends of the range, ties and NaN") {
  CHECK(of("round", {2.5}) == 2);
  CHECK(of("round", {3.5}) == 4);
  CHECK(of("sigmoid", {-800}) == 0);
  CHECK(of("sigmoid", {800}) == 1);
  CHECK(of("softplus", {800}) == 800);
  CHECK(of("softplus", {-800}) == 0);
  CHECK(of("expm1", {1e-18}) == 1e-18);
  CHECK(of("log", {0}) == -infinity);
  CHECK(std::isnan(of("relu", {not_a_number})));
  CHECK(of("sign", {not_a_number}) == 0);
  CHECK(of("isnan", {not_a_number}) == 1);
  CHECK(std::isnan(of("maximum", {not_a_number, 1})));
  CHECK(std::isnan(of("maximum", {1, not_a_number})));
  CHECK(std::isnan(of("minimum", {1, not_a_number})));
  CHECK(std::isnan(of("clip", {not_a_number, 0, 1})));
  CHECK(of("clip", {3, 0, 1}) == 1);
  CHECK(of("clip", {3, 2, 1}) == 1);
  CHECK(of("==", {not_a_number, not_a_number}) == 0);
  CHECK(of("!=", {not_a_number, not_a_number}) == 1);
}

TEST_CASE("two real numbers") {
  CHECK(of("+", {1.5, 2}) == 3.5);
  CHECK(of("/", {1, -4}) == -0.25);
  CHECK(of("//", {7, 3}) == 2);
  CHECK(of("//", {-7, 3}) == -3);
  CHECK(of("//", {7, -3}) == -3);
  CHECK(of("//", {1, 0.1}) == 9);
  CHECK(of("//", {1, 0}) == infinity);
  CHECK(of("%", {-7, 3}) == 2);
  CHECK(of("%", {7, -3}) == -2);
  CHECK(of("%", {1, 0.1}) == doctest::Approx(0.09999999999999995));
  CHECK(std::isnan(of("%", {1, 0})));
  CHECK(of("**", {2.5, -1.5}) == doctest::Approx(0.25298221281347033));
  CHECK(of("pow", {2, 10}) == 1024);
  CHECK(of("atan2", {1, -2}) == doctest::Approx(2.677945044588987));
  CHECK(of("<", {1, 2}) == 1);
  CHECK(of(">=", {1, 2}) == 0);
}

TEST_CASE("integers wrap, round down, and divide by zero to zero") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  CHECK(of_integers("+", {std::numeric_limits<std::int64_t>::max(), 1}) == least);
  CHECK(of_integers("-", {least}) == least);
  CHECK(of_integers("abs", {least}) == least);
  CHECK(of_integers("//", {-7, 2}) == -4);
  CHECK(of_integers("%", {-7, 2}) == 1);
  CHECK(of_integers("%", {7, -2}) == -1);
  CHECK(of_integers("//", {7, 0}) == 0);
  CHECK(of_integers("%", {7, 0}) == 0);
  CHECK(of_integers("//", {least, -1}) == least);
  CHECK(of_integers("**", {3, 5}) == 243);
  CHECK(of_integers("**", {2, -1}) == 0);
  CHECK(of_integers("**", {-1, -3}) == -1);
  CHECK(of_integers("clip", {9, 0, 4}) == 4);
  CHECK(of_integers("sign", {-9}) == -1);
  const ops::Number pair[] = {ops::whole(127, Dtype::i8), ops::whole(1, Dtype::i8)};
  CHECK(ops::evaluate(wave::Opcode::add, Dtype::i8, pair).i == -128);
}

TEST_CASE("casts") {
  const auto to = [](Tensor x, const char* dtype) {
    return result("cast", {std::move(x)}, {{"dtype", text(dtype)}});
  };
  CHECK(to(tensor({4}, {1.9, -1.9, 1e30, not_a_number}), "i32").i ==
        std::vector<std::int64_t>{1, -1, 2147483647, 0});
  CHECK(to(tensor({2}, {-1e30, 1e30}), "i64").i ==
        std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max()});
  CHECK(to(tensor({3}, {0, not_a_number, 0.5}), "bool").i == std::vector<std::int64_t>{0, 1, 1});
  CHECK(to(tensor({1}, {0.1}), "f32").f[0] == static_cast<double>(0.1F));
  CHECK(to(tensor({2}, {1.0 + 1.0 / 2048, 70000}), "f16").f == Values{1, infinity});
  CHECK(to(integers({2}, {300, 7}), "i8").i == std::vector<std::int64_t>{44, 7});
  CHECK(to(integers({1}, {16777217}), "f32").f == Values{16777216});
}

TEST_CASE("products") {
  const Tensor a = tensor({2, 3}, {-2, -1, 0, 1, 2, 3});
  const Tensor b = tensor({3, 4}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1});
  check(result("@", {a, b}), {2, 4}, {-4, -2, -5, -8, 17, 13, 4, 10});
  check(result("@", {a, tensor({3}, {1, -2, 3})}), {2}, {0, 6});
  check(result("@", {tensor({2}, {1, -2}), a}), {3}, {-4, -5, -6});
  check(
      result("@", {tensor({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), tensor({1, 2, 2}, {-1, 0, 1, 2})}),
      {2, 2, 2}, {1, 2, 1, 6, 1, 10, 1, 14});
  check(result("dot", {tensor({3}, {1, 2, 3}), tensor({3}, {4, 5, 6})}), {}, {32});
  check(result("outer", {tensor({2}, {1, 2}), tensor({2}, {3, 4})}), {2, 2}, {3, 4, 6, 8});
  CHECK(result("@", {integers({2}, {3, 4}), integers({2}, {5, 6})}).i ==
        std::vector<std::int64_t>{39});
}

TEST_CASE("einsum") {
  const auto einsum = [](const char* equation, const std::vector<Tensor>& args) {
    return result("einsum", args, {{"equation", text(equation)}});
  };
  const Tensor t = tensor({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  check(einsum("hij,i,j->h", {t, tensor({3}, {1, 2, -1}), tensor({2}, {3, -2})}), {2}, {-4, 8});
  check(einsum("ii->i", {tensor({2, 2}, {0, 1, 2, 3})}), {2}, {0, 3});
  check(einsum("ba", {tensor({2, 3}, {-2, -1, 0, 1, 2, 3})}), {3, 2}, {-2, 1, -1, 2, 0, 3});
  check(einsum("ii", {tensor({2, 2}, {0, 1, 2, 3})}), {}, {3});
  check(einsum("ii,ji->j", {tensor({2, 2}, {2, 1, 2, 3}), tensor({2, 2}, {1, 2, 3, 4})}), {2},
        {8, 18});
  CHECK(einsum("i,ij->j", {integers({2}, {2, -1}), integers({2, 2}, {1, 2, 3, 4})}).i ==
        std::vector<std::int64_t>{-1, 0});
}

TEST_CASE("reductions") {
  const Tensor x = tensor({2, 3}, {1, -2, 3, 0.5, 0, -1});
  const ops::Options rows = {{"axis", number(1)}}, columns = {{"axis", number(0)}};
  check(result("sum", {x}), {}, {1.5});
  check(result("sum", {x}, rows), {2}, {2, -0.5});
  check(result("sum", {x}, {{"axis", number(0)}, {"keepdims", number(1)}}), {1, 3}, {1.5, -2, 2});
  check(result("mean", {x}, rows), {2}, {0.6666666666666666, -0.16666666666666666});
  check(result("prod", {x}, rows), {2}, {-6, 0});
  check(result("max", {x}, columns), {3}, {1, 0, 3});
  check(result("min", {x}), {}, {-2});
  check(result("norm", {x}, columns), {3}, {1.118033988749895, 2, 3.1622776601683795});
  check(result("logsumexp", {x}, rows), {2}, {3.1328452337275756, 1.1041306053367282});
  check(result("logsumexp", {tensor({2}, {-infinity, -infinity})}), {}, {-infinity});
  check(result("logsumexp", {tensor({2}, {1000, 1000})}), {}, {1000.6931471805599});
  CHECK(result("argmax", {x}, rows).i == std::vector<std::int64_t>{2, 0});
  CHECK(result("argmax", {tensor({3}, {2, 7, 7})}).i == std::vector<std::int64_t>{1});
  CHECK(result("argmin", {x}).i == std::vector<std::int64_t>{1});
  CHECK(result("argmax", {tensor({3}, {2, not_a_number, 7})}).i == std::vector<std::int64_t>{1});
  check(result("max", {tensor({3}, {2, not_a_number, 7})}), {}, {not_a_number});
  check(result("sum", {tensor({0}, {})}), {}, {0});
  check(result("prod", {tensor({0}, {})}), {}, {1});
}

TEST_CASE("reductions and softmax across the items of a list") {
  ops::Use sum = use("sum", {"[f64[2]]"});
  sum.result = type_of("f64[2]");
  const Tensor stacked = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  check(sum.op->evaluate(sum, {stacked})[0], {2}, {9, 12});
  ops::Use softmax = use("softmax", {"[f64]"});
  softmax.result = type_of("[f64]");
  check(softmax.op->evaluate(softmax, {tensor({2}, {0, 0})})[0], {2}, {0.5, 0.5});
  check(softmax.op->evaluate(softmax, {tensor({0}, {})})[0], {0}, {});
}

TEST_CASE("normalizing") {
  const Tensor x = tensor({2, 3}, {1, -2, 3, 0.5, 0, -1});
  check(result("softmax", {x}), {2, 3},
        {0.11849965453500959, 0.005899750401902781, 0.8756005950630876, 0.5465493872661796,
         0.3314989604240915, 0.12195165230972885});
  check(result("softmax", {x}, {{"axis", number(0)}}), {2, 3},
        {0.6224593312018546, 0.11920292202211755, 0.9820137900379085, 0.37754066879814546,
         0.8807970779778823, 0.017986209962091555});
  check(result("log_softmax", {x}), {2, 3},
        {-2.1328452337275756, -5.132845233727576, -0.13284523372757556, -0.6041306053367282,
         -1.1041306053367284, -2.1041306053367284});
  const Tensor g = tensor({3}, {1, 2, 0.5}), b = tensor({3}, {0, 1, -1});
  check(result("layer_norm", {x, g, b}), {2, 3},
        {0.16222122902678932, -1.5955396644286286, -0.4322256984062375, 1.0690312230509014,
         1.5345156115254506, -1.6681445144068134});
  check(result("rms_norm", {x, g}), {2, 3},
        {0.4629095539120194, -1.8516382156480775, 0.6943643308680291, 0.7745873742487619, 0,
         -0.7745873742487619});
}

TEST_CASE("losses") {
  check(result("cross_entropy", {tensor({3}, {1, -2, 3}), integers({}, {1})}), {},
        {5.132845233727576});
  check(result("mse", {tensor({2}, {1, 2}), tensor({2}, {3, 5})}), {}, {6.5});
  check(result("kl", {tensor({3}, {.2, .3, .5}), tensor({3}, {.1, .6, .3})}), {},
        {0.18609809382700085});
  check(result("kl", {tensor({2}, {0, 1}), tensor({2}, {0.5, 0.5})}), {}, {0.6931471805599453});
}

TEST_CASE("shapes") {
  const Tensor x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  check(result("reshape", {x}, {{"shape", list({3, 2})}}), {3, 2}, {1, 2, 3, 4, 5, 6});
  check(result("transpose", {x}), {3, 2}, {1, 4, 2, 5, 3, 6});
  check(result("permute", {x}, {{"axes", list({1, 0})}}), {3, 2}, {1, 4, 2, 5, 3, 6});
  check(result("concat", {x, tensor({2, 1}, {7, 8})}, {{"axis", number(1)}}), {2, 4},
        {1, 2, 3, 7, 4, 5, 6, 8});
  check(result("stack", {tensor({2}, {1, 2}), tensor({2}, {3, 4})}, {{"axis", number(1)}}), {2, 2},
        {1, 3, 2, 4});
  const auto parts = all_results("split", {x}, {{"sections", number(3)}, {"axis", number(1)}});
  REQUIRE(parts.size() == 3);
  check(parts[1], {2, 1}, {2, 5});
  check(result("pad", {tensor({2}, {1, 2})},
               {{"widths", list({list({1, 2})})}, {"value", number(9)}}),
        {5}, {9, 1, 2, 9, 9});
  check(result("flip", {x}), {2, 3}, {6, 5, 4, 3, 2, 1});
  check(result("flip", {x}, {{"axis", number(1)}}), {2, 3}, {3, 2, 1, 6, 5, 4});
  check(result("tile", {tensor({2}, {1, 2})}, {{"counts", list({2, 2})}}), {2, 4},
        {1, 2, 1, 2, 1, 2, 1, 2});
  check(result("broadcast", {tensor({2, 1}, {1, 2})}, {{"shape", list({2, 2})}}), {2, 2},
        {1, 1, 2, 2});
  check(result("dropout", {x}, {{"p", number(0.5)}}), {2, 3}, {1, 2, 3, 4, 5, 6});
  check(result("full", {tensor({}, {7})}, {{"shape", list({2})}}), {2}, {7, 7});
  check(result("iota", {}, {{"shape", list({3})}}), {3}, {0, 1, 2});
  check(result("zeros", {}, {{"shape", list({2})}}), {2}, {0, 0});
  check(result("ones", {}, {{"shape", list({2})}}), {2}, {1, 1});
}

TEST_CASE("tables") {
  const Tensor x = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  check(result("take", {x, integers({2}, {2, 0})}), {2, 2}, {5, 6, 1, 2});
  check(result("take", {x, integers({}, {1})}, {{"axis", number(1)}}), {3}, {2, 4, 6});
  check(result("one_hot", {integers({2}, {1, 0})}, {{"classes", number(2)}}), {2, 2}, {0, 1, 1, 0});
}

TEST_CASE("an index out of range gives nothing, and can be told") {
  const ops::Use take = checked(use("take", {"f64[n]", "i64[3]"}));
  const std::vector<Tensor> args = {tensor({5}, {1, 2, 3, 4, 5}), integers({3}, {0, -2, 9})};
  CHECK(take.op->evaluate(take, args).empty());
  CHECK(ops::wrong_index(take, args) == -2);
}

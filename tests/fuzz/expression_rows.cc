// The tables that expressions are chosen from. Every row keeps reals small and well conditioned.
#include <fmt/format.h>

#include "tests/fuzz/expressions.h"

namespace espalier::fuzz {

const std::vector<Expressions::Row>& Expressions::anywhere() {
  using E = Expressions;
  // clang-format off
  static const std::vector<Row> rows = {
      {"abs", "abs($r)", nullptr}, {"exp", "exp(tanh($r))", nullptr},
      {"expm1", "expm1(tanh($r))", nullptr}, {"log", "log(1 + square($r))", nullptr},
      {"log1p", "log1p(square($r))", nullptr}, {"sqrt", "sqrt(0.5 + square($r))", nullptr},
      {"rsqrt", "rsqrt(0.5 + square($r))", nullptr}, {"square", "(0.25 * square($r))", nullptr},
      {"reciprocal", "reciprocal(1 + square($r))", nullptr}, {"sin", "sin($r)", nullptr},
      {"cos", "cos($r)", nullptr}, {"tan", "tan(0.7 * tanh($r))", nullptr},
      {"asin", "asin(0.8 * tanh($r))", nullptr}, {"acos", "acos(0.8 * tanh($r))", nullptr},
      {"atan", "atan($r)", nullptr}, {"sinh", "sinh(tanh($r))", nullptr},
      {"cosh", "cosh(tanh($r))", nullptr}, {"tanh", "tanh($r)", nullptr},
      {"sigmoid", "sigmoid($r)", nullptr}, {"relu", "relu($r)", nullptr},
      {"leaky_relu", "leaky_relu($r)", nullptr},
      {"leaky_relu slope", "leaky_relu($r, negative_slope=0.2)", nullptr},
      {"elu", "elu($r)", nullptr}, {"elu alpha", "elu($r, alpha=0.5)", nullptr},
      {"gelu", "gelu($r)", nullptr}, {"softplus", "softplus($r)", nullptr},
      {"silu", "silu($r)", nullptr}, {"mish", "mish($r)", nullptr},
      {"hardsigmoid", "hardsigmoid($r)", nullptr}, {"hardswish", "hardswish($r)", nullptr},
      {"erf", "erf($r)", nullptr}, {"neg", "(-$r)", nullptr},
      {"add", "(0.5 * ($r + $r))", nullptr}, {"sub", "(0.5 * ($r - $r))", nullptr},
      {"mul", "(0.25 * $r * $r)", nullptr}, {"gate", "(sigmoid($r) * tanh($r))", nullptr},
      {"add scalar", "(0.5 * ($s + $r))", nullptr}, {"mul scalar", "(0.25 * $r * $s)", nullptr},
      {"div", "($r / (1 + square($r)))", nullptr},
      {"**", "((0.5 + sigmoid($r)) ** tanh($r))", nullptr},
      {"pow", "pow(0.5 + sigmoid($r), tanh($r))", nullptr},
      {"pow 2", "(0.25 * tanh($r) ** 2)", nullptr}, {"pow 3", "pow(tanh($r), 3)", nullptr},
      {"atan2", "atan2($r, 1 + square($r))", nullptr},
      {"minimum", "minimum($r, $r)", nullptr}, {"maximum", "maximum($r, $r)", nullptr},
      {"clip", "clip($r, -1.5, 1.5)", nullptr}, {"select", "select($b, $r, $r)", nullptr},
      {"select isnan", "select(isnan($r), 0.5, $r)", nullptr},
      {"inf", "minimum($r, inf)", nullptr}, {"sign", "sign($t)", nullptr},
      {"floor", "(0.25 * floor($t))", nullptr}, {"ceil", "(0.25 * ceil($t))", nullptr},
      {"round", "(0.25 * round($t))", nullptr}, {"floordiv", "(0.25 * ($t // 0.75))", nullptr},
      {"floordiv neg", "(0.25 * ($t // -0.5))", nullptr}, {"mod", "($t % 1.5)", nullptr},
      {"mod neg", "($t % -0.75)", nullptr}, {"exact", "$e", nullptr},
      {"cast i32", "(0.25 * cast(cast($t, i32), $F))", nullptr},
      {"cast i8", "(0.25 * cast(cast($t, i8), $F))", nullptr},
      {"cast f16", "(0.25 * cast(cast($t, f16), $F))", nullptr},
      {"cast bf16", "(0.25 * cast(cast($t, bf16), $F))", nullptr},
      {"cast f64", "tanh(cast(cast($r, f64), $F))", nullptr},
      {"cast bool", "cast($b, $F)", nullptr},
      {"cast integer", "($r + tanh(cast($i % 7, $F)))", nullptr},
      {"dropout", "dropout($r, 0.3)", nullptr}, {"if", "(if $c then $r else $r)", nullptr},
      {"list", nullptr, &E::over_list}, {"fold", nullptr, &E::fold_list},
      {"list again", nullptr, &E::over_list}, {"softmax list", nullptr, &E::softmax_list},
      {"scan", nullptr, &E::scan_list}, {"enumerate", nullptr, &E::enumerate_list},
      {"zip", nullptr, &E::zip_lists}, {"literal list", nullptr, &E::literal_list},
      {"let", nullptr, &E::bind_value}, {"local function", nullptr, &E::local_function},
      {"higher order", nullptr, &E::higher_order}, {"embedding", nullptr, &E::embedding},
  };
  // clang-format on
  return rows;
}

const std::vector<Expressions::Row>& Expressions::scalars() {
  using E = Expressions;
  static const std::vector<Row> rows = {{"item", nullptr, &E::item_of_vector},
                                        {"loss", nullptr, &E::loss},
                                        {"whole", nullptr, &E::whole_reduction},
                                        {"product", nullptr, &E::product_scalar},
                                        {"einsum", nullptr, &E::einsum}};
  return rows;
}

const std::vector<Expressions::Row>& Expressions::vectors() {
  using E = Expressions;
  static const std::vector<Row> rows = {{"W @ x", nullptr, &E::matrix_vector},
                                        {"x @ W", nullptr, &E::vector_matrix},
                                        {"linear", nullptr, &E::linear},
                                        {"concat", nullptr, &E::concat_parts},
                                        {"slice", nullptr, &E::slice},
                                        {"split", nullptr, &E::split_parts},
                                        {"pad", nullptr, &E::padded},
                                        {"flip", "flip($r, axis=0)", nullptr},
                                        {"tile", nullptr, &E::tiled},
                                        {"one_hot", nullptr, &E::one_hot_row},
                                        {"reduced", nullptr, &E::reduced},
                                        {"reshape", nullptr, &E::reshaped},
                                        {"take", nullptr, &E::taken},
                                        {"einsum vector", nullptr, &E::einsum},
                                        {"normalized", nullptr, &E::normalized},
                                        {"broadcast", nullptr, &E::broadcasted}};
  return rows;
}

const std::vector<Expressions::Row>& Expressions::matrices() {
  using E = Expressions;
  static const std::vector<Row> rows = {
      {"stack", nullptr, &E::stacked},           {"W @ M", nullptr, &E::matrix_matrix},
      {"outer", nullptr, &E::outer_product},     {"rearranged", nullptr, &E::rearranged},
      {"normalized 2", nullptr, &E::normalized}, {"broadcast 2", nullptr, &E::broadcasted},
      {"einsum matrix", nullptr, &E::einsum}};
  return rows;
}

// ---- Lists

std::string Expressions::over_list(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string pattern;
  const Scope inner = with(scope, open(list, &pattern));
  std::string from = list.text;
  if (random_.chance(0.15)) from = fmt::format("reverse({})", from);
  const std::string each = fmt::format(" for {} in {}", pattern, from);
  const auto item = [&] { return real(inner, shape, depth - 1) + each; };
  std::vector<std::string> made = {
      fmt::format("tanh(sum({}))", item()), fmt::format("(0.2 * sum({}))", item()),
      fmt::format("tanh(norm({}))", item()),
      fmt::format("prod(0.5 + sigmoid({}){})", real(inner, shape, depth - 1), each)};
  if (list.filled) {
    for (const char* op : {"max", "min", "mean", "logsumexp"})
      made.push_back(fmt::format("{}({})", op, item()));
    for (const char* op : {"argmax", "argmin"})
      made.push_back(fmt::format("(0.1 * cast({}({}{}), {}))", op, exact(inner, shape, 1), each,
                                 globals_.real));
  }
  return made[static_cast<std::size_t>(random_.below(static_cast<int>(made.size())))];
}

// Attention: sum(a * value for (a, k) in zip(softmax(..), ks)).
std::string Expressions::softmax_list(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string p1, p2;
  const Scope score = with(scope, open(list, &p1)), value = with(scope, open(list, &p2));
  const std::string a = fresh("a");
  const bool logarithm = random_.chance(0.3);
  const std::string weights =
      fmt::format("{}({} for {} in {})", logarithm ? "log_softmax" : "softmax",
                  real(score, {}, depth - 1), p1, list.text);
  return fmt::format("({}(sum({} * {} for ({}, {}) in zip({}, {}))))",
                     logarithm ? "0.2 * tanh" : "", a, real(value, shape, depth - 1), a, p2,
                     weights, list.text);
}

std::string Expressions::fold_list(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string pattern;
  std::vector<Var> vars = open(list, &pattern);
  const std::string state = fresh("s");
  if (random_.chance(0.2))
    return fmt::format("fold({}, {}, [{} for {} in {}])",
                       random_.chance(0.5) ? "maximum" : "minimum", real(scope, shape, depth - 1),
                       real(with(scope, vars), shape, depth - 1), pattern, list.text);
  vars.push_back({state, Var::Kind::real, shape});
  const Scope inner = with(scope, vars);
  return fmt::format("fold(fun({}, {}) -> tanh({} + {}), {}, {})", state, pattern,
                     real(inner, shape, depth - 1), state, real(scope, shape, depth - 1),
                     list.text);
}

std::string Expressions::scan_list(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string pattern;
  std::vector<Var> vars = open(list, &pattern);
  const std::string state = fresh("s"), item = fresh("q");
  vars.push_back({state, Var::Kind::real, shape});
  const std::string step = real(with(scope, vars), shape, depth - 1);
  // Without a dtype of its own, a start is f32 where the steps do not say otherwise.
  const bool plain = globals_.real == "f32" && random_.chance(0.5);
  const std::string start = !plain          ? real(scope, shape, 1)
                            : shape.empty() ? "0"
                                            : "zeros" + shape_text(shape);
  const Scope last = with(scope, {{item, Var::Kind::real, shape}});
  return fmt::format("(0.2 * sum({} for {} in scan(fun({}, {}) -> tanh({}), {}, {})))",
                     real(last, shape, depth - 1), item, state, pattern,
                     shape.empty() ? step + " + " + state : step, start, list.text);
}

std::string Expressions::enumerate_list(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string pattern;
  std::vector<Var> vars = open(list, &pattern);
  const std::string i = fresh("i");
  vars.push_back({i, Var::Kind::integer, {}});
  return fmt::format("tanh(sum(cast({} % 3 + 1, {}) * {} for ({}, {}) in enumerate({})))", i,
                     globals_.real, real(with(scope, vars), shape, depth - 1), i, pattern,
                     list.text);
}

std::string Expressions::zip_lists(const Scope& scope, const Shape& shape, int depth) {
  if (scope.lists.empty()) return "";
  const ListVar& list = random_.pick(scope.lists);
  std::string p1, p2;
  std::vector<Var> vars = open(list, &p1);
  const std::vector<Var> more = open(list, &p2);
  vars.insert(vars.end(), more.begin(), more.end());
  return fmt::format("tanh(sum({} for ({}, {}) in zip({}, reverse({}))))",
                     real(with(scope, vars), shape, depth - 1), p1, p2, list.text, list.text);
}

std::string Expressions::literal_list(const Scope& scope, const Shape& shape, int depth) {
  const int count = random_.between(1, 3);
  std::string items;
  for (int i = 0; i < count; ++i) items += (i ? ", " : "") + real(scope, shape, depth - 1);
  const char* ops[] = {"mean", "max", "min", "logsumexp"};
  if (random_.chance(0.5)) return fmt::format("{}([{}])", ops[random_.below(4)], items);
  const std::string item = fresh("q");
  return fmt::format("(0.3 * sum({} for {} in [{}]))",
                     real(with(scope, {{item, Var::Kind::real, shape}}), shape, 1), item, items);
}

// ---- Names and functions

std::string Expressions::bind_value(const Scope& scope, const Shape& shape, int depth) {
  if (!scope.statements) return "";
  const std::string name = fresh("v");
  const std::string statement = fmt::format("{} = {}", name, real(scope, shape, depth - 1));
  scope.statements->push_back(statement);
  return fmt::format("(0.5 * ({} - {} * {}))", name, name, real(scope, shape, depth - 1));
}

std::string Expressions::local_function(const Scope& scope, const Shape& shape, int depth) {
  if (!scope.statements) return "";
  const std::string name = fresh("g"), x = fresh("x");
  const Scope inner = with(scope, {{x, Var::Kind::real, shape}}, false);
  const std::string body = real(inner, shape, depth - 1);
  scope.statements->push_back(fmt::format("{}({}) = {}", name, x, body));
  return fmt::format("({}({}) - 0.5 * {}({}))", name, real(scope, shape, depth - 1), name,
                     real(scope, shape, 0));
}

// The helpers `twice`, `pick` and `pair_sum` are in every model.
std::string Expressions::higher_order(const Scope& scope, const Shape& shape, int depth) {
  const std::string x = fresh("x");
  const Scope inner = with(scope, {{x, Var::Kind::real, shape}}, false);
  switch (random_.below(3)) {
    case 0:
      return fmt::format("twice(fun({}) -> tanh({}), {})", x, real(inner, shape, depth - 1),
                         real(scope, shape, depth - 1));
    case 1:
      return fmt::format("pick({}, {}, {})", boolean(scope, {}, 1), real(scope, shape, depth - 1),
                         real(scope, shape, depth - 1));
    default:
      return fmt::format("(if {} then fun({}) -> {} else tanh)({})", boolean(scope, {}, 1), x,
                         real(inner, shape, depth - 1), real(scope, shape, depth - 1));
  }
}

std::string Expressions::embedding(const Scope& scope, const Shape& shape, int) {
  std::vector<const Var*> found;
  for (const Var& v : scope.vars)
    if (v.kind == Var::Kind::index) found.push_back(&v);
  Shape table = shape;
  if (found.empty()) {
    const int n = dim();
    table.insert(table.begin(), n);
    return fmt::format("{}[{}]", param(table), index(scope, n));
  }
  const Var& v = *random_.pick(found);
  table.insert(table.begin(), v.bound);
  if (random_.chance(0.2)) return fmt::format("take({}, {})", param(table), v.text);
  return fmt::format("{}[{}]", param(table), v.text);
}

}  // namespace espalier::fuzz

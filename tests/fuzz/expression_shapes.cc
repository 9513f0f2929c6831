// Expressions of vectors, scalars and matrices.
#include <fmt/format.h>

#include "tests/fuzz/expressions.h"

namespace espalier::fuzz {

// ---- Vectors

std::string Expressions::matrix_vector(const Scope& scope, const Shape& shape, int depth) {
  const int n = dim();
  return fmt::format("tanh({} @ {})", param({shape[0], n}), real(scope, {n}, depth - 1));
}

std::string Expressions::vector_matrix(const Scope& scope, const Shape& shape, int depth) {
  const int n = dim();
  return fmt::format("tanh({} @ {})", real(scope, {n}, depth - 1), param({n, shape[0]}));
}

std::string Expressions::linear(const Scope& scope, const Shape& shape, int depth) {
  const int n = dim();
  const std::string name = fmt::format("cell_{}_{}", shape[0], n);
  globals_.params[name] =
      fmt::format("(weight: {}, bias: {})", type({shape[0], n}), type({shape[0]}));
  const std::string x = real(scope, {n}, depth - 1);
  if (random_.chance(0.6)) return fmt::format("tanh(linear({}, {}))", name, x);
  return fmt::format("tanh({}.weight @ {} + {}.bias)", name, x, name);
}

std::string Expressions::concat_parts(const Scope& scope, const Shape& shape, int depth) {
  if (shape[0] < 2) return "";
  const int a = random_.between(1, shape[0] - 1);
  return fmt::format("concat({}, {}{})", real(scope, {a}, depth - 1),
                     real(scope, {shape[0] - a}, depth - 1), random_.chance(0.3) ? ", axis=0" : "");
}

std::string Expressions::slice(const Scope& scope, const Shape& shape, int depth) {
  const int n = shape[0];
  switch (random_.below(4)) {
    case 0: return fmt::format("({})[1:{}]", real(scope, {n + 2}, depth - 1), n + 1);
    case 1: return fmt::format("{}[::2]", real(scope, {2 * n}, depth - 1));
    case 2: return fmt::format("{}[-{}:]", param({n + 1}), n);
    default: return fmt::format("{}[{}, 1:]", param({3, n + 1}), index(scope, 3));
  }
}

std::string Expressions::split_parts(const Scope& scope, const Shape& shape, int depth) {
  if (!scope.statements) return "";
  const int parts = random_.between(2, 3);
  std::vector<std::string> names;
  for (int i = 0; i < parts; ++i) names.push_back(fresh("p"));
  const std::string of = real(scope, {shape[0] * parts}, depth - 1);
  scope.statements->push_back(
      fmt::format("({}) = split({}, {})", fmt::join(names, ", "), of, parts));
  return fmt::format("(tanh({}) * sigmoid({}) + 0.5 * {})", names[0], names[1], names.back());
}

std::string Expressions::padded(const Scope& scope, const Shape& shape, int depth) {
  if (shape[0] < 3) return "";
  const int before = random_.between(0, 2);
  return fmt::format("pad({}, [[{}, {}]]{})", real(scope, {shape[0] - 2}, depth - 1), before,
                     2 - before, random_.chance(0.5) ? ", value=0.5" : "");
}

std::string Expressions::tiled(const Scope& scope, const Shape& shape, int depth) {
  for (const int d : {2, 3, 1})
    if (shape[0] % d == 0)
      return fmt::format("tile({}, [{}])", real(scope, {shape[0] / d}, depth - 1), d);
  return "";
}

std::string Expressions::one_hot_row(const Scope& scope, const Shape& shape, int) {
  return fmt::format("cast(one_hot({}, {}), {})", index(scope, shape[0]), shape[0], globals_.real);
}

std::string Expressions::reduced(const Scope& scope, const Shape& shape, int depth) {
  const int n = random_.between(2, 5), d = shape[0];
  const bool first = random_.chance(0.5);
  const int axis = first ? 0 : 1;
  const std::string x = real(scope, first ? Shape{n, d} : Shape{d, n}, depth - 1);
  switch (random_.below(9)) {
    case 0: return fmt::format("(0.3 * sum({}, axis={}))", x, axis);
    case 1: return fmt::format("mean({}, axis={})", x, axis);
    case 2: return fmt::format("max({}, axis={})", x, axis);
    case 3: return fmt::format("min({}, axis=[{}])", x, axis - 2);
    case 4: return fmt::format("prod(0.6 + 0.5 * sigmoid({}), axis={})", x, axis);
    case 5: return fmt::format("logsumexp({}, axis={})", x, axis);
    case 6: return fmt::format("(0.5 * norm({}, axis={}))", x, axis);
    case 7: return fmt::format("reshape(0.3 * sum({}, axis={}, keepdims=true), [{}])", x, axis, d);
    default:
      return fmt::format("(0.1 * cast({}({}, axis={}), {}))",
                         random_.chance(0.5) ? "argmax" : "argmin",
                         exact(scope, first ? Shape{n, d} : Shape{d, n}, 1), axis, globals_.real);
  }
}

std::string Expressions::reshaped(const Scope& scope, const Shape& shape, int depth) {
  for (const int d : {3, 2})
    if (shape[0] % d == 0) {
      const std::string x = real(scope, {d, shape[0] / d}, depth - 1);
      return fmt::format("reshape({}, [{}])", random_.chance(0.5) ? x : "transpose(" + x + ")",
                         shape[0]);
    }
  return "";
}

std::string Expressions::taken(const Scope& scope, const Shape& shape, int depth) {
  const int n = random_.between(2, 4);
  if (random_.chance(0.4))
    return fmt::format("take({}, argmax({}, axis=1))", real(scope, {n}, depth - 1),
                       exact(scope, {shape[0], n}, 0));
  const std::string table = param({shape[0], 3});
  return fmt::format("take({}, {}, axis=1)", table, index(scope, 3));
}

std::string Expressions::normalized(const Scope& scope, const Shape& shape, int depth) {
  const std::string x = real(scope, shape, depth - 1);
  if (shape.size() == 2)
    return fmt::format("({}({}, axis={}))", random_.chance(0.7) ? "softmax" : "0.3 * log_softmax",
                       x, random_.between(-1, 1));
  const int n = shape[0];
  switch (random_.below(4)) {
    case 0: return fmt::format("softmax({})", x);
    case 1: return fmt::format("(0.3 * log_softmax({}, axis=-1))", x);
    case 2:
      return fmt::format("layer_norm(tanh({}) + 4 * iota[{}], {}, {}{})", x, n, param({n}),
                         param({n}), random_.chance(0.5) ? "" : ", eps=0.001");
    default:
      return fmt::format("rms_norm(2 + tanh({}), {}{})", x, param({n}),
                         random_.chance(0.5) ? "" : ", eps=0.001");
  }
}

std::string Expressions::broadcasted(const Scope& scope, const Shape& shape, int depth) {
  const Shape last(shape.begin() + 1, shape.end());
  const std::string x = real(scope, last, depth - 1);
  if (shape.size() == 2)
    return random_.chance(0.5) ? fmt::format("broadcast({}, {})", x, shape_text(shape))
                               : fmt::format("(0.5 * ({} + reshape({}, [{}, 1])))", x,
                                             real(scope, {shape[0]}, depth - 1), shape[0]);
  const std::string s = shape_text(shape);
  switch (random_.below(6)) {
    case 0: return fmt::format("broadcast({}, {})", x, s);
    case 1: return fmt::format("full({}, {})", x, s);
    case 2: return fmt::format("(0.5 * (zeros{} - {}))", s, x);
    case 3: return fmt::format("(0.5 * (ones{} + {}))", s, x);
    case 4: return fmt::format("sin(iota{} + {})", s, x);
    default: return fmt::format("(0.5 * ({} - {}))", x, real(scope, shape, depth - 1));
  }
}

// ---- Scalars

std::string Expressions::item_of_vector(const Scope& scope, const Shape&, int depth) {
  const int n = dim();
  const std::string x = real(scope, {n}, depth - 1);
  switch (random_.below(4)) {
    case 0: return fmt::format("{}[-1]", x);
    case 1: return fmt::format("{}[{}]", x, random_.below(n));
    case 2:
      return fmt::format("{}[{}, {}]", real(scope, {2, n}, depth - 1), index(scope, 2),
                         index(scope, n));
    default: return fmt::format("{}[{}]", x, index(scope, n));
  }
}

std::string Expressions::loss(const Scope& scope, const Shape&, int depth) {
  const int n = random_.between(2, 6);
  const std::string x = real(scope, {n}, depth - 1);
  switch (random_.below(3)) {
    case 0: return fmt::format("(0.5 * cross_entropy({}, {}))", x, index(scope, n));
    case 1: return fmt::format("(0.2 * mse({}, {}))", x, real(scope, {n}, depth - 1));
    default: return fmt::format("kl(softmax({}), softmax({}))", x, real(scope, {n}, depth - 1));
  }
}

std::string Expressions::whole_reduction(const Scope& scope, const Shape&, int depth) {
  const bool matrix = random_.chance(0.3);
  const int n = dim();
  const Shape shape = matrix ? Shape{2, n} : Shape{n};
  const std::string x = real(scope, shape, depth - 1);
  switch (random_.below(7)) {
    case 0: return fmt::format("({} * sum({}))", 1.0 / n, x);
    case 1: return fmt::format("mean({}{})", x, matrix ? ", axis=[0, 1]" : "");
    case 2: return fmt::format("max({})", x);
    case 3: return fmt::format("min({})", x);
    case 4: return fmt::format("prod(0.7 + 0.4 * sigmoid({}))", x);
    case 5: return fmt::format("(0.5 * logsumexp({}))", x);
    default: return fmt::format("(0.3 * norm({}))", x);
  }
}

std::string Expressions::product_scalar(const Scope& scope, const Shape&, int depth) {
  const int n = dim();
  const std::string x = real(scope, {n}, depth - 1), y = real(scope, {n}, depth - 1);
  switch (random_.below(3)) {
    case 0: return fmt::format("tanh({} * dot({}, {}))", 1.0 / n, x, y);
    case 1: return fmt::format("tanh(({} @ {}) * {})", x, y, 1.0 / n);
    default: return fmt::format("sin({} @ {} @ {})", x, param({n, n}), y);
  }
}

std::string Expressions::einsum(const Scope& scope, const Shape& shape, int depth) {
  const int n = dim();
  const double scale = 0.5 / n;
  if (shape.empty())
    return random_.chance(0.5)
               ? fmt::format("({} * einsum('i,i->', {}, {}))", scale, real(scope, {n}, depth - 1),
                             real(scope, {n}, depth - 1))
               : fmt::format("({} * einsum('ii->', {}))", scale, param({n, n}));
  const int d = shape[0];
  if (shape.size() == 2)
    return random_.chance(0.5)
               ? fmt::format("(0.25 * einsum('i,j->ij', {}, {}))", real(scope, {d}, depth - 1),
                             real(scope, {shape[1]}, depth - 1))
               : fmt::format("einsum('ij->ji', {})", real(scope, {shape[1], d}, depth - 1));
  const int m = random_.between(2, 4);
  switch (random_.below(3)) {
    case 0:
      return fmt::format("tanh(einsum('ij,j->i', {}, {}))", param({d, n}),
                         real(scope, {n}, depth - 1));
    case 1:
      return fmt::format("tanh(einsum('hij,i,j->h', {}, {}, {}))", param({d, m, n}),
                         real(scope, {m}, depth - 1), real(scope, {n}, depth - 1));
    default:
      return fmt::format("({} * einsum('ij,ij->i', {}, {}))", scale, real(scope, {d, n}, depth - 1),
                         param({d, n}));
  }
}

// ---- Matrices

std::string Expressions::stacked(const Scope& scope, const Shape& shape, int depth) {
  const bool first = shape[0] <= 4;
  if (!first && shape[1] > 4) return "";
  std::string items;
  for (int i = 0; i < shape[first ? 0 : 1]; ++i)
    items += (i ? ", " : "") + real(scope, {shape[first ? 1 : 0]}, i ? 0 : depth - 1);
  return fmt::format("stack({}{})", items, first ? "" : ", axis=1");
}

std::string Expressions::matrix_matrix(const Scope& scope, const Shape& shape, int depth) {
  const int n = random_.between(2, 4);
  return fmt::format("tanh({} @ {})", param({shape[0], n}), real(scope, {n, shape[1]}, depth - 1));
}

std::string Expressions::outer_product(const Scope& scope, const Shape& shape, int depth) {
  return fmt::format("(0.25 * outer({}, {}))", real(scope, {shape[0]}, depth - 1),
                     real(scope, {shape[1]}, depth - 1));
}

std::string Expressions::rearranged(const Scope& scope, const Shape& shape, int depth) {
  const int a = shape[0], b = shape[1];
  switch (random_.below(7)) {
    case 0: return fmt::format("transpose({})", real(scope, {b, a}, depth - 1));
    case 1: return fmt::format("permute({}, [1, 0])", real(scope, {b, a}, depth - 1));
    case 2: return fmt::format("permute({}, [2, 0, 1])[0]", param({a, b, 2}));
    case 3: return fmt::format("reshape({}, [{}, {}])", real(scope, {a * b}, depth - 1), a, b);
    case 4: return fmt::format("flip({}, axis=1)", real(scope, {a, b}, depth - 1));
    case 5:
      if (b < 2) return "";
      return fmt::format("concat({}, {}, axis=1)", real(scope, {a, 1}, depth - 1),
                         real(scope, {a, b - 1}, depth - 1));
    default:
      return fmt::format("pad({}, [[0, 1], [1, 0]])[:-1, :-1]", real(scope, {a, b}, depth - 1));
  }
}

}  // namespace espalier::fuzz

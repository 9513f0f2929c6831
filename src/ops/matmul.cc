// `@` (numpy's matmul, vectors and batches included), dot and outer.
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

// How the axes of both operands take part: batch axes (broadcast), rows of the left, columns of the
// right; a vector has no row or no column.
struct Roles {
  bool row, column;
  std::size_t left_batch, right_batch;
};

Roles roles_of(std::size_t left_rank, std::size_t right_rank) {
  return {left_rank > 1, right_rank > 1, left_rank > 2 ? left_rank - 2 : 0,
          right_rank > 2 ? right_rank - 2 : 0};
}

// The product that was perhaps meant, where two operands of at most two axes fit otherwise.
std::string fitting(const Use& use) {
  const Shape &a = use.types[0]->shape, &b = use.types[1]->shape;
  if (a.size() > 2 || b.size() > 2) return "";
  if (b.back() == a.front() && (a.size() == 1 || b.size() == 1))
    return "; the other way round they fit";
  if (a.size() == 2 && a.front() == b.front()) return "; transpose the first";
  return b.size() == 2 && a.back() == b.back() ? "; transpose the second" : "";
}

Result<fun::TypeRef> refused(const Use& use, Diagnostics& diagnostics) {
  diagnostics.error(Kind::shape_mismatch, use.loc,
                    fmt::format("'@' takes [.., n] and [n, ..] but got {} and {}{}",
                                type_text(use, 0), type_text(use, 1), fitting(use)));
  return Failed{};
}

Result<fun::TypeRef> type_matmul(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::numbers, diagnostics);
  if (!operands) return Failed{};
  const Shape &a = (*operands)[0].shape, &b = (*operands)[1].shape;
  for (std::size_t k : {0U, 1U}) {
    if (!(*operands)[k].shape.empty()) continue;
    diagnostics.error(
        Kind::wrong_rank, loc_of(use, k),
        fmt::format("'@' takes vectors and matrices but got {}; use '*' with a scalar",
                    type_text(use, k)));
    return Failed{};
  }
  if (!(a.back() == b[b.size() > 1 ? b.size() - 2 : 0])) return refused(use, diagnostics);
  const Roles roles = roles_of(a.size(), b.size());
  const auto batch = [](const Shape& shape, std::size_t axes) {
    return Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axes));
  };
  Result<Shape> shape =
      broadcast(use, {batch(a, roles.left_batch), batch(b, roles.right_batch)}, diagnostics);
  if (!shape) return Failed{};
  if (roles.row) shape->push_back(a[a.size() - 2]);
  if (roles.column) shape->push_back(b.back());
  return fun::tensor((*operands)[0].dtype, *shape);
}

Number dot_product(const Tensor& a, std::int64_t a_place, const Tensor& b, std::int64_t b_place,
                   std::int64_t stride) {
  const std::int64_t length = a.shape.back();
  Number total{a.dtype, 0, 0};
  for (std::int64_t k = 0; k < length; ++k) {
    const Number x = get(a, a_place + k), y = get(b, b_place + k * stride);
    if (a.real()) {
      total.f += x.f * y.f;
      continue;
    }
    const Number pair[] = {x, y};
    const Number sum[] = {total, evaluate(Opcode::mul, a.dtype, pair)};
    total = evaluate(Opcode::add, a.dtype, sum);
  }
  return total;
}

// Where in `t` the matrix begins that belongs to a batch index of the result.
std::int64_t batch_place(const Tensor& t, std::size_t batch_axes, const Extents& batch) {
  std::int64_t place = 0;
  const std::size_t skipped = batch.size() - batch_axes;
  for (std::size_t k = 0; k < t.shape.size(); ++k) {
    const std::int64_t index = k < batch_axes && t.shape[k] != 1 ? batch[k + skipped] : 0;
    place = place * t.shape[k] + index;
  }
  return place;
}

std::vector<Tensor> evaluate_matmul(const Use& use, const std::vector<Tensor>& args) {
  const Tensor &a = args[0], &b = args[1];
  const Roles roles = roles_of(a.shape.size(), b.shape.size());
  const std::int64_t columns = roles.column ? b.shape.back() : 1;
  return {tabulate(a.dtype, result_extents(use), [&](const Extents& index) {
    Extents batch = index;
    std::int64_t row = 0, column = 0;
    if (roles.column) column = batch.back(), batch.pop_back();
    if (roles.row) row = batch.back(), batch.pop_back();
    return dot_product(a, batch_place(a, roles.left_batch, batch) + row * a.shape.back(), b,
                       batch_place(b, roles.right_batch, batch) + column, columns);
  })};
}

Indices batch_index(const Term& x, std::size_t batch_axes, const Indices& batch) {
  Indices index(batch.end() - static_cast<std::ptrdiff_t>(batch_axes), batch.end());
  for (std::size_t k = 0; k < batch_axes; ++k)
    if (x.shape[k] == 1) index[k] = wave::integer(0);
  return index;
}

std::vector<Term> lower_matmul(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Term a = lowering.materialize(args[0]), b = lowering.materialize(args[1]);
  const Roles roles = roles_of(a.shape.size(), b.shape.size());
  const auto body = [=](const Indices& axes, const Indices& reduced) {
    Indices batch = axes;
    wave::ScalarRef row, column;
    if (roles.column) column = batch.back(), batch.pop_back();
    if (roles.row) row = batch.back(), batch.pop_back();
    Indices left = batch_index(a, roles.left_batch, batch);
    Indices right = batch_index(b, roles.right_batch, batch);
    if (row) left.push_back(row);
    left.push_back(reduced[0]);
    right.push_back(reduced[0]);
    if (column) right.push_back(column);
    return wave::apply(Opcode::mul, {a.at(left), b.at(right)});
  };
  return {lowering.reduce(wave::Reduce::sum, a.dtype, result_extents(use), {a.shape.back()}, body)};
}

bool check_vectors(const Use& use, const std::vector<Operand>& operands, Diagnostics& diagnostics) {
  return check_rank(use, 0, operands[0], 1, diagnostics) &&
         check_rank(use, 1, operands[1], 1, diagnostics);
}

Result<fun::TypeRef> type_dot(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::numbers, diagnostics);
  if (!operands || !check_vectors(use, *operands, diagnostics) ||
      !check_same_shape(use, *operands, diagnostics))
    return Failed{};
  return fun::scalar((*operands)[0].dtype);
}

Result<fun::TypeRef> type_outer(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::numbers, diagnostics);
  if (!operands || !check_vectors(use, *operands, diagnostics)) return Failed{};
  return fun::tensor((*operands)[0].dtype, {(*operands)[0].shape[0], (*operands)[1].shape[0]});
}

std::vector<Tensor> evaluate_outer(const Use&, const std::vector<Tensor>& args) {
  const Tensor &a = args[0], &b = args[1];
  return {tabulate(a.dtype, {a.shape[0], b.shape[0]}, [&](const Extents& index) {
    const Number pair[] = {get(a, index[0]), get(b, index[1])};
    return evaluate(Opcode::mul, a.dtype, pair);
  })};
}

std::vector<Term> lower_outer(const Use&, const std::vector<Term>& args, Lowering& lowering) {
  const Term a = lowering.materialize(args[0]), b = lowering.materialize(args[1]);
  return {{a.dtype, {a.shape[0], b.shape[0]}, [=](const Indices& index) {
             return wave::apply(Opcode::mul, {a.at({index[0]}), b.at({index[1]})});
           }}};
}

Operator product(std::string_view name, decltype(Operator::type) type,
                 decltype(Operator::evaluate) evaluate, decltype(Operator::lower) lower) {
  Operator op;
  op.name = name;
  op.min_args = op.max_args = 2;
  op.type = type;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace

Operator matmul_operator() { return product("@", type_matmul, evaluate_matmul, lower_matmul); }
Operator dot_operator() { return product("dot", type_dot, evaluate_matmul, lower_matmul); }
Operator outer_operator() { return product("outer", type_outer, evaluate_outer, lower_outer); }

}  // namespace espalier::ops

// Tensors made of nothing or of one value: zeros, ones, full, iota, and broadcast.
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

Dtype asked_dtype(const Use& use) {
  return use.result && use.result->kind == fun::Type::Kind::tensor ? use.result->dtype : Dtype::f32;
}

Result<fun::TypeRef> type_filled(const Use& use, Diagnostics& diagnostics) {
  Result<Shape> shape = shape_option(use, "shape", diagnostics);
  if (!shape) return Failed{};
  return fun::tensor(asked_dtype(use), *shape);
}

Result<fun::TypeRef> type_iota(const Use& use, Diagnostics& diagnostics) {
  Result<Shape> shape = shape_option(use, "shape", diagnostics);
  if (!shape) return Failed{};
  if (shape->size() != 1) {
    diagnostics.error(Kind::wrong_rank, use.loc, "'iota' has one axis");
    return Failed{};
  }
  return fun::tensor(asked_dtype(use), *shape);
}

Result<fun::TypeRef> type_full(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> value = operand_of(use, 0, diagnostics);
  Result<Shape> shape = shape_option(use, "shape", diagnostics);
  if (!value || !shape || !check_rank(use, 0, *value, 0, diagnostics)) return Failed{};
  return fun::tensor(value->dtype, *shape);
}

Result<fun::TypeRef> type_broadcast(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  Result<Shape> shape = shape_option(use, "shape", diagnostics);
  if (!x || !shape) return Failed{};
  bool fits = x->shape.size() <= shape->size();
  for (std::size_t k = 1; fits && k <= x->shape.size(); ++k) {
    const fun::Dim &from = x->shape[x->shape.size() - k], &to = (*shape)[shape->size() - k];
    fits = from == to || from == fun::Dim(1);
  }
  if (fits) return fun::tensor(x->dtype, *shape);
  diagnostics.error(Kind::shape_mismatch, use.loc,
                    fmt::format("'broadcast' cannot make {} of {}",
                                fun::show(*fun::tensor(x->dtype, *shape)), type_text(use, 0)));
  return Failed{};
}

template <int value>
std::vector<Tensor> evaluate_filled(const Use& use, const std::vector<Tensor>&) {
  return {tabulate(result_dtype(use), result_extents(use), [&](const Extents&) {
    return Number{result_dtype(use), value, value};
  })};
}

std::vector<Tensor> evaluate_iota(const Use& use, const std::vector<Tensor>&) {
  return {tabulate(result_dtype(use), result_extents(use), [&](const Extents& index) {
    return convert(whole(index[0]), result_dtype(use));
  })};
}

std::vector<Tensor> evaluate_broadcast(const Use& use, const std::vector<Tensor>& args) {
  return {tabulate(args[0].dtype, result_extents(use),
                   [&](const Extents& index) { return broadcast_at(args[0], index); })};
}

template <int value>
std::vector<Term> lower_filled(const Use& use, const std::vector<Term>&, Lowering&) {
  return {broadcast_to(constant(value, result_dtype(use)), result_extents(use))};
}

std::vector<Term> lower_iota(const Use& use, const std::vector<Term>&, Lowering&) {
  const Dtype dtype = result_dtype(use);
  return {{dtype, result_extents(use),
           [=](const Indices& index) { return wave::cast(dtype, index[0]); }}};
}

std::vector<Term> lower_broadcast(const Use& use, const std::vector<Term>& args, Lowering&) {
  return {broadcast_to(args[0], result_extents(use))};
}

Operator shaped(std::string_view name, int operands, decltype(Operator::type) type) {
  Operator op;
  op.name = name;
  op.min_args = op.max_args = operands;
  op.literals = {"shape"};
  op.type = type;
  op.evaluate = evaluate_broadcast;
  op.lower = lower_broadcast;
  return op;
}

}  // namespace

Operator zeros_operator() {
  Operator op = shaped("zeros", 0, type_filled);
  op.evaluate = evaluate_filled<0>;
  op.lower = lower_filled<0>;
  return op;
}

Operator ones_operator() {
  Operator op = shaped("ones", 0, type_filled);
  op.evaluate = evaluate_filled<1>;
  op.lower = lower_filled<1>;
  return op;
}

Operator iota_operator() {
  Operator op = shaped("iota", 0, type_iota);
  op.evaluate = evaluate_iota;
  op.lower = lower_iota;
  return op;
}

Operator full_operator() { return shaped("full", 1, type_full); }
Operator broadcast_operator() { return shaped("broadcast", 1, type_broadcast); }

}  // namespace espalier::ops

// cross_entropy(logits, label) of a vector and a class; mse(a, b), the mean of the squared
// differences; kl(p, q) = sum p (log p - log q), where p = 0 contributes 0.
#include <cmath>

#include "ops/arrays.h"
#include "ops/bounds.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

Result<fun::TypeRef> type_cross_entropy(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, diagnostics);
  if (!operands || !check_rank(use, 0, (*operands)[0], 1, diagnostics) ||
      !check_rank(use, 1, (*operands)[1], 0, diagnostics) ||
      !check_integers(use, 1, (*operands)[1].dtype, diagnostics) ||
      !check_floats(use, {(*operands)[0]}, diagnostics))
    return Failed{};
  return fun::scalar((*operands)[0].dtype);
}

std::int64_t bound_cross_entropy(const Use&, const std::vector<Extents>& shapes) {
  return shapes[0][0];
}

std::vector<Tensor> evaluate_cross_entropy(const Use& use, const std::vector<Tensor>& args) {
  if (!indices_fit(use, args)) return {};
  const std::vector<double>& x = args[0].f;
  double top = x[0], total = 0;
  for (const double value : x) top = std::fmax(top, value);
  for (const double value : x) total += std::exp(value - top);
  Tensor made = zeros(args[0].dtype, {});
  made.f[0] = top + std::log(total) - x[static_cast<std::size_t>(args[1].i[0])];
  return {made};
}

std::vector<Term> lower_cross_entropy(const Use& use, const std::vector<Term>& args,
                                      Lowering& lowering) {
  const Term x = lowering.materialize(args[0]);
  const Term label = bounded_operand(use, args, lowering);
  const Term chosen{x.dtype, {}, [=](const Indices&) { return x.at({label.at({})}); }};
  return {pointwise(Opcode::sub, {log_sum_exp(lowering, x, {0}), chosen})};
}

Result<fun::TypeRef> type_pair(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::floats, diagnostics);
  if (!operands || !check_same_shape(use, *operands, diagnostics)) return Failed{};
  return fun::scalar((*operands)[0].dtype);
}

std::vector<Tensor> evaluate_mse(const Use&, const std::vector<Tensor>& args) {
  Tensor made = zeros(args[0].dtype, {});
  for (std::size_t k = 0; k < args[0].f.size(); ++k) {
    const double difference = args[0].f[k] - args[1].f[k];
    made.f[0] += difference * difference;
  }
  made.f[0] /= static_cast<double>(args[0].size());
  return {made};
}

std::vector<Tensor> evaluate_kl(const Use&, const std::vector<Tensor>& args) {
  Tensor made = zeros(args[0].dtype, {});
  for (std::size_t k = 0; k < args[0].f.size(); ++k) {
    const double p = args[0].f[k], q = args[1].f[k];
    if (p != 0) made.f[0] += p * (std::log(p) - std::log(q));
  }
  return {made};
}

std::vector<int> every_axis(const Term& x) {
  std::vector<int> axes;
  for (std::size_t k = 0; k < x.shape.size(); ++k) axes.push_back(static_cast<int>(k));
  return axes;
}

std::vector<Term> lower_mse(const Use&, const std::vector<Term>& args, Lowering& lowering) {
  const Term squares = pointwise(Opcode::square, {pointwise(Opcode::sub, args)});
  const std::vector<int> axes = every_axis(squares);
  const Term total = reduce(lowering, wave::Reduce::sum, squares, axes);
  return {pointwise(Opcode::div, {total, extent_of(lowering, squares, axes, squares.dtype)})};
}

std::vector<Term> lower_kl(const Use&, const std::vector<Term>& args, Lowering& lowering) {
  const Term p = lowering.materialize(args[0]), zero = constant(0, p.dtype);
  const Term difference =
      pointwise(Opcode::sub, {pointwise(Opcode::log, {p}), pointwise(Opcode::log, {args[1]})});
  const Term parts = pointwise(Opcode::select, {pointwise(Opcode::eq, {p, zero}), zero,
                                                pointwise(Opcode::mul, {p, difference})});
  return {reduce(lowering, wave::Reduce::sum, parts, every_axis(parts))};
}

Operator loss(std::string_view name, decltype(Operator::type) type,
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

Operator cross_entropy_operator() {
  Operator op =
      loss("cross_entropy", type_cross_entropy, evaluate_cross_entropy, lower_cross_entropy);
  op.index_operand = 1;
  op.index_bound = bound_cross_entropy;
  return op;
}

Operator mse_operator() { return loss("mse", type_pair, evaluate_mse, lower_mse); }
Operator kl_operator() { return loss("kl", type_pair, evaluate_kl, lower_kl); }

}  // namespace espalier::ops

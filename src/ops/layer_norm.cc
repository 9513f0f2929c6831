// layer_norm(x, g, b, eps=1e-5) and rms_norm(x, g, eps=1e-5), over the last axis.
#include <fmt/format.h>

#include <cmath>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

constexpr double default_eps = 1e-5;

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::floats, diagnostics);
  if (!operands || !check_number(use, "eps", diagnostics)) return Failed{};
  const Operand& x = operands->front();
  if (x.rank() == 0) {
    diagnostics.error(Kind::wrong_rank, loc_of(use, 0),
                      fmt::format("'{}' goes over the last axis but got a scalar", use.op->name));
    return Failed{};
  }
  for (std::size_t k = 1; k < operands->size(); ++k) {
    if ((*operands)[k].shape == Shape{x.shape.back()}) continue;
    diagnostics.error(Kind::shape_mismatch, loc_of(use, k),
                      fmt::format("'{}' of {} takes a vector of {} here but got {}", use.op->name,
                                  type_text(use, 0), dim_text(x.shape.back()), type_text(use, k)));
    return Failed{};
  }
  return fun::tensor(x.dtype, x.shape);
}

// Row by row, `normalize` in place.
Tensor by_row(const Tensor& x, const std::function<void(double*, std::int64_t)>& normalize) {
  Tensor made = x;
  const std::int64_t length = x.shape.back();
  for (std::int64_t row = 0; length > 0 && row < x.size() / length; ++row)
    normalize(made.f.data() + row * length, length);
  return made;
}

double mean_square(const double* x, std::int64_t length) {
  double total = 0;
  for (std::int64_t k = 0; k < length; ++k) total += x[k] * x[k];
  return total / static_cast<double>(length);
}

void scale_rows(double* x, std::int64_t length, double eps, const Tensor& g) {
  const double deviation = std::sqrt(mean_square(x, length) + eps);
  for (std::int64_t k = 0; k < length; ++k)
    x[k] = x[k] / deviation * g.f[static_cast<std::size_t>(k)];
}

std::vector<Tensor> evaluate_layer(const Use& use, const std::vector<Tensor>& args) {
  const double eps = rounded_option(use, "eps", default_eps, args[0].dtype);
  return {by_row(args[0], [&](double* x, std::int64_t length) {
    double total = 0;
    for (std::int64_t k = 0; k < length; ++k) total += x[k];
    for (std::int64_t k = 0; k < length; ++k) x[k] -= total / static_cast<double>(length);
    scale_rows(x, length, eps, args[1]);
    for (std::int64_t k = 0; k < length; ++k) x[k] += args[2].f[static_cast<std::size_t>(k)];
  })};
}

std::vector<Tensor> evaluate_rms(const Use& use, const std::vector<Tensor>& args) {
  const double eps = rounded_option(use, "eps", default_eps, args[0].dtype);
  return {by_row(args[0],
                 [&](double* x, std::int64_t length) { scale_rows(x, length, eps, args[1]); })};
}

Term mean_along(Lowering& lowering, const Term& x, const std::vector<int>& axes) {
  const Term total = reduce(lowering, wave::Reduce::sum, x, axes);
  return pointwise(Opcode::div, {total, extent_of(lowering, x, axes, x.dtype)});
}

Term scaled(const Use& use, const Term& x, const Term& g, Lowering& lowering) {
  const std::vector<int> axes = {static_cast<int>(x.shape.size()) - 1};
  const Term eps = constant(rounded_option(use, "eps", default_eps, x.dtype), x.dtype);
  const Term mean = mean_along(lowering, pointwise(Opcode::square, {x}), axes);
  const Term scale =
      lowering.materialize(pointwise(Opcode::rsqrt, {pointwise(Opcode::add, {mean, eps})}));
  return pointwise(Opcode::mul, {pointwise(Opcode::mul, {x, insert_axes(scale, axes)}), g});
}

std::vector<Term> lower_layer(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Term x = lowering.materialize(args[0]);
  const std::vector<int> axes = {static_cast<int>(x.shape.size()) - 1};
  const Term mean = lowering.materialize(mean_along(lowering, x, axes));
  const Term centered = lowering.materialize(pointwise(Opcode::sub, {x, insert_axes(mean, axes)}));
  return {pointwise(Opcode::add, {scaled(use, centered, args[1], lowering), args[2]})};
}

std::vector<Term> lower_rms(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  return {scaled(use, lowering.materialize(args[0]), args[1], lowering)};
}

Operator norm_of(std::string_view name, int operands) {
  Operator op;
  op.name = name;
  op.min_args = op.max_args = operands;
  op.options = {"eps"};
  op.type = type;
  return op;
}

}  // namespace

Operator layer_norm_operator() {
  Operator op = norm_of("layer_norm", 3);
  op.evaluate = evaluate_layer;
  op.lower = lower_layer;
  return op;
}

Operator rms_norm_operator() {
  Operator op = norm_of("rms_norm", 2);
  op.evaluate = evaluate_rms;
  op.lower = lower_rms;
  return op;
}

}  // namespace espalier::ops

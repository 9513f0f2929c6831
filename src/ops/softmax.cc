// softmax and log_softmax along an axis, or across the items of a list.
#include <cmath>

#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> x = operands_of(use, Accept::floats, diagnostics);
  if (!x) return Failed{};
  Result<int> axis = axis_option(use, x->front().rank(), -1, diagnostics);
  if (!axis) return Failed{};
  return fun::tensor(x->front().dtype, x->front().shape);
}

// x less the maximum and less the logarithm of the sum of the exponentials, along the axis.
std::vector<Tensor> evaluate_log(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& x = args[0];
  const auto axis = static_cast<std::size_t>(axis_of(use, static_cast<int>(x.shape.size()), -1));
  return {tabulate(x.dtype, x.shape, [&](const Extents& index) {
    Extents other = index;
    const auto along = [&](std::int64_t k) { return other[axis] = k, at(x, other); };
    Number top = along(0);
    for (std::int64_t k = 1; k < x.shape[axis]; ++k)
      if (wins(along(k), top, true)) top = along(k);
    double total = 0;
    for (std::int64_t k = 0; k < x.shape[axis]; ++k) total += std::exp(along(k).f - top.f);
    return real(at(x, index).f - top.f - std::log(total), x.dtype);
  })};
}

std::vector<Tensor> evaluate(const Use& use, const std::vector<Tensor>& args) {
  std::vector<Tensor> made = evaluate_log(use, args);
  for (double& value : made[0].f) value = std::exp(value);
  return made;
}

struct Shifted {
  std::vector<int> axes;
  Term x;  // less its maximum
};

Shifted shifted(const Use& use, const Term& arg, Lowering& lowering) {
  const Term x = lowering.materialize(arg);
  const std::vector<int> axes = {axis_of(use, static_cast<int>(x.shape.size()), -1)};
  const Term top = reduce_keeping(lowering, wave::Reduce::max, x, axes);
  return {axes, pointwise(Opcode::sub, {x, top})};
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Shifted shift = shifted(use, args[0], lowering);
  const Term e = lowering.materialize(pointwise(Opcode::exp, {shift.x}));
  const Term total = reduce_keeping(lowering, wave::Reduce::sum, e, shift.axes);
  return {pointwise(Opcode::div, {e, total})};
}

std::vector<Term> lower_log(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Shifted shift = shifted(use, args[0], lowering);
  const Term e = pointwise(Opcode::exp, {shift.x});
  const Term total = reduce(lowering, wave::Reduce::sum, e, shift.axes);
  const Term log = lowering.materialize(pointwise(Opcode::log, {total}));
  return {pointwise(Opcode::sub, {shift.x, insert_axes(log, shift.axes)})};
}

Operator normalizing(std::string_view name) {
  Operator op;
  op.name = name;
  op.options = {"axis"};
  op.over_lists = true;
  op.type = type;
  return op;
}

}  // namespace

Operator softmax_operator() {
  Operator op = normalizing("softmax");
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

Operator log_softmax_operator() {
  Operator op = normalizing("log_softmax");
  op.evaluate = evaluate_log;
  op.lower = lower_log;
  return op;
}

}  // namespace espalier::ops

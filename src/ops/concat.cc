// concat (along an axis) and stack (along a new one).
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

std::size_t at_axis(int axis) { return static_cast<std::size_t>(axis); }

Result<std::vector<Operand>> like_operands(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, diagnostics);
  if (!operands || !check_same_dtype(use, *operands, diagnostics)) return Failed{};
  return operands;
}

Result<fun::TypeRef> type_concat(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = like_operands(use, diagnostics);
  if (!operands) return Failed{};
  const Operand& first = operands->front();
  if (first.rank() == 0) {
    diagnostics.error(
        Kind::wrong_rank, loc_of(use, 0),
        fmt::format("'concat' joins axes but got the scalar {}; use 'stack'", type_text(use, 0)));
    return Failed{};
  }
  Result<int> axis = axis_option(use, first.rank(), 0, diagnostics);
  if (!axis) return Failed{};
  Shape shape = first.shape;
  for (std::size_t k = 1; k < operands->size(); ++k) {
    Shape other = (*operands)[k].shape;
    const bool same_rank = other.size() == shape.size();
    const fun::Dim more = same_rank ? other[at_axis(*axis)] : fun::Dim(0);
    if (same_rank) other[at_axis(*axis)] = shape[at_axis(*axis)];
    if (other != shape) {
      diagnostics.error(
          Kind::shape_mismatch, loc_of(use, k),
          fmt::format("'concat' along axis {} takes tensors that agree in all other axes "
                      "but got {} and {}",
                      *axis, type_text(use, 0), type_text(use, k)));
      return Failed{};
    }
    shape[at_axis(*axis)] = shape[at_axis(*axis)] + more;
  }
  return fun::tensor(first.dtype, shape);
}

std::vector<Tensor> evaluate_concat(const Use& use, const std::vector<Tensor>& args) {
  const std::size_t axis = at_axis(axis_of(use, static_cast<int>(args[0].shape.size()), 0));
  Extents shape = args[0].shape;
  for (std::size_t k = 1; k < args.size(); ++k) shape[axis] += args[k].shape[axis];
  return {tabulate(args[0].dtype, shape, [&](Extents index) {
    std::size_t k = 0;
    for (; index[axis] >= args[k].shape[axis]; ++k) index[axis] -= args[k].shape[axis];
    return at(args[k], index);
  })};
}

std::vector<Term> lower_concat(const Use& use, const std::vector<Term>& args, Lowering&) {
  const std::size_t axis = at_axis(axis_of(use, static_cast<int>(args[0].shape.size()), 0));
  std::vector<std::int64_t> begins, shape = args[0].shape;
  shape[axis] = 0;
  for (const Term& arg : args) {
    begins.push_back(shape[axis]);
    shape[axis] += arg.shape[axis];
  }
  const auto at = [=](const Indices& index) {
    wave::ScalarRef made;
    for (std::size_t k = args.size(); k-- > 0;) {
      if (args[k].shape[axis] == 0 && made) continue;
      Indices own = index;
      own[axis] = wave::apply(Opcode::sub, {index[axis], wave::integer(begins[k])});
      const wave::ScalarRef part = args[k].at(own);
      const wave::ScalarRef here = is_less(index[axis], begins[k] + args[k].shape[axis]);
      made = made ? wave::apply(Opcode::select, {here, part, made}) : part;
    }
    return made;
  };
  return {{args[0].dtype, shape, at}};
}

Result<fun::TypeRef> type_stack(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = like_operands(use, diagnostics);
  if (!operands || !check_same_shape(use, *operands, diagnostics)) return Failed{};
  Shape shape = operands->front().shape;
  Result<int> axis = axis_option(use, operands->front().rank() + 1, 0, diagnostics);
  if (!axis) return Failed{};
  shape.insert(shape.begin() + *axis, fun::Dim(static_cast<std::int64_t>(operands->size())));
  return fun::tensor(operands->front().dtype, shape);
}

std::vector<Tensor> evaluate_stack(const Use& use, const std::vector<Tensor>& args) {
  const int axis = axis_of(use, static_cast<int>(args[0].shape.size()) + 1, 0);
  Extents shape = args[0].shape;
  shape.insert(shape.begin() + axis, static_cast<std::int64_t>(args.size()));
  return {tabulate(args[0].dtype, shape, [&](Extents index) {
    const auto which = static_cast<std::size_t>(index[at_axis(axis)]);
    index.erase(index.begin() + axis);
    return at(args[which], index);
  })};
}

std::vector<Term> lower_stack(const Use& use, const std::vector<Term>& args, Lowering&) {
  const int axis = axis_of(use, static_cast<int>(args[0].shape.size()) + 1, 0);
  std::vector<std::int64_t> shape = args[0].shape;
  shape.insert(shape.begin() + axis, static_cast<std::int64_t>(args.size()));
  const auto at = [=](const Indices& index) {
    Indices own = index;
    own.erase(own.begin() + axis);
    wave::ScalarRef made = args.back().at(own);
    for (std::size_t k = args.size() - 1; k-- > 0;) {
      const wave::ScalarRef here = wave::apply(
          Opcode::eq, {index[at_axis(axis)], wave::integer(static_cast<std::int64_t>(k))});
      made = wave::apply(Opcode::select, {here, args[k].at(own), made});
    }
    return made;
  };
  return {{args[0].dtype, shape, at}};
}

Operator joining(std::string_view name) {
  Operator op;
  op.name = name;
  op.max_args = any_number;
  op.options = {"axis"};
  return op;
}

}  // namespace

Operator concat_operator() {
  Operator op = joining("concat");
  op.type = type_concat;
  op.evaluate = evaluate_concat;
  op.lower = lower_concat;
  return op;
}

Operator stack_operator() {
  Operator op = joining("stack");
  op.type = type_stack;
  op.evaluate = evaluate_stack;
  op.lower = lower_stack;
  return op;
}

}  // namespace espalier::ops

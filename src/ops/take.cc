// take(x, indices, axis=0): the axis is replaced by the axes of the indices. And one_hot(i, n).
#include "ops/arrays.h"
#include "ops/bounds.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

int taken_axis(const Use& use, std::size_t rank) { return axis_of(use, static_cast<int>(rank), 0); }

// `shape` with its axis replaced by `by`.
template <class T>
std::vector<T> replaced(std::vector<T> shape, int axis, const std::vector<T>& by) {
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, by.begin(), by.end());
  return shape;
}

// The index into x, with `at_axis` on the axis, that an index of the result stands for.
template <class T>
std::vector<T> source_index(const std::vector<T>& index, int axis, std::size_t count, T at_axis) {
  std::vector<T> own = index;
  own.erase(own.begin() + axis, own.begin() + axis + static_cast<std::ptrdiff_t>(count));
  own.insert(own.begin() + axis, at_axis);
  return own;
}

template <class T>
std::vector<T> index_part(const std::vector<T>& index, int axis, std::size_t count) {
  return {index.begin() + axis, index.begin() + axis + static_cast<std::ptrdiff_t>(count)};
}

Result<fun::TypeRef> type_take(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, diagnostics);
  if (!operands || !check_integers(use, 1, (*operands)[1].dtype, diagnostics)) return Failed{};
  const Operand& x = operands->front();
  Result<int> axis = axis_option(use, x.rank(), 0, diagnostics);
  if (!axis) return Failed{};
  return fun::tensor(x.dtype, replaced(x.shape, *axis, (*operands)[1].shape));
}

std::int64_t bound_take(const Use& use, const std::vector<Extents>& shapes) {
  return shapes[0][static_cast<std::size_t>(taken_axis(use, shapes[0].size()))];
}

std::vector<Tensor> evaluate_take(const Use& use, const std::vector<Tensor>& args) {
  if (!indices_fit(use, args)) return {};
  const Tensor &x = args[0], &indices = args[1];
  const int axis = taken_axis(use, x.shape.size());
  const std::size_t rank = indices.shape.size();
  return {tabulate(x.dtype, replaced(x.shape, axis, indices.shape), [&](const Extents& index) {
    const std::int64_t which = at(indices, index_part(index, axis, rank)).i;
    return at(x, source_index(index, axis, rank, which));
  })};
}

std::vector<Term> lower_take(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Term x = lowering.materialize(args[0]), indices = bounded_operand(use, args, lowering);
  const int axis = taken_axis(use, x.shape.size());
  const std::size_t rank = indices.shape.size();
  return {{x.dtype, replaced(x.shape, axis, indices.shape), [=](const Indices& index) {
             return x.at(
                 source_index(index, axis, rank, indices.at(index_part(index, axis, rank))));
           }}};
}

Result<fun::TypeRef> type_one_hot(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> label = operand_of(use, 0, diagnostics);
  if (!label || !check_integers(use, 0, label->dtype, diagnostics)) return Failed{};
  Result<Shape> classes = shape_option(use, "classes", diagnostics);
  if (!classes) return Failed{};
  label->shape.push_back(classes->front());
  return fun::tensor(Dtype::f32, label->shape);
}

std::int64_t bound_one_hot(const Use& use, const std::vector<Extents>&) {
  return integers_of(use, "classes")[0];
}

std::vector<Tensor> evaluate_one_hot(const Use& use, const std::vector<Tensor>& args) {
  if (!indices_fit(use, args)) return {};
  return {tabulate(Dtype::f32, result_extents(use), [&](Extents index) {
    const std::int64_t which = index.back();
    index.pop_back();
    return real(at(args[0], index).i == which ? 1 : 0, Dtype::f32);
  })};
}

std::vector<Term> lower_one_hot(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Term labels = bounded_operand(use, args, lowering);
  return {{Dtype::f32, result_extents(use), [=](Indices index) {
             const wave::ScalarRef which = index.back();
             index.pop_back();
             const wave::ScalarRef hit = wave::apply(Opcode::eq, {which, labels.at(index)});
             return wave::apply(Opcode::select,
                                {hit, wave::number(1, Dtype::f32), wave::number(0, Dtype::f32)});
           }}};
}

}  // namespace

Operator take_operator() {
  Operator op;
  op.name = "take";
  op.min_args = op.max_args = 2;
  op.options = {"axis"};
  op.index_operand = 1;
  op.index_bound = bound_take;
  op.type = type_take;
  op.evaluate = evaluate_take;
  op.lower = lower_take;
  return op;
}

Operator one_hot_operator() {
  Operator op;
  op.name = "one_hot";
  op.literals = {"classes"};
  op.index_operand = 0;
  op.index_bound = bound_one_hot;
  op.type = type_one_hot;
  op.evaluate = evaluate_one_hot;
  op.lower = lower_one_hot;
  return op;
}

}  // namespace espalier::ops

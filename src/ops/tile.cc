// flip(x, axis=) (one, several or all axes) and tile(x, [counts]) (numpy's).
#include <algorithm>

#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

Result<fun::TypeRef> type_flip(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  if (!x || !axes_option(use, x->rank(), diagnostics)) return Failed{};
  return fun::tensor(x->dtype, x->shape);
}

std::vector<Tensor> evaluate_flip(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& x = args[0];
  const std::vector<int> axes = axes_of(use, static_cast<int>(x.shape.size()));
  return {tabulate(x.dtype, x.shape, [&](Extents index) {
    for (const int axis : axes) {
      const auto k = static_cast<std::size_t>(axis);
      index[k] = x.shape[k] - 1 - index[k];
    }
    return at(x, index);
  })};
}

std::vector<Term> lower_flip(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Term x = args[0];
  const std::vector<int> axes = axes_of(use, static_cast<int>(x.shape.size()));
  return {{x.dtype, x.shape, [=](Indices index) {
             for (const int axis : axes) {
               const auto k = static_cast<std::size_t>(axis);
               index[k] = wave::apply(Opcode::sub, {wave::integer(x.shape[k] - 1), index[k]});
             }
             return x.at(index);
           }}};
}

// The shorter of operand and counts is filled up with ones in front.
template <class T>
void align(std::vector<T>& a, std::vector<T>& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), T(1));
  b.insert(b.begin(), rank - b.size(), T(1));
}

Result<fun::TypeRef> type_tile(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  Result<Shape> counts = shape_option(use, "counts", diagnostics);
  if (!x || !counts) return Failed{};
  align(x->shape, *counts);
  for (std::size_t k = 0; k < counts->size(); ++k) x->shape[k] = (*counts)[k] * x->shape[k];
  return fun::tensor(x->dtype, x->shape);
}

std::vector<Tensor> evaluate_tile(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& x = args[0];
  return {tabulate(x.dtype, result_extents(use), [&](Extents index) {
    index.erase(index.begin(), index.end() - static_cast<std::ptrdiff_t>(x.shape.size()));
    for (std::size_t k = 0; k < index.size(); ++k) index[k] %= x.shape[k];
    return at(x, index);
  })};
}

std::vector<Term> lower_tile(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Term x = args[0];
  const std::vector<std::int64_t> shape = result_extents(use);
  return {{x.dtype, shape, [=](Indices index) {
             const std::size_t more = index.size() - x.shape.size();
             index.erase(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(more));
             for (std::size_t k = 0; k < index.size(); ++k)
               if (shape[k + more] != x.shape[k])
                 index[k] = wave::apply(Opcode::mod, {index[k], wave::integer(x.shape[k])});
             return x.at(index);
           }}};
}

}  // namespace

Operator flip_operator() {
  Operator op;
  op.name = "flip";
  op.options = {"axis"};
  op.type = type_flip;
  op.evaluate = evaluate_flip;
  op.lower = lower_flip;
  return op;
}

Operator tile_operator() {
  Operator op;
  op.name = "tile";
  op.literals = {"counts"};
  op.type = type_tile;
  op.evaluate = evaluate_tile;
  op.lower = lower_tile;
  return op;
}

}  // namespace espalier::ops

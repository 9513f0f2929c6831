// transpose of a matrix, and permute(x, [1, 0]).
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

// Axis k of the result is axis order[k] of the operand.
std::vector<std::size_t> order_of(const Use& use, std::size_t rank) {
  if (!option(use, "axes")) return {1, 0};
  std::vector<std::size_t> order;
  for (const std::int64_t axis : integers_of(use, "axes"))
    order.push_back(
        static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis));
  return order;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& from, const std::vector<std::size_t>& order) {
  std::vector<T> made;
  for (const std::size_t axis : order) made.push_back(from[axis]);
  return made;
}

template <class T>
std::vector<T> unpermuted(const std::vector<T>& from, const std::vector<std::size_t>& order) {
  std::vector<T> made(from.size());
  for (std::size_t k = 0; k < order.size(); ++k) made[order[k]] = from[k];
  return made;
}

Result<fun::TypeRef> type_transpose(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  if (!x || !check_rank(use, 0, *x, 2, diagnostics)) return Failed{};
  return fun::tensor(x->dtype, {x->shape[1], x->shape[0]});
}

Result<fun::TypeRef> type_permute(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  if (!x || !integers_option(use, "axes", diagnostics)) return Failed{};
  std::vector<std::size_t> order = order_of(use, x->shape.size()), sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool whole = sorted.size() == x->shape.size();
  for (std::size_t k = 0; whole && k < sorted.size(); ++k) whole = sorted[k] == k;
  if (whole) return fun::tensor(x->dtype, permuted(x->shape, order));
  diagnostics.error(
      Kind::bad_permutation, option(use, "axes")->loc,
      fmt::format("'permute' of {} takes each of its {} axes once", type_text(use, 0), x->rank()));
  return Failed{};
}

std::vector<Tensor> evaluate(const Use& use, const std::vector<Tensor>& args) {
  const auto order = order_of(use, args[0].shape.size());
  return {tabulate(args[0].dtype, permuted(args[0].shape, order),
                   [&](const Extents& index) { return at(args[0], unpermuted(index, order)); })};
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Term x = args[0];
  const auto order = order_of(use, x.shape.size());
  return {{x.dtype, permuted(x.shape, order),
           [=](const Indices& index) { return x.at(unpermuted(index, order)); }}};
}

}  // namespace

Operator transpose_operator() {
  Operator op;
  op.name = "transpose";
  op.type = type_transpose;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

Operator permute_operator() {
  Operator op;
  op.name = "permute";
  op.literals = {"axes"};
  op.type = type_permute;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace espalier::ops

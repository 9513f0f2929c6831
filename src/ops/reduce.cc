// Reductions: over axes of a tensor, or over the items of a list.
#include <fmt/format.h>

#include <cmath>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

using wave::Reduce;

Shape kept_shape(const Shape& shape, const std::vector<int>& axes, bool keep) {
  Shape kept;
  std::size_t next = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const bool reduced = next < axes.size() && axes[next] == static_cast<int>(k);
    if (reduced) ++next;
    if (!reduced) kept.push_back(shape[k]);
    if (reduced && keep) kept.push_back(fun::Dim(1));
  }
  return kept;
}

// The product of the reduced axes; a reduction without a neutral element needs it positive.
Result<fun::Dim> reduced_size(const Use& use, const Shape& shape, const std::vector<int>& axes,
                              bool may_be_empty, Diagnostics& diagnostics) {
  fun::Dim size(1);
  for (const int axis : axes) size = size * shape[static_cast<std::size_t>(axis)];
  if (may_be_empty || !size.bound() || size.value() > 0) return size;
  diagnostics.error(Kind::empty_axis, use.loc,
                    fmt::format("'{}' of {} goes over an axis of length 0, where it has no value",
                                use.op->name, type_text(use, 0)));
  return Failed{};
}

Result<fun::TypeRef> reduced_type(const Use& use, Accept accept, bool may_be_empty,
                                  Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, accept, diagnostics);
  if (!operands) return Failed{};
  const Operand& x = operands->front();
  Result<std::vector<int>> axes = axes_option(use, x.rank(), diagnostics);
  if (!axes || !check_number(use, "keepdims", diagnostics)) return Failed{};
  if (!reduced_size(use, x.shape, *axes, may_be_empty, diagnostics)) return Failed{};
  return fun::tensor(x.dtype, kept_shape(x.shape, *axes, flag(use, "keepdims")));
}

Result<fun::TypeRef> type_sum(const Use& use, Diagnostics& diagnostics) {
  return reduced_type(use, Accept::numbers, true, diagnostics);
}
Result<fun::TypeRef> type_max(const Use& use, Diagnostics& diagnostics) {
  return reduced_type(use, Accept::numbers, false, diagnostics);
}
Result<fun::TypeRef> type_mean(const Use& use, Diagnostics& diagnostics) {
  return reduced_type(use, Accept::floats, false, diagnostics);
}
Result<fun::TypeRef> type_norm(const Use& use, Diagnostics& diagnostics) {
  return reduced_type(use, Accept::floats, true, diagnostics);
}

Result<fun::TypeRef> type_arg(const Use& use, Diagnostics& diagnostics) {
  Result<fun::TypeRef> reduced = reduced_type(use, Accept::numbers, false, diagnostics);
  if (!reduced) return reduced;
  if (!(*reduced)->shape.empty()) return fun::tensor(Dtype::i64, (*reduced)->shape);
  Result<Operand> x = operand_of(use, 0, diagnostics);
  Result<std::vector<int>> axes = axes_option(use, x->rank(), diagnostics);
  fun::Dim size(1);
  for (const int axis : *axes) size = size * x->shape[static_cast<std::size_t>(axis)];
  return fun::index_type(size);
}

// ---- Evaluation

// `combine` of the elements along the reduced axes, in row-major order, for each index that is
// kept.
std::vector<Tensor> reduced(const Use& use, const Tensor& x, Dtype dtype,
                            const std::function<Number(const std::vector<Number>&)>& combine) {
  const std::vector<int> axes = axes_of(use, static_cast<int>(x.shape.size()));
  Extents along, kept = x.shape;
  for (const int axis : axes) {
    along.push_back(x.shape[static_cast<std::size_t>(axis)]);
    kept[static_cast<std::size_t>(axis)] = 1;
  }
  std::vector<Number> elements;
  Tensor made = tabulate(dtype, kept, [&](const Extents& index) {
    elements.clear();
    Extents full = index;
    for_each_index(along, [&](const Extents& position) {
      for (std::size_t k = 0; k < axes.size(); ++k)
        full[static_cast<std::size_t>(axes[k])] = position[k];
      elements.push_back(at(x, full));
    });
    return combine(elements);
  });
  if (!flag(use, "keepdims"))
    for (std::size_t k = axes.size(); k-- > 0;) made.shape.erase(made.shape.begin() + axes[k]);
  return {made};
}

std::vector<Tensor> folded(const Use& use, const Tensor& x, wave::Opcode op, std::int64_t neutral) {
  return reduced(use, x, x.dtype, [&](const std::vector<Number>& elements) {
    Number total{x.dtype, static_cast<double>(neutral), neutral};
    for (const Number& element : elements) {
      const Number pair[] = {total, element};
      total = evaluate(op, x.dtype, pair);
    }
    return total;
  });
}

std::vector<Tensor> evaluate_sum(const Use& use, const std::vector<Tensor>& args) {
  return folded(use, args[0], Opcode::add, 0);
}
std::vector<Tensor> evaluate_prod(const Use& use, const std::vector<Tensor>& args) {
  return folded(use, args[0], Opcode::mul, 1);
}

std::vector<Tensor> evaluate_mean(const Use& use, const std::vector<Tensor>& args) {
  return reduced(use, args[0], args[0].dtype, [&](const std::vector<Number>& elements) {
    double total = 0;
    for (const Number& element : elements) total += element.f;
    return real(total / static_cast<double>(elements.size()), args[0].dtype);
  });
}

std::int64_t best(const std::vector<Number>& elements, bool max) {
  std::size_t found = 0;
  for (std::size_t k = 1; k < elements.size(); ++k)
    if (wins(elements[k], elements[found], max)) found = k;
  return static_cast<std::int64_t>(found);
}

template <bool max>
std::vector<Tensor> evaluate_max(const Use& use, const std::vector<Tensor>& args) {
  return reduced(use, args[0], args[0].dtype, [](const std::vector<Number>& elements) {
    return elements.at(static_cast<std::size_t>(best(elements, max)));
  });
}

template <bool max>
std::vector<Tensor> evaluate_arg(const Use& use, const std::vector<Tensor>& args) {
  return reduced(use, args[0], Dtype::i64,
                 [](const std::vector<Number>& elements) { return whole(best(elements, max)); });
}

std::vector<Tensor> evaluate_logsumexp(const Use& use, const std::vector<Tensor>& args) {
  return reduced(use, args[0], args[0].dtype, [&](const std::vector<Number>& elements) {
    const double top = elements.at(static_cast<std::size_t>(best(elements, true))).f;
    if (std::isinf(top)) return real(top, args[0].dtype);
    double total = 0;
    for (const Number& element : elements) total += std::exp(element.f - top);
    return real(top + std::log(total), args[0].dtype);
  });
}

std::vector<Tensor> evaluate_norm(const Use& use, const std::vector<Tensor>& args) {
  return reduced(use, args[0], args[0].dtype, [&](const std::vector<Number>& elements) {
    double total = 0;
    for (const Number& element : elements) total += element.f * element.f;
    return real(std::sqrt(total), args[0].dtype);
  });
}

// ---- Lowering

Term kept(const Use& use, const Term& term, const std::vector<int>& axes) {
  return flag(use, "keepdims") ? insert_axes(term, axes) : term;
}

std::vector<int> lowered_axes(const Use& use, const Term& x) {
  return axes_of(use, static_cast<int>(x.shape.size()));
}

template <Reduce how>
std::vector<Term> lower_plain(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const std::vector<int> axes = lowered_axes(use, args[0]);
  return {kept(use, reduce(lowering, how, args[0], axes), axes)};
}

std::vector<Term> lower_mean(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const std::vector<int> axes = lowered_axes(use, args[0]);
  const Term total = reduce(lowering, Reduce::sum, args[0], axes);
  const Term size = extent_of(lowering, args[0], axes, args[0].dtype);
  return {kept(use, pointwise(Opcode::div, {total, size}), axes)};
}

std::vector<Term> lower_logsumexp(const Use& use, const std::vector<Term>& args,
                                  Lowering& lowering) {
  const Term x = lowering.materialize(args[0]);
  const std::vector<int> axes = lowered_axes(use, x);
  return {kept(use, log_sum_exp(lowering, x, axes), axes)};
}

std::vector<Term> lower_norm(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const std::vector<int> axes = lowered_axes(use, args[0]);
  const Term squares = pointwise(Opcode::square, {args[0]});
  return {kept(use, pointwise(Opcode::sqrt, {reduce(lowering, Reduce::sum, squares, axes)}), axes)};
}

Operator reduction(std::string_view name, decltype(Operator::type) type,
                   decltype(Operator::evaluate) evaluate, decltype(Operator::lower) lower) {
  Operator op;
  op.name = name;
  op.options = {"axis", "keepdims"};
  op.over_lists = true;
  op.type = type;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace

Operator sum_operator() {
  return reduction("sum", type_sum, evaluate_sum, lower_plain<Reduce::sum>);
}
Operator prod_operator() {
  return reduction("prod", type_sum, evaluate_prod, lower_plain<Reduce::prod>);
}
Operator mean_operator() { return reduction("mean", type_mean, evaluate_mean, lower_mean); }
Operator max_operator() {
  return reduction("max", type_max, evaluate_max<true>, lower_plain<Reduce::max>);
}
Operator min_operator() {
  return reduction("min", type_max, evaluate_max<false>, lower_plain<Reduce::min>);
}
Operator argmax_operator() {
  return reduction("argmax", type_arg, evaluate_arg<true>, lower_plain<Reduce::argmax>);
}
Operator argmin_operator() {
  return reduction("argmin", type_arg, evaluate_arg<false>, lower_plain<Reduce::argmin>);
}
Operator logsumexp_operator() {
  return reduction("logsumexp", type_mean, evaluate_logsumexp, lower_logsumexp);
}
Operator norm_operator() { return reduction("norm", type_norm, evaluate_norm, lower_norm); }

}  // namespace espalier::ops

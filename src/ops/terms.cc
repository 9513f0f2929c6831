#include "ops/terms.h"

#include <algorithm>
#include <limits>

#include "base/bug.h"

namespace espalier::ops {
namespace {

// The index of an operand with `shape` that broadcasting gives for `index` of the result.
Indices broadcast_index(const Indices& index, const std::vector<std::int64_t>& shape) {
  Indices own(index.end() - static_cast<std::ptrdiff_t>(shape.size()), index.end());
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (shape[k] == 1) own[k] = wave::integer(0);
  return own;
}

bool contains(const std::vector<int>& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
}

}  // namespace

Term constant(double value, Dtype dtype) {
  return {dtype, {}, [=](const Indices&) { return wave::number(value, dtype); }};
}

Term pointwise(Opcode op, const std::vector<Term>& terms) {
  Term made;
  std::vector<wave::ScalarRef> samples;
  for (const Term& term : terms) {
    const std::size_t rank = term.shape.size();
    if (rank > made.shape.size())
      made.shape.insert(made.shape.begin(), rank - made.shape.size(), 1);
    const std::size_t skipped = made.shape.size() - rank;
    for (std::size_t k = 0; k < rank; ++k)
      if (term.shape[k] != 1) made.shape[k + skipped] = term.shape[k];
    samples.push_back(wave::load(0, term.dtype, nullptr));
  }
  made.dtype = wave::apply(op, samples)->dtype;
  made.at = [op, terms](const Indices& index) {
    std::vector<wave::ScalarRef> args;
    for (const Term& term : terms) args.push_back(term.at(broadcast_index(index, term.shape)));
    return wave::apply(op, std::move(args));
  };
  return made;
}

Term cast(Dtype dtype, const Term& x) {
  return {dtype, x.shape, [=](const Indices& index) { return wave::cast(dtype, x.at(index)); }};
}

Term broadcast_to(const Term& x, std::vector<std::int64_t> shape) {
  return {x.dtype, std::move(shape),
          [=](const Indices& index) { return x.at(broadcast_index(index, x.shape)); }};
}

Term insert_axes(const Term& x, const std::vector<int>& axes) {
  Term made = x;
  for (const int axis : axes) made.shape.insert(made.shape.begin() + axis, 1);
  made.at = [=](const Indices& index) {
    Indices own;
    for (std::size_t k = 0; k < index.size(); ++k)
      if (!contains(axes, k)) own.push_back(index[k]);
    return x.at(own);
  };
  return made;
}

Term reduce(Lowering& lowering, wave::Reduce how, const Term& x, const std::vector<int>& axes) {
  std::vector<std::int64_t> shape, extents;
  for (std::size_t k = 0; k < x.shape.size(); ++k)
    (contains(axes, k) ? extents : shape).push_back(x.shape[k]);
  const bool position = how == wave::Reduce::argmax || how == wave::Reduce::argmin;
  const auto body = [=](const Indices& kept, const Indices& reduced) {
    Indices index;
    std::size_t next_kept = 0, next_reduced = 0;
    for (std::size_t k = 0; k < x.shape.size(); ++k)
      index.push_back(contains(axes, k) ? reduced[next_reduced++] : kept[next_kept++]);
    return x.at(index);
  };
  return lowering.reduce(how, position ? Dtype::i64 : x.dtype, shape, extents, body);
}

Term reduce_keeping(Lowering& lowering, wave::Reduce how, const Term& x,
                    const std::vector<int>& axes) {
  return insert_axes(reduce(lowering, how, x, axes), axes);
}

Term log_sum_exp(Lowering& lowering, const Term& x, const std::vector<int>& axes) {
  const Term top = reduce(lowering, wave::Reduce::max, x, axes);
  const Term infinity = constant(std::numeric_limits<double>::infinity(), x.dtype);
  const Term infinite = pointwise(Opcode::eq, {pointwise(Opcode::abs, {top}), infinity});
  const Term shift =
      lowering.materialize(pointwise(Opcode::select, {infinite, constant(0, x.dtype), top}));
  const Term e = pointwise(Opcode::exp, {pointwise(Opcode::sub, {x, insert_axes(shift, axes)})});
  const Term total = reduce(lowering, wave::Reduce::sum, e, axes);
  return pointwise(Opcode::add, {pointwise(Opcode::log, {total}), shift});
}

Term extent_of(Lowering& lowering, const Term& x, const std::vector<int>& axes, Dtype dtype) {
  std::int64_t known = 1;
  bool list = false;
  for (const int axis : axes) {
    const std::int64_t extent = x.shape[static_cast<std::size_t>(axis)];
    if (extent == list_extent)
      list = true;
    else
      known *= extent;
  }
  if (!list) return constant(static_cast<double>(known), dtype);
  require(known == 1, "a list is reduced along its items alone");
  const wave::ScalarRef length = wave::cast(dtype, lowering.list_length());
  return {dtype, {}, [=](const Indices&) { return length; }};
}

wave::ScalarRef is_less(const wave::ScalarRef& a, std::int64_t b) {
  return wave::apply(Opcode::lt, {a, wave::integer(b)});
}

}  // namespace espalier::ops

#include "ops/bounds.h"

#include <fmt/format.h>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

Term within(const Term& indices, std::int64_t bound) {
  const Term zero = constant(0, Dtype::i64);
  const Term end = constant(static_cast<double>(bound), Dtype::i64);
  return pointwise(Opcode::logical_and,
                   {pointwise(Opcode::ge, {indices, zero}), pointwise(Opcode::lt, {indices, end})});
}

// The first wrong one of several, if any is; else some right one.
Term first_wrong(const Term& indices, std::int64_t bound, Lowering& lowering) {
  if (indices.shape.empty()) return indices;
  std::vector<int> axes;
  for (std::size_t k = 0; k < indices.shape.size(); ++k) axes.push_back(static_cast<int>(k));
  const Term fits = cast(Dtype::i64, within(indices, bound));
  const Term place = reduce(lowering, wave::Reduce::argmin, fits, axes);
  return {Dtype::i64, {}, [=](const Indices&) {
            Indices index(indices.shape.size());
            wave::ScalarRef rest = place.at({});
            for (std::size_t k = index.size(); k-- > 0;) {
              const wave::ScalarRef extent = wave::integer(indices.shape[k]);
              index[k] = k == 0 ? rest : wave::apply(Opcode::mod, {rest, extent});
              rest = wave::apply(Opcode::floordiv, {rest, extent});
            }
            return indices.at(index);
          }};
}

std::int64_t bound_of(const Use& use, const std::vector<std::vector<std::int64_t>>& shapes) {
  require(use.op->index_bound != nullptr, "an operator without indices");
  return use.op->index_bound(use, shapes);
}

std::int64_t bound_of(const Use& use, const std::vector<Tensor>& args) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Tensor& arg : args) shapes.push_back(arg.shape);
  return bound_of(use, shapes);
}

}  // namespace

bool may_exceed(const fun::Type& type, std::int64_t bound) {
  return type.kind != fun::Type::Kind::index || type.shape[0].value() > bound;
}

std::optional<std::int64_t> first_beyond(const Tensor& indices, std::int64_t bound) {
  for (const std::int64_t index : indices.i)
    if (index < 0 || index >= bound) return index;
  return std::nullopt;
}

Term bounded(const fun::Type& type, const Term& given, std::int64_t bound, Lowering& lowering) {
  const Term indices = lowering.materialize(cast(Dtype::i64, given));
  if (!may_exceed(type, bound) || count(indices.shape) == 0) return indices;
  const Term wrong = first_wrong(indices, bound, lowering);
  lowering.check(within(wrong, bound), index_out_of_range, wrong);
  const Term zero = constant(0, Dtype::i64);
  const Term last = constant(static_cast<double>(bound - 1), Dtype::i64);
  return lowering.materialize(pointwise(Opcode::clip, {indices, zero, last}));
}

bool indices_fit(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& indices = args[static_cast<std::size_t>(use.op->index_operand)];
  return !first_beyond(indices, bound_of(use, args));
}

std::int64_t wrong_index(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& indices = args[static_cast<std::size_t>(use.op->index_operand)];
  return first_beyond(indices, bound_of(use, args)).value();
}

Term bounded_operand(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Term& arg : args) shapes.push_back(arg.shape);
  const auto which = static_cast<std::size_t>(use.op->index_operand);
  return bounded(*use.types[which], args[which], bound_of(use, shapes), lowering);
}

bool check_integers(const Use& use, std::size_t operand, Dtype dtype, Diagnostics& diagnostics) {
  if (is_integer(dtype)) return true;
  diagnostics.error(
      Kind::not_integers, loc_of(use, operand),
      fmt::format("'{}' takes integers here but got {}", use.op->name, type_text(use, operand)));
  return false;
}

}  // namespace espalier::ops

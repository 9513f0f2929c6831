// pad(x, [[before, after], ...], value=0).
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

bool is_pair(const Option& given) {
  return given.is_list && given.list.size() == 2 && given.list[0].integral &&
         given.list[1].integral;
}

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::numbers, diagnostics);
  if (!operands || !check_number(use, "value", diagnostics)) return Failed{};
  Operand& x = operands->front();
  const Option& widths = *option(use, "widths");
  bool pairs = widths.is_list && widths.list.size() == x.shape.size();
  for (const Option& pair : widths.list) pairs = pairs && is_pair(pair);
  if (!pairs) {
    diagnostics.error(
        Kind::bad_option, widths.loc,
        fmt::format("'pad' of {} takes a pair [before, after] for each axis, {} in all",
                    type_text(use, 0), x.rank()));
    return Failed{};
  }
  for (std::size_t k = 0; k < x.shape.size(); ++k) {
    const fun::Dim &before = widths.list[k].list[0].dim, &after = widths.list[k].list[1].dim;
    if (before.value() < 0 || after.value() < 0) {
      diagnostics.error(Kind::negative_size, widths.loc,
                        "'pad' takes no negative widths; use a slice");
      return Failed{};
    }
    x.shape[k] = before + x.shape[k] + after;
  }
  return fun::tensor(x.dtype, x.shape);
}

std::vector<std::int64_t> befores(const Use& use) {
  std::vector<std::int64_t> found;
  for (const Option& pair : option(use, "widths")->list) found.push_back(pair.list[0].dim.value());
  return found;
}

std::vector<Tensor> evaluate(const Use& use, const std::vector<Tensor>& args) {
  const Tensor& x = args[0];
  const std::vector<std::int64_t> before = befores(use);
  const Number value = convert(real(number_or(use, "value", 0)), x.dtype);
  return {tabulate(x.dtype, result_extents(use), [&](Extents index) {
    for (std::size_t k = 0; k < index.size(); ++k) {
      index[k] -= before[k];
      if (index[k] < 0 || index[k] >= x.shape[k]) return value;
    }
    return at(x, index);
  })};
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Term x = args[0];
  const std::vector<std::int64_t> before = befores(use), shape = result_extents(use);
  const wave::ScalarRef value = wave::number(rounded_option(use, "value", 0, x.dtype), x.dtype);
  return {{x.dtype, shape, [=](Indices index) {
             wave::ScalarRef inside = wave::integer(1, Dtype::boolean);
             const auto also = [&](Opcode op, const wave::ScalarRef& i, std::int64_t bound) {
               const wave::ScalarRef holds = wave::apply(op, {i, wave::integer(bound)});
               inside = wave::apply(Opcode::logical_and, {inside, holds});
             };
             for (std::size_t k = 0; k < index.size(); ++k) {
               if (before[k] > 0) also(Opcode::ge, index[k], before[k]);
               if (before[k] + x.shape[k] < shape[k])
                 also(Opcode::lt, index[k], before[k] + x.shape[k]);
               index[k] = wave::apply(Opcode::sub, {index[k], wave::integer(before[k])});
             }
             return wave::apply(Opcode::select, {inside, x.at(index), value});
           }}};
}

}  // namespace

Operator pad_operator() {
  Operator op;
  op.name = "pad";
  op.literals = {"widths"};
  op.options = {"value"};
  op.type = type;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace espalier::ops

// cast(x, f32), and dropout, which is the identity outside training.
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

constexpr Dtype dtypes[] = {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16,
                            Dtype::i8,  Dtype::i32, Dtype::i64, Dtype::boolean};

Result<fun::TypeRef> type_cast(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  if (!x) return Failed{};
  const Option& given = *option(use, "dtype");
  for (const Dtype dtype : dtypes)
    if (dtype_name(dtype) == given.text) return fun::tensor(dtype, x->shape);
  diagnostics.error(Kind::bad_option, given.loc,
                    "'cast' takes one of f32, f64, f16, bf16, i8, i32, i64, bool");
  return Failed{};
}

std::vector<Tensor> evaluate_cast(const Use& use, const std::vector<Tensor>& args) {
  return {convert(args[0], result_dtype(use))};
}

std::vector<Term> lower_cast(const Use& use, const std::vector<Term>& args, Lowering&) {
  return {cast(result_dtype(use), args[0])};
}

Result<fun::TypeRef> type_dropout(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> x = operands_of(use, Accept::floats, diagnostics);
  if (!x || !check_number(use, "p", diagnostics)) return Failed{};
  const double p = number_or(use, "p", 0);
  if (p >= 0 && p <= 1) return fun::tensor(x->front().dtype, x->front().shape);
  diagnostics.error(Kind::bad_option, option(use, "p")->loc,
                    "'dropout' takes a probability between 0 and 1");
  return Failed{};
}

}  // namespace

Operator cast_operator() {
  Operator op;
  op.name = "cast";
  op.literals = {"dtype"};
  op.type = type_cast;
  op.evaluate = evaluate_cast;
  op.lower = lower_cast;
  return op;
}

Operator dropout_operator() {
  Operator op;
  op.name = "dropout";
  op.literals = {"p"};
  op.type = type_dropout;
  op.evaluate = [](const Use&, const std::vector<Tensor>& args) { return args; };
  op.lower = [](const Use&, const std::vector<Term>& args, Lowering&) { return args; };
  return op;
}

}  // namespace espalier::ops

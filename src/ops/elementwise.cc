#include "ops/elementwise.h"

#include <fmt/format.h>

#include <array>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

bool is_bool(Dtype dtype) { return dtype == Dtype::boolean; }

bool check_takes(const Use& use, const Elementwise& row, const std::vector<Operand>& operands,
                 Diagnostics& diagnostics) {
  if (row.takes == anything) return true;
  if (row.takes == reals) return check_floats(use, operands, diagnostics);
  if (row.takes == numbers) return check_numbers(use, operands, diagnostics);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (is_bool(operands[k].dtype)) continue;
    diagnostics.error(Kind::not_bools, loc_of(use, k),
                      fmt::format("'{}' takes bools but got {}; compare it first, as in x != 0",
                                  use.op->name, type_text(use, k)));
    return false;
  }
  return true;
}

// The condition of `select` is bool, its branches are of one dtype.
bool check_select(const Use& use, const std::vector<Operand>& operands, Diagnostics& diagnostics) {
  if (!is_bool(operands[0].dtype)) {
    diagnostics.error(
        Kind::not_bools, loc_of(use, 0),
        fmt::format("'select' takes a bool as its condition but got {}", type_text(use, 0)));
    return false;
  }
  if (operands[1].dtype == operands[2].dtype) return true;
  diagnostics.error(Kind::dtype_mismatch, use.loc,
                    fmt::format("'select' chooses between {} and {}; cast one of them",
                                type_text(use, 1), type_text(use, 2)));
  return false;
}

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  const Elementwise& row = elementwise_row(opcode_of(*use.op, use.types.size()));
  Result<std::vector<Operand>> operands = operands_of(use, diagnostics);
  if (!operands) return Failed{};
  const bool fine = row.opcode == Opcode::select
                        ? check_select(use, *operands, diagnostics)
                        : check_takes(use, row, *operands, diagnostics) &&
                              check_same_dtype(use, *operands, diagnostics);
  if (!fine || (!row.option.empty() && !check_number(use, row.option, diagnostics)))
    return Failed{};
  std::vector<Shape> shapes;
  std::vector<wave::ScalarRef> samples;
  for (const Operand& operand : *operands) {
    shapes.push_back(operand.shape);
    samples.push_back(wave::load(0, operand.dtype, nullptr));
  }
  if (!row.option.empty()) samples.push_back(samples[0]);
  Result<Shape> shape = broadcast(use, shapes, diagnostics);
  if (!shape) return Failed{};
  return fun::tensor(wave::apply(row.opcode, samples)->dtype, *shape);
}

std::vector<Tensor> evaluate_all(const Use& use, const std::vector<Tensor>& args) {
  const Elementwise& row = elementwise_row(opcode_of(*use.op, args.size()));
  const Dtype dtype = result_dtype(use);
  return {tabulate(dtype, broadcast_extents(args), [&](const Extents& index) {
    std::array<Number, 3> numbers{};
    std::size_t count = 0;
    for (const Tensor& arg : args) numbers[count++] = broadcast_at(arg, index);
    if (!row.option.empty())
      numbers[count++] = real(rounded_option(use, row.option, row.fallback, dtype), dtype);
    return evaluate(row.opcode, dtype, std::span(numbers).first(count));
  })};
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Elementwise& row = elementwise_row(opcode_of(*use.op, args.size()));
  std::vector<Term> terms = args;
  if (!row.option.empty())
    terms.push_back(
        constant(rounded_option(use, row.option, row.fallback, args[0].dtype), args[0].dtype));
  return {pointwise(row.opcode, terms)};
}

}  // namespace

std::vector<Operator> elementwise_operators() {
  std::vector<Operator> made;
  for (const Elementwise& row : elementwise_rows()) {
    if (!made.empty() && made.back().name == row.name) {  // `-` of two and of one
      made.back().min_args = row.arity;
      continue;
    }
    Operator op;
    op.name = row.name;
    op.min_args = op.max_args = row.arity;
    if (!row.option.empty()) op.literals = {row.option}, op.optional_literals = true;
    op.elementwise = true;
    op.opcode = row.opcode;
    op.type = type;
    op.evaluate = evaluate_all;
    op.lower = lower;
    made.push_back(op);
  }
  return made;
}

wave::Opcode opcode_of(const Operator& op, std::size_t operands) {
  require(op.elementwise, "an opcode asked of a structured operator");
  for (const Elementwise& row : elementwise_rows())
    if (row.name == op.name && static_cast<std::size_t>(row.arity) == operands) return row.opcode;
  throw Bug("an elementwise operator with a wrong number of operands");
}

}  // namespace espalier::ops

// split(x, k): k equal parts along an axis, as a tuple.
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

struct Cut {
  std::size_t axis;
  std::int64_t parts;
};

Cut cut_of(const Use& use, std::size_t rank) {
  return {static_cast<std::size_t>(axis_of(use, static_cast<int>(rank), 0)),
          integers_of(use, "sections")[0]};
}

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  if (!x) return Failed{};
  Result<int> axis = axis_option(use, x->rank(), 0, diagnostics);
  Result<Shape> sections = integers_option(use, "sections", diagnostics);
  if (!axis || !sections) return Failed{};
  const fun::Dim parts = sections->front();
  fun::Dim& dim = x->shape[static_cast<std::size_t>(*axis)];
  if (sections->size() != 1 || parts.value() < 1 || dim.value() % parts.value() != 0) {
    diagnostics.error(Kind::not_divisible, option(use, "sections")->loc,
                      fmt::format("'split' cannot cut axis {} of {} ({}) into {} equal parts",
                                  *axis, type_text(use, 0), dim_text(dim), dim_text(parts)));
    return Failed{};
  }
  dim = floor_div(dim, parts);
  return fun::tuple_of(std::vector<fun::TypeRef>(static_cast<std::size_t>(parts.value()),
                                                 fun::tensor(x->dtype, x->shape)));
}

std::vector<Tensor> evaluate(const Use& use, const std::vector<Tensor>& args) {
  const Cut cut = cut_of(use, args[0].shape.size());
  Extents shape = args[0].shape;
  shape[cut.axis] /= cut.parts;
  std::vector<Tensor> made;
  for (std::int64_t part = 0; part < cut.parts; ++part)
    made.push_back(tabulate(args[0].dtype, shape, [&](Extents index) {
      index[cut.axis] += part * shape[cut.axis];
      return at(args[0], index);
    }));
  return made;
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Cut cut = cut_of(use, args[0].shape.size());
  const Term x = lowering.materialize(args[0]);
  std::vector<std::int64_t> shape = x.shape;
  shape[cut.axis] /= cut.parts;
  std::vector<Term> made;
  for (std::int64_t part = 0; part < cut.parts; ++part) {
    const wave::ScalarRef begin = wave::integer(part * shape[cut.axis]);
    made.push_back({x.dtype, shape, [=](Indices index) {
                      index[cut.axis] = wave::apply(Opcode::add, {index[cut.axis], begin});
                      return x.at(index);
                    }});
  }
  return made;
}

}  // namespace

Operator split_operator() {
  Operator op;
  op.name = "split";
  op.literals = {"sections"};
  op.options = {"axis"};
  op.type = type;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace espalier::ops

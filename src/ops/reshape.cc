// reshape(x, [n, m]); one length may be -1 and is then what is left.
#include <fmt/format.h>

#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

fun::Dim product(const Shape& shape) {
  fun::Dim size(1);
  for (const fun::Dim& dim : shape) size = size * dim;
  return size;
}

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<Operand> x = operand_of(use, 0, diagnostics);
  Result<Shape> shape = integers_option(use, "shape", diagnostics);
  if (!x || !shape) return Failed{};
  fun::Dim* open = nullptr;
  for (fun::Dim& dim : *shape) {
    if (dim.value() >= 0) continue;
    if (dim.value() == -1 && !open) {
      open = &dim;
      continue;
    }
    diagnostics.error(Kind::negative_size, option(use, "shape")->loc,
                      "'reshape' takes lengths and at most one -1");
    return Failed{};
  }
  const fun::Dim size = product(x->shape);
  if (open) {
    *open = fun::Dim(1);
    const fun::Dim rest = product(*shape);
    *open = rest.value() == 0 ? fun::Dim(0) : floor_div(size, rest);
  }
  if (size == product(*shape)) return fun::tensor(x->dtype, *shape);
  diagnostics.error(Kind::reshape_size, use.loc,
                    fmt::format("'reshape' makes {} of {}: {} elements of {}",
                                fun::show(*fun::tensor(x->dtype, *shape)), type_text(use, 0),
                                product(*shape).value(), size.value()));
  return Failed{};
}

std::vector<Tensor> evaluate(const Use& use, const std::vector<Tensor>& args) {
  Tensor made = args[0];
  made.shape = result_extents(use);
  return {made};
}

// Axes [from, from_end) of the operand hold the same elements as axes [to, to_end) of the result.
struct Group {
  std::size_t from, from_end, to, to_end;
};

// As small groups as there are, so that axes that stay keep their index as it is.
std::vector<Group> groups_of(const std::vector<std::int64_t>& from,
                             const std::vector<std::int64_t>& to) {
  std::vector<Group> groups;
  std::size_t f = 0, t = 0;
  while (f < from.size() && t < to.size()) {
    Group group{f, f + 1, t, t + 1};
    std::int64_t left = from[f++], right = to[t++];
    while (left != right) {
      if (left < right && f < from.size())
        left *= from[f++];
      else if (right < left && t < to.size())
        right *= to[t++];
      else
        break;
    }
    group.from_end = f;
    group.to_end = t;
    groups.push_back(group);
  }
  const Group rest{f, from.size(), t, to.size()};  // axes of length 1
  if (f < from.size() || t < to.size()) groups.push_back(rest);
  return groups;
}

wave::ScalarRef flat_index(const Indices& index, const std::vector<std::int64_t>& shape,
                           std::size_t begin, std::size_t end) {
  wave::ScalarRef flat = wave::integer(0);
  for (std::size_t k = begin; k < end; ++k) {
    flat = wave::apply(Opcode::mul, {flat, wave::integer(shape[k])});
    if (shape[k] != 1) flat = wave::apply(Opcode::add, {flat, index[k]});
  }
  return flat;
}

void push_unflattened(const wave::ScalarRef& flat, const std::vector<std::int64_t>& shape,
                      const Group& group, Indices& index) {
  std::int64_t stride = 1;
  Indices own;
  for (std::size_t k = group.from_end; k-- > group.from; stride *= shape[k]) {
    wave::ScalarRef part = wave::apply(Opcode::floordiv, {flat, wave::integer(stride)});
    if (shape[k] == 1)
      part = wave::integer(0);
    else if (k > group.from)
      part = wave::apply(Opcode::mod, {part, wave::integer(shape[k])});
    own.insert(own.begin(), part);
  }
  index.insert(index.end(), own.begin(), own.end());
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering&) {
  const Term& x = args[0];
  const std::vector<std::int64_t> shape = result_extents(use);
  const std::vector<Group> groups = groups_of(x.shape, shape);
  return {{x.dtype, shape, [=](const Indices& index) {
             Indices own;
             for (const Group& group : groups)
               push_unflattened(flat_index(index, shape, group.to, group.to_end), x.shape, group,
                                own);
             return x.at(own);
           }}};
}

}  // namespace

Operator reshape_operator() {
  Operator op;
  op.name = "reshape";
  op.literals = {"shape"};
  op.type = type;
  op.evaluate = evaluate;
  op.lower = lower;
  return op;
}

}  // namespace espalier::ops

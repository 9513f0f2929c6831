// x[a:b, i]: indexing and slicing, an expression kind of its own.
#pragma once

#include <optional>
#include <vector>

#include "fun/expr.h"
#include "ops/op.h"

namespace espalier::ops {

// One index of x[..].
struct Subscript {
  bool slice = false;
  fun::TypeRef type;                // of an index that is computed
  std::optional<fun::Dim> literal;  // of an index that is a literal
  // Of a slice: as written (nothing where left out); all set and counted from the front once
  // resolved.
  std::optional<fun::Dim> begin, end, step;
  Loc loc;
};

struct Indexed {
  std::vector<Subscript> subscripts;  // resolved
  fun::TypeRef result;
};

// As numpy: negative literals count from the end, an index takes its axis away, axes that are not
// named stay whole. Unlike numpy's, a slice beyond the axis is a mistake. Bounds must be bound
// dims.
Result<Indexed> infer_index(const fun::TypeRef& base, const std::vector<Subscript>&, Loc,
                            Diagnostics&);

// The subscripts of a checked expression of kind `index`, and its computed indices in order.
std::vector<Subscript> subscripts_of(const fun::Expr&);
std::vector<fun::ExprRef> computed_indices(const fun::Expr&);

// `indices`: the values of the computed ones, in order. Nothing where one is out of range.
std::optional<Tensor> evaluate_index(const Tensor& base, const std::vector<Subscript>&,
                                     const std::vector<std::int64_t>& indices);

// Indices that their type does not keep in range are checked: status "index_out_of_range".
Term lower_index(const Term& base, const std::vector<Subscript>&, const std::vector<Term>& indices,
                 Lowering&);

}  // namespace espalier::ops

// From a checked expression to the use of an operator.
#pragma once

#include "fun/expr.h"
#include "ops/op.h"

namespace espalier::ops {

// A literal as the checker leaves it in Expr::options: a number, a text (also a name, as in
// cast(x, f32)), or a list of literals.
Option option_of(const fun::Expr&);

// Of an expression of kind `op` whose operands have types: operator, types, options, locations; and
// `result` where the expression has a type. The name must be in the table.
Use use_of(const fun::Expr&);

}  // namespace espalier::ops

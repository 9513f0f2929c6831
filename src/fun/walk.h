// Walks over expressions: trees that share what does not change.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fun/expr.h"

namespace espalier::fun {

// The expressions directly inside, in the order in which they stand (parts, options, statements,
// cases, indices; none is null).
std::vector<ExprRef> children(const Expr&);
// Calls `see` for the expression and all inside, parents first.
void visit(const ExprRef&, const std::function<void(const ExprRef&)>& see);
// The expression with every child replaced; itself where none changed.
ExprRef map_children(const ExprRef&, const std::function<ExprRef(const ExprRef&)>& change);
// Children first; `change` gives what stands in an expression's place, itself to keep it.
ExprRef rewrite(const ExprRef&, const std::function<ExprRef(const ExprRef&)>& change);

std::vector<std::string> names_bound(const Pattern&);
// Names of variables that are free in the expression, and of functions called where the callee is a
// name.
std::set<std::string> free_variables(const ExprRef&);

}  // namespace espalier::fun

// Expressions and patterns in the notation of language.md section 3, and what it cannot carry.
#pragma once

#include <set>
#include <string>

#include "fun/expr.h"

namespace espalier::fun {

// Numbers (and zeros, ones, iota) whose dtype has to be said, since no context would give it back.
using OwnDtypes = std::set<const Expr*>;

// Of an unchecked body: those that were given a dtype. Of a checked one: those that are not f32 and
// meet no operand that shows their dtype.
OwnDtypes own_dtypes(const ExprRef& body, bool checked);

// Whether the string notation can carry the expression: no block, no match, no dtype of its own.
bool has_notation(const Expr&, const OwnDtypes&);
std::string notation(const Expr&);  // of one that has
std::string notation(const Pattern&);
std::string notation(const Statement&);         // "pattern = value"
std::string target_notation(const Statement&);  // what stands left of its =
std::string number_text(const Expr&);           // "0.5", "-3", "true", "inf"

}  // namespace espalier::fun

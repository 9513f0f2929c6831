// What holds of every checked module, whatever pass it comes from.
#pragma once

#include <string>

#include "fun/module.h"

namespace espalier::fun {

// The first rule of core fun that the module breaks, with the function and the expression; "" if it
// breaks none: every expression and pattern is typed and bound, variables are in scope with their
// types, calls, fields, cases and constructed variants fit what they name. (Operands of operators
// are ops' to check.)
std::string verify(const Module&);

}  // namespace espalier::fun

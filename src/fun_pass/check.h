// From a model as read to core fun.
#pragma once

#include "base/diagnostic.h"
#include "fun/module.h"

namespace espalier::fun_pass {

// Resolves names, gives every expression its type, and elaborates away what core fun lacks: generic
// functions and data types become instances, lambdas and functions of functions are applied where
// they are called. Statements of nested blocks move to the block around them, under unique names.
//
//   twice(f, x) = f(f(x))                 encode(t: Tree) -> f32[hidden]:
//   encode(t) = twice(fun(h) -> W @ h, e)   h = W @ e; W @ h
//
// False, with the module as it was, if mistakes were reported.
bool check(fun::Module&, Diagnostics&);

}  // namespace espalier::fun_pass

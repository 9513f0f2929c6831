// Computes what is known when compiling.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Fields of known tuples, matches on known constructors and lists, conditionals on literals, `len`,
// comprehensions and folds of short literal lists (16 items). Statements that name a tuple become
// statements that name its fields. Behind it, data that a function makes and takes apart is gone.
//
//   s = (h = a * b, c = c)           s_h = a * b
//   tanh(s.h) * s.c            =>    tanh(s_h) * c
//
void partial_evaluate(fun::Module&);
void partial_evaluate(fun::Module&, bool fold);  // and scalar operators on literals: fold.h

}  // namespace espalier::fun_pass

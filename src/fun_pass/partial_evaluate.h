// Computes what is known when compiling.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Fields of known tuples, matches on known constructors and lists, conditionals on constants,
// `len`, comprehensions and folds of short literal lists (16 items), and scalar operators on
// literals where the result is a number of its dtype exactly, so that nothing is rounded otherwise
// than before. Statements that name a tuple become statements that name its fields.
//
//   s = (h = a * b, c = c)           s_h = a * b
//   tanh(s.h) * s.c            =>    tanh(s_h) * c
void partial_evaluate(fun::Module&);

}  // namespace espalier::fun_pass

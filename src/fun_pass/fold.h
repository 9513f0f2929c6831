// Computes scalar operators on literals.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Where the result is a number of its dtype exactly, so that nothing is rounded otherwise than
// before; and whatever then is known as of partial_evaluate.
//
//   if 2 * 3 == 6 then x else y    =>    x
void fold(fun::Module&);

}  // namespace espalier::fun_pass

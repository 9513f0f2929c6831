// Calls of functions that are not recursive become their bodies.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Arguments are bound by statements unless they are free to repeat. The functions that were inlined
// are gone, but for those that entries name.
//
//   linear(p, x) = p.weight @ x + p.bias        encode(..):
//   encode(..):                             =>    y = E[word]
//     tanh(linear(cell, E[word]))                 tanh(cell.weight @ y + cell.bias)
void inline_calls(fun::Module&);

}  // namespace espalier::fun_pass

// Calls of functions that are not recursive become their bodies.
#pragma once

#include "base/diagnostic.h"
#include "fun/module.h"

namespace espalier::fun_pass {

// Arguments are bound by statements unless they are free to repeat. The functions that were inlined
// are gone, but for those that entries name. False where that would make too much of the model
// (E199), as of functions that each call the one before twice.
//
//   linear(p, x) = p.weight @ x + p.bias        encode(..):
//   encode(..):                             =>    y = E[word]
//     tanh(linear(cell, E[word]))                 tanh(cell.weight @ y + cell.bias)
bool inline_calls(fun::Module&, Diagnostics&);

}  // namespace espalier::fun_pass

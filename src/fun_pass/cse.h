// Values that are computed twice get one name.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Between statements, and for calls, comprehensions, folds and matches within expressions, which
// are dear. Only what is computed before on every path is used again: branches share nothing with
// each other.
//
//   a = encode(l).h               a = encode_l.h, behind
//   b = W @ encode(l).h     =>    encode_l = encode(l); b = W @ encode_l.h
void cse(fun::Module&);

}  // namespace espalier::fun_pass

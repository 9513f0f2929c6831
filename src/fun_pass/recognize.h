// Finds the recursions of a module and how their arguments behave.
#pragma once

#include "base/diagnostic.h"
#include "fun/module.h"

namespace espalier {

// Fills module.recursions: for each group of functions that call each other, the argument on which
// every call goes on with a part of it (a child, an item of a child list, the rest of a list), and which
// of the others are passed on unchanged:
//
//   down(t, p, w) = match t { Node(x, ks): .. [down(k, f(p, x), w) for k in ks] }
//   =>  down: t structural, p top_down, w unchanging
//
// Refuses (false) recursion that does not shrink or whose arguments depend on its own results, naming
// the call. Needs core fun after flatten_match and inline_calls.
bool recognize(fun::Module&, Diagnostics&);

}  // namespace espalier

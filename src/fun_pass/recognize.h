// Finds structural recursion.
#pragma once

#include "base/diagnostic.h"
#include "fun/module.h"

namespace espalier::fun_pass {

// Fills module.recursions: for each set of functions that call each other, which argument is
// structural (every call within passes there a value bound by matching the caller's: a child, an
// item of a child list, the rest of a list), and whether the others stay as they are or change on
// the way down. Needs flat matches and no calls but recursive ones.
//
//   down(t, p) = match t { Node(w, ks): s = ..; Marked.Node(s, [down(k, s) for k in ks]) }
//   => {down}: structural 0, roles: structural, top_down
//
// False if a recursion is not of this kind (E20x), naming the call and the argument.
bool recognize(fun::Module&, Diagnostics&);

}  // namespace espalier::fun_pass

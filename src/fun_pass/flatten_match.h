// Nested patterns become matches of one level each.
#pragma once

#include "base/diagnostic.h"
#include "fun/module.h"

namespace espalier::fun_pass {

// Afterwards a match is on a variable: of a data type, with a case a variant in their order (the
// last may be a wildcard for the rest); or of a list, with cases `[]` and one of `[x, *rest]` and
// `[*init, x]`. Their parts are variables or wildcards. Number patterns are conditionals; patterns
// elsewhere are variables and flat tuples of them.
//
//   match t                          match t
//     Node(w, []): a            =>     Node(w, ks): match ks
//     Node(w, ks): b                     []: a
//     Leaf(w): c                         [first, *rest]: b
//                                      Leaf(w): c
//
// A decision tree, taking columns from the left (L. Maranget, Compiling pattern matching to good
// decision trees, 2008). False if a list is taken from both ends, or the tree would be too large.
bool flatten_match(fun::Module&, Diagnostics&);

}  // namespace espalier::fun_pass

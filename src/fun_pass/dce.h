// Removes what nothing uses.
#pragma once

#include "fun/module.h"

namespace espalier::fun_pass {

// Statements whose names are not used, functions that no entry reaches; names of patterns that are
// not used become wildcards.
void dce(fun::Module&);

}  // namespace espalier::fun_pass

// Removes variables that nothing reads.
#pragma once

#include <vector>

#include "loop/loop.h"

namespace espalier::loop {

// `let`s and variables that are read by nothing, or only to give them their own next value, with
// what is assigned to them; loops and branches that are left empty go too.
void drop_unused(std::vector<Stmt>*);

}  // namespace espalier::loop

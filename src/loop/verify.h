// The rules of the loop IR.
#pragma once

#include <string>

#include "loop/loop.h"

namespace espalier::loop {

// "" where the module is sound, else a sentence about the first thing that is not, with the
// function it stands in: buffers and variables that are not there,
// assignments of other types, vectors at places that are not aligned, calls with a wrong number of
// arguments, statuses and outputs without their tables.
std::string verify(const Module&);

}  // namespace espalier::loop

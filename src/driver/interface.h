// What a program takes and what it gives.
#pragma once

#include <string>

#include "loop/loop.h"
#include "wave/wave.h"

namespace espalier::driver {

// As text, which is the same for a program at any stage: data types, parameters, and each entry's
// arguments and results.
std::string interface_of(const wave::Module&);
std::string interface_of(const loop::Module&);

}  // namespace espalier::driver

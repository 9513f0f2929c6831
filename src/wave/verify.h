// The rules of wave, checked between passes.
#pragma once

#include <string>

#include "wave/wave.h"

namespace espalier::wave {

// "" where the module is sound, else one sentence about the first thing that is not.
std::string verify(const Module&);

}  // namespace espalier::wave

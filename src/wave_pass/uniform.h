// What is the same for every element of its domain, though it takes work, is computed once.
//
// before:                                              after:
//   %i: Leaf f32[4] = map: sigmoid(%b[i0])               %i: once f32[4] = map: sigmoid(%b[i0])
//   %h1: Leaf f32[4] = map: tanh(%i@d[i0])               %h1: once f32[4] = map: tanh(%i[i0])
//   set %h part Leaf = %h1                               set %h part Leaf = %h1
//
// A value that is wanted element by element for all that becomes a copy, which dce removes
// elsewhere.
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void uniform(wave::Module&);

}  // namespace espalier::wave_pass

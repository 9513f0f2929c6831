// Computes once what several operators compute: an operator whose body, reduction, domain and guard
// are those of one before it, in the same region, around it, or in a sweep that is done (values on
// nodes persist), is replaced by that one. An operator without a guard also serves one that has
// one. Equal inputs and equal checks become one as well.
//
// before:                                              after:
//   sweep_down {                                         sweep_down {
//     %a: Node f32[4] = sum r0 < 4: %W[i0, r0] * ..        %a: Node f32[4] = sum r0 < 4: ..
//   }                                                    }
//   sweep_up {                                           sweep_up {
//     %b: Node f32[4] = sum r0 < 4: %W[i0, r0] * ..        %h1: Node f32[4] = map: tanh(%a@d[i0])
//     %h1: Node f32[4] = map: tanh(%b@d[i0])             }
//   }
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void cse(wave::Module&);

}  // namespace espalier::wave_pass

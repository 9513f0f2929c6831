// Removes what no output and no check needs: operators, values, carries with all that is sent into
// them, regions that are empty then, and domains.
//
// before:                                              after:
//   sweep_up {                                           sweep_up {
//     %h1: Node f32[4] = map: tanh(%x@d[i0])               %h1: Node f32[4] = map: tanh(%x@d[i0])
//     set %h part Node = %h1                               set %h part Node = %h1
//     %c1: Node f32[4] = map: %x@d[i0] * 2.0             }
//     set %c part Node = %c1                             output h: nodes Tree = %h
//   }
//   output h: nodes Tree = %h
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void dce(wave::Module&);
void dce(wave::Entry&);

}  // namespace espalier::wave_pass

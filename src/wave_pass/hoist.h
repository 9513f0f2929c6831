// Moves what does not change while a region runs to before it, so that it is done for all elements
// at once: input projections of all nodes before the levels, of all items before the steps, the
// states of nodes without children before the sweep (what is set moves along; a sweep that is left
// empty goes). What depends on parameters and constants alone becomes Phase::load.
//
//   sweep_up {                                    %x: Node f32[4] = sum r0 < 9: ..
//     %x: Node f32[4] = sum r0 < 9: ..            sweep_up {
//     %h1: Node f32[4] = map: tanh(%x@d[i0] + ..)    %h1: Node f32[4] = map: tanh(%x@d[i0] + ..)
//     set %h part Node = %h1                 =>      set %h part Node = %h1
//   }                                             }
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void hoist(wave::Module&);

}  // namespace espalier::wave_pass

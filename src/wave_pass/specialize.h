// Splits the nodes of a variant into those all of whose lists are empty (leaves, mostly) and the
// others (Domain::Part), where operators of a sweep reduce over these lists or ask for their
// lengths. For the first part, reductions over the lists become what they are of nothing, what is
// done for items goes, and fold() propagates that. A variant stays whole where something else than
// its own nodes reads what is computed for them.
//
// before:
//   sweep_up {
//     %s: Node f32[4] = sum over Node.children: %h@i64(%child@e)[i0]
//     %h1: Node f32[4] = map: tanh(%x@d[i0] + %s@d[i0])
//     set %h part Node = %h1
//   }
// after:
//   sweep_up {
//     %h1'leaf: Node_leaf f32[4] = map: tanh(%x'leaf@d[i0])
//     %s: Node_inner f32[4] = sum over Node_inner.children: %h@i64(%child@e)[i0]
//     %h1: Node_inner f32[4] = map: tanh(%x@d[i0] + %s@d[i0])
//     set %h part Node_leaf = %h1'leaf
//     set %h part Node_inner = %h1
//   }
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void specialize(wave::Module&);

}  // namespace espalier::wave_pass

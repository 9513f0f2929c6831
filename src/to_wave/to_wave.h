// Lowers a core fun module to the wavefront IR.
#pragma once

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/module.h"
#include "wave/wave.h"

namespace espalier {

// Needs a module after fun_pass/recognize. Structural recursion becomes sweeps and steps, lists
// become domains, tensors become computes, data built in the shape of an argument becomes a value a
// variant:
//
//   encode(t) = match t { Node(word, children): .. sum(encode(k).h for k in children) .. }
//   =>
//   sweep_up { %hs: Node f32[hidden] = sum over Node.children: h@(child@e)[i0]; ..; set %h part
//   Node = .. }
//
// What cannot be lowered is refused (E22x), naming the expression and the reason.
Result<wave::Module> lower_to_wave(const fun::Module&, Diagnostics&);

}  // namespace espalier

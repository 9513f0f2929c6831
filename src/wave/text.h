// The text form of wave: printed between passes, read back in, and continued from.
//
//   wave tiny
//   dim hidden = 16
//   column word: i32 < 100
//   column children: node Tree in 0
//   list children
//   variant Tree Node { word: i32 < 100 column 0  children: node Tree in 0 column 1 }
//   type Tree { 0 }
//   parameter W: f32[16, 16] dims "hidden" "hidden"
//   entry encode {
//     column t: node Tree
//     domain once: once
//     domain Node: nodes 0
//     domain Node.children: list 0 over Node
//     %W: once f32[16, 16] = parameter W
//     %child: Node.children i32 = child 1
//     %h: all f32[16] = carry
//     sweep_up {
//       %hs: Node f32[16] = sum over Node.children: %h@i64(%child@e)[i0]
//       %p: Node f32[16] = sum r0 < 16: %W[i0, r0] * %hs@d[r0]
//       %h1: Node f32[16] = map: tanh(%p@d[i0]) where end(Node.children, d) > 0
//       set %h part Node = %h1
//     }
//     output h: nodes Tree = %h
//   }
//
// In bodies `d` is the element, `e` the item; `%v@x[i, j]` loads. A number with a point or an
// exponent is f32, one without is i64; others carry their dtype, `0.5:f64`. A type's name applied
// to something is a cast. `i0?` and `r0?` are axes whose extent is not known to the scalar. `#`
// starts a comment. Names that are not plain stand in quotes: %"a b".
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "wave/wave.h"

namespace espalier::wave {

// Values come as inputs and carries in the order of their table, then computed ones where they are
// computed; renumber() (wave/analysis.h) brings a module into the order in which it is read back.
std::string print(const Module&);
std::string print(const Entry&, const ScalarRef&);
std::string print(const Entry&, const Op&);  // ends with a newline

// The module that the text of `file` says, verified. What was printed prints the same again.
Result<Module> parse(const Sources&, std::int32_t file, Diagnostics&);

}  // namespace espalier::wave

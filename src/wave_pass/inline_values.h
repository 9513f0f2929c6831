// Puts the body of a map in the place of its load where the value would otherwise have to be stored
// for another domain: a choice or gather without arithmetic of reals everywhere, and up to four
// plain operations in a reduction over the items that the value is made for, if nothing else reads
// it, so that nothing is computed twice. What is read on its own domain stays: there it is a local
// variable with the model's name.
//
// before:                                              after:
//   %p: Node.children f32[4] = map: ..f.. * ..c..        %s: Node f32[4] = sum over Node.children:
//   %s: Node f32[4] = sum over Node.children: %p@e[i0]       ..f.. * ..c..
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void inline_values(wave::Module&);

}  // namespace espalier::wave_pass

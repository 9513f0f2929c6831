// Evaluates what is known when compiling and propagates it, zeros above all:
// - operations on numbers, in double; integer arithmetic and comparisons where ranges decide them;
//   selects and guards whose condition is known; operators whose guard is never true;
// - reductions over nothing, sums of zeros, comparisons of the length of a list that has items;
// - products with zero, where the other factors are parameters or constants, which are taken to be
//   finite, or within the bounds of sigmoid and its kind; x + 0, x - 0, x * 1, x / 1. A sum with
//   +0.0 makes +0.0 of -0.0, so such a zero goes away only where x is never -0.0 or where nothing
//   in the entry (a division, atan2, pow) tells the zeros apart; apart from that sign results stay
//   the same;
// - values that are one number everywhere, or another value as it stands, are replaced by that.
//
// before:                                              after:
//   %hs: Leaf f32[4] = map: 0.0                          %i: Leaf f32[4] = map: sigmoid(%x@d[i0])
//   %p: Leaf f32[4] = sum r0 < 4: %U[i0, r0] * %hs@d[r0]
//   %i: Leaf f32[4] = map: sigmoid(%x@d[i0] + %p@d[i0])
#pragma once

#include "wave/wave.h"

namespace espalier::wave_pass {

void fold(wave::Module&);

// The same for one entry; behind a rewrite that made something known.
void fold(const Forest&, wave::Entry&);

}  // namespace espalier::wave_pass

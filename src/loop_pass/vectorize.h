// Vectors for loops over padded rows of floats.
//
//   for j in 0 .. hidden                      for j in 0 .. hidden_row step lanes (vector)
//     let i: f32 = sigmoid(p[j] + b[j])  ->     let i: vec = sigmoid(load(p + j) + load(b + j))
//     h[j] = i * 2                              store(h + j, i * splat(2))
//
// Where everything in the loop is a float of that index, or the same for all its values: rows end
// in padding, so that no remainder is left. Loads that do not begin at a multiple of 16 floats are
// loose, and stop at the row's end.
#pragma once

#include "loop/loop.h"

namespace espalier::loop_pass {

void vectorize(loop::Module&);

}  // namespace espalier::loop_pass

// Sums in which no more than one term is a product.
//
//   let c: vec = i * u + f * k        ->     let c: vec = rounded(i * u) + f * k
//
// A compiler may fuse a product into the addition behind it. Where both terms are products it can
// choose which, and may choose otherwise in another copy of the same code (for a tile of fewer
// rows, say): the same numbers would give other bits. What is rounded is not fused.
#pragma once

#include "loop/loop.h"

namespace espalier::loop_pass {

void round_products(loop::Module&);

}  // namespace espalier::loop_pass

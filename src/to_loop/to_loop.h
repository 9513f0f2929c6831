// From the wavefront IR to loops.
#pragma once

#include "loop/loop.h"
#include "wave/wave.h"

namespace espalier::to_loop {

struct Options {
  bool fuse = true;  // elementwise operators of one domain share loops, what is used there is local
  bool panels = true;     // products with weights: packed when loading, a tile of rows at a time
  bool merge = true;      // products of one operand share a tile
  bool epilogues = true;  // what is made of a product's row is made in the tile's registers
};

// Every value gets a buffer or a local variable, every operator a loop nest; operators of one class
// between two barriers are run by the same member for the same elements, so that they need no
// barrier among themselves. Loops are scalar but for products in panels; loop_pass/vectorize.h
// follows.
loop::Module to_loop(const wave::Module&, const Options& = {});

}  // namespace espalier::to_loop

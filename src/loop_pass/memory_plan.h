// Lets buffers of a call that do not live at the same time share memory.
//
//   x     kernels 0 .. 1        x     kernels 0 .. 1  arena 0
//   hs    kernel 2          ->  hs    kernel 2        arena 0
//   h     kernels 2 .. 4        h     kernels 2 .. 4  arena 1
#pragma once

#include "loop/loop.h"

namespace espalier::loop_pass {

// Buffers of one arena never live at the same time; those of like rows are put together first,
// since the arena is as large as its largest.
void memory_plan(loop::Module&);

}  // namespace espalier::loop_pass

// A model brought down to loops, with what packages and comparisons need of it besides.
#pragma once

#include "driver/load.h"

namespace espalier::driver {

struct Lowered {
  fun::Module core;       // as the evaluator takes it; of hand-written IR text, without entries
  eval::Weights weights;  // empty where they are given at run time
  Program program;        // at the stage that was asked for
};

// Weights are read where the model names files, unless --no-weights.
Result<Lowered> lower(Stage until, Session&);

}  // namespace espalier::driver

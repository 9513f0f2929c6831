// From a program and its weights to what the package writer needs beside the loop module.
#pragma once

#include "emit/package.h"
#include "eval/outcome.h"
#include "fun/module.h"
#include "loop/loop.h"

namespace espalier::driver {

// The weights in the order of the module's parameters; empty where `weights` is.
std::vector<Column> weight_columns(const loop::Module&, const eval::Weights& weights);

// Those that the check program makes up for a package without any.
eval::Weights made_up_weights(const loop::Module&);

// Small inputs for every entry with the evaluator's answers. Where `weights` is empty, those that
// the check program makes up. `core` is the checked program that the loop module was lowered from.
emit::CheckVectors record_check(const fun::Module& core, const loop::Module&,
                                const eval::Weights& weights);

}  // namespace espalier::driver

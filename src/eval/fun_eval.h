// The evaluator of core fun: slow, obvious, in double precision. What everything is held against.
#pragma once

#include "base/forest.h"
#include "eval/outcome.h"
#include "fun/module.h"

namespace espalier::eval {

// Evaluates `entry` for each call (or, if it gives rows for nodes, each node of the argument's
// type). The data is laid out as fun::forest_of(module) and fun::arguments_of(function) say, and is
// checked here. Memory and time are linear in the forest where the entry's functions are
// structural.
Outcome evaluate(const fun::Module&, const Weights&, const fun::Entry& entry, const ForestData&,
                 const CallsData&);

// The value of a closed expression over tensors: no variables but constants, no calls. For folding.
ops::Tensor evaluate_constant(const fun::Module&, const fun::ExprRef&);

}  // namespace espalier::eval

// The evaluator of the wavefront IR: as slow and obvious as that of fun, for tests and for holding
// each pass against the program before it.
#pragma once

#include "base/forest.h"
#include "eval/outcome.h"
#include "wave/wave.h"

namespace espalier::eval {

// In double precision, on the same data and with the same results as evaluate() of fun. Values that
// no operator has set (behind a guard) are NaN, and reading one where an index is wanted is a Bug.
Outcome evaluate(const wave::Module&, const Weights&, const wave::Entry&, const ForestData&,
                 const CallsData&);

}  // namespace espalier::eval

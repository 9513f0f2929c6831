// The package of a program, as `compile`, `verify` and `run --emitted` write it.
#pragma once

#include "base/result.h"
#include "driver/pipeline.h"
#include "emit/package.h"
#include "eval/outcome.h"

namespace espalier::driver {

// Takes `program` through the rest of the pipeline and emits it, with `weights` inside unless they
// are empty, and with the vectors of its check unless --no-check was given or the program is no
// model.
Result<emit::Package> make_package(Program& program, const eval::Weights& weights, Session&);

}  // namespace espalier::driver

#include "driver/lowering.h"

namespace espalier::driver {

Result<Lowered> lower(Stage until, Session& session) {
  Result<Program> program = load_program(session);
  if (!program) return Failed{};
  Lowered out;
  if (program->stage == Stage::fun) {
    if (!run_pipeline(*program, Stage::fun, session)) return Failed{};
    out.core = *program->fun;
  } else {
    out.core = program->origin.core;
  }
  if (out.core.weights.given && !session.options.no_weights) {
    Result<eval::Weights> weights = load_weights(out.core, session);
    if (!weights) return Failed{};
    out.weights = std::move(*weights);
  }
  if (!run_pipeline(*program, until, session)) return Failed{};
  out.program = std::move(*program);
  return out;
}

}  // namespace espalier::driver

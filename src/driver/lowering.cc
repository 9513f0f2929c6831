#include "driver/lowering.h"

#include "base/kinds.h"

namespace espalier::driver {
namespace {

// What is behind a program without entries is empty, so it is refused here.
bool has_entries(const fun::Module& core, Session& session) {
  if (!core.entries.empty()) return true;
  session.diagnostics.error(Kind::no_entries, {},
                            "the model has no entries, so there is nothing to " +
                                session.options.verb +
                                "; name what it exports: \"entries\": {\"FUNCTION\": {}}");
  return false;
}

bool went_far_enough(const Program& program, Stage until, Session& session) {
  if (program.stage >= until || !program.stopped) return true;
  session.diagnostics.error(Kind::stopped_early, {},
                            "'" + session.options.verb + "' needs the passes behind '" +
                                program.done + "', where --stop-after ends");
  return false;
}

// The files of --weights in place of those that the model names.
void take_weights(fun::WeightFiles* weights, const Session& session) {
  if (session.options.weights.empty()) return;
  weights->given = true;
  weights->files = session.options.weights;
}

}  // namespace

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
  const bool of_model = program->stage == Stage::fun || program->has_model;
  if (of_model && !has_entries(out.core, session)) return Failed{};
  take_weights(&out.core.weights, session);
  if (out.core.weights.given && !session.options.no_weights) {
    Result<eval::Weights> weights = load_weights(out.core, session);
    if (!weights) return Failed{};
    out.weights = std::move(*weights);
  }
  if (!run_pipeline(*program, until, session) || !went_far_enough(*program, until, session))
    return Failed{};
  out.program = std::move(*program);
  return out;
}

}  // namespace espalier::driver

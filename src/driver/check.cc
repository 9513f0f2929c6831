// espalier check
#include "driver/load.h"
#include "driver/verbs.h"

namespace espalier::driver {

bool check(Session& session) {
  Result<Program> program = load_program(session);
  if (!program) return false;
  return run_pipeline(*program, Stage::fun, session);
}

}  // namespace espalier::driver

// espalier print
#include <fmt/format.h>

#include "base/kinds.h"
#include "driver/load.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

// The last pass of a stage, or the pass itself.
const Pass* last_pass_of(const std::string& name) {
  const Pass* last = nullptr;
  for (const Pass& pass : pipeline())
    if (pass.name == name || stage_name(pass.to) == name || name.empty()) last = &pass;
  return last;
}

}  // namespace

bool print(Session& session) {
  const std::string& stage = session.options.stage;
  const Pass* const last = last_pass_of(stage);
  if (last == nullptr) {
    std::vector<std::string> known;
    for (const Pass& pass : pipeline()) known.emplace_back(pass.name);
    for (const Stage each : {Stage::fun, Stage::wave, Stage::loop})
      known.emplace_back(stage_name(each));
    session.diagnostics.error(
        Kind::unknown_stage, {},
        fmt::format("there is no stage or pass '{}'{}", stage, did_you_mean(stage, known)));
    return false;
  }
  Result<Program> program = load_program(session);
  if (!program) return false;
  if (session.options.stop_after.empty()) session.options.stop_after = last->name;
  if (!run_pipeline(*program, last->to, session)) return false;
  fmt::print("{}", print(*program));
  if (program->stage != Stage::fun && program->has_model) fmt::print("{}", print(program->origin));
  return true;
}

}  // namespace espalier::driver

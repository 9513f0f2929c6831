// espalier compile
#include "base/file.h"
#include "base/sha256.h"
#include "base/version.h"
#include "driver/lowering.h"
#include "driver/record_check.h"
#include "driver/verbs.h"
#include "emit/write_package.h"

namespace espalier::driver {
namespace {

std::string file_hash(const std::filesystem::path& file) {
  return sha256(read_file(file).value_or(""));
}

emit::Provenance provenance(const Lowered& lowered, const Session& session) {
  emit::Provenance out;
  out.tool_version = version();
  out.model_sha256 = file_hash(session.options.model);
  out.passes = lowered.program.passes;
  if (!lowered.weights.empty())
    for (const std::string& file : lowered.core.weights.files)
      out.weight_files.emplace_back(file, file_hash(weights_folder(session) / file));
  return out;
}

// What is asked for but does not exist yet.
bool refuse_missing(Session& session) {
  const auto refuse = [&](const char* what) {
    session.diagnostics.error(Kind::not_available, {},
                              std::string(what) + " is not available in this version");
  };
  if (!session.options.schedule.empty()) refuse("'--schedule'");
  if (session.options.target != "generic") refuse("a target other than 'generic'");
  return session.diagnostics.ok();
}

}  // namespace

bool compile(Session& session) {
  if (!refuse_missing(session)) return false;
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  if (lowered->program.stage != Stage::loop) {
    session.diagnostics.error(
        Kind::stopped_early, {},
        "there is no package, as the program was stopped after '" + lowered->program.done + "'");
    return false;
  }
  session.at_work = "emit";
  const loop::Module& module = *lowered->program.loop;
  emit::Inputs inputs;
  inputs.weights = weight_columns(module, lowered->weights);
  inputs.with_check = !session.options.no_check && !lowered->core.entries.empty();
  if (inputs.with_check) inputs.check = record_check(lowered->core, module, lowered->weights);
  inputs.provenance = provenance(*lowered, session);
  return emit::write_package(emit::emit_package(module, inputs), session.options.output,
                             session.options.force, session.diagnostics);
}

}  // namespace espalier::driver

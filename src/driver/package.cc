#include "driver/package.h"

#include <filesystem>

#include "base/file.h"
#include "base/kinds.h"
#include "base/sha256.h"
#include "base/version.h"
#include "driver/load.h"
#include "driver/record_check.h"

namespace espalier::driver {

namespace {

namespace fs = std::filesystem;

std::string hash_of(const fs::path& file) {
  const auto bytes = read_file(file);
  return bytes ? sha256(*bytes) : "";
}

emit::Provenance provenance_of(const Program& program, const Session& session) {
  const Options& options = session.options;
  emit::Provenance out;
  out.tool_version = version();
  out.model_sha256 = program.origin.model_sha256;
  if (!options.no_weights)
    for (const std::string& file : program.origin.core.weights.files)
      out.weight_files.emplace_back(file, hash_of(weights_folder(session) / file));
  out.target = options.target;
  if (!options.schedule.empty()) out.schedule_json = read_file(options.schedule).value_or("");
  out.passes = program.origin.passes;
  return out;
}

}  // namespace

Result<emit::Package> make_package(Program& program, const eval::Weights& weights,
                                   Session& session) {
  if (!run_pipeline(program, Stage::loop, session)) return Failed{};
  if (program.stage != Stage::loop || program.stopped) {
    session.diagnostics.error(
        Kind::stopped_early, {},
        "there is no package, as the program was stopped after '" + program.done + "'");
    return Failed{};
  }
  session.at_work = "emit";
  emit::Inputs inputs;
  inputs.weights = weight_columns(*program.loop, weights);
  inputs.with_check = !session.options.no_check;
  if (inputs.with_check) inputs.check = record_check(program.origin.core, *program.loop, weights);
  inputs.provenance = provenance_of(program, session);
  return emit::emit_package(*program.loop, inputs);
}

}  // namespace espalier::driver

#include "driver/load.h"

#include <filesystem>

#include "read/model.h"
#include "read/weights.h"

namespace espalier::driver {

Result<Program> load_program(Session& session) {
  if (!check_pass_names(session)) return Failed{};
  Program program;
  Result<fun::Module> module =
      read::read_model(&session.sources, session.options.model, &session.diagnostics);
  if (!module) return Failed{};
  program.fun = std::move(*module);
  return program;
}

Result<eval::Weights> load_weights(const fun::Module& module, Session& session) {
  const Options& options = session.options;
  const std::filesystem::path folder = options.weights_dir.empty()
                                           ? std::filesystem::path(options.model).parent_path()
                                           : std::filesystem::path(options.weights_dir);
  return read::load_weights(module, folder, &session.sources, &session.diagnostics);
}

}  // namespace espalier::driver

// espalier compile
#include <filesystem>

#include "base/kinds.h"
#include "driver/package.h"
#include "emit/write_package.h"
#include "read/model.h"
#include "read/weights.h"

namespace espalier::driver {

namespace {

Result<eval::Weights> weights_of(const fun::Module& model, Session& session) {
  const Options& options = session.options;
  if (!model.weights.given || options.no_weights) return eval::Weights();
  const std::filesystem::path folder = options.weights_dir.empty()
                                           ? std::filesystem::path(options.model).parent_path()
                                           : std::filesystem::path(options.weights_dir);
  return read::load_weights(model, folder, &session.sources, &session.diagnostics);
}

}  // namespace

bool compile(Session& session) {
  const Options& options = session.options;
  if (options.output.empty()) {
    session.diagnostics.error(Kind::missing_option, {}, "'compile' needs -o DIR");
    return false;
  }
  if (!check_pass_names(session)) return false;
  Program program;
  Result<fun::Module> model =
      read::read_model(&session.sources, options.model, &session.diagnostics);
  if (!model) return false;
  program.fun = std::move(*model);
  if (!run_pipeline(program, Stage::fun, session)) return false;
  const Result<eval::Weights> weights = weights_of(*program.fun, session);
  if (!weights) return false;
  const Result<emit::Package> package = make_package(program, *weights, session);
  return package &&
         emit::write_package(*package, options.output, options.force, session.diagnostics);
}

}  // namespace espalier::driver

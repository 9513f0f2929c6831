// espalier compile
#include "base/kinds.h"
#include "driver/lowering.h"
#include "driver/package.h"
#include "emit/write_package.h"

namespace espalier::driver {
namespace {

// IR text that was written by hand has neither weights nor answers to check by.
bool refuse_without_model(const Program& program, Session& session) {
  if (program.has_model || (session.options.no_weights && session.options.no_check)) return true;
  session.diagnostics.error(Kind::no_model_in_text, {},
                            "the text does not say which model it came from, so there are no "
                            "weights and no check; --no-weights --no-check does without");
  return false;
}

}  // namespace

bool compile(Session& session) {
  Result<Lowered> lowered = lower(Stage::fun, session);
  if (!lowered || !refuse_without_model(lowered->program, session)) return false;
  const Result<emit::Package> package = make_package(lowered->program, lowered->weights, session);
  const std::string& folder = session.options.output;
  if (!package ||
      !emit::write_package(*package, folder, session.options.force, session.diagnostics))
    return false;
  say(session, folder + ": " + std::to_string(package->files.size()) + " files");
  return true;
}

}  // namespace espalier::driver

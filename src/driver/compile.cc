// espalier compile
#include "base/kinds.h"
#include "driver/lowering.h"
#include "driver/package.h"
#include "emit/write_package.h"

namespace espalier::driver {
namespace {

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
  if (!refuse_missing(session)) return false;
  Result<Lowered> lowered = lower(Stage::fun, session);
  if (!lowered || !refuse_without_model(lowered->program, session)) return false;
  const Result<emit::Package> package = make_package(lowered->program, lowered->weights, session);
  return package && emit::write_package(*package, session.options.output, session.options.force,
                                        session.diagnostics);
}

}  // namespace espalier::driver

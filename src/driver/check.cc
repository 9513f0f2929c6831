// espalier check
#include <fmt/format.h>

#include <set>

#include "driver/load.h"
#include "driver/verbs.h"
#include "fun/text.h"
#include "ops/op.h"

namespace espalier::driver {
namespace {

// Operators of the tables, and those on lists, which the checker knows by name.
bool is_operator(const std::string& name) {
  static const std::set<std::string> on_lists = {"fold", "scan",      "reverse", "len",
                                                 "zip",  "enumerate", "vjp",     "grad"};
  return ops::find(name) != nullptr || on_lists.count(name) > 0;
}

}  // namespace

bool check(Session& session) {
  Result<Program> program = load_program(session);
  if (!program) return false;
  const auto no_mistakes = [&] { say(session, session.options.model + ": no mistakes"); };
  if (program->stage != Stage::fun) return no_mistakes(), true;  // verified when it was read
  const fun::Module as_read = *program->fun;
  if (!run_pipeline(*program, Stage::fun, session)) return false;
  if (session.options.expand)
    fmt::print("{}", fun::print_expanded(as_read, is_operator));
  else
    no_mistakes();
  return true;
}

}  // namespace espalier::driver

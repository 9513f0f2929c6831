// The table itself.
#include "driver/pipeline.h"

#include "fun_pass/check.h"
#include "fun_pass/recognize.h"
#include "to_wave/to_wave.h"
#include "wave/analysis.h"
#include "wave_pass/cse.h"
#include "wave_pass/dce.h"
#include "wave_pass/fold.h"
#include "wave_pass/hoist.h"
#include "wave_pass/inline_values.h"
#include "wave_pass/specialize.h"

namespace espalier::driver {
namespace {

template <bool (*pass)(fun::Module&, Diagnostics&)>
bool on_fun(Program& program, Session& session) {
  return pass(*program.fun, session.diagnostics);
}

// The values are numbered as they are when the program is read back from text, so that what follows
// is the same either way.
template <void (*pass)(wave::Module&)>
bool on_wave(Program& program, Session&) {
  pass(*program.wave);
  wave::renumber(*program.wave);
  return true;
}

bool to_wave(Program& program, Session& session) {
  Result<wave::Module> made = lower_to_wave(*program.fun, session.diagnostics);
  if (!made) return false;
  program.wave = std::move(*made);
  program.fun.reset();
  wave::renumber(*program.wave);
  return true;
}

}  // namespace

const std::vector<Pass>& pipeline() {
  constexpr bool needed = false, optional = true;
  constexpr Stage fun = Stage::fun, wave = Stage::wave;
  static const std::vector<Pass> passes = {
      // A model as read becomes core fun. Behind check, every expression has its type, and
      // functions of functions and generic types are gone for good.
      {"check", fun, fun, needed, "Infer types, instantiate what is generic",
       on_fun<fun_pass::check>},
      {"recognize", fun, fun, needed, "Find the recursions and what they recurse on",
       on_fun<recognize>},

      // Recursion becomes sweeps over levels. Behind to_wave, there is no function left.
      {"to_wave", fun, wave, needed, "Lower recursion to sweeps, lists to domains", to_wave},
      {"wave_fold", wave, wave, optional, "Evaluate what is known, drop what is never done",
       on_wave<wave_pass::fold>},
      {"wave_cse", wave, wave, optional, "Compute once what several operators compute",
       on_wave<wave_pass::cse>},
      {"specialize", wave, wave, optional,
       "Do nodes without children apart, with what is then known", on_wave<wave_pass::specialize>},
      {"hoist", wave, wave, optional, "Do for all nodes at once what does not depend on children",
       on_wave<wave_pass::hoist>},
      {"inline_values", wave, wave, optional, "Put plain values of items into their reductions",
       on_wave<wave_pass::inline_values>},
      {"wave_dce", wave, wave, optional, "Remove what no result needs", on_wave<wave_pass::dce>},
  };
  return passes;
}

}  // namespace espalier::driver

// The table itself.
#include "driver/pipeline.h"

#include "fun_pass/check.h"
#include "fun_pass/cse.h"
#include "fun_pass/dce.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/fold.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/partial_evaluate.h"
#include "fun_pass/recognize.h"
#include "loop_pass/memory_plan.h"
#include "loop_pass/round_products.h"
#include "loop_pass/vectorize.h"
#include "to_wave/to_wave.h"
#include "wave/analysis.h"
#include "wave_pass/cse.h"
#include "wave_pass/dce.h"
#include "wave_pass/fold.h"
#include "wave_pass/hoist.h"
#include "wave_pass/inline_values.h"
#include "wave_pass/specialize.h"
#include "wave_pass/uniform.h"

namespace espalier::driver {
namespace {

template <bool (*pass)(fun::Module&, Diagnostics&)>
bool on_fun(Program& program, Session& session) {
  return pass(*program.fun, session.diagnostics);
}

template <void (*pass)(fun::Module&)>
bool always_on_fun(Program& program, Session&) {
  pass(*program.fun);
  return true;
}

template <void (*pass)(loop::Module&)>
bool on_loop(Program& program, Session&) {
  pass(*program.loop);
  return true;
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
  program.origin.core = std::move(*program.fun);
  program.wave = std::move(*made);
  program.fun.reset();
  for (wave::Entry& entry : program.wave->entries)
    for (wave::Value& v : entry.values) v.line = session.sources.line_column(v.loc).line;
  wave::renumber(*program.wave);
  return true;
}

// How to_loop is to lower what follows.
template <bool to_loop::Options::*choice>
bool choose(Program& program, Session&) {
  program.lowering.*choice = true;
  return true;
}

bool lower_to_loop(Program& program, Session&) {
  program.loop = to_loop::to_loop(*program.wave, program.lowering);
  program.wave.reset();
  return true;
}

}  // namespace

const std::vector<Pass>& pipeline() {
  constexpr bool needed = false, optional = true;
  constexpr Stage fun = Stage::fun, wave = Stage::wave, loop = Stage::loop;
  static const std::vector<Pass> passes = {
      // A model as read becomes core fun. Behind check, every expression has its type, and
      // functions of functions and generic types are gone for good.
      {"check", fun, fun, needed, "Infer types, instantiate what is generic",
       on_fun<fun_pass::check>},
      {"inline_calls", fun, fun, needed,
       "Put the bodies of functions that are not recursive in place",
       on_fun<fun_pass::inline_calls>},
      {"flatten_match", fun, fun, needed, "Make nested patterns matches of one level each",
       on_fun<fun_pass::flatten_match>},
      {"partial_evaluate", fun, fun, needed, "Take apart what is known: tuples, lists, cases",
       always_on_fun<fun_pass::partial_evaluate>},
      {"fun_fold", fun, fun, optional, "Evaluate scalar operators on literals",
       always_on_fun<fun_pass::fold>},
      {"fun_cse", fun, fun, optional, "Name once what is called or gone through twice",
       always_on_fun<fun_pass::cse>},
      {"fun_dce", fun, fun, optional, "Remove statements and functions that nothing uses",
       always_on_fun<fun_pass::dce>},
      {"recognize", fun, fun, needed, "Find the recursions and what they recurse on",
       on_fun<fun_pass::recognize>},

      // Recursion becomes sweeps over levels. Behind to_wave, there is no function left.
      {"to_wave", fun, wave, needed, "Lower recursion to sweeps, lists to domains", to_wave},
      {"wave_fold", wave, wave, optional, "Evaluate what is known, drop what is never done",
       on_wave<wave_pass::fold>},
      {"wave_cse", wave, wave, optional, "Compute once what several operators compute",
       on_wave<wave_pass::cse>},
      {"specialize", wave, wave, optional,
       "Do nodes without children apart, with what is then known", on_wave<wave_pass::specialize>},
      {"uniform", wave, wave, optional, "Compute once what is the same for every element",
       on_wave<wave_pass::uniform>},
      {"hoist", wave, wave, optional, "Do for all nodes at once what does not depend on children",
       on_wave<wave_pass::hoist>},
      {"inline_values", wave, wave, optional, "Put plain values of items into their reductions",
       on_wave<wave_pass::inline_values>},
      {"wave_dce", wave, wave, optional, "Remove what no result needs", on_wave<wave_pass::dce>},

      // Sweeps become loops over buffers. Behind to_loop, no order of summation changes.
      {"fuse", wave, wave, optional, "Let elementwise operators of one domain share loops",
       choose<&to_loop::Options::fuse>, true},
      {"panels", wave, wave, optional, "Pack weights when loading, a tile of rows at a time",
       choose<&to_loop::Options::panels>, true},
      {"merge", wave, wave, optional, "Let products of one operand share a tile",
       choose<&to_loop::Options::merge>, true},
      {"epilogues", wave, wave, optional, "Finish the rows of products in registers",
       choose<&to_loop::Options::epilogues>, true},
      {"to_loop", wave, loop, needed, "Lower operators to loop nests over buffers", lower_to_loop},
      {"vectorize", loop, loop, optional, "Use vectors where rows are padded",
       on_loop<loop_pass::vectorize>},
      {"round_products", loop, loop, optional, "Leave compilers no choice which product to fuse",
       on_loop<loop_pass::round_products>},
      {"memory_plan", loop, loop, optional, "Let buffers that are not alive together share memory",
       on_loop<loop_pass::memory_plan>},
  };
  return passes;
}

}  // namespace espalier::driver

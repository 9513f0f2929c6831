#include "driver/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/bug.h"
#include "base/kinds.h"
#include "wave/analysis.h"
#include "wave/text.h"
#include "wave/verify.h"
#include "wave_pass/cse.h"
#include "wave_pass/dce.h"
#include "wave_pass/fold.h"
#include "wave_pass/hoist.h"
#include "wave_pass/inline_values.h"
#include "wave_pass/specialize.h"
#include "wave_pass/uniform.h"

namespace espalier::driver {
namespace {

const Pass* find(std::string_view name) {
  for (const Pass& pass : pipeline())
    if (pass.name == name) return &pass;
  return nullptr;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Throws where the last pass broke a rule of its IR.
void verify(const Program& program) {
  std::string wrong;
  if (program.stage == Stage::wave) wrong = wave::verify(*program.wave);
  if (!wrong.empty()) throw Bug(wrong);
}

// The values are numbered as they are when the program is read back from text, so that what follows is
// the same either way.
template <void (*pass)(wave::Module&)>
bool on_wave(Program& program, Session&) {
  pass(*program.wave);
  wave::renumber(*program.wave);
  return true;
}

bool run_pass(const Pass& pass, Program& program, Session& session) {
  using Clock = std::chrono::steady_clock;
  require(program.stage == pass.from, "the program is of another stage than the pass");
  session.at_work = pass.name;
  session.program = print(program);
  const auto start = Clock::now();
  if (!pass.run(program, session)) return false;
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  program.stage = pass.to;
  program.done = pass.name;
  verify(program);
  session.program.clear();
  if (session.options.time_passes)
    fmt::print(stderr, "{:>10.3f} ms  {}\n", took.count(), pass.name);
  if (contains(session.options.print_after, pass.name)) fmt::print(stderr, "{}", print(program));
  return true;
}

}  // namespace

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::fun:
      return "fun";
    case Stage::wave:
      return "wave";
    case Stage::loop:
      return "loop";
  }
  throw Bug("no such stage");
}

std::string print(const Program& program) {
  return program.stage == Stage::wave ? wave::print(*program.wave) : "";
}

const std::vector<Pass>& pipeline() {
  constexpr Stage wave = Stage::wave;
  static const std::vector<Pass> passes = {
      {"wave_fold", wave, wave, true, "Evaluate what is known, drop what is never done",
       on_wave<wave_pass::fold>},
      {"wave_cse", wave, wave, true, "Compute once what several operators compute",
       on_wave<wave_pass::cse>},
      {"specialize", wave, wave, true, "Do nodes without children apart, with what is then known",
       on_wave<wave_pass::specialize>},
      {"uniform", wave, wave, true, "Compute once what is the same for every element",
       on_wave<wave_pass::uniform>},
      {"hoist", wave, wave, true, "Do for all nodes at once what does not depend on children",
       on_wave<wave_pass::hoist>},
      {"inline_values", wave, wave, true, "Put plain values of items into their reductions",
       on_wave<wave_pass::inline_values>},
      {"wave_dce", wave, wave, true, "Remove what no result needs", on_wave<wave_pass::dce>},
  };
  return passes;
}

bool check_pass_names(Session& session) {
  std::vector<std::string> known;
  for (const Pass& pass : pipeline()) known.emplace_back(pass.name);
  std::vector<std::string> asked = session.options.disable;
  const auto& print_after = session.options.print_after;
  asked.insert(asked.end(), print_after.begin(), print_after.end());
  if (!session.options.stop_after.empty()) asked.push_back(session.options.stop_after);
  for (const std::string& name : asked) {
    if (find(name) != nullptr) continue;
    const std::string near = nearest(name, known);
    session.diagnostics.error(
        Kind::unknown_pass, {},
        fmt::format("there is no pass '{}'{}", name,
                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
  for (const std::string& name : session.options.disable)
    if (const Pass* pass = find(name); pass != nullptr && !pass->optional)
      session.diagnostics.error(
          Kind::required_pass, {},
          fmt::format("pass '{}' cannot be disabled, later ones need it", name));
  return session.diagnostics.ok();
}

bool run_pipeline(Program& program, Stage until, Session& session) {
  const std::vector<Pass>& passes = pipeline();
  const auto after = std::find_if(passes.begin(), passes.end(), [&](const Pass& pass) {
    return program.done.empty() ? pass.from == program.stage : pass.name == program.done;
  });
  auto next = program.done.empty() || after == passes.end() ? after : after + 1;
  verify(program);
  for (; next != passes.end() && next->to <= until; ++next) {
    const bool last = next->name == session.options.stop_after;
    if (!contains(session.options.disable, next->name) && !run_pass(*next, program, session))
      return false;
    if (last) return true;
  }
  return true;
}

}  // namespace espalier::driver

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/bug.h"
#include "base/kinds.h"
#include "driver/pipeline.h"
#include "fun/text.h"
#include "fun/verify.h"
#include "loop/text.h"
#include "loop/verify.h"
#include "wave/text.h"
#include "wave/verify.h"

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

// Throws a Bug where a rule of the program's IR does not hold.
void verify(const Program& program) {
  std::string wrong;
  if (program.stage == Stage::fun && program.fun->checked) wrong = fun::verify(*program.fun);
  if (program.stage == Stage::wave) wrong = wave::verify(*program.wave);
  if (program.stage == Stage::loop) wrong = loop::verify(*program.loop);
  if (!wrong.empty()) throw Bug("the program is not sound: " + wrong);
}

bool run_pass(const Pass& pass, Program& program, Session& session) {
  using Clock = std::chrono::steady_clock;
  require(program.stage == pass.from, "the program is of another stage than the pass");
  session.at_work = pass.name;
  if (program.stage != Stage::fun || program.fun->checked) session.program = print(program);
  const auto start = Clock::now();
  if (!pass.run(program, session)) return false;
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  program.stage = pass.to;
  program.origin.passes.emplace_back(pass.name);
  verify(program);
  session.program.clear();
  if (session.options.time_passes)
    fmt::print(stderr, "{:>10.3f} ms  {}\n", took.count(), pass.name);
  return true;
}

}  // namespace

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::fun: return "fun";
    case Stage::wave: return "wave";
    case Stage::loop: return "loop";
  }
  throw Bug("no such stage");
}

std::string print(const Program& program) {
  const std::string mark =
      program.done.empty() ? "" : fmt::format("{}{}\n", done_mark, program.done);
  switch (program.stage) {
    case Stage::fun: return fun::print(*program.fun);
    case Stage::wave: return mark + wave::print(*program.wave);
    case Stage::loop: return mark + loop::print(*program.loop);
  }
  throw Bug("no such stage");
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
    session.diagnostics.error(
        Kind::unknown_pass, {},
        fmt::format("there is no pass '{}'{}", name, did_you_mean(name, known)));
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
  for (; next != passes.end() && next->to <= until && !program.stopped; ++next) {
    if (!contains(session.options.disable, next->name) && !run_pass(*next, program, session))
      return false;
    program.done = next->name;
    if (contains(session.options.print_after, next->name)) fmt::print(stderr, "{}", print(program));
    program.stopped = next->name == session.options.stop_after;
  }
  return true;
}

}  // namespace espalier::driver

// espalier verify
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/kinds.h"
#include "driver/emitted.h"
#include "driver/inputs.h"
#include "driver/lowering.h"
#include "driver/record_check.h"
#include "driver/verbs.h"
#include "emit/small_inputs.h"
#include "eval/fun_eval.h"

namespace espalier::driver {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tolerance = 1e-5;  // |got - expected| <= tolerance + tolerance * |expected|

// A result cannot be closer than its own dtype allows: one unit in its last place.
double tolerance_of(Dtype dtype) {
  if (dtype == Dtype::f16) return std::ldexp(1.0, -10);
  if (dtype == Dtype::bf16) return std::ldexp(1.0, -7);
  return tolerance;
}

// Small inputs made up for every entry, and the user's.
Result<std::vector<RunCase>> all_cases(const fun::Module& core, const loop::Module& module,
                                       Session& session) {
  std::vector<RunCase> cases;
  for (const fun::Entry& entry : core.entries) {
    const auto lowered = std::find_if(module.entries.begin(), module.entries.end(),
                                      [&](const loop::Entry& e) { return e.name == entry.name; });
    for (emit::SmallInput& small :
         emit::small_inputs(module.forest, lowered->arguments, entry.nodes))
      cases.push_back({small.title, entry, std::move(small.forest), std::move(small.calls)});
  }
  if (session.options.input.empty()) return cases;
  Result<std::vector<RunCase>> given = read_cases(core, session);
  if (!given) return Failed{};
  for (RunCase& c : *given) cases.push_back(std::move(c));
  return cases;
}

// The largest difference in units of what is allowed: up to 1 is well.
double worst(const eval::Rows& expected, const eval::Rows& got) {
  const bool same = expected.data.shape == got.data.shape && expected.offsets == got.offsets &&
                    expected.data.i == got.data.i;
  const double allowed = tolerance_of(expected.data.dtype);
  double largest = same ? 0 : infinity;
  for (std::size_t i = 0; same && i < expected.data.f.size(); ++i) {
    const double want = expected.data.f[i], have = got.data.f[i];
    if (want == have || (std::isnan(want) && std::isnan(have))) continue;
    const double units = std::abs(want - have) / (allowed + allowed * std::abs(want));
    largest = units <= largest ? largest : std::isnan(units) ? infinity : units;
  }
  return largest;
}

void compare(const RunCase& c, const eval::Outcome& expected, const eval::Outcome& got,
             Session& session) {
  const auto mismatch = [&](const std::string& what) {
    session.diagnostics.error(Kind::verify_mismatch, {},
                              fmt::format("entry '{}' on '{}': {}", c.entry.name, c.title, what));
  };
  const eval::Status &want = expected.status, &have = got.status;
  if (want.code != have.code || want.node != have.node)
    return mismatch(fmt::format("status {} at node {} instead of {} at node {}", have.code,
                                have.node, want.code, want.node));
  for (const eval::Rows& rows : expected.results) {
    const auto it = std::find_if(got.results.begin(), got.results.end(),
                                 [&](const eval::Rows& r) { return r.name == rows.name; });
    const double units = it == got.results.end() ? infinity : worst(rows, *it);
    if (units > 1)
      mismatch(fmt::format("result '{}' is off by {} times what is allowed", rows.name, units));
  }
}

}  // namespace

bool verify(Session& session) {
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  const loop::Module& module = *lowered->program.loop;
  const eval::Weights weights =
      lowered->weights.empty() ? made_up_weights(module) : lowered->weights;
  const Result<std::vector<RunCase>> cases = all_cases(lowered->core, module, session);
  if (!cases) return false;
  const auto program = EmittedProgram::build(module, session);
  if (!program) return false;
  const auto got =
      (*program)->run(weights, emitted_cases(module, *cases), session.options.threads, session);
  if (!got) return false;
  for (std::size_t i = 0; i < cases->size(); ++i) {
    const RunCase& c = (*cases)[i];
    compare(c, eval::evaluate(lowered->core, weights, c.entry, c.forest, c.calls), (*got)[i],
            session);
  }
  if (!session.diagnostics.ok()) return false;
  fmt::print("{}: {} inputs on {} entries, emitted code agrees with the evaluator to {} on {} {}\n",
             module.name, cases->size(), module.entries.size(), tolerance, session.options.threads,
             session.options.threads == 1 ? "thread" : "threads");
  return true;
}

}  // namespace espalier::driver

#include "tests/fuzz/programs.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <exception>

#include "eval/fun_eval.h"
#include "eval/wave_eval.h"
#include "fun/forest.h"
#include "fun_pass/check.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/recognize.h"
#include "read/model.h"
#include "to_wave/to_wave.h"

namespace espalier::fuzz {
namespace {

using driver::Stage;
using Outcomes = std::map<std::string, eval::Outcome>;

// Passes that evaluate when compiling round to the dtype what the evaluator keeps in double.
double tolerance(const Model& model, const std::string& stage) {
  const bool folded = stage != "to_wave" && model.globals.real == "f32";
  return folded ? 2e-6 : 1e-9;
}

// TEMPORARY
template <bool (*pass)(fun::Module&, Diagnostics&)>
bool on_fun(driver::Program& program, driver::Session& session) {
  return pass(*program.fun, session.diagnostics);
}
bool inlined(driver::Program& program, driver::Session&) {
  fun_pass::inline_calls(*program.fun);
  return true;
}
bool to_wave(driver::Program& program, driver::Session& session) {
  Result<wave::Module> made = lower_to_wave(*program.fun, session.diagnostics);
  if (!made) return false;
  program.wave = std::move(*made);
  program.fun.reset();
  return true;
}
const std::vector<driver::Pass>& passes() {
  if (driver::pipeline()[0].from == Stage::fun) return driver::pipeline();
  static const std::vector<driver::Pass> all = [] {
    std::vector<driver::Pass> rows = {
        {"check", Stage::fun, Stage::fun, false, "", on_fun<fun_pass::check>},
        {"inline", Stage::fun, Stage::fun, false, "", inlined},
        {"flatten", Stage::fun, Stage::fun, false, "", on_fun<fun_pass::flatten_match>},
        {"recognize", Stage::fun, Stage::fun, false, "", on_fun<fun_pass::recognize>},
        {"to_wave", Stage::fun, Stage::wave, false, "", to_wave}};
    rows.insert(rows.end(), driver::pipeline().begin(), driver::pipeline().end());
    return rows;
  }();
  return all;
}

std::string messages(const driver::Session& session) {
  std::string out;
  for (const Diagnostic& d : session.diagnostics.all()) out += format(d, session.sources, false);
  return out;
}

Data make_data(const Model& model, const fun::Module& module, const Size& size,
               std::uint64_t seed) {
  Random random(seed);
  Data data;
  data.weights = random_weights(module, random);
  data.tables = fun::forest_of(module);
  data.forest = random_forest(data.tables, size, random);
  for (const fun::Entry& entry : module.entries) {
    Random own(random.next());
    bool disjoint = false;
    for (const EntryText& e : model.entries)
      if (e.name == entry.name) disjoint = e.disjoint;
    const Arguments arguments = fun::arguments_of(*module.find_function(entry.function));
    const int count = entry.nodes ? 0 : random.pick(std::vector<int>{0, 1, 3, 6});
    data.calls[entry.name] =
        random_calls(data.tables, data.forest, arguments, count, disjoint, own);
    if (entry.nodes) data.calls[entry.name] = {};
    if (entry.nodes) data.calls[entry.name].columns.resize(1);
    data.arguments[entry.name] = arguments;
  }
  return data;
}

bool finite(const eval::Outcome& outcome) {
  for (const eval::Rows& rows : outcome.results)
    for (const double x : rows.data.f)
      if (!std::isfinite(x)) return false;
  return true;
}

// Evaluates every entry and compares with what is expected, or keeps it where nothing is yet.
Failure compare(const Model& model, const std::string& where, const driver::Program& program,
                const Data& data, Outcomes* expected) {
  const auto hold = [&](const std::string& name, const eval::Outcome& found) -> Failure {
    const auto known = expected->find(name);
    if (known == expected->end()) {
      if (!found.status.ok())
        return {where, name,
                fmt::format("status {} at node {} (detail {})", found.status.code,
                            found.status.node, found.status.detail)};
      if (!finite(found)) return {where, name, "the evaluator's answer is not finite"};
      (*expected)[name] = found;
      return {};
    }
    return {where, name, difference(known->second, found, tolerance(model, where))};
  };
  if (program.stage == Stage::fun)
    for (const fun::Entry& entry : program.fun->entries) {
      Failure f = hold(entry.name, eval::evaluate(*program.fun, data.weights, entry, data.forest,
                                                  data.calls.at(entry.name)));
      if (!f.none()) return f;
    }
  if (program.stage == Stage::wave)
    for (const wave::Entry& entry : program.wave->entries) {
      Failure f = hold(entry.name, eval::evaluate(*program.wave, data.weights, entry, data.forest,
                                                  data.calls.at(entry.name)));
      if (!f.none()) return f;
    }
  return {};
}

}  // namespace

std::string difference(const eval::Outcome& expected, const eval::Outcome& found,
                       double tolerance) {
  if (expected.status.code != found.status.code)
    return fmt::format("status {} where {} is expected", found.status.code, expected.status.code);
  if (expected.results.size() != found.results.size()) return "another number of results";
  for (std::size_t r = 0; r < found.results.size(); ++r) {
    const eval::Rows &a = expected.results[r], &b = found.results[r];
    if (a.name != b.name) return fmt::format("result {} is called {}", a.name, b.name);
    if (a.data.shape != b.data.shape)
      return fmt::format("result {} has shape [{}] where [{}] is expected", a.name,
                         fmt::join(b.data.shape, ", "), fmt::join(a.data.shape, ", "));
    if (a.offsets != b.offsets) return fmt::format("result {}: other offsets", a.name);
    for (std::size_t i = 0; i < a.data.i.size(); ++i)
      if (b.data.i.size() != a.data.i.size() || a.data.i[i] != b.data.i[i])
        return fmt::format("result {}[{}] is {} where {} is expected", a.name, i,
                           b.data.i.size() != a.data.i.size() ? 0 : b.data.i[i], a.data.i[i]);
    for (std::size_t i = 0; i < a.data.f.size(); ++i) {
      if (b.data.f.size() != a.data.f.size())
        return fmt::format("result {} is of another kind", a.name);
      const double x = a.data.f[i], y = b.data.f[i];
      if (!(std::fabs(x - y) <= tolerance * std::max(1.0, std::fabs(x))))
        return fmt::format("result {}[{}] is {} where {} is expected", a.name, i, y, x);
    }
  }
  return "";
}

Failure run_program(const Model& model, int only, const Size& size, std::uint64_t seed,
                    Coverage* coverage, Data* data) {
  driver::Session session;
  std::string at = "read";
  try {
    auto read = read::read_model_text(&session.sources, "model.json", model.text(only),
                                      &session.diagnostics);
    if (!read) return {at, "", messages(session)};
    if (coverage) coverage->count_syntax(*read);
    driver::Program program;
    program.fun = std::move(*read);
    Outcomes expected;
    for (const driver::Pass& pass : passes()) {
      at = pass.name;
      if (pass.to > Stage::wave) break;
      if (!pass.run(program, session)) return {at, "", messages(session)};
      program.stage = pass.to;
      program.done = pass.name;
      if (program.stage == Stage::fun && !program.fun->checked) continue;
      if (expected.empty()) {
        if (coverage) coverage->count_operators(*program.fun);
        *data = make_data(model, *program.fun, size, seed);
      }
      if (program.stage == Stage::wave && std::getenv("ESPALIER_FUZZ_PRINT"))
        fmt::print("---- {}\n{}", at, driver::print(program));
      Failure f = compare(model, at, program, *data, &expected);
      if (!f.none()) return f;
    }
  } catch (const std::exception& e) {
    return {at, "", fmt::format("threw: {}", e.what())};
  }
  return {};
}

std::string report(const Model& model, const Failure& failure, const Size& size,
                   std::uint64_t seed) {
  int only = -1;
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    Data data;
    const bool fits = failure.entry.empty() || model.entries[i].name == failure.entry;
    if (fits && !run_program(model, static_cast<int>(i), size, seed, nullptr, &data).none()) {
      only = static_cast<int>(i);
      break;
    }
  }
  Data data;
  Failure least = run_program(model, only, size, seed, nullptr, &data);
  if (least.none()) only = -1;
  // The smallest forest of a few that still shows it.
  for (int nodes = 0; nodes < size.nodes && !least.entry.empty(); nodes += 1 + nodes / 4)
    for (std::uint64_t other = seed; other < seed + 6; ++other) {
      Data smaller;
      Failure f = run_program(model, only, {nodes, 2, false}, other, nullptr, &smaller);
      if (f.none() || f.where != failure.where) continue;
      least = f;
      data = smaller;
      nodes = size.nodes;
      break;
    }
  if (least.none()) least = run_program(model, only, size, seed, nullptr, &data);
  std::string out = fmt::format("seed {}, after {}, entry '{}': {}\n", model.seed, least.where,
                                least.entry, least.none() ? failure.text : least.text);
  out += "to run it again: ESPALIER_FUZZ_SEED=" + std::to_string(model.seed) + " ESPALIER_FUZZ=1\n";
  out += model.text(only);
  if (!least.entry.empty()) {
    out += show(data.tables, data.forest);
    out += show(data.arguments[least.entry], data.calls[least.entry]);
  }
  return out;
}

}  // namespace espalier::fuzz

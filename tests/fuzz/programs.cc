#include "tests/fuzz/programs.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <exception>

#include "driver/emitted.h"
#include "eval/fun_eval.h"
#include "eval/wave_eval.h"
#include "fun/forest.h"
#include "read/model.h"

namespace espalier::fuzz {
namespace {

using driver::Stage;
using Outcomes = std::map<std::string, eval::Outcome>;

constexpr double between_evaluators = 1e-9;

std::string messages(const driver::Session& session) {
  std::string out;
  for (const Diagnostic& d : session.diagnostics.all()) out += format(d, session.sources, false);
  return out;
}

Data make_data(const Model& model, const fun::Module& module, const Size& size,
               std::uint64_t weights_seed, std::uint64_t seed) {
  Random weights(weights_seed), random(seed);
  Data data;
  data.weights = random_weights(module, weights);
  data.tables = fun::forest_of(module);
  data.forest = random_forest(data.tables, size, random);
  for (const fun::Entry& entry : module.entries) {
    bool disjoint = !model.given.empty();
    for (const EntryText& e : model.entries)
      if (e.name == entry.name) disjoint = e.disjoint;
    const Arguments arguments = fun::arguments_of(*module.find_function(entry.function));
    const int count = random.pick(std::vector<int>{0, 1, 3, 6});
    CallsData& calls = data.calls[entry.name];
    if (entry.nodes)
      calls.columns.resize(1);
    else
      calls = random_calls(data.tables, data.forest, arguments, count, disjoint, random);
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

// A model on its way through the compiler.
class Runner {
 public:
  Runner(const Model& model, const Run& run, Coverage* coverage)
      : model_(model), run_(run), coverage_(coverage) {}

  Failure run(Data* failed) {
    try {
      Failure f = run_stages();
      if (!f.none() && at_ < data_.size()) *failed = data_[at_];
      return f;
    } catch (const std::exception& e) {
      if (at_ < data_.size()) *failed = data_[at_];
      return {session_.at_work, entry_, fmt::format("threw: {}", e.what())};
    }
  }

 private:
  Failure refused(const std::string& where) const { return {where, "", messages(session_)}; }

  Failure run_stages() {
    session_.at_work = "read";
    auto read = read::read_model_text(&session_.sources, "model.json", model_.text(run_.only),
                                      &session_.diagnostics);
    if (!read) return refused("read");
    if (coverage_) coverage_->count_syntax(*read);
    program_.fun = std::move(*read);
    for (const driver::Pass& pass : driver::pipeline()) {
      if (pass.to == Stage::loop && !run_.emitted) return {};
      session_.options.stop_after = pass.name;
      program_.stopped = false;
      if (!driver::run_pipeline(program_, pass.to, session_))
        return refused(std::string(pass.name));
      if (std::getenv("ESPALIER_FUZZ_PRINT") && program_.stage == Stage::wave)
        fmt::print("---- {}\n{}", pass.name, driver::print(program_));
      Failure f = compare(std::string(pass.name));
      if (!f.none()) return f;
    }
    return compare_emitted();
  }

  // Evaluates every entry on all data.
  Failure compare(const std::string& where) {
    if (program_.stage == Stage::fun && program_.fun->checked && data_.empty()) make_all_data();
    for (at_ = 0; at_ < data_.size(); ++at_) {
      Failure f;
      if (program_.stage == Stage::fun) f = compare_entries(where, *program_.fun);
      if (program_.stage == Stage::wave) f = compare_entries(where, *program_.wave);
      if (!f.none()) return f;
    }
    return {};
  }

  void make_all_data() {
    if (coverage_) coverage_->count_operators(*program_.fun);
    for (std::size_t i = 0; i < run_.sizes.size(); ++i)
      data_.push_back(
          make_data(model_, *program_.fun, run_.sizes[i], run_.seed, run_.seed + 7919 * i));
    expected_.resize(data_.size());
  }

  template <class Module>
  Failure compare_entries(const std::string& where, const Module& module) {
    const Data& data = data_[at_];
    for (const auto& entry : module.entries) {
      entry_ = entry.name;
      Failure f =
          hold(where, entry.name,
               eval::evaluate(module, data.weights, entry, data.forest, data.calls.at(entry.name)),
               between_evaluators);
      if (!f.none()) return f;
    }
    entry_.clear();
    return {};
  }

  // Compares with what is expected, or keeps it where nothing is yet.
  Failure hold(const std::string& where, const std::string& name, const eval::Outcome& found,
               double within) {
    const auto known = expected_[at_].find(name);
    if (known != expected_[at_].end())
      return {where, name, difference(known->second, found, within)};
    if (!found.status.ok())
      return {where, name,
              fmt::format("status {} at node {} (detail {})", found.status.code, found.status.node,
                          found.status.detail)};
    if (!finite(found)) return {where, name, "the evaluator's answer is not finite"};
    expected_[at_][name] = found;
    return {};
  }

  Failure compare_emitted() {
    session_.at_work = "emitted";
    const auto built = driver::EmittedProgram::build(*program_.loop, session_);
    if (!built) return refused("emitted");
    const auto& entries = program_.loop->entries;
    std::vector<driver::EmittedProgram::Case> cases;
    for (const Data& data : data_)
      for (std::size_t e = 0; e < entries.size(); ++e)
        cases.push_back({static_cast<int>(e), data.forest, data.calls.at(entries[e].name)});
    const auto outcomes = (*built)->run(data_[0].weights, cases, run_.threads, session_);
    if (!outcomes) return refused("emitted");
    const double within = model_.globals.real == "f32" ? 2e-5 : 1e-10;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      at_ = i / entries.size();
      Failure f = hold("emitted", entries[i % entries.size()].name, (*outcomes)[i], within);
      if (!f.none()) return f;
    }
    return {};
  }

  const Model& model_;
  const Run& run_;
  Coverage* coverage_;
  driver::Session session_;
  driver::Program program_;
  std::vector<Data> data_;
  std::vector<Outcomes> expected_;
  std::size_t at_ = 0;  // the data at work
  std::string entry_;
};

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

Failure run_program(const Model& model, const Run& run, Coverage* coverage, Data* failed) {
  return Runner(model, run, coverage).run(failed);
}

std::string report(const Model& model, const Failure& failure, Run run) {
  Data data;
  Failure least = failure;
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    Run alone = run;
    alone.only = static_cast<int>(i);
    if (!failure.entry.empty() && model.entries[i].name != failure.entry) continue;
    const Failure f = run_program(model, alone, nullptr, &data);
    if (f.none() || f.where != failure.where) continue;
    run = alone;
    least = f;
    break;
  }
  // The smallest forest of a few that still shows it.
  const std::uint64_t seed = run.seed;
  bool found = false;
  for (int nodes = 0; nodes < 25 && !least.entry.empty() && !found; nodes += 1 + nodes / 4)
    for (std::uint64_t other = seed; other < seed + (run.emitted ? 1U : 6U) && !found; ++other) {
      Run smaller = run;
      smaller.sizes = {{nodes, 2, false}};
      smaller.seed = other;
      Data less;
      const Failure f = run_program(model, smaller, nullptr, &less);
      found = !f.none() && f.where == failure.where;
      if (!found) continue;
      least = f;
      data = less;
    }
  std::string out = fmt::format(
      "seed {}, after {}, entry '{}': {}\n"
      "to run it again: ESPALIER_FUZZ_SEED={} ESPALIER_FUZZ=1\n{}",
      model.seed, least.where, least.entry, least.text, model.seed, model.text(run.only));
  if (!least.entry.empty()) {
    out += show(data.tables, data.forest);
    out += show(data.arguments[least.entry], data.calls[least.entry]);
  }
  return out;
}

}  // namespace espalier::fuzz

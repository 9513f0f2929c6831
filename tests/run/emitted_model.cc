#include "tests/run/emitted_model.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "driver/record_check.h"
#include "tests/golden.h"

namespace espalier::test {
namespace {

// A variable of the environment, set while this lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) old_ = old;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { old_ ? setenv(name_.c_str(), old_->c_str(), 1) : unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> old_;
};

Model model_of(const std::string& text) {
  const TempFolder folder;
  const auto file = folder.path() / "model.json";
  std::ofstream(file) << text;
  return Model(file, {}, false);
}

driver::Program lowered(Model& model) {
  driver::Program program;
  program.fun = model.module;
  program.done = "recognize";
  REQUIRE_MESSAGE(driver::run_pipeline(program, driver::Stage::loop, model.session),
                  model.messages());
  return program;
}

std::string numbers_differ(const ops::Tensor& expected, const ops::Tensor& got) {
  for (std::size_t i = 0; i < expected.f.size(); ++i) {
    const double want = expected.f[i], have = got.f[i];
    const bool near = std::abs(want - have) <= 1e-5 + 1e-5 * std::abs(want);
    if (near || want == have || (std::isnan(want) && std::isnan(have))) continue;
    return fmt::format("[{}] is {} instead of {}", i, have, want);
  }
  return expected.i == got.i ? "" : "has other integers";
}

std::string text_of(const eval::Status& status) {
  return fmt::format("{} at node {}, detail {}", status.code, status.node, status.detail);
}

}  // namespace

std::string example_text(const std::string& name, const std::map<std::string, int>& dims) {
  std::string text = read_text(source_root / "examples" / name / "model.json");
  for (const auto& [dim, size] : dims)
    text = std::regex_replace(text, std::regex(fmt::format("\"{}\": [0-9]+", dim)),
                              fmt::format("\"{}\": {}", dim, size));
  return std::regex_replace(text, std::regex("\"weights\": \"[^\"]*\",\n"), "");
}

std::string difference(const eval::Outcome& expected, const eval::Outcome& got) {
  const std::string want = text_of(expected.status), have = text_of(got.status);
  if (want != have) return fmt::format("status {} instead of {}", have, want);
  if (expected.results.size() != got.results.size()) return "another number of results";
  for (std::size_t r = 0; r < expected.results.size(); ++r) {
    const eval::Rows &a = expected.results[r], &b = got.results[r];
    const bool same = a.name == b.name && a.data.shape == b.data.shape && a.offsets == b.offsets;
    const std::string differs =
        same ? numbers_differ(a.data, b.data) : "has another name, shape or offsets";
    if (!differs.empty()) return fmt::format("result '{}' {}", a.name, differs);
  }
  return "";
}

emit::Package linked_package(const std::string& text) {
  Model model = model_of(text);
  driver::Program program = lowered(model);
  emit::Inputs inputs;
  inputs.weights = driver::weight_columns(*program.loop, driver::made_up_weights(*program.loop));
  inputs.with_check = false;
  return emit::emit_package(*program.loop, inputs);
}

EmittedModel::EmittedModel(const std::string& text, const Build& build)
    : model_(std::make_unique<Model>(model_of(text))) {
  program_.fun = model_->module;
  program_.done = "recognize";
  driver::Session& session = model_->session;
  REQUIRE_MESSAGE(driver::run_pipeline(program_, driver::Stage::loop, session), model_->messages());
  weights_ = driver::made_up_weights(*program_.loop);
  std::vector<std::unique_ptr<Variable>> settings;
  if (!build.compiler.empty())
    settings.push_back(std::make_unique<Variable>("CXX", build.compiler));
  settings.push_back(std::make_unique<Variable>("CXXFLAGS", build.flags));
  settings.push_back(std::make_unique<Variable>("OPENMP", build.threads));
  auto emitted = driver::EmittedProgram::build(*program_.loop, session);
  REQUIRE_MESSAGE(emitted, model_->messages());
  emitted_ = std::move(*emitted);
}

const loop::Entry& EmittedModel::entry(const std::string& name) const {
  for (const loop::Entry& e : program_.loop->entries)
    if (e.name == name) return e;
  FAIL("no entry " << name);
  return program_.loop->entries[0];
}

driver::RunCase EmittedModel::make(const std::string& entry, ForestData forest,
                                   CallsData calls) const {
  return {"", model_->entry(entry), std::move(forest), std::move(calls)};
}

std::vector<driver::RunCase> EmittedModel::small_cases(const std::string& name,
                                                       std::uint64_t seed) const {
  std::vector<driver::RunCase> cases;
  const loop::Entry& e = entry(name);
  for (emit::SmallInput& small :
       emit::small_inputs(program_.loop->forest, e.arguments, e.nodes, seed)) {
    cases.push_back(make(name, std::move(small.forest), std::move(small.calls)));
    cases.back().title = small.title;
  }
  return cases;
}

eval::Outcome EmittedModel::evaluate(const driver::RunCase& c) const {
  return eval::evaluate(model_->module, weights_, c.entry, c.forest, c.calls);
}

std::vector<eval::Outcome> EmittedModel::run(const std::vector<driver::RunCase>& cases,
                                             int threads) {
  const auto outcomes = emitted_->run(weights_, driver::emitted_cases(*program_.loop, cases),
                                      threads, model_->session);
  REQUIRE_MESSAGE(outcomes, model_->messages());
  REQUIRE(outcomes->size() == cases.size());
  return *outcomes;
}

void EmittedModel::check(const std::vector<driver::RunCase>& cases, int threads) {
  const std::vector<eval::Outcome> got = run(cases, threads);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i << " '" << cases[i].title << "' on " << cases[i].entry.name);
    CHECK(difference(evaluate(cases[i]), got[i]) == "");
  }
}

}  // namespace espalier::test

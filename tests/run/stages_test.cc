// Every example, made small and with weights made up: the evaluators agree before lowering, behind
// it, and behind the passes.
#include <cmath>
#include <regex>

#include "emit/small_inputs.h"
#include "eval/wave_eval.h"
#include "tests/golden.h"
#include "tests/run/models.h"

namespace espalier::test {
namespace {

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(source_root / "examples"))
    if (exists(folder.path() / "model.json")) names.push_back(folder.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string small_text(const std::string& name) {
  const std::string text = read_text(source_root / "examples" / name / "model.json");
  const std::string narrow =
      std::regex_replace(text, std::regex("\"hidden\": [0-9]+"), "\"hidden\": 3");
  return std::regex_replace(narrow, std::regex("\"embed\": [0-9]+"), "\"embed\": 2");
}

// Numbers in [-1, 1], the same each time.
eval::Weights made_up(const wave::Module& module) {
  eval::Weights weights;
  std::uint32_t state = 1;
  for (const Parameter& p : module.parameters) {
    ops::Tensor tensor;
    tensor.dtype = p.dtype;
    tensor.shape = p.shape;
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      state = state * 1664525u + 1013904223u;
      tensor.f.push_back(static_cast<double>(static_cast<std::int32_t>(state >> 8) - (1 << 23)) /
                         (1 << 23));
    }
    weights[p.name] = std::move(tensor);
  }
  return weights;
}

void compare(const eval::Outcome& expected, const eval::Outcome& got, double tolerance) {
  REQUIRE(got.status.code == expected.status.code);
  CHECK(got.status.node == expected.status.node);
  REQUIRE(got.results.size() == expected.results.size());
  for (std::size_t r = 0; r < got.results.size(); ++r) {
    const eval::Rows &a = expected.results[r], &b = got.results[r];
    INFO("result " << a.name);
    CHECK(a.name == b.name);
    CHECK(a.offsets == b.offsets);
    REQUIRE(a.data.shape == b.data.shape);
    CHECK(a.data.i == b.data.i);
    for (std::size_t i = 0; i < a.data.f.size(); ++i)
      REQUIRE(std::abs(a.data.f[i] - b.data.f[i]) <=
              tolerance * std::max(1.0, std::abs(a.data.f[i])));
  }
}

const wave::Entry& entry_of(const wave::Module& module, const std::string& name) {
  for (const wave::Entry& entry : module.entries)
    if (entry.name == name) return entry;
  FAIL("no entry " << name);
  return module.entries[0];
}

// The small module, as fun and as wave behind pass `last` ("": the last one).
struct Staged {
  driver::Session session;
  fun::Module core;
  wave::Module wave;

  Staged(const std::string& name, const std::string& last) {
    session.options.stop_after = last;
    auto read =
        read::read_model_text(&session.sources, name, small_text(name), &session.diagnostics);
    driver::Program program;
    REQUIRE(read);
    program.fun = std::move(*read);
    REQUIRE(driver::run_pipeline(program, driver::Stage::fun, session));
    core = *program.fun;
    const bool lowered = driver::run_pipeline(program, driver::Stage::wave, session);
    for (const Diagnostic& d : session.diagnostics.all())
      MESSAGE(format(d, session.sources, false));
    REQUIRE(lowered);
    wave = std::move(*program.wave);
  }
};

void check_example(const std::string& name, const std::string& last, double tolerance) {
  INFO(name << " behind " << last);
  const Staged staged(name, last);
  const eval::Weights weights = made_up(staged.wave);
  for (const fun::Entry& entry : staged.core.entries) {
    const wave::Entry& lowered = entry_of(staged.wave, entry.name);
    for (const emit::SmallInput& input :
         emit::small_inputs(staged.wave.forest, lowered.arguments, entry.nodes)) {
      INFO("entry " << entry.name << ", " << input.title);
      const eval::Outcome expected =
          eval::evaluate(staged.core, weights, entry, input.forest, input.calls);
      if (expected.status.code == "overlapping_calls") continue;  // which host code refuses
      compare(expected, eval::evaluate(staged.wave, weights, lowered, input.forest, input.calls),
              tolerance);
    }
  }
}

TEST_CASE("behind to_wave") {
  for (const std::string& name : examples()) check_example(name, "to_wave", 1e-12);
}

TEST_CASE("behind all wave passes") {
  for (const std::string& name : examples()) check_example(name, "", 1e-10);
}

}  // namespace
}  // namespace espalier::test

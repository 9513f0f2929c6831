// The nine models of examples/ whose answers were computed by an independent implementation
// (tests/data/cases): every state of every node, to 1e-12.
#include <cmath>

#include "driver/emitted.h"
#include "driver/inputs.h"
#include "read/safetensors.h"
#include "tests/run/models.h"
#include "tests/setting.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

constexpr const char* names[] = {
    "treefc", "treernn",  "treelstm_binary", "treelstm_childsum", "treegru_childsum", "mvrnn",
    "dagrnn", "seq_lstm", "seq_gru"};

// |got - expected| <= absolute + relative * |expected|, as the README of the cases says.
struct Tolerance {
  double absolute, relative;
};

void check_close(const ops::Tensor& got, const ops::Tensor& expected, Tolerance tolerance) {
  REQUIRE(got.shape == expected.shape);
  for (std::size_t i = 0; i < got.f.size(); ++i) {
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected.f[i]);
    REQUIRE(std::abs(got.f[i] - expected.f[i]) <= allowed);  // false for a NaN
  }
}

// Compares result j with S/KIND/j of the recorded answers.
void compare(const std::vector<eval::Rows>& results, const std::string& prefix,
             const read::Safetensors& expected, Tolerance tolerance, Diagnostics* diagnostics) {
  for (std::size_t j = 0; j < results.size(); ++j) {
    INFO(prefix << j);
    const auto answer = expected.load(prefix + std::to_string(j), diagnostics);
    REQUIRE(answer);
    check_close(results[j].data, *answer, tolerance);
  }
}

void check_case(const std::string& name) {
  INFO(name);
  Model model = example(name);
  const auto folder = source_root / "tests/data/cases" / name;
  const auto inputs = read::InputFile::open(&model.session.sources, folder / "inputs.json",
                                            &model.session.diagnostics);
  const auto expected = read::read_safetensors(
      &model.session.sources, folder / "expected.safetensors", &model.session.diagnostics);
  REQUIRE_MESSAGE((inputs && expected), model.messages());
  for (const std::string& structure : inputs->structures())
    for (const char* kind : {"roots", "nodes"}) {
      const fun::Entry& entry =
          model.entry(std::string(kind) == "roots" ? "encode" : "encode_nodes");
      const auto input = inputs->read(structure, model.module, model.function(entry),
                                      {{{"words", "word"}}, false}, &model.session.diagnostics);
      REQUIRE_MESSAGE(input, model.messages());
      const eval::Outcome outcome =
          eval::evaluate(model.module, model.weights, entry, input->forest, input->calls);
      REQUIRE(outcome.status.code == "ok");
      compare(outcome.results, structure + '/' + kind + '/', *expected, {1e-12, 0},
              &model.session.diagnostics);
    }
}

// Every structure of a case, on both entries, by emitted code.
void check_emitted(const std::string& name, const std::vector<int>& teams) {
  INFO(name);
  Model model = example(name);
  driver::Program program;
  program.fun = model.module;
  program.done = "recognize";
  REQUIRE_MESSAGE(driver::run_pipeline(program, driver::Stage::loop, model.session),
                  model.messages());
  const auto emitted = driver::EmittedProgram::build(*program.loop, model.session);
  REQUIRE_MESSAGE(emitted, model.messages());
  const auto folder = source_root / "tests/data/cases" / name;
  Diagnostics* const diagnostics = &model.session.diagnostics;
  model.session.options.input = (folder / "inputs.json").string();
  model.session.options.columns = {"words=word"};
  const auto cases = driver::read_cases(model.module, model.session);
  const auto expected =
      read::read_safetensors(&model.session.sources, folder / "expected.safetensors", diagnostics);
  REQUIRE_MESSAGE((cases && expected), model.messages());
  for (const int threads : teams) {
    const auto outcomes = (*emitted)->run(
        model.weights, driver::emitted_cases(*program.loop, *cases), threads, model.session);
    REQUIRE_MESSAGE(outcomes, model.messages());
    for (std::size_t i = 0; i < cases->size(); ++i) {
      REQUIRE((*outcomes)[i].status.code == "ok");
      const std::string kind = (*cases)[i].entry.nodes ? "/nodes/" : "/roots/";
      compare((*outcomes)[i].results, (*cases)[i].title + kind, *expected, {1e-5, 1e-5},
              diagnostics);
    }
  }
}

TEST_CASE("emitted code gives the recorded answers with 1, 2 and 8 threads") {
  if (!have_program("make")) return;
  for (const char* name : names) check_emitted(name, {1, 2, 8});
}

// Built by a cross compiler and run under QEMU; weights and data in files stay little-endian.
void check_cross(const std::string& processor) {
  const std::string compiler = processor + "-linux-gnu-g++", emulator = "qemu-" + processor;
  if (!have_program("make") || !have_program(compiler) || !have_program(emulator)) return;
  const Setting settings[] = {
      {"CXX", compiler}, {"CXXFLAGS", "-O1"}, {"LDFLAGS", "-static"}, {"RUN", emulator}};
  for (const char* name : names) check_emitted(name, {2});
}

TEST_CASE("emitted code gives the recorded answers on AArch64") { check_cross("aarch64"); }

TEST_CASE("emitted code gives the recorded answers on s390x, which is big-endian") {
  check_cross("s390x");
}

TEST_CASE("the evaluator gives the recorded answers") {
  for (const char* name : names) check_case(name);
}

}  // namespace
}  // namespace espalier::test

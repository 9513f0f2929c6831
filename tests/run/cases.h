// The nine models of examples/ whose answers were computed by an independent implementation
// (tests/data/cases): states of every node and of every root.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "driver/emitted.h"
#include "driver/inputs.h"
#include "read/safetensors.h"
#include "tests/run/models.h"

namespace espalier::test {

inline constexpr const char* case_names[] = {
    "treefc", "treernn",  "treelstm_binary", "treelstm_childsum", "treegru_childsum", "mvrnn",
    "dagrnn", "seq_lstm", "seq_gru"};

// |got - expected| <= absolute + relative * |expected|, as the README of the cases says.
struct Tolerance {
  double absolute, relative;
};

inline void check_close(const ops::Tensor& got, const ops::Tensor& expected, Tolerance tolerance) {
  REQUIRE(got.shape == expected.shape);
  for (std::size_t i = 0; i < got.f.size(); ++i) {
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected.f[i]);
    REQUIRE(std::abs(got.f[i] - expected.f[i]) <= allowed);  // false for a NaN
  }
}

// Compares result j with S/KIND/j of the recorded answers.
inline void check_recorded(const std::vector<eval::Rows>& results, const std::string& prefix,
                           const read::Safetensors& expected, Tolerance tolerance,
                           Diagnostics* diagnostics) {
  for (std::size_t j = 0; j < results.size(); ++j) {
    INFO(prefix << j);
    const auto answer = expected.load(prefix + std::to_string(j), diagnostics);
    REQUIRE(answer);
    check_close(results[j].data, *answer, tolerance);
  }
}

// Every structure of a case, on both entries, by emitted code of `model`.
inline void check_emitted(Model model, const std::string& name, const std::vector<int>& teams,
                          Tolerance tolerance = {1e-5, 1e-5}) {
  INFO(name);
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
      check_recorded((*outcomes)[i].results, (*cases)[i].title + kind, *expected, tolerance,
                     diagnostics);
    }
  }
}

}  // namespace espalier::test

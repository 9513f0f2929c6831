// A model's package, emitted and compiled once, run on many inputs and held against the evaluator.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/emitted.h"
#include "driver/inputs.h"
#include "emit/package.h"
#include "emit/small_inputs.h"
#include "tests/run/models.h"

namespace espalier::test {

// Settings of Makefile.gen.
struct Build {
  std::string compiler;  // "": its choice
  std::string flags = "-O1";
  std::string threads = "-fopenmp";
};
inline const std::string sanitizers =
    "-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all";

// The text of an example with other dims and without its weights.
std::string example_text(const std::string& name, const std::map<std::string, int>& dims = {});

// |got - expected| <= 1e-5 + 1e-5 * |expected|, and the same status, offsets and integers: what
// differs, or "".
std::string difference(const eval::Outcome& expected, const eval::Outcome& got);

// The files of its package with weights that are made up and linked, without the check program.
emit::Package linked_package(const std::string& text);

class EmittedModel {
 public:
  // Weights are made up. Mistakes fail the test.
  explicit EmittedModel(const std::string& text, const Build& = {});

  const fun::Module& core() const { return model_->module; }
  const loop::Module& loop() const { return *program_.loop; }
  const eval::Weights& weights() const { return weights_; }
  const loop::Entry& entry(const std::string& name) const;

  // emit::small_inputs of an entry.
  std::vector<driver::RunCase> small_cases(const std::string& entry, std::uint64_t seed) const;
  driver::RunCase make(const std::string& entry, ForestData, CallsData) const;

  eval::Outcome evaluate(const driver::RunCase&) const;
  std::vector<eval::Outcome> run(const std::vector<driver::RunCase>&, int threads = 1);
  // Runs all of them; each has to agree with the evaluator.
  void check(const std::vector<driver::RunCase>&, int threads = 1);

 private:
  std::unique_ptr<Model> model_;
  driver::Program program_;
  eval::Weights weights_;
  std::unique_ptr<driver::EmittedProgram> emitted_;
};

}  // namespace espalier::test

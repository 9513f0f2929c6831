// One random model on random data, through every stage of the compiler.
#pragma once

#include <memory>
#include <string>

#include "driver/pipeline.h"
#include "driver/session.h"
#include "eval/outcome.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/data.h"
#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

// What was found wrong; `where` is the stage. No text: nothing.
struct Failure {
  std::string where, entry, text;
  bool none() const { return text.empty(); }
};

// The data of a model: a forest for all entries, calls for each.
struct Data {
  Forest tables;
  ForestData forest;
  std::map<std::string, Arguments> arguments;
  std::map<std::string, CallsData> calls;
  eval::Weights weights;
};

// How a model is run: on a forest a size, drawn from the seed; all of it or one entry; as far as
// wave, or as emitted code too.
struct Run {
  std::uint64_t seed = 1;
  std::vector<Size> sizes;
  int only = -1;
  bool emitted = false;
  int threads = 1;
};

// Each stage is held against the evaluator of the checked model. `failed`: on what data it did.
Failure run_program(const Model&, const Run&, Coverage*, Data* failed);

// The difference of two outcomes beyond the tolerance, relative to max(1, |expected|); or "".
std::string difference(const eval::Outcome& expected, const eval::Outcome& found, double tolerance);

// With the failing entry alone and as few nodes as still fail: a report to read.
std::string report(const Model&, const Failure&, Run);

}  // namespace espalier::fuzz

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

// Runs the model (or one entry of it) on data drawn from `seed`; each stage is held against the
// evaluator of the checked model.
Failure run_program(const Model&, int only, const Size&, std::uint64_t seed, Coverage*, Data* data);

// The difference of two outcomes beyond the tolerance, relative to max(1, |expected|); or "".
std::string difference(const eval::Outcome& expected, const eval::Outcome& found, double tolerance);

// With the failing entry alone and as few nodes as still fail: a report to read.
std::string report(const Model&, const Failure&, const Size&, std::uint64_t seed);

}  // namespace espalier::fuzz

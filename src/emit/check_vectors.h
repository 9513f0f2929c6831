// What the emitted check program runs: small inputs and the answers to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/forest.h"

namespace espalier::emit {

struct CheckResult {
  Column rows;                        // dense, row-major; as the evaluator gives it, in double
  std::vector<std::int64_t> offsets;  // of ragged results: [calls + 1]; else empty
};

// One call of an entry. Inputs are rounded to their dtypes already.
struct CheckCase {
  std::string title;  // "a leaf alone", for the line that the program prints
  ForestData forest;
  CallsData calls;
  std::vector<CheckResult> results;  // as the entry's outputs
};

struct CheckEntry {
  int entry = 0;  // of the module
  std::vector<CheckCase> cases;
};

// The C arrays of all cases are at most 32 KiB: cases that do not fit are left out from the end,
// and of long results every n-th element is kept.
struct CheckVectors {
  std::vector<CheckEntry> entries;
  double absolute = 1e-5, relative = 1e-5;  // |got - expected| <= absolute + relative * |expected|
};

// Element `i` of parameter `parameter` in the check of a package without weights; in [-1, 1] / 4.
// The emitted program has the same text.
double check_weight(std::uint32_t parameter, std::uint64_t element);

}  // namespace espalier::emit

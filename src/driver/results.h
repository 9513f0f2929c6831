// The results of a run, for standard output or a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "eval/outcome.h"

namespace espalier::driver {

// What one entry gave on one structure.
struct EntryResults {
  std::string structure;  // "" where the input has one without a name
  std::string entry;
  std::vector<eval::Rows> results;
};

// {"ENTRY": {"RESULT": {"shape": [..], "data": [..]}}}, below "STRUCTURE" where structures have
// names; ragged results also have "offsets". Infinities and NaN are strings.
std::string results_json(const std::vector<EntryResults>&);

// ENTRY/RESULT, STRUCTURE/ENTRY/RESULT, ENTRY/RESULT/offsets. Floats are F64, integers I64.
std::map<std::string, ops::Tensor> results_tensors(const std::vector<EntryResults>&);

}  // namespace espalier::driver

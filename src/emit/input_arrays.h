// Forests and calls as the arrays of Forest and Calls.
#pragma once

#include <string>
#include <vector>

#include "base/forest.h"
#include "emit/host.h"

namespace espalier::emit {

struct InputArray {
  std::string name;   // unique among those of forest and calls
  Dtype dtype;        // of elements in memory
  Column data;        // where it is empty, the member is null
  std::string shape;  // "[nodes][4]", for comments
};

// One for each member behind the first, which is a number.
std::vector<InputArray> forest_arrays(const Context&, const ForestData&);
std::vector<InputArray> call_arrays(const EntryContext&, const CallsData&);

}  // namespace espalier::emit

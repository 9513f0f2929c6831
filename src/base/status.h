// What the codes of a Status say in the emitted describe().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/forest.h"

namespace espalier {

using StatusTexts = std::vector<std::pair<std::string, std::string>>;  // code, text

const StatusTexts& call_statuses();    // of every package
const StatusTexts& forest_statuses();  // of those with data types

// Of an index payload field or argument: "word of this node is not in [0, 20)".
std::string out_of_range_text(const Field&, const std::string& of);

// Of a code that belongs to neither: "unequal_lengths" is "unequal lengths".
std::string spelled_out(const std::string& code);

}  // namespace espalier

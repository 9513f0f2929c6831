// The checks that emitted code makes of a forest and of calls, before anything is evaluated.
#pragma once

#include "base/forest.h"
#include "eval/outcome.h"

namespace espalier::eval {

// In this order, each with the lowest offending node: counts; variants, and offsets of child lists;
// offsets of other lists, a list at a time; payload indices, a column at a time; arguments
// likewise, where `node` is the call; children; shared nodes; cycles. A code of a column is its
// name and
// "_out_of_range". The column vectors must be as long as good offsets say.
Status validate(const Forest&, const ForestData&, const Arguments&, const CallsData&);

// The child slots of a node in the order of the forest's columns: what `data` holds there.
std::vector<std::int64_t> children_of(const Forest&, const ForestData&, std::int64_t node);

}  // namespace espalier::eval

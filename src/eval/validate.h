// The checks that emitted code makes of a forest and of calls, before anything is evaluated.
#pragma once

#include "base/forest.h"
#include "eval/outcome.h"

namespace espalier::eval {

// In this order, each with the lowest offending node: offsets, items of lists that the node's
// variant does not have, and variants; children; payload indices; arguments; shared nodes; cycles.
// The column vectors must be as long as the offsets say (whoever read the data has seen to it).
Status validate(const Forest&, const ForestData&, const Arguments&, const CallsData&);

// The child slots of a node in the order of fields: what `data` holds there.
std::vector<std::int64_t> children_of(const Forest&, const ForestData&, std::int64_t node);

}  // namespace espalier::eval

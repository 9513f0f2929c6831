// Simplification of integer and bool scalars, used by apply() and cast().
#pragma once

#include <optional>

#include "wave/scalar.h"

namespace espalier::wave {

// The values that an integer scalar may have, both ends included.
struct Range {
  std::int64_t low, high;
};

// Nothing where no bound is known or the arithmetic might wrap.
std::optional<Range> range_of(const ScalarRef&);

// A simpler scalar of the same value for `op` of `args`, or null. Of floats it only takes a branch
// of a select whose condition is known.
ScalarRef simplify(Opcode, Dtype result, const std::vector<ScalarRef>& args);

// What `op` of operands whose last one is of dtype `last` gives (not of cast).
Dtype result_dtype(Opcode op, Dtype last);

// The node as it stands, not simplified.
ScalarRef plain_apply(Opcode, Dtype result, std::vector<ScalarRef> args);

}  // namespace espalier::wave

// The rules of scalars, for verify().
#pragma once

#include <stdexcept>

#include "wave/wave.h"

namespace espalier::wave {

struct Unsound : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where a scalar stands: an operator on `domain` that reduces over `list` and `bounds`, with a
// result of shape `axes`.
struct Position {
  const Entry& entry;
  Id domain, list = none;
  std::vector<std::int64_t> axes = {}, bounds = {};
};

// Throws Unsound, unless all of it is well-formed and every element belongs where it is used.
void verify_scalar(const Position&, const ScalarRef&);

}  // namespace espalier::wave

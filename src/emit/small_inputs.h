// Small inputs made up for a model: for the emitted check, and for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/forest.h"

namespace espalier::emit {

struct SmallInput {
  std::string title;  // "a leaf alone"
  ForestData forest;
  CallsData calls;
};

// Forests of leaves alone, of deep trees, of wide ones and of random ones (with shared nodes where
// types allow that), in shuffled numbering, and calls on them; the same ones each time. With
// `nodes` no calls. Each argument of a data type has a root of its own in each call. Lists of lists
// are empty ones.
std::vector<SmallInput> small_inputs(const Forest&, const Arguments&, bool nodes,
                                     std::uint64_t seed = 1);

}  // namespace espalier::emit

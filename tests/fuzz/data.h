// Random forests, calls and weights for a model.
#pragma once

#include <string>
#include <vector>

#include "base/forest.h"
#include "eval/outcome.h"
#include "fun/module.h"
#include "tests/fuzz/random.h"

namespace espalier::fuzz {

// How forests look; `nodes` is about how many there are.
struct Size {
  int nodes = 20;
  int widest = 4;      // items of a list
  bool chain = false;  // as deep as can be
};

ForestData random_forest(const Forest&, const Size&, Random&);
// Calls of a function. `disjoint`: no two calls reach one node.
CallsData random_calls(const Forest&, const ForestData&, const Arguments&, int count, bool disjoint,
                       Random&);
eval::Weights random_weights(const fun::Module&, Random&);

std::string show(const Forest&, const ForestData&);
std::string show(const Arguments&, const CallsData&);

}  // namespace espalier::fuzz

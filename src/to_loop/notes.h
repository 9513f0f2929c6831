// Comments over functions: what they compute, in the model's words, and what it costs.
#pragma once

#include "to_loop/plan.h"

namespace espalier::to_loop {

// "c = i * u + sum(k.f * k.c for k in children)", a line a work
std::string equations(const Context&, const Group&);
std::vector<std::int64_t> lines(const Context&, const Group&);  // of the model, in order
loop::Cost cost(const Context&, const Group&);
// "Node", "Node without children", "item of children", "call"
std::string element_name(const Context&, Id domain);

}  // namespace espalier::to_loop

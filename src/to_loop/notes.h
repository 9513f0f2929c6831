// Comments over functions: what they compute, in the model's words, and what it costs.
#pragma once

#include "to_loop/plan.h"

namespace espalier::to_loop {

// "c = i * u + sum(k.f * k.c for k in children)", a line a work
std::string equations(const Context&, const Group&);
std::vector<std::int64_t> lines(const Context&, const Group&);  // of the model, in order
// Of an element of the group, and of an item of each list that it reduces over.
std::vector<loop::Cost> costs(const Context&, const Group&);
// "Node", "Node without children", "Loop with empty body", "item of children", "call"
std::string element_name(const Context&, Id domain);
std::string list_name(const Context&, Id list);  // its field, or argument

}  // namespace espalier::to_loop

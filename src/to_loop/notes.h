// Comments over functions: what they compute, in the model's words, and what it costs.
#pragma once

#include "to_loop/plan.h"

namespace espalier::to_loop {

// "c = i * u + sum(f * children.c)"
std::string equations(const Context&, const Group&);
// "2 * 48 * 32 FLOPs and 320 bytes a Node": products and elementwise apart.
std::string cost(const Context&, const Group&);
std::string element_name(const Context&, Id domain);  // "node of Node", "item of children", "call"

}  // namespace espalier::to_loop

// The parts of the lowering of one entry, each of which makes functions.
#pragma once

#include "to_loop/functions.h"
#include "to_loop/nest.h"
#include "to_loop/plan.h"

namespace espalier::to_loop {

// Says for every work whether its value is kept in a variable or a buffer, and makes the buffers.
void decide_places(Context&, std::vector<KernelPlan>&);

// What a kernel, stage or group becomes: the number of a function; `checks`: may record a failure.
struct Made {
  int function = -1;
  bool checks = false;
};

// Of elements begin to end of the group's domain.
Made make_group(Context&, const Group&, bool level, bool load);
Made make_tile(Context&, const Group&, bool level);
// Of owners begin to end, all items of each in order.
Made make_steps(Context&, const Work&, bool level, bool load);
// A function for each of the plan's kernels; exported.
void make_kernels(Context&, const std::vector<KernelPlan>&);
// What prepare() does: copies of parameters, panels.
void make_prepare(Context&);

// A buffer for the product's weights, filled by make_prepare().
// What the function of a group takes `begin` and `end` of.
Id looped_domain(const Context&, const Group&);

int panels_of(Context&, const Work&);

std::int64_t size_of(const std::vector<std::int64_t>& extents);
std::string values_name(const Context&, const Group&);   // "c_h", without its class
std::string class_suffix(const Context&, const Group&);  // "_of_Node_leaf", "" for lists

}  // namespace espalier::to_loop

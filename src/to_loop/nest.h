// The loops over axes of the works of a group, for one element.
#pragma once

#include "to_loop/code.h"
#include "to_loop/plan.h"

namespace espalier::to_loop {

// Adds the statements that compute `works` for the element of `env`, storing and keeping in
// variables what Work::stored and Work::local say.
void add_nests(Code&, const Env&, const std::vector<Work>& works);

// The same where the axes of `env` are at hand already, and those of all works.
void add_values(Code&, const Env&, const std::vector<Work>& works);

// Works that share loops over axes: same shape, and each reads of those before it only the place at
// hand. As positions in `works`, in an order that computes before it uses.
std::vector<std::vector<std::size_t>> nests_of(const Context&, const std::vector<Work>& works);

// A select (or comparison) at the top of the body whose condition varies along none of the axes
// (then the loops can stand inside its branches), or null.
ScalarRef uniform_condition(const ScalarRef& body);
// Where along axis `which` a condition at the top of the body changes: inside (0, extent), or -1.
std::int64_t split_point(const ScalarRef& body, int which, std::int64_t begin, std::int64_t end);
// The body where `condition` is known.
ScalarRef assuming(const ScalarRef& body, const ScalarRef& condition, bool holds);
// The body for begin <= axis(which) < end.
ScalarRef within(const ScalarRef& body, int which, std::int64_t begin, std::int64_t end);

}  // namespace espalier::to_loop

// What passes ask of a wave program.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "wave/wave.h"

namespace espalier::wave {

Id outermost(const Entry&, Id domain);  // the domain itself, or its owner's owner's ..
bool is_over(const Entry&, Id domain,
             Id owner);  // the domain itself, or a list over it at some depth

// Every operator, in order of execution: a region's insides behind the region itself.
void visit_ops(const std::vector<Op>&, const std::function<void(const Op&)>&);
void visit_ops(std::vector<Op>&, const std::function<void(Op&)>&);
// Every scalar of one operator, its region's not.
void visit_scalars(const Op&, const std::function<void(const Scalar&)>&);
void rewrite_scalars(Op&, const std::function<ScalarRef(const ScalarRef&)>&);

// The domain whose element an operator is run for: the result's, a check's, the part of a set.
Id domain_of(const Entry&, const Op&);
// The values that one operator reads, its region's insides not.
std::set<Id> reads(const Op&);
// By value: how many operators, outputs and `previous` values read it.
std::vector<int> count_uses(const Entry&);
// The carries set in the region, at any depth.
std::set<Id> carries_set(const std::vector<Op>&);
// The values that change while the region runs: its carries, their `previous`, and what is computed
// in it from these.
std::set<Id> varying(const Entry&, const Op& region);

// The domain that a scalar is an element of, in an operator on `domain` that reduces over `list`;
// nothing where that cannot be told.
std::optional<Id> element_domain(const Entry&, Id domain, Id list, const ScalarRef&);

// Numbers the values of each entry as parse() does: inputs and carries in the order they have, then
// computed ones in the order of their operators. Values that nothing computes stay in front.
void renumber(Module&);
// Keeps domains[i] and values[i] where `domain[i]`, `value[i]` >= 0, as that number; the others are
// used nowhere.
void renumber(Entry&, const std::vector<Id>& domain, const std::vector<Id>& value);

}  // namespace espalier::wave

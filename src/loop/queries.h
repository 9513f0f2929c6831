// What several folders ask of functions and of the structs that entries share.
#pragma once

#include <string>
#include <vector>

#include "loop/loop.h"

namespace espalier::loop {

bool equal(const Function&, const Function&);  // but for names, lines and the numbers of checks
// The comment, "From lines 14 to 17 of the model.", and what an element costs; a line each.
std::string whole_comment(const Function&);

// Members of the structs that entries share, each once, in the order of their first entries.
std::vector<StructureMember> structure_members(const Module&);
std::vector<int> workspace_buffers(const Module&);
bool has_checks(const Module&);  // of some entry
// The functions that it calls, each once, in order: a tile is called for every number of rows.
std::vector<const Function*> callees(const Module&, const Function&);

}  // namespace espalier::loop

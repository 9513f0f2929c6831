// Which functions of a core module call which.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::fun_pass {

using CallGraph = std::map<std::string, std::set<std::string>>;

CallGraph call_graph(const fun::Module&);
std::set<std::string> reachable(const CallGraph&, const std::string& from);  // by one call or more
// Functions that call each other, in the order of the module: the recursive ones alone.
std::vector<std::vector<std::string>> recursions(const fun::Module&);
// Functions that entries and gradients name, and what they reach.
std::set<std::string> live_functions(const fun::Module&);

}  // namespace espalier::fun_pass

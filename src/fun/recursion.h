// What is known of the recursive functions of a checked module (found by fun_pass/recognize).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace espalier::fun {

// How an argument of a recursive function behaves in calls within its recursion.
enum class Role : unsigned char {
  structural,  // a child, an item of a child list, the rest of a list
  unchanging,  // passed on as it is
  top_down,    // another value for each child
};

// Functions that call each other: one recursion.
struct Recursion {
  std::vector<std::string> functions;     // in the order of the module
  std::vector<std::string> through;       // functions over lists that calls of functions
                                          // over data pass through on the way to others
  std::map<std::string, int> structural;  // function -> position of its structural argument
  std::map<std::string, std::vector<Role>> roles;  // function -> a role an argument
  bool over_lists = false;                         // the structural arguments are lists
};

}  // namespace espalier::fun

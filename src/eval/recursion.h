// Which functions call each other, and which arguments change on the way down.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::eval {

// Functions that can reach each other by calls; one that does not call itself is alone.
struct CallGraph {
  std::map<std::string, std::vector<std::string>>
      together;                           // function -> all of its group, itself too
  std::map<std::string, bool> recursive;  // whether it can reach itself
  std::map<std::string, bool> top_down;   // some argument that is no data or list differs from call
                                          // to call within the group
  std::map<std::string, bool> calls_down;  // is not recursive, but reaches such a function
};

CallGraph call_graph(const fun::Module&);

// Calls visit(expr) for `root` and every expression below it.
template <class Visit>
void each_expr(const fun::ExprRef& root, const Visit& visit) {
  if (!root) return;
  visit(*root);
  for (const fun::ExprRef& part : root->parts) each_expr(part, visit);
  for (const fun::Statement& s : root->statements) each_expr(s.value, visit);
  for (const fun::Case& c : root->cases) each_expr(c.body, visit);
  for (const fun::Index& i : root->indices)
    for (const fun::ExprRef* e : {&i.at, &i.begin, &i.end, &i.step}) each_expr(*e, visit);
  for (const auto& option : root->options) each_expr(option.second, visit);
}

}  // namespace espalier::eval

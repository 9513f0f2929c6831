#include "eval/recursion.h"

#include <algorithm>
#include <set>

namespace espalier::eval {
namespace {

using fun::Expr;

std::map<std::string, std::set<std::string>> reachable(const fun::Module& module) {
  std::map<std::string, std::set<std::string>> reach;
  for (const fun::Function& f : module.functions)
    each_expr(f.body, [&](const Expr& e) {
      if (e.kind == Expr::Kind::call) reach[f.name].insert(e.name);
    });
  for (bool grew = true; grew;) {
    grew = false;
    for (auto& [name, callees] : reach) {
      const std::set<std::string> direct = callees;
      for (const std::string& callee : direct)
        if (const auto further = reach.find(callee); further != reach.end())
          for (const std::string& f : further->second) grew |= callees.insert(f).second;
    }
  }
  return reach;
}

// Whether argument `arg` of a call is no data, no list, and not simply one of the caller's own.
bool changes(const fun::ExprRef& arg) {
  const fun::Type::Kind kind = arg->type->kind;
  if (kind == fun::Type::Kind::data || kind == fun::Type::Kind::list) return false;
  return arg->kind != Expr::Kind::variable || arg->binding == Expr::Binding::local;
}

}  // namespace

CallGraph call_graph(const fun::Module& module) {
  const auto reach = reachable(module);
  const auto reaches = [&](const std::string& from, const std::string& to) {
    const auto it = reach.find(from);
    return it != reach.end() && it->second.count(to) > 0;
  };
  CallGraph graph;
  for (const fun::Function& f : module.functions) {
    graph.recursive[f.name] = reaches(f.name, f.name);
    for (const fun::Function& g : module.functions)
      if (f.name == g.name || (reaches(f.name, g.name) && reaches(g.name, f.name)))
        graph.together[f.name].push_back(g.name);
  }
  for (const fun::Function& f : module.functions)
    each_expr(f.body, [&](const Expr& e) {
      if (e.kind != Expr::Kind::call || !reaches(e.name, f.name)) return;
      if (std::any_of(e.parts.begin(), e.parts.end(), changes))
        for (const std::string& g : graph.together[f.name]) graph.top_down[g] = true;
    });
  return graph;
}

}  // namespace espalier::eval

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

using Place = std::pair<std::string, std::size_t>;  // an argument of a function

// Whether argument `arg` of a call in `f` is no data, no list, and not simply one of f's own that
// does not change.
bool changes(const fun::Function& f, const fun::ExprRef& arg, const std::set<Place>& changed) {
  const fun::Type::Kind kind = arg->type->kind;
  if (kind == fun::Type::Kind::data || kind == fun::Type::Kind::list) return false;
  if (arg->kind != Expr::Kind::variable || arg->binding == Expr::Binding::local) return true;
  for (std::size_t i = 0; i < f.args.size(); ++i)
    if (f.args[i].named.name == arg->name && changed.count({f.name, i})) return true;
  return false;
}

bool takes_data(const fun::Function& f) {
  return std::any_of(f.args.begin(), f.args.end(), [](const fun::Argument& arg) {
    return arg.named.type->kind == fun::Type::Kind::data;
  });
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
  const auto within = [&](const fun::Function& f, const Expr& e) {
    return e.kind == Expr::Kind::call && reaches(e.name, f.name);
  };
  std::set<Place> changed;
  for (bool grew = true; grew;) {
    grew = false;
    for (const fun::Function& f : module.functions)
      each_expr(f.body, [&](const Expr& e) {
        for (std::size_t i = 0; within(f, e) && i < e.parts.size(); ++i)
          if (changes(f, e.parts[i], changed)) grew |= changed.insert({e.name, i}).second;
      });
  }
  for (const Place& place : changed)
    if (takes_data(*module.find_function(place.first)))
      for (const std::string& g : graph.together[place.first]) graph.top_down[g] = true;
  for (const fun::Function& f : module.functions)
    for (const fun::Function& g : module.functions)
      if (!graph.recursive[f.name] && graph.top_down[g.name] && reaches(f.name, g.name))
        graph.calls_down[f.name] = true;
  return graph;
}

}  // namespace espalier::eval

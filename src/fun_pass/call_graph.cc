#include "fun_pass/call_graph.h"

#include "fun_pass/rebuilder.h"

namespace espalier::fun_pass {

CallGraph call_graph(const fun::Module& module) {
  CallGraph graph;
  for (const fun::Function& f : module.functions) {
    std::set<std::string>& called = graph[f.name];
    visit(f.body, [&](const fun::Expr& e) {
      if (e.kind == fun::Expr::Kind::call) called.insert(e.name);
    });
  }
  return graph;
}

std::set<std::string> reachable(const CallGraph& graph, const std::string& from) {
  std::set<std::string> reached;
  const auto first = graph.find(from);
  if (first == graph.end()) return reached;
  std::vector<std::string> todo(first->second.begin(), first->second.end());
  while (!todo.empty()) {
    const std::string name = todo.back();
    todo.pop_back();
    if (!reached.insert(name).second) continue;
    const auto next = graph.find(name);
    if (next != graph.end()) todo.insert(todo.end(), next->second.begin(), next->second.end());
  }
  return reached;
}

std::vector<std::vector<std::string>> recursions(const fun::Module& module) {
  const CallGraph graph = call_graph(module);
  std::map<std::string, std::set<std::string>> reached;
  for (const fun::Function& f : module.functions) reached[f.name] = reachable(graph, f.name);
  std::vector<std::vector<std::string>> out;
  std::set<std::string> seen;
  for (const fun::Function& f : module.functions) {
    if (!reached[f.name].count(f.name) || seen.count(f.name)) continue;
    out.emplace_back();
    for (const fun::Function& g : module.functions)
      if (reached[f.name].count(g.name) && reached[g.name].count(f.name)) {
        out.back().push_back(g.name);
        seen.insert(g.name);
      }
  }
  return out;
}

std::set<std::string> live_functions(const fun::Module& module) {
  const CallGraph graph = call_graph(module);
  std::set<std::string> live;
  const auto add = [&](const std::string& name) {
    live.insert(name);
    for (const std::string& each : reachable(graph, name)) live.insert(each);
  };
  for (const fun::Entry& entry : module.entries) add(entry.function);
  for (const fun::Gradient& gradient : module.gradients) add(gradient.of);
  return live;
}

}  // namespace espalier::fun_pass

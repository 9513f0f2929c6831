// espalier explain
#include <fmt/format.h>

#include <set>

#include "driver/lowering.h"
#include "driver/verbs.h"
#include "loop/build.h"

namespace espalier::driver {
namespace {

const loop::Function* find(const loop::Module& module, const std::string& name) {
  for (const loop::Function& f : module.functions)
    if (f.name == name) return &f;
  return nullptr;
}

void each_statement(const std::vector<loop::Stmt>& body,
                    const std::function<void(const loop::Stmt&)>& f) {
  for (const loop::Stmt& s : body) {
    f(s);
    each_statement(s.body, f);
    each_statement(s.other, f);
  }
}

void print_comment(const std::string& comment, const std::string& margin) {
  std::size_t begin = 0;
  while (begin < comment.size()) {
    const std::size_t end = std::min(comment.find('\n', begin), comment.size());
    fmt::print("{}{}\n", margin, comment.substr(begin, end - begin));
    begin = end + 1;
  }
}

// A function and, indented, those that it calls: each once.
void explain_function(const loop::Module& module, const std::string& name, int depth,
                      std::set<std::string>& seen) {
  const loop::Function* f = find(module, name);
  if (!f || !seen.insert(name).second) return;
  const std::string margin(static_cast<std::size_t>(2 * depth), ' ');
  fmt::print("{}{}\n", margin, name);
  print_comment(f->comment, margin + "  ");
  int barriers = 0;
  each_statement(f->body, [&](const loop::Stmt& s) {
    barriers += s.kind == loop::Stmt::Kind::barrier;
  });
  if (barriers > 0) fmt::print("{}  barriers a level: {}\n", margin, barriers);
  each_statement(f->body, [&](const loop::Stmt& s) {
    if (s.kind == loop::Stmt::Kind::call) explain_function(module, s.name, depth + 1, seen);
  });
}

}  // namespace

bool explain(Session& session) {
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  const loop::Module& module = *lowered->program.loop;
  std::set<std::string> seen;
  if (!module.prepare.empty()) fmt::print("once for each set of weights:\n");
  for (const std::string& name : module.prepare) explain_function(module, name, 1, seen);
  for (const loop::Entry& entry : module.entries) {
    fmt::print("entry {}:\n", entry.name);
    for (const loop::Class& c : entry.classes)
      fmt::print("  class {}: {}\n", c.name,
                 c.part == loop::Class::Part::any     ? "all nodes of its variant"
                 : c.part == loop::Class::Part::empty ? "the nodes without children, done apart"
                                                      : "the nodes with children");
    for (const std::string& kernel : entry.kernels) explain_function(module, kernel, 1, seen);
  }
  return true;
}

}  // namespace espalier::driver

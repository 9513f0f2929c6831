// espalier explain
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "driver/lowering.h"
#include "driver/verbs.h"
#include "loop/build.h"

namespace espalier::driver {
namespace {

const loop::Function* find(const loop::Module& module, const std::string& name) {
  const auto it = std::find_if(module.functions.begin(), module.functions.end(),
                               [&](const loop::Function& f) { return f.name == name; });
  return it == module.functions.end() ? nullptr : &*it;
}

void print_comment(const loop::Function& function, const std::string& indent) {
  std::istringstream lines(loop::whole_comment(function));
  for (std::string line; std::getline(lines, line);) fmt::print("{}{}\n", indent, line);
}

void print_function(const loop::Module& module, const std::string& name, int depth);

// The functions that are called, in order; a tile, called for every number of rows, once.
void print_calls(const loop::Module& module, const std::vector<loop::Stmt>& body, int depth) {
  std::string last;
  loop::visit_statements(body, [&](const loop::Stmt& s) {
    if (s.kind != loop::Stmt::Kind::call || s.name == last) return;
    last = s.name;
    print_function(module, s.name, depth);
  });
}

void print_function(const loop::Module& module, const std::string& name, int depth) {
  const loop::Function* found = find(module, name);
  if (found == nullptr) return;  // of the runtime
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  int barriers = 0;
  loop::visit_statements(found->body, [&](const loop::Stmt& s) {
    barriers += s.kind == loop::Stmt::Kind::barrier ? 1 : 0;
  });
  fmt::print("{}{}{}\n", indent, name,
             barriers > 0 ? fmt::format(", barriers a level: {}", barriers) : "");
  print_comment(*found, indent + "  ");
  print_calls(module, found->body, depth + 1);
}

}  // namespace

// What is said of each kernel is its comment in the emitted source.
bool explain(Session& session) {
  session.options.no_weights = true;  // they do not matter here
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  const loop::Module& module = *lowered->program.loop;
  if (!module.prepare.empty()) fmt::print("prepare, once per set of weights:\n");
  for (const std::string& function : module.prepare) print_function(module, function, 1);
  for (const loop::Entry& entry : module.entries) {
    fmt::print("entry {}, kernels in the order in which they run:\n", entry.name);
    for (const std::string& kernel : entry.kernels) print_function(module, kernel, 1);
  }
  return true;
}

}  // namespace espalier::driver

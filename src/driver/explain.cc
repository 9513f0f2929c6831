// espalier explain
#include <fmt/format.h>

#include <sstream>

#include "base/bug.h"
#include "driver/lowering.h"
#include "driver/verbs.h"
#include "loop/build.h"
#include "loop/queries.h"

namespace espalier::driver {
namespace {

const loop::Function& named(const loop::Module& module, const std::string& name) {
  for (const loop::Function& f : module.functions)
    if (f.name == name) return f;
  throw Bug("no function " + name);
}

void print_comment(const loop::Function& function, const std::string& indent) {
  std::istringstream lines(loop::whole_comment(function));
  for (std::string line; std::getline(lines, line);) fmt::print("{}{}\n", indent, line);
}

void print_function(const loop::Module& module, const loop::Function& function, int depth) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  int barriers = 0;
  loop::visit_statements(function.body, [&](const loop::Stmt& s) {
    barriers += s.kind == loop::Stmt::Kind::barrier ? 1 : 0;
  });
  fmt::print("{}{}{}\n", indent, function.name,
             barriers > 0 ? fmt::format(", barriers a level: {}", barriers) : "");
  print_comment(function, indent + "  ");
  for (const loop::Function* callee : loop::callees(module, function))
    print_function(module, *callee, depth + 1);
}

}  // namespace

// What is said of each kernel is its comment in the emitted source.
bool explain(Session& session) {
  session.options.no_weights = true;  // they do not matter here
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  const loop::Module& module = *lowered->program.loop;
  if (!module.prepare.empty()) fmt::print("prepare, once per set of weights:\n");
  for (const std::string& function : module.prepare)
    print_function(module, named(module, function), 1);
  for (const loop::Entry& entry : module.entries) {
    fmt::print("entry {}, kernels in the order in which they run:\n", entry.name);
    for (const std::string& kernel : entry.kernels)
      print_function(module, named(module, kernel), 1);
  }
  return true;
}

}  // namespace espalier::driver

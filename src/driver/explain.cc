// espalier explain
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "driver/lowering.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

const loop::Function* find(const loop::Module& module, const std::string& name) {
  const auto it = std::find_if(module.functions.begin(), module.functions.end(),
                               [&](const loop::Function& f) { return f.name == name; });
  return it == module.functions.end() ? nullptr : &*it;
}

void print_function(const loop::Module& module, const std::string& name) {
  const loop::Function* found = find(module, name);
  if (found == nullptr) return;
  const loop::Function& function = *found;
  fmt::print("  {}\n", function.name);
  std::istringstream lines(function.comment);
  for (std::string line; std::getline(lines, line);) fmt::print("    {}\n", line);
}

}  // namespace

// What is said of each kernel is its comment in the emitted source.
bool explain(Session& session) {
  session.options.no_weights = true;  // they do not matter here
  const Result<Lowered> lowered = lower(Stage::loop, session);
  if (!lowered) return false;
  const loop::Module& module = *lowered->program.loop;
  if (!module.prepare.empty()) fmt::print("prepare, once per set of weights:\n");
  for (const std::string& function : module.prepare) print_function(module, function);
  for (const loop::Entry& entry : module.entries) {
    fmt::print("entry {}, kernels in the order in which they run:\n", entry.name);
    for (const std::string& kernel : entry.kernels) print_function(module, kernel);
  }
  return true;
}

}  // namespace espalier::driver

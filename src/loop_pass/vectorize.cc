#include "loop_pass/vectorize.h"

#include "loop/build.h"
#include "loop/lanes.h"

namespace espalier::loop_pass {

using loop::Function;
using loop::Stmt;

namespace {

constexpr std::int64_t most_lanes = 16;

bool try_loop(const loop::Module& module, const Function& function, Stmt& s) {
  const auto first = loop::known_value(s.begin), last = loop::known_value(s.end);
  if (!first || !last || s.down || s.step || *first % most_lanes != 0) return false;
  if (*last - *first < 2) return false;
  auto made = loop::lanes_of(module, function.body, {s.name, *last, s.end->name}, s.body);
  if (!made || made->stores == 0) return false;
  if (*last % most_lanes != 0) {
    if (!made->row_end) return false;
    s.end = made->row_end;
  }
  s.body = std::move(made->body);
  s.loop = Stmt::Loop::vector;
  s.step = loop::constant("lanes", 0);
  return true;
}

void rewrite(const loop::Module& module, const Function& function, std::vector<Stmt>& body) {
  for (Stmt& s : body) {
    if (s.kind == Stmt::Kind::loop && s.loop == Stmt::Loop::serial && try_loop(module, function, s))
      continue;
    rewrite(module, function, s.body);
    rewrite(module, function, s.other);
  }
}

}  // namespace

void vectorize(loop::Module& module) {
  for (Function& function : module.functions) {
    const Function before = function;
    rewrite(module, before, function.body);
  }
}

}  // namespace espalier::loop_pass

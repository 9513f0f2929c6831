#include "to_loop/functions.h"

#include <algorithm>
#include <iterator>

#include "loop/queries.h"
#include "loop/unused.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::Expr;
using loop::Function;

namespace {

// Names outside of its own scopes that a body mentions, and the structs that it reaches into.
struct Uses {
  std::set<std::string> names;
  std::set<int> buffers;
};

Uses uses_of(const std::vector<Stmt>& body) {
  Uses uses;
  for (const Stmt& s : body)
    loop::visit(s, [&](const Expr& e) {
      if (e.buffer >= 0) uses.buffers.insert(e.buffer);
      if (e.kind == Expr::Kind::variable || e.buffer < 0)
        uses.names.insert(e.name.substr(0, e.name.find('.')));
    });
  loop::visit_statements(body, [&](const Stmt& s) {
    if (s.buffer >= 0) uses.buffers.insert(s.buffer);
    switch (s.kind) {
      case Stmt::Kind::barrier:
        uses.names.insert("barrier");
        if (!s.name.empty()) uses.names.insert({"w", "member"});
        break;
      case Stmt::Kind::share: uses.names.insert({"member", "members"}); break;
      case Stmt::Kind::fail: uses.names.insert({"w", "member"}); break;
      case Stmt::Kind::leave:
        if (!s.name.empty()) uses.names.insert({"w", "member"});
        break;
      default: break;
    }
  });
  return uses;
}

}  // namespace

int finish_function(Context& context, Function function, const std::map<int, std::string>& outputs,
                    const std::vector<loop::Param>& more) {
  loop::drop_unused(&function.body);
  Uses uses = uses_of(function.body);
  std::set<std::string> own;
  loop::visit_statements(function.body, [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::let || s.kind == Stmt::Kind::loop) own.insert(s.name);
  });
  for (const int buffer : uses.buffers) {
    if (outputs.count(buffer)) continue;
    switch (context.shared.module.buffer(buffer).space) {
      case Buffer::Space::weights: uses.names.insert("weights"); break;
      case Buffer::Space::prepared: uses.names.insert("m"); break;
      case Buffer::Space::structure: uses.names.insert("g"); break;
      case Buffer::Space::workspace:
      case Buffer::Space::scratch: uses.names.insert("w"); break;
      case Buffer::Space::constants: break;
    }
  }
  const loop::Param known[] = {{"const Weights&", "weights"},
                               {"const Model&", "m"},
                               {"const " + context.shared.module.structure_type + "&", "g"},
                               {"const " + context.shared.module.workspace_type + "&", "w"},
                               {"espalier::Barrier&", "barrier"},
                               {"int", "level"},
                               {"int", "first"},
                               {"int", "offset"},
                               {"int", "begin"},
                               {"int", "end"},
                               {"int", "member"},
                               {"int", "members"}};
  for (const loop::Param& param : known)
    if (uses.names.count(param.name) && !own.count(param.name)) function.params.push_back(param);
  for (const auto& [buffer, name] : outputs) {
    const Buffer& b = context.shared.module.buffer(buffer);
    if (uses.buffers.count(buffer) || uses.names.count(name))
      function.params.push_back({loop::cpp_type(b.dtype) + "*", name});
  }
  function.params.insert(function.params.end(), more.begin(), more.end());
  std::vector<Function>& all = context.shared.module.functions;
  if (outputs.empty())  // what several entries do stands there once
    for (std::size_t i = 0; i < all.size(); i++)
      if (loop::equal(all[i], function)) {
        std::vector<std::int64_t> both;
        std::set_union(all[i].lines.begin(), all[i].lines.end(), function.lines.begin(),
                       function.lines.end(), std::back_inserter(both));
        all[i].lines = std::move(both);
        return static_cast<int>(i);
      }
  function.name = context.shared.names.unique(function.name);
  all.push_back(std::move(function));
  return static_cast<int>(all.size()) - 1;
}

Stmt call_of(const Context& context, int function, const std::map<std::string, ExprRef>& other,
             const std::string& tile) {
  const Function& callee = context.shared.module.functions[static_cast<std::size_t>(function)];
  Stmt made = loop::simple(Stmt::Kind::call);
  made.name = callee.name;
  made.tile = tile;
  for (const loop::Param& param : callee.params) {
    const auto given = other.find(param.name);
    made.args.push_back(given != other.end() ? given->second : loop::variable(param.name));
  }
  return made;
}

}  // namespace espalier::to_loop

// Structural recursion over the forest: arguments go down in one sweep, results come up in another.
#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using fun::Role;
using wave::Opcode;
using Input = wave::Value::Kind;

const fun::Recursion* Lowerer::recursion_of(const std::string& function) const {
  for (const fun::Recursion& r : module_.recursions)
    if (std::find(r.functions.begin(), r.functions.end(), function) != r.functions.end()) return &r;
  return nullptr;
}

Group* Lowerer::active(const fun::Recursion& r) {
  for (auto g = active_.rbegin(); g != active_.rend(); ++g)
    if ((*g)->recursion == &r) return *g;
  return nullptr;
}

AbsRef Lowerer::lower_call(const Expr& e, const Env& env) {
  std::vector<AbsRef> args;
  for (const fun::ExprRef& a : e.parts) args.push_back(lower(a, env));
  return call_function(*module_.find_function(e.name), args, e.loc);
}

AbsRef Lowerer::call_function(const fun::Function& f, const std::vector<AbsRef>& args, Loc loc) {
  const fun::Recursion* r = recursion_of(f.name);
  if (!r) {
    Env env;
    for (std::size_t i = 0; i < args.size(); i++) env[f.args[i].named.name] = args[i];
    const Program::At at(p_, f.body->loc);
    return lower(f.body, env);
  }
  Expr call;
  call.kind = Expr::Kind::call;
  call.name = f.name;
  call.loc = loc;
  call.type = f.returns;
  const AbsRef& on = args[static_cast<std::size_t>(r->structural.at(f.name))];
  if (Group* g = active(*r)) {
    if (r->over_lists && on->part != Abs::Part::whole && on->list == g->list)
      return inner_list_call(*g, call, args);
    if (!r->over_lists && on->kind == Abs::Kind::node && same_tree(on->built, g->carrier))
      return inner_call(*g, call, args);
  }
  return outer_call(*r, call, args);
}

// ---- Calls within the recursion ----

// Is a recursion over a list, run within one over data, lowered for its own arguments? What it
// passes to children it passes again when it is lowered for results.
bool Lowerer::gathering() const {
  return !active_.empty() && active_.back()->recursion->over_lists &&
         active_.back()->phase == Group::Phase::arguments;
}

AbsRef Lowerer::inner_call(Group& g, const Expr& e, const std::vector<AbsRef>& args) {
  const AbsRef& node = args[static_cast<std::size_t>(g.recursion->structural.at(e.name))];
  if (g.phase == Group::Phase::arguments && !gathering()) send_arguments(g, e, node, args);
  const auto built = g.built.find(e.name);
  if (built != g.built.end()) {
    auto a = std::make_shared<Abs>(*node);
    a->type = e.type->name;
    a->built = built->second;
    return a;
  }
  if (g.phase == Group::Phase::arguments) return zero_of(e.type, e.loc);
  return load_leaves(e.type, g.results.at(e.name), value_of(p_.move(*node)), e.loc);
}

// ---- Calls from outside: the recursion is lowered where it is first called ----

AbsRef Lowerer::outer_call(const fun::Recursion& r, const Expr& e,
                           const std::vector<AbsRef>& args) {
  const fun::Function& f = *module_.find_function(e.name);
  const AbsRef& on = args[static_cast<std::size_t>(r.structural.at(f.name))];
  auto group = std::make_unique<Group>();
  group->recursion = &r;
  group->outer = f.name;
  group->carrier = on->built;
  if (r.over_lists) {
    group->list = on->list;
    groups_.push_back(std::move(group));
    return outer_list_call(*groups_.back(), f, args, e.loc);
  }
  if (on->kind != Abs::Kind::node)
    refuse(Kind::not_lowered_local_recursion, e.loc,
           "'" + f.name + "' recurs over data that the program makes itself, not over an argument");
  bind_unchanging(*group, f, args);
  if (group->down &&
      (on->slot == wave::none || p_.domain(on->slot).kind != wave::Domain::Kind::calls))
    refuse(Kind::not_lowered_top_down_call, e.loc,
           "'" + f.name +
               "' passes values down and is called with something else than an entry's "
               "own argument, which cannot be compiled yet");
  for (const auto& g : groups_) {
    if (g->recursion != &r || !same_tree(g->carrier, group->carrier) || group->down || g->down)
      continue;
    bool same = true;
    for (const auto& [name, bound] : g->bound)
      for (std::size_t i = 0; i < bound.size(); i++) same &= bound[i] == group->bound[name][i];
    if (same) return result_at(*g, f.name, on);
  }
  groups_.push_back(std::move(group));
  Group& g = *groups_.back();
  const Program::Fresh fresh(p_);
  active_.push_back(&g);
  // Results that change with no caller are made here for all of them, also those that want checks.
  const bool was_quiet = quiet_;
  quiet_ = quiet_ && g.down;
  if (g.down) lower_down(g, args);
  const bool all_built = g.built.size() == r.functions.size();
  if (!all_built || !g.down) lower_up(g);
  quiet_ = was_quiet;
  g.phase = Group::Phase::done;
  active_.pop_back();
  return result_at(g, f.name, on);
}

AbsRef Lowerer::result_at(const Group& g, const std::string& function, const AbsRef& node) {
  const fun::Function& f = *module_.find_function(function);
  const auto built = g.built.find(function);
  if (built == g.built.end())
    return load_leaves(f.returns, g.results.at(function), value_of(p_.move(*node)), f.loc);
  auto a = std::make_shared<Abs>(*node);
  a->type = f.returns->name;
  a->built = built->second;
  return a;
}

namespace {

bool everywhere(const AbsRef& a) {
  if (a->kind == Abs::Kind::tuple) return std::all_of(a->parts.begin(), a->parts.end(), everywhere);
  return a->kind == Abs::Kind::tensor && a->domain == wave::none;
}

void visit_calls(const fun::ExprRef& e, const std::function<void(const Expr&)>& f) {
  if (!e) return;
  if (e->kind == Expr::Kind::call) f(*e);
  for (const fun::ExprRef& p : e->parts) visit_calls(p, f);
  for (const fun::Statement& s : e->statements) visit_calls(s.value, f);
  for (const fun::Case& c : e->cases) visit_calls(c.body, f);
  for (const fun::Index& i : e->indices) visit_calls(i.at, f);
}

}  // namespace

// Decides which arguments are the same at every node, and follows them to the other functions.
void Lowerer::bind_unchanging(Group& g, const fun::Function& outer,
                              const std::vector<AbsRef>& args) {
  const fun::Recursion& r = *g.recursion;
  std::vector<std::string> all = r.functions;
  all.insert(all.end(), r.through.begin(), r.through.end());
  for (const std::string& name : all)
    g.bound[name].resize(module_.find_function(name)->args.size());
  const std::vector<Role>& roles = r.roles.at(outer.name);
  for (std::size_t i = 0; i < args.size(); i++)
    if (roles[i] == Role::unchanging && everywhere(args[i])) g.bound[outer.name][i] = args[i];
  bind_others(g, all);
  for (const std::string& name : r.functions) {
    const fun::Function& f = *module_.find_function(name);
    for (std::size_t i = 0; i < f.args.size(); i++)
      g.down |= r.roles.at(name)[i] != Role::structural && !g.bound[name][i];
    if (f.returns->kind == fun::Type::Kind::data && recursive(f.returns->name)) {
      g.built[name] = std::make_shared<Built>();
      g.built[name]->type = f.returns->name;
      g.built[name]->source = g.carrier;
      g.down = true;
    }
  }
  for (const auto& [name, built] : g.built)
    for (const auto& [other, theirs] : g.built) {
      const bool twice = std::any_of(g.built.begin(), g.built.end(), [&](const auto& b) {
        return b.first != other && b.second->type == theirs->type;
      });
      if (!twice) built->together[theirs->type] = theirs;
    }
}

void Lowerer::bind_others(Group& g, const std::vector<std::string>& functions) {
  for (std::size_t round = 0; round < functions.size(); round++)
    for (const std::string& name : functions) {
      const fun::Function& from = *module_.find_function(name);
      visit_calls(from.body, [&](const Expr& call) { propagate(g, from, call); });
    }
}

void Lowerer::propagate(Group& g, const fun::Function& from, const Expr& call) {
  const auto to = g.bound.find(call.name);
  if (to == g.bound.end()) return;
  const std::vector<Role>& roles = g.recursion->roles.at(call.name);
  for (std::size_t i = 0; i < call.parts.size(); i++) {
    if (roles[i] != Role::unchanging || to->second[i]) continue;
    for (std::size_t j = 0; j < from.args.size(); j++)
      if (call.parts[i]->kind == Expr::Kind::variable &&
          call.parts[i]->name == from.args[j].named.name)
        to->second[i] = g.bound[from.name][j];
  }
}

Env Lowerer::group_env(const Group& g, const fun::Function& f, const AbsRef& self,
                       int variant) const {
  Env env;
  const auto structural = static_cast<std::size_t>(g.recursion->structural.at(f.name));
  for (std::size_t i = 0; i < f.args.size(); i++) {
    AbsRef value = i == structural ? self : g.bound.at(f.name)[i];
    if (!value) {
      const auto received = g.arguments.find(f.name);
      if (received != g.arguments.end()) value = received->second.at(variant)[i];
    }
    env[f.args[i].named.name] = value;
  }
  return env;
}

void Lowerer::lower_up(Group& g) {
  g.phase = Group::Phase::results;
  for (const std::string& name : g.recursion->functions) {
    if (g.built.count(name)) continue;
    const fun::Function& f = *module_.find_function(name);
    for (const fun::Leaf& l : leaf_types(f.returns, "", f.loc)) {
      std::vector<std::int64_t> shape;
      for (const fun::Dim& d : l.type->shape) shape.push_back(d.value());
      g.results[name].push_back(
          p_.carry(l.name.empty() ? name : l.name, p_.all(), l.type->dtype, shape));
    }
  }
  p_.open(Op::Kind::sweep_up);
  for (const std::string& name : g.recursion->functions) {
    const fun::Function& f = *module_.find_function(name);
    const auto structural = static_cast<std::size_t>(g.recursion->structural.at(name));
    for (const int v : source_variants(f.args[structural].named.type->name, g.carrier)) {
      const AbsRef self = self_node(f.args[structural].named.type->name, g.carrier, v);
      const Program::Scope scope(p_, self->domain);
      last_ = f.body->loc;
      const Program::Named within(p_, name, last_);
      const AbsRef result = lower(f.body, group_env(g, f, self, v));
      if (g.built.count(name)) {
        build(g, name, v, result, f.loc);
        continue;
      }
      const std::vector<ops::Term> leaves = flatten(result, f.returns, f.loc);
      const std::vector<fun::Leaf> names = leaf_types(f.returns, "", f.loc);
      for (std::size_t i = 0; i < leaves.size(); i++) {
        const Program::Named named(p_, names[i].name.empty() ? name : names[i].name, last_);
        p_.set(g.results[name][i], self->domain, -1, p_.define(leaves[i]));
      }
    }
  }
  p_.close();
}

}  // namespace espalier::to_wave

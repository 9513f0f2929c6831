// Recursion over a list: steps through its items. On `[x, *rest]` results come from the back and
// arguments go to it; on `[*init, x]` the other way round.
#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using fun::Role;
using wave::Opcode;

namespace {

// Does the function take its list apart from the end, `[*init, x]`?
bool takes_last(const fun::ExprRef& e, const std::string& argument) {
  if (!e) return false;
  if (e->kind == Expr::Kind::match && e->parts[0]->kind == Expr::Kind::variable &&
      e->parts[0]->name == argument)
    for (const fun::Case& c : e->cases)
      if (c.pattern->kind == fun::Pattern::Kind::list && c.pattern->starred == 0 &&
          c.pattern->parts.size() > 1)
        return true;
  auto any = [&](const fun::ExprRef& x) { return takes_last(x, argument); };
  return std::any_of(e->parts.begin(), e->parts.end(), any) ||
         std::any_of(e->statements.begin(), e->statements.end(),
                     [&](const fun::Statement& s) { return any(s.value); }) ||
         std::any_of(e->cases.begin(), e->cases.end(),
                     [&](const fun::Case& c) { return any(c.body); });
}

// The list as the recursion's argument: empty (0), or at an item (1).
AbsRef self_list(const AbsRef& list, int variant) {
  auto a = std::make_shared<Abs>(*list);
  a->variant = variant;
  return a;
}

}  // namespace

AbsRef Lowerer::inner_list_call(Group& g, const Expr& e, const std::vector<AbsRef>& args) {
  const fun::Function& f = *module_.find_function(e.name);
  if (g.phase == Group::Phase::results)
    return load_leaves(f.returns, g.previous.at(f.name), p_.path(g.list), e.loc);
  const ScalarRef guard = p_.guard();
  const Id from = p_.here();
  const Program::Fresh fresh(p_);
  const Program::Scope scope(p_, g.list);
  Group::Sent sent{guard ? p_.move(guard, from) : wave::integer(1, Dtype::boolean), {}, e.loc};
  for (std::size_t i = 0; i < f.args.size(); i++) {
    if (g.recursion->roles.at(f.name)[i] == Role::structural || g.bound[f.name][i]) continue;
    for (const ops::Term& t : flatten(args[i], f.args[i].named.type, e.loc)) {
      const Program::Named named(p_, f.args[i].named.name, e.loc);
      sent.values.push_back(p_.define(t));
    }
  }
  g.sent[{g.list, 0}][f.name].calls.push_back(std::move(sent));
  return zero_of(f.returns, e.loc);
}

AbsRef Lowerer::outer_list_call(Group& g, const fun::Function& f, const std::vector<AbsRef>& args,
                                Loc loc) {
  const fun::Recursion& r = *g.recursion;
  const auto structural = static_cast<std::size_t>(r.structural.at(f.name));
  const AbsRef list = whole_list(args[structural], loc);
  if (r.functions.size() > 1)
    refuse(Kind::not_lowered_list_recursion, loc,
           "'" + f.name + "' and '" + r.functions[r.functions[0] == f.name ? 1 : 0] +
               "' recur over one list together, which cannot be lowered");
  if (f.returns->kind == fun::Type::Kind::data && recursive(f.returns->name))
    refuse(Kind::not_lowered_built_value, loc, "'" + f.name + "' builds a tree from a list");
  std::vector<AbsRef>& bound = g.bound[f.name];
  bound.resize(f.args.size());
  for (std::size_t i = 0; i < args.size(); i++)
    if (i != structural && r.roles.at(f.name)[i] == Role::unchanging) bound[i] = args[i];
  g.forward = takes_last(f.body, f.args[structural].named.name);
  const Id l = list->list;
  const Program::Scope at_owner(p_, p_.domain(l).owner);
  const ScalarRef owner = wave::element();
  const ScalarRef some = wave::apply(Opcode::gt, {length(l), wave::integer(0)});
  const ScalarRef first = wave::first(l, owner);
  const ScalarRef last = wave::apply(Opcode::sub, {wave::end(l, owner), wave::integer(1)});

  // Arguments, in the direction of the calls.
  // `previous` means what it does only in the steps that it was made for, so results find what
  // arrived at an item in `kept`.
  std::vector<AbsRef> at_item = bound, at_result = bound, at_end = bound;
  std::vector<std::pair<Id, Id>> kept;  // carry, what it keeps
  active_.push_back(&g);
  g.phase = Group::Phase::arguments;
  std::vector<Id> received;
  for (std::size_t i = 0; i < f.args.size(); i++) {
    if (i == structural || bound[i]) continue;
    g.down = true;
    const fun::TypeRef& type = f.args[i].named.type;
    const auto names = leaf_types(type, f.args[i].named.name, loc);
    const std::vector<ops::Term> initial = flatten(args[i], type, loc);
    std::vector<Id> carries, previous;
    for (std::size_t k = 0; k < initial.size(); k++) {
      carries.push_back(p_.carry("next_" + names[k].name, l, initial[k].dtype, initial[k].shape));
      const Program::Named named(p_, "initial_" + names[k].name, loc);
      previous.push_back(p_.previous(carries.back(), p_.define(initial[k])));
      g.edge_arguments[f.name].push_back(carries.back());
      kept.push_back(
          {p_.carry(names[k].name, l, initial[k].dtype, initial[k].shape), previous.back()});
    }
    {
      const Program::Scope scope(p_, l);
      at_item[i] = load_leaves(type, previous, wave::element(), loc);
      std::vector<Id> arrived;
      for (std::size_t k = kept.size() - initial.size(); k < kept.size(); k++)
        arrived.push_back(kept[k].first);
      at_result[i] = load_leaves(type, arrived, wave::element(), loc);
    }
    at_end[i] =
        merge(some, load_leaves(type, carries, g.forward ? first : last, loc), args[i], loc);
  }
  auto env_of = [&](const AbsRef& self, const std::vector<AbsRef>& values) {
    Env env;
    for (std::size_t i = 0; i < f.args.size(); i++)
      env[f.args[i].named.name] = i == structural ? self : values[i];
    return env;
  };
  if (g.down) {
    const bool was_quiet = quiet_;
    quiet_ = true;
    p_.open(Op::Kind::steps, l, g.forward);
    {
      const Program::Scope scope(p_, l);
      lower(f.body, env_of(self_list(list, 1), at_item));
      const Program::Fresh fresh(p_);
      const std::vector<Group::Sent>& calls = g.sent[{l, 0}][f.name].calls;
      const std::vector<Id>& carries = g.edge_arguments.at(f.name);
      for (std::size_t leaf = 0; leaf < carries.size() && !calls.empty(); leaf++) {
        const Program::Named named(p_, p_.value(carries[leaf]).name, loc);
        p_.set(carries[leaf], l, -1, chosen(calls, leaf));
      }
      for (const auto& [carry, value] : kept) {
        const Program::Named named(p_, p_.value(carry).name, loc);
        p_.set(carry, l, -1, p_.define(p_.load(value)->term));
      }
    }
    p_.close();
    quiet_ = was_quiet;
  }

  // Results, against it.
  g.phase = Group::Phase::results;
  const auto names = leaf_types(f.returns, "", loc);
  const AbsRef empty = lower(f.body, env_of(self_list(list, 0), at_end));
  const std::vector<ops::Term> initial = flatten(empty, f.returns, loc);
  for (std::size_t k = 0; k < initial.size(); k++) {
    const std::string name = names[k].name.empty() ? f.name : names[k].name;
    g.results[f.name].push_back(p_.carry(name, l, initial[k].dtype, initial[k].shape));
    const Program::Named named(p_, "initial_" + name, loc);
    g.previous[f.name].push_back(p_.previous(g.results[f.name].back(), p_.define(initial[k])));
  }
  p_.open(Op::Kind::steps, l, !g.forward);
  {
    const Program::Scope scope(p_, l);
    const AbsRef result = lower(f.body, env_of(self_list(list, 1), at_result));
    const std::vector<ops::Term> leaves = flatten(result, f.returns, loc);
    for (std::size_t k = 0; k < leaves.size(); k++) {
      const Program::Named named(p_, names[k].name.empty() ? f.name : names[k].name, loc);
      p_.set(g.results[f.name][k], l, -1, p_.define(leaves[k]));
    }
  }
  p_.close();
  g.phase = Group::Phase::done;
  active_.pop_back();
  return merge(some, load_leaves(f.returns, g.results[f.name], g.forward ? last : first, loc),
               empty, loc);
}

}  // namespace espalier::to_wave

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

// The list as the recursion's argument: empty (0), or beginning (ending) at an item (1).
AbsRef self_list(const AbsRef& list, int variant, bool forward) {
  auto a = std::make_shared<Abs>(*list);
  a->variant = variant;
  a->part = variant == 0 ? Abs::Part::nothing : forward ? Abs::Part::to_item : Abs::Part::from_item;
  (forward ? a->skip_last : a->skip_first) = 0;
  return a;
}

}  // namespace

// One recursion over one list while it is lowered.
struct Lowerer::Steps {
  Group& g;
  AbsRef list;
  Loc loc;
  ScalarRef some, first, last;  // on the owner: are there items, and which are at the ends
  // Per function: its arguments (but the list) at an item on the way there, at an item on the way
  // back, and behind the last item.
  std::map<std::string, std::vector<AbsRef>> at_item, at_result, at_end;
  // `previous` means what it does only in the steps that it was made for, so results find what
  // arrived at an item in `kept`: a carry, and what it keeps.
  std::vector<std::pair<Id, Id>> kept;
};

AbsRef Lowerer::inner_list_call(Group& g, const Expr& e, const std::vector<AbsRef>& args) {
  const fun::Function& f = *module_.find_function(e.name);
  const AbsRef& rest = args[static_cast<std::size_t>(g.recursion->structural.at(f.name))];
  const int skipped = g.forward ? rest->skip_last : rest->skip_first;
  const bool one_end =
      g.forward ? rest->skip_first == g.skip_first : rest->skip_last == g.skip_last;
  if (skipped != 1 || !one_end)
    refuse(Kind::not_lowered_list_rest, e.loc,
           "'" + f.name +
               "' goes on with a list that lacks more than one item, which cannot be "
               "compiled yet; take one item at a time");
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

// Which arguments are the same at every item; the others change from item to item.
void Lowerer::bind_list_arguments(Group& g, const fun::Function& outer,
                                  const std::vector<AbsRef>& args, Loc loc) {
  const fun::Recursion& r = *g.recursion;
  for (const std::string& name : r.functions)
    g.bound[name].resize(module_.find_function(name)->args.size());
  for (std::size_t i = 0; i < args.size(); i++)
    if (r.roles.at(outer.name)[i] == Role::unchanging) g.bound[outer.name][i] = args[i];
  bind_others(g, r.functions);
  for (const std::string& name : r.functions) {
    const fun::Function& f = *module_.find_function(name);
    if (f.returns->kind == fun::Type::Kind::data && recursive(f.returns->name))
      refuse(Kind::not_lowered_built_list, loc,
             "'" + name + "' builds a tree from a list, which cannot be compiled yet");
    for (std::size_t i = 0; i < f.args.size(); i++)
      g.down |= r.roles.at(name)[i] != Role::structural && !g.bound[name][i];
    const std::string& list = f.args[static_cast<std::size_t>(r.structural.at(name))].named.name;
    const bool last = takes_last(f.body, list);
    if (name != r.functions[0] && last != g.forward)
      refuse(Kind::not_lowered_list_recursion, loc,
             "'" + r.functions[0] + "' and '" + name +
                 "' recur over one list from different ends, which cannot be compiled yet");
    g.forward = last;
  }
  if (g.down && r.functions.size() > 1)
    refuse(Kind::not_lowered_list_recursion, loc,
           "'" + r.functions[0] + "' and '" + r.functions[1] +
               "' recur over one list together and pass values on to each other, which cannot be "
               "compiled yet; make them one function");
}

AbsRef Lowerer::outer_list_call(Group& g, const fun::Function& f, const std::vector<AbsRef>& args,
                                Loc loc) {
  const fun::Recursion& r = *g.recursion;
  AbsRef list = whole_list(args[static_cast<std::size_t>(r.structural.at(f.name))], loc);
  std::vector<AbsRef> others = args;
  others.erase(others.begin() + r.structural.at(f.name));
  list = meeting(list, others);
  g.list = list->list;
  bind_list_arguments(g, f, args, loc);
  g.skip_first = list->skip_first;
  g.skip_last = list->skip_last;
  const Program::Scope at_owner(p_, p_.domain(list->list).owner);
  const Span s = span(*list);
  Steps steps{g,       list,
              loc,     wave::apply(Opcode::gt, {length(*list), wave::integer(0)}),
              s.start, wave::apply(Opcode::sub, {s.stop, wave::integer(1)}),
              g.bound, g.bound,
              g.bound, {}};
  active_.push_back(&g);
  if (g.down) {
    g.phase = Group::Phase::arguments;
    receive_along(steps, f, args);
    lower_along(steps, f);
  }
  g.phase = Group::Phase::results;
  std::map<std::string, AbsRef> empty;
  for (const std::string& name : r.functions) empty[name] = result_at_end(steps, name);
  lower_back(steps);
  g.phase = Group::Phase::done;
  active_.pop_back();
  const ScalarRef& whole = g.forward ? steps.last : steps.first;
  return merge(steps.some, load_leaves(f.returns, g.results[f.name], whole, loc), empty.at(f.name),
               loc);
}

// The arguments of `f` at the items: those of the call at the first, those sent at the others.
void Lowerer::receive_along(Steps& steps, const fun::Function& f, const std::vector<AbsRef>& args) {
  Group& g = steps.g;
  const Id l = steps.list->list;
  for (std::size_t i = 0; i < f.args.size(); i++) {
    if (g.recursion->roles.at(f.name)[i] == Role::structural || g.bound[f.name][i]) continue;
    const fun::TypeRef& type = f.args[i].named.type;
    const auto names = leaf_types(type, f.args[i].named.name, steps.loc);
    const std::vector<ops::Term> initial = flatten(args[i], type, steps.loc);
    std::vector<Id> carries, previous, arrived;
    for (std::size_t k = 0; k < initial.size(); k++) {
      carries.push_back(p_.carry("next_" + names[k].name, l, initial[k].dtype, initial[k].shape));
      const Program::Named named(p_, "initial_" + names[k].name, steps.loc);
      previous.push_back(p_.previous(carries.back(), p_.define(initial[k])));
      g.edge_arguments[f.name].push_back(carries.back());
      arrived.push_back(p_.carry(names[k].name, l, initial[k].dtype, initial[k].shape));
      steps.kept.push_back({arrived.back(), previous.back()});
    }
    {
      const Program::Scope scope(p_, l);
      steps.at_item[f.name][i] = load_leaves(type, previous, wave::element(), steps.loc);
      steps.at_result[f.name][i] = load_leaves(type, arrived, wave::element(), steps.loc);
    }
    const ScalarRef& end = g.forward ? steps.first : steps.last;
    steps.at_end[f.name][i] =
        merge(steps.some, load_leaves(type, carries, end, steps.loc), args[i], steps.loc);
  }
}

Env Lowerer::list_env(const Steps& steps, const fun::Function& f, int variant,
                      const std::vector<AbsRef>& values) const {
  Env env;
  const auto structural = static_cast<std::size_t>(steps.g.recursion->structural.at(f.name));
  for (std::size_t i = 0; i < f.args.size(); i++)
    env[f.args[i].named.name] =
        i == structural ? self_list(steps.list, variant, steps.g.forward) : values[i];
  return env;
}

// Arguments, in the direction of the calls. Items that are left out pass on what arrives.
void Lowerer::lower_along(Steps& steps, const fun::Function& f) {
  Group& g = steps.g;
  const Id l = steps.list->list;
  const bool was_quiet = quiet_;
  quiet_ = true;
  p_.open(Op::Kind::steps, l, g.forward);
  {
    const Program::Scope scope(p_, l);
    const ScalarRef in = inside(*steps.list);
    {
      const Program::Where where(p_, in);
      const Program::Named within(p_, f.name, f.body->loc);
      lower(f.body, list_env(steps, f, 1, steps.at_item.at(f.name)));
    }
    const Program::Fresh fresh(p_);
    const std::vector<Group::Sent>& calls = g.sent[{l, 0}][f.name].calls;
    const std::vector<Id>& carries = g.edge_arguments.at(f.name);
    for (std::size_t leaf = 0; leaf < carries.size() && !calls.empty(); leaf++) {
      const Program::Named named(p_, p_.value(carries[leaf]).name, steps.loc);
      AbsRef next = p_.load(chosen(calls, leaf));
      if (in) next = merge(in, next, p_.load(steps.kept[leaf].second), steps.loc);
      p_.set(carries[leaf], l, -1, p_.define(next->term));
    }
    for (const auto& [carry, value] : steps.kept) {
      const Program::Named named(p_, p_.value(carry).name, steps.loc);
      p_.set(carry, l, -1, p_.define(p_.load(value)->term));
    }
  }
  p_.close();
  quiet_ = was_quiet;
}

// The result for [], from which those at the items begin.
AbsRef Lowerer::result_at_end(Steps& steps, const std::string& function) {
  Group& g = steps.g;
  const fun::Function& f = *module_.find_function(function);
  last_ = f.body->loc;
  const Program::Named within(p_, f.name, last_);
  const AbsRef empty = lower(f.body, list_env(steps, f, 0, steps.at_end.at(function)));
  const auto names = leaf_types(f.returns, "", steps.loc);
  const std::vector<ops::Term> initial = flatten(empty, f.returns, steps.loc);
  for (std::size_t k = 0; k < initial.size(); k++) {
    const std::string name = names[k].name.empty() ? f.name : names[k].name;
    g.results[f.name].push_back(
        p_.carry(name, steps.list->list, initial[k].dtype, initial[k].shape));
    const Program::Named named(p_, "initial_" + name, last_);
    g.previous[f.name].push_back(p_.previous(g.results[f.name].back(), p_.define(initial[k])));
  }
  return empty;
}

// Results, against the direction of the calls.
void Lowerer::lower_back(Steps& steps) {
  Group& g = steps.g;
  const Id l = steps.list->list;
  p_.open(Op::Kind::steps, l, !g.forward);
  for (const std::string& name : g.recursion->functions) {
    const fun::Function& f = *module_.find_function(name);
    const Program::Scope scope(p_, l);
    const ScalarRef in = inside(*steps.list);
    AbsRef result;
    last_ = f.body->loc;
    const Program::Named within(p_, name, last_);
    {
      const Program::Where where(p_, in);
      result = lower(f.body, list_env(steps, f, 1, steps.at_result.at(name)));
    }
    if (in)
      result = merge(in, result, load_leaves(f.returns, g.previous[name], p_.path(l), steps.loc),
                     steps.loc);
    const auto names = leaf_types(f.returns, "", steps.loc);
    const std::vector<ops::Term> leaves = flatten(result, f.returns, steps.loc);
    for (std::size_t k = 0; k < leaves.size(); k++) {
      const Program::Named named(p_, names[k].name.empty() ? name : names[k].name, last_);
      p_.set(g.results[name][k], l, -1, p_.define(leaves[k]));
    }
  }
  p_.close();
}

}  // namespace espalier::to_wave

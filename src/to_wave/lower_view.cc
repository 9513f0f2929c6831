// Which items of which list: the whole of it, without its ends, of another element.
#include <set>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using wave::Opcode;

namespace {

ScalarRef plus(const ScalarRef& a, int b) {
  return b == 0 ? a : wave::apply(Opcode::add, {a, wave::integer(b)});
}

ScalarRef with_element(const ScalarRef& s, const ScalarRef& to) {
  return wave::rewrite(s, [&](const ScalarRef& x) {
    return x->kind == wave::Scalar::Kind::element ? to : ScalarRef();
  });
}

}  // namespace

void free_variables(const fun::ExprRef& e, std::set<std::string>& out) {
  if (!e) return;
  if (e->kind == fun::Expr::Kind::variable &&
      (e->binding == fun::Expr::Binding::local || e->binding == fun::Expr::Binding::argument))
    out.insert(e->name);
  for (const fun::ExprRef& p : e->parts) free_variables(p, out);
  for (const fun::Statement& s : e->statements) free_variables(s.value, out);
  for (const fun::Case& c : e->cases) free_variables(c.body, out);
  for (const fun::Index& i : e->indices) free_variables(i.at, out);
}

AbsRef Lowerer::list_abs(Id list, AbsRef item) {
  auto a = make_abs(Abs::Kind::list);
  a->list = list;
  a->domain = p_.domain(list).owner;
  a->parts = {std::move(item)};
  return a;
}

AbsRef Lowerer::like(const AbsRef& list, AbsRef item) {
  auto a = std::make_shared<Abs>(*list);
  a->parts = {std::move(item)};
  return a;
}

// `item`, a value on domain `of` or one outside it, at the element `index` (on the context) of
// `of`.
AbsRef Lowerer::item_at(const AbsRef& item, const ScalarRef& index, Id of, Loc loc) {
  auto out = std::make_shared<Abs>(*item);
  if (item->kind == Abs::Kind::list) {
    {
      const Program::Scope scope(p_, of);
      out->of_owner = item->of_owner ? p_.move(item->of_owner, item->domain)
                                     : p_.path(p_.domain(item->list).owner);
    }
    out->of_owner = with_element(out->of_owner, index);
    out->domain = p_.here();
    return out;
  }
  for (AbsRef& p : out->parts)
    if (p) p = item_at(p, index, of, loc);
  out->slot = wave::none;  // another item's child is not the one at hand
  if (item->term.at && item->domain != wave::none && item->domain != p_.once()) {
    {
      const Program::Scope scope(p_, of);
      out->term = p_.move(*item);
    }
    out->domain = p_.here();
    out->variant = item->kind == Abs::Kind::data ? item->variant : -1;
    out->term = at_element(out->term, index);
  }
  return out;
}

Lowerer::Span Lowerer::span(const Abs& list) const {
  const Id l = list.list;
  const ScalarRef owner =
      list.of_owner ? p_.move(list.of_owner, list.domain) : p_.path(p_.domain(l).owner);
  Span s{wave::first(l, owner), wave::end(l, owner)};
  if (list.part == Abs::Part::from_item) s.start = p_.path(l);
  if (list.part == Abs::Part::to_item) s.stop = plus(p_.path(l), 1);
  return {plus(s.start, list.skip_first), plus(s.stop, -list.skip_last)};
}

ScalarRef Lowerer::length(const Abs& list) const {
  const std::int64_t fixed = p_.domain(list.list).length;
  if (list.part == Abs::Part::nothing) return wave::integer(0);
  if (fixed >= 0 && list.part == Abs::Part::whole)
    return wave::integer(fixed - list.skip_first - list.skip_last);
  const Span s = span(list);
  return wave::apply(Opcode::sub, {s.stop, s.start});
}

// Is the context's element, an item of the list's domain, one of the list? Null: always.
ScalarRef Lowerer::inside(const Abs& list) const {
  if (list.skip_first == 0 && list.skip_last == 0) return nullptr;
  const Span s = span(list);
  const ScalarRef e = p_.path(list.list);
  return wave::apply(Opcode::logical_and,
                     {wave::apply(Opcode::ge, {e, s.start}), wave::apply(Opcode::lt, {e, s.stop})});
}

// The items of a list once more for each element of the context: of the list of an element that
// encloses it; or, where the context is an item of that very list, the items from it on or up to
// it.
AbsRef Lowerer::pairs(const AbsRef& list) {
  using Side = wave::Domain::Side;
  const Id l = list->list;
  const Side side = list->part == Abs::Part::from_item ? Side::from
                    : list->part == Abs::Part::to_item ? Side::to
                                                       : Side::whole;
  const Id owner = side == Side::whole ? p_.here() : l;
  const Id made = p_.pairs(owner, l, side);
  AbsRef item;
  {
    const Program::Scope scope(p_, made);
    const ScalarRef begin =
        side == Side::from ? p_.path(l) : wave::first(l, p_.path(p_.domain(l).owner));
    const ScalarRef position =
        wave::apply(Opcode::sub, {wave::element(), wave::first(made, p_.path(owner))});
    item = item_at(list->parts[0], wave::apply(Opcode::add, {begin, position}), l, {});
  }
  auto a = std::make_shared<Abs>(*list_abs(made, std::move(item)));
  a->skip_first = list->skip_first;
  a->skip_last = list->skip_last;
  a->below = list->below;
  return a;
}

// Is the value another one for elements that share an element of `owner`?
bool Lowerer::varies(const Abs& a, Id owner) const {
  if (a.kind == Abs::Kind::tuple || a.kind == Abs::Kind::data)
    for (const AbsRef& p : a.parts)
      if (p && varies(*p, owner)) return true;
  if (a.part == Abs::Part::from_item || a.part == Abs::Part::to_item) return true;
  return a.domain != wave::none && a.domain != p_.once() && !p_.reaches(owner, a.domain);
}

// The list, on the context if what is made of its items differs there from element to element.
AbsRef Lowerer::meeting(const AbsRef& list, const std::vector<AbsRef>& others) {
  const Id owner = p_.domain(list->list).owner;
  if (list->of_owner || owner == p_.here()) return list;
  for (const AbsRef& other : others)
    if (varies(*other, owner)) return pairs(list);
  return list;
}

namespace {

std::vector<AbsRef> values_in(const std::vector<fun::ExprRef>& bodies, const Env& env) {
  std::set<std::string> used;
  for (const fun::ExprRef& body : bodies) free_variables(body, used);
  std::vector<AbsRef> out;
  for (const auto& [name, value] : env)
    if (used.count(name)) out.push_back(value);
  return out;
}

}  // namespace

AbsRef Lowerer::meeting(const AbsRef& list, const std::vector<fun::ExprRef>& bodies,
                        const Env& env) {
  return meeting(list, values_in(bodies, env));
}

// What is made of the list of another element is made for the lists of all elements at once.
void Lowerer::keep_apart(const Abs& list, const std::vector<fun::ExprRef>& bodies, const Env& env,
                         Loc loc) {
  Id outermost = list.list;
  while (p_.domain(outermost).owner != wave::none) outermost = p_.domain(outermost).owner;
  const bool of_call = p_.domain(outermost).kind == wave::Domain::Kind::calls;
  for (const AbsRef& value : values_in(bodies, env))
    if (varies(*value, of_call ? outermost : p_.once())) refuse_pairs(loc);
}

// A list that an operator goes through.
AbsRef Lowerer::whole_list(const AbsRef& a, Loc loc) {
  require(a->kind == Abs::Kind::list, "a list operator on something that is not a list");
  if (a->part == Abs::Part::nothing) return list_abs(p_.literal(p_.here(), 0), a->parts[0]);
  if (a->part != Abs::Part::whole) return pairs(a);
  if (a->of_owner)
    refuse(Kind::not_lowered_list_of_lists, loc,
           "one list is taken out of many and gone through, which cannot be compiled yet here; "
           "make what "
           "is wanted of each list with 'for' first, or in a function of its own");
  return a;
}

// What `f` makes of a list, done for the list of every owner, taken at the one that is meant.
AbsRef Lowerer::at_owner(const AbsRef& list, const std::function<AbsRef(const AbsRef&)>& f,
                         Loc loc) {
  const Id owners = p_.domain(list->list).owner;
  const bool of_nodes = p_.domain(owners).kind == wave::Domain::Kind::nodes;
  const bool in_sweep = list->below && p_.in_sweep();
  if (!list->of_owner || list->part != Abs::Part::whole || (in_sweep && !of_nodes))
    return f(whole_list(list, loc));
  const ScalarRef owner = p_.move(list->of_owner, list->domain);
  auto of_all = std::make_shared<Abs>(*list);
  of_all->of_owner = nullptr;
  of_all->domain = owners;
  AbsRef value;
  {
    const Program::Outside outside(p_, !in_sweep);
    const Program::Fresh fresh(p_);
    const Program::Scope scope(p_, owners);
    value = f(of_all);
    if (in_sweep) value = kept(value, loc);
  }
  if (!in_sweep) return item_at(value, owner, owners, loc);
  const ScalarRef node = value_of(p_.load(p_.input(wave::Value::Kind::place, owners), owner)->term);
  return item_at(value, node, p_.all(), loc);
}

// A value of the nodes of the context's domain, where other levels find it: on all nodes.
AbsRef Lowerer::kept(const AbsRef& a, Loc loc) {
  if (a->kind == Abs::Kind::tuple) {
    std::vector<AbsRef> parts;
    for (const AbsRef& p : a->parts) parts.push_back(kept(p, loc));
    return tuple_abs(std::move(parts), a->names);
  }
  if (a->kind != Abs::Kind::tensor)
    refuse(Kind::not_lowered_list_of_lists, loc,
           "data is made of one list taken out of many, which cannot be compiled yet here");
  const ops::Term t = p_.move(*a);
  const Id carry = p_.carry("of_list", p_.all(), t.dtype, t.shape);
  p_.set(carry, p_.here(), -1, p_.define(t));
  const Program::Scope scope(p_, p_.all());
  return p_.load(carry, wave::element());
}

}  // namespace espalier::to_wave

// Which items of which list: the whole of it, without its ends, of another element.
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

// A list that an operator goes through.
AbsRef Lowerer::whole_list(const AbsRef& a, Loc loc) {
  require(a->kind == Abs::Kind::list, "a list operator on something that is not a list");
  if (a->part == Abs::Part::nothing) return list_abs(p_.literal(p_.here(), 0), a->parts[0]);
  if (a->part != Abs::Part::whole)
    refuse(
        Kind::not_lowered_list_rest, loc,
        "what is left of a list is gone through at each step of a recursion over that list; only "
        "the recursive call may take it");
  if (a->of_owner)
    refuse(
        Kind::not_lowered_list_of_lists, loc,
        "one list is taken out of many and gone through, which cannot be lowered here; make what "
        "is wanted of each list with `for` first, or in a function of its own");
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
           "data is made of one list taken out of many, which cannot be lowered here");
  const ops::Term t = p_.move(*a);
  const Id carry = p_.carry("of_list", p_.all(), t.dtype, t.shape);
  p_.set(carry, p_.here(), -1, p_.define(t));
  const Program::Scope scope(p_, p_.all());
  return p_.load(carry, wave::element());
}

}  // namespace espalier::to_wave

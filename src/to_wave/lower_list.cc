// Lists: a list is a domain, its operators are reductions over it, steps, or another way to index it.
#include <algorithm>
#include <limits>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using wave::Opcode;
using wave::Reduce;

AbsRef Lowerer::list_abs(Id list, AbsRef item) {
  auto a = make_abs(Abs::Kind::list);
  a->list = list;
  a->domain = p_.domain(list).owner;
  a->parts = {std::move(item)};
  return a;
}

// `item`, a value on some domain, at the element `index` (on the context) of that domain.
AbsRef Lowerer::item_at(const AbsRef& item, const ScalarRef& index, Loc loc) {
  if (item->kind == Abs::Kind::list)
    refuse(Kind::not_lowered_list_of_lists, loc,
           "one list is taken out of a list of lists, which cannot be lowered; work on all of them "
           "with `for`");
  auto out = std::make_shared<Abs>(*item);
  for (AbsRef& p : out->parts)
    if (p) p = item_at(p, index, loc);
  out->slot = wave::none;  // another item's child is not the one at hand
  if (item->term.at && item->domain != wave::none) {
    out->domain = p_.here();
    out->variant = item->kind == Abs::Kind::data ? item->variant : -1;
    out->term = at_element(item->term, index);
  }
  return out;
}

ScalarRef Lowerer::length(Id list) const {
  const ScalarRef owner = p_.path(p_.domain(list).owner);
  if (p_.domain(list).length >= 0) return wave::integer(p_.domain(list).length);
  return wave::apply(Opcode::sub, {wave::end(list, owner), wave::first(list, owner)});
}

const AbsRef& Lowerer::whole_list(const AbsRef& a, Loc loc) {
  require(a->kind == Abs::Kind::list, "a list operator on something that is not a list");
  if (a->suffix)
    refuse(Kind::not_lowered_list_rest, loc,
           "the rest of a list is used as a list; only a recursive call may take it");
  return a;
}

AbsRef Lowerer::lower_each(const Expr& e, const Env& env) {
  const AbsRef from = whole_list(lower(e.parts[1], env), e.parts[1]->loc);
  Env inner = env;
  bind(e.params[0], from->parts[0], inner);
  const Program::Scope scope(p_, from->list);
  return list_abs(from->list, lower(e.parts[0], inner));
}

namespace {

// The position of the context's element, an item of `list`, in its list.
ScalarRef position(Id list) {
  return wave::apply(Opcode::sub,
                     {wave::element(), wave::first(list, wave::owner(list, wave::element()))});
}

}  // namespace

AbsRef Lowerer::lower_list_literal(const Expr& e, const Env& env) {
  std::vector<AbsRef> items;
  for (const fun::ExprRef& part : e.parts) items.push_back(settle(lower(part, env), "item", e.loc));
  const Id list = p_.literal(p_.here(), static_cast<std::int64_t>(items.size()));
  const Program::Scope scope(p_, list);
  AbsRef item = items.empty() ? zero_of(e.type->parts[0], e.loc) : items.back();
  for (std::size_t i = items.size(); i-- > 1;)
    item = merge(wave::apply(Opcode::lt, {position(list), wave::integer(static_cast<int>(i))}),
                 items[i - 1], item, e.loc);
  return list_abs(list, item);
}

AbsRef Lowerer::lower_list_operator(const Expr& e, const Env& env) {
  if (e.name == "fold" || e.name == "scan") return lower_fold(e, env, e.name == "scan");
  if (e.name == "zip") return lower_zip(e, env);
  const AbsRef of = lower(e.parts[0], env);
  require(of->kind == Abs::Kind::list, "a list operator on something that is not a list");
  if (e.name == "len" && !of->suffix)
    return scalar_abs(p_.here(), length(of->list));
  const AbsRef list = whole_list(of, e.loc);
  if (e.name == "reverse") {
    const Program::Scope scope(p_, list->list);
    const ScalarRef owner = wave::owner(list->list, wave::element());
    const ScalarRef mirrored =
        wave::apply(Opcode::sub, {wave::apply(Opcode::sub, {wave::apply(Opcode::add,
                                     {wave::first(list->list, owner), wave::end(list->list, owner)}),
                                  wave::integer(1)}),
                                  wave::element()});
    return list_abs(list->list, item_at(list->parts[0], mirrored, e.loc));
  }
  if (e.name == "enumerate")
    return list_abs(list->list,
                    tuple_abs({scalar_abs(list->list, position(list->list)), list->parts[0]}, {}));
  if (e.name == "softmax" || e.name == "log_softmax")
    return softmax_items(list, e.name == "log_softmax");
  return reduce_items(e, list);
}

AbsRef Lowerer::lower_zip(const Expr& e, const Env& env) {
  std::vector<AbsRef> lists, items;
  for (const fun::ExprRef& part : e.parts) lists.push_back(whole_list(lower(part, env), part->loc));
  const Id first = lists[0]->list;
  for (std::size_t i = 1; i < lists.size(); i++) {
    if (lists[i]->list == first) continue;
    const ScalarRef a = length(first), b = length(lists[i]->list);
    if (!wave::equal(a, b) && !quiet_)
      p_.check(scalar_term(Dtype::boolean, wave::apply(Opcode::eq, {a, b})), "unequal_lists",
               scalar_term(Dtype::i64, b));
  }
  const Program::Scope scope(p_, first);
  for (const AbsRef& l : lists) {
    if (l->list == first) {
      items.push_back(l->parts[0]);
      continue;
    }
    const ScalarRef owner = p_.path(p_.domain(l->list).owner);
    items.push_back(item_at(
        l->parts[0], wave::apply(Opcode::add, {wave::first(l->list, owner), position(first)}), e.loc));
  }
  return list_abs(first, tuple_abs(std::move(items), {}));
}

// ---- Reductions ----

namespace {

ops::Term lift2(Opcode op, const ops::Term& a, const ops::Term& b) {
  return {a.dtype, a.shape, [=](const std::vector<ScalarRef>& i) {
            return wave::apply(op, {a.at(i), b.at(b.shape.empty() ? std::vector<ScalarRef>() : i)});
          }};
}

ops::Term lift1(Opcode op, const ops::Term& a) {
  return map_term(a, [op](const ScalarRef& s) { return wave::apply(op, {s}); });
}

}  // namespace

AbsRef Lowerer::reduce_items(const Expr& e, const AbsRef& list) {
  const Id l = list->list;
  const Id owner = p_.domain(l).owner;
  auto item = [&] {
    const Program::Scope scope(p_, l);
    return p_.move(*list->parts[0]);
  };
  const Program::Scope at_owner(p_, owner);
  auto over = [&](Reduce r, const ops::Term& t) { return p_.reduce_list(r, t.dtype, l, t); };
  auto on_list = [&](const ops::Term& t) {  // a term on the owner, for the items
    const Program::Scope scope(p_, l);
    return p_.move(*tensor_abs(owner, t));
  };
  auto out = [&](const ops::Term& t) { return tensor_abs(owner, t); };
  const ops::Term x = item();
  if (e.name == "sum") return out(over(Reduce::sum, x));
  if (e.name == "prod") return out(over(Reduce::prod, x));
  if (e.name == "max") return out(over(Reduce::max, x));
  if (e.name == "min") return out(over(Reduce::min, x));
  if (e.name == "argmax" || e.name == "argmin") {
    const ops::Term at = over(e.name == "argmax" ? Reduce::argmax : Reduce::argmin, x);
    return out({Dtype::i64, at.shape, at.at});
  }
  if (e.name == "mean") {
    const ops::Term sum = over(Reduce::sum, x);
    const ScalarRef n = wave::cast(sum.dtype, length(l));
    return out(map_term(sum, [n](const ScalarRef& s) { return wave::apply(Opcode::div, {s, n}); }));
  }
  if (e.name == "norm")
    return out(lift1(Opcode::sqrt, over(Reduce::sum, lift1(Opcode::square, x))));
  if (e.name == "logsumexp") {
    // The largest item, but 0 where that is infinite: inf - inf would be NaN.
    const ops::Term m = map_term(over(Reduce::max, x), [](const ScalarRef& s) {
      const ScalarRef finite = wave::apply(
          Opcode::lt, {wave::apply(Opcode::abs, {s}),
                       wave::number(std::numeric_limits<double>::infinity(), s->dtype)});
      return wave::apply(Opcode::select, {finite, s, wave::number(0, s->dtype)});
    });
    const ops::Term sum = over(Reduce::sum, lift1(Opcode::exp, lift2(Opcode::sub, x, on_list(m))));
    return out(lift2(Opcode::add, lift1(Opcode::log, sum), m));
  }
  throw Bug("operator '" + e.name + "' of a list");
}

AbsRef Lowerer::softmax_items(const AbsRef& list, bool logarithm) {
  const Id l = list->list;
  const Id owner = p_.domain(l).owner;
  auto on_list = [&](const ops::Term& t) { return p_.move(*tensor_abs(owner, t)); };
  auto over = [&](Reduce r, const ops::Term& t) {
    const Program::Scope scope(p_, owner);
    return p_.reduce_list(r, t.dtype, l, t);
  };
  const Program::Scope scope(p_, l);
  const ops::Term x = p_.materialize(p_.move(*list->parts[0]));
  const ops::Term shifted = lift2(Opcode::sub, x, on_list(over(Reduce::max, x)));
  const ops::Term e = p_.materialize(lift1(Opcode::exp, shifted));
  const ops::Term sum = on_list(over(Reduce::sum, e));
  const ops::Term y = logarithm ? lift2(Opcode::sub, shifted, lift1(Opcode::log, sum))
                                : lift2(Opcode::div, e, sum);
  return list_abs(l, tensor_abs(l, p_.materialize(y)));
}

// ---- Folds ----

AbsRef Lowerer::lower_fold(const Expr& e, const Env& env, bool scan) {
  const fun::Expr& f = *e.parts[0];
  const AbsRef init = lower(e.parts[1], env);
  const AbsRef list = whole_list(lower(e.parts[2], env), e.parts[2]->loc);
  const Id l = list->list;
  const fun::TypeRef state = e.parts[1]->type;
  const Program::Scope at_owner(p_, p_.domain(l).owner);
  std::vector<Id> carries, last;
  const std::vector<ops::Term> initial = flatten(init, state, e.loc);
  const std::vector<fun::Leaf> names = leaf_types(state, "", e.loc);
  for (std::size_t i = 0; i < initial.size(); i++) {
    const std::string name = names[i].name.empty() ? "state" : names[i].name;
    carries.push_back(p_.carry(name, l, initial[i].dtype, initial[i].shape));
    const Program::Named named(p_, "initial_" + name, e.loc);
    last.push_back(p_.previous(carries.back(), p_.define(initial[i])));
  }
  p_.open(Op::Kind::steps, l);
  {
    const Program::Scope scope(p_, l);
    Env inner = env;
    bind(f.params[0], load_leaves(state, last, wave::element(), e.loc), inner);
    bind(f.params[1], list->parts[0], inner);
    const std::vector<ops::Term> next = flatten(lower(f.parts[0], inner), state, e.loc);
    for (std::size_t i = 0; i < next.size(); i++) {
      const Program::Named named(p_, names[i].name.empty() ? "state" : names[i].name, e.loc);
      p_.set(carries[i], l, -1, p_.define(next[i]));
    }
  }
  p_.close();
  if (scan) {
    const Program::Scope scope(p_, l);
    return list_abs(l, load_leaves(state, carries, wave::element(), e.loc));
  }
  const ScalarRef owner = wave::element();
  const ScalarRef end =
      wave::apply(Opcode::sub, {wave::end(l, owner), wave::integer(1)});
  const AbsRef final = load_leaves(state, carries, end, e.loc);
  if (p_.domain(l).length > 0) return final;
  return merge(wave::apply(Opcode::gt, {length(l), wave::integer(0)}), final, init, e.loc);
}

}  // namespace espalier::to_wave

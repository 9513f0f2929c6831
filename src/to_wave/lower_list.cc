// Lists: a list is a domain, its operators are reductions over it, steps, or another way to index
// it.
#include <algorithm>
#include <limits>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using wave::Opcode;
using wave::Reduce;

AbsRef Lowerer::lower_each(const Expr& e, const Env& env) {
  AbsRef from = lower(e.parts[1], env);
  if (!from->of_owner || from->part != Abs::Part::whole) from = whole_list(from, e.parts[1]->loc);
  if (from->of_owner) keep_apart(*from, {e.parts[0]}, env, e.parts[0]->loc);
  from = meeting(from, {e.parts[0]}, env);
  const Program::Outside outside(p_, from->of_owner && !from->below);
  Env inner = env;
  bind(e.params[0], from->parts[0], inner);
  const Program::Scope scope(p_, from->list);
  const Program::Where where(p_, from->of_owner ? nullptr : inside(*from));
  return like(from, lower(e.parts[0], inner));
}

// The position of the context's element, an item of the list's domain, in the list.
ScalarRef Lowerer::position(const Abs& list) const {
  return wave::apply(Opcode::sub, {wave::element(), span(list).start});
}

AbsRef Lowerer::lower_list_literal(const Expr& e, const Env& env) {
  std::vector<AbsRef> items;
  for (const fun::ExprRef& part : e.parts) items.push_back(settle(lower(part, env), "item", e.loc));
  const Id list = p_.literal(p_.here(), static_cast<std::int64_t>(items.size()));
  AbsRef item = items.empty() ? zero_of(e.type->parts[0], e.loc) : items.back();
  const AbsRef whole = list_abs(list, item);
  const Program::Scope scope(p_, list);
  for (std::size_t i = items.size(); i-- > 1;)
    item = merge(wave::apply(Opcode::lt, {position(*whole), wave::integer(static_cast<int>(i))}),
                 items[i - 1], item, e.loc);
  return like(whole, item);
}

AbsRef Lowerer::lower_list_operator(const Expr& e, const Env& env) {
  if (e.name == "fold" || e.name == "scan") return lower_fold(e, env, e.name == "scan");
  if (e.name == "zip") return lower_zip(e, env);
  const AbsRef of = lower(e.parts[0], env);
  require(of->kind == Abs::Kind::list, "a list operator on something that is not a list");
  if (e.name == "len") return scalar_abs(p_.here(), length(*of));
  if (e.name == "reverse") return lower_reverse(whole_list(of, e.loc), e.loc);
  if (e.name == "enumerate") {
    const AbsRef list = whole_list(of, e.loc);
    const Program::Scope scope(p_, list->list);
    return like(list, tuple_abs({scalar_abs(list->list, position(*list)), list->parts[0]}, {}));
  }
  if (e.name == "softmax" || e.name == "log_softmax")
    return softmax_items(whole_list(of, e.loc), e.name == "log_softmax");
  return at_owner(
      of, [&](const AbsRef& list) { return reduce_items(e, list); }, e.loc);
}

AbsRef Lowerer::lower_reverse(const AbsRef& list, Loc loc) {
  const Program::Scope scope(p_, list->list);
  const Span s = span(*list);
  const ScalarRef last = wave::apply(Opcode::sub, {s.stop, wave::integer(1)});
  const ScalarRef mirrored =
      wave::apply(Opcode::sub, {wave::apply(Opcode::add, {s.start, last}), wave::element()});
  return like(list, item_at(list->parts[0], mirrored, list->list, loc));
}

namespace {

bool same_items(const Abs& a, const Abs& b) {
  return a.list == b.list && a.skip_first == b.skip_first && a.skip_last == b.skip_last;
}

}  // namespace

// All over the innermost of their owners.
std::vector<AbsRef> Lowerer::beside_each_other(std::vector<AbsRef> lists) {
  Id innermost = p_.domain(lists[0]->list).owner;
  for (const AbsRef& l : lists)
    if (p_.reaches(p_.domain(l->list).owner, innermost)) innermost = p_.domain(l->list).owner;
  const Program::Scope scope(p_, innermost);
  for (AbsRef& l : lists)
    if (p_.domain(l->list).owner != innermost) l = pairs(l);
  return lists;
}

AbsRef Lowerer::lower_zip(const Expr& e, const Env& env) {
  std::vector<AbsRef> lists, items;
  for (const fun::ExprRef& part : e.parts) lists.push_back(whole_list(lower(part, env), part->loc));
  lists = beside_each_other(std::move(lists));
  const AbsRef& first = lists[0];
  for (std::size_t i = 1; i < lists.size(); i++) {
    if (same_items(*lists[i], *first)) continue;
    const ScalarRef a = length(*first), b = length(*lists[i]);
    if (!wave::equal(a, b) && !quiet_)
      p_.check(scalar_term(Dtype::boolean, wave::apply(Opcode::eq, {a, b})), "unequal_lengths",
               scalar_term(Dtype::i64, b));
  }
  const Program::Scope scope(p_, first->list);
  for (const AbsRef& l : lists)
    items.push_back(same_items(*l, *first)
                        ? l->parts[0]
                        : item_at(l->parts[0],
                                  wave::apply(Opcode::add, {span(*l).start, position(*first)}),
                                  l->list, e.loc));
  return like(first, tuple_abs(std::move(items), {}));
}

// ---- Reductions ----

namespace {

ops::Term lift2(Opcode op, const ops::Term& a, const ops::Term& b) {
  return {a.dtype, a.shape, [=](const std::vector<ScalarRef>& i) {
            return wave::apply(op, {a.at(i), b.at(b.shape.empty() ? std::vector<ScalarRef>() : i)});
          }};
}

ScalarRef neutral_of(Reduce r, Dtype dtype) {
  if (r == Reduce::sum || r == Reduce::prod) {
    const int n = r == Reduce::prod ? 1 : 0;
    return is_float(dtype) ? wave::number(n, dtype) : wave::integer(n, dtype);
  }
  const bool least = r == Reduce::max || r == Reduce::argmax;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_float(dtype)) return wave::number(least ? -infinity : infinity, dtype);
  const int bits = dtype == Dtype::i64 ? 63 : dtype == Dtype::i32 ? 31 : 7;
  const auto top = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  return wave::integer(least ? -top - 1 : top, dtype);
}

ops::Term lift1(Opcode op, const ops::Term& a) {
  return map_term(a, [op](const ScalarRef& s) { return wave::apply(op, {s}); });
}

}  // namespace

// Over the items of the list; those of its domain that are not in it count as the neutral element.
ops::Term Lowerer::reduce_over(Reduce r, const Abs& list, const ops::Term& x) {
  ops::Term item = x;
  ScalarRef in;
  {
    const Program::Scope scope(p_, list.list);
    in = inside(list);
  }
  if (in) {
    const ScalarRef neutral = neutral_of(r, x.dtype);
    item = map_term(x, [=](const ScalarRef& s) {
      return wave::apply(Opcode::select, {in, s, neutral});
    });
  }
  return p_.reduce_list(r, x.dtype, list.list, item);
}

AbsRef Lowerer::reduce_items(const Expr& e, const AbsRef& list) {
  const Id l = list->list;
  const Id owner = p_.domain(l).owner;
  auto item = [&] {
    const Program::Scope scope(p_, l);
    return p_.move(*list->parts[0]);
  };
  const Program::Scope on_owner(p_, owner);
  auto over = [&](Reduce r, const ops::Term& t) { return reduce_over(r, *list, t); };
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
    const ScalarRef skipped = wave::integer(list->skip_first);
    if (list->skip_first == 0) return out({Dtype::i64, at.shape, at.at});
    return out(map_term({Dtype::i64, at.shape, at.at}, [skipped](const ScalarRef& s) {
      return wave::apply(Opcode::maximum,
                         {wave::apply(Opcode::sub, {s, skipped}), wave::integer(0)});
    }));
  }
  if (e.name == "mean") {
    const ops::Term sum = over(Reduce::sum, x);
    const ScalarRef n = wave::cast(sum.dtype, length(*list));
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
    return reduce_over(r, *list, t);
  };
  const Program::Scope scope(p_, l);
  const Program::Where where(p_, inside(*list));
  const ops::Term x = p_.materialize(p_.move(*list->parts[0]));
  const ops::Term shifted = lift2(Opcode::sub, x, on_list(over(Reduce::max, x)));
  const ops::Term e = p_.materialize(lift1(Opcode::exp, shifted));
  const ops::Term sum = on_list(over(Reduce::sum, e));
  const ops::Term y =
      logarithm ? lift2(Opcode::sub, shifted, lift1(Opcode::log, sum)) : lift2(Opcode::div, e, sum);
  return like(list, tensor_abs(l, p_.materialize(y)));
}

// ---- Folds ----

AbsRef Lowerer::lower_fold(const Expr& e, const Env& env, bool scan) {
  AbsRef list = lower(e.parts[2], env);
  if (list->part != Abs::Part::whole) list = whole_list(list, e.parts[2]->loc);
  if (list->of_owner) keep_apart(*list, {e.parts[0]->parts[0], e.parts[1]}, env, e.loc);
  list = meeting(list, {e.parts[0]->parts[0], e.parts[1]}, env);
  if (scan) return fold_items(e, whole_list(list, e.parts[2]->loc), env, true);
  return at_owner(
      list, [&](const AbsRef& l) { return fold_items(e, l, env, false); }, e.parts[2]->loc);
}

AbsRef Lowerer::fold_items(const Expr& e, const AbsRef& list, const Env& env, bool scan) {
  const fun::Expr& f = *e.parts[0];
  const AbsRef init = lower(e.parts[1], env);
  const Id l = list->list;
  const fun::TypeRef state = e.parts[1]->type;
  const Program::Scope on_owner(p_, p_.domain(l).owner);
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
    const AbsRef before = load_leaves(state, last, wave::element(), e.loc);
    const ScalarRef in = inside(*list);
    Env inner = env;
    bind(f.params[0], before, inner);
    bind(f.params[1], list->parts[0], inner);
    AbsRef after;
    {
      const Program::Where where(p_, in);
      after = lower(f.parts[0], inner);
    }
    if (in) after = merge(in, after, before, e.loc);
    const std::vector<ops::Term> next = flatten(after, state, e.loc);
    for (std::size_t i = 0; i < next.size(); i++) {
      const Program::Named named(p_, names[i].name.empty() ? "state" : names[i].name, e.loc);
      p_.set(carries[i], l, -1, p_.define(next[i]));
    }
  }
  p_.close();
  if (scan) {
    const Program::Scope scope(p_, l);
    return like(list, load_leaves(state, carries, wave::element(), e.loc));
  }
  const ScalarRef end = wave::apply(Opcode::sub, {span(*list).stop, wave::integer(1)});
  const AbsRef final = load_leaves(state, carries, end, e.loc);
  const ScalarRef count = length(*list);
  if (p_.domain(l).length > 0 && list->skip_first + list->skip_last == 0) return final;
  return merge(wave::apply(Opcode::gt, {count, wave::integer(0)}), final, init, e.loc);
}

}  // namespace espalier::to_wave

// x[i, a:b].
#include "ops/index.h"

#include <fmt/format.h>

#include "base/kinds.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

Loc loc_of(const fun::Index& index, Loc whole) {
  for (const ExprRef& part : {index.at, index.begin, index.end, index.step})
    if (part) return part->loc;
  return whole;
}

ExprRef integer(const Dim& dim, Loc loc) {
  auto out = fun::make(Expr::Kind::number, loc);
  out->number = static_cast<double>(dim.value());
  out->number_text = std::to_string(dim.value());
  out->type = fun::scalar(Dtype::i64);
  return out;
}

fun::Index core_index(const ops::Subscript& s, const ExprRef& at) {
  fun::Index out;
  out.slice = s.slice;
  if (s.slice) {
    out.begin = integer(*s.begin, s.loc);
    out.end = integer(*s.end, s.loc);
    out.step = integer(*s.step, s.loc);
  } else {
    out.at = s.literal ? integer(*s.literal, s.loc) : at;
  }
  return out;
}

}  // namespace

Value Checker::index(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  const Expr& of = *e->parts[0];
  const bool fill = of.kind == Expr::Kind::variable &&
                    (of.name == "zeros" || of.name == "ones" || of.name == "iota") &&
                    is_builtin(of.name, scope);
  if (fill) {
    std::vector<Arg> shape;
    for (const fun::Index& each : e->indices)
      shape.push_back({each.slice ? nullptr : each.at, scope, {}, loc_of(each, e->loc)});
    return filled(of.name, shape, e->loc, e->type ? Hint::exactly(e->type) : hint);
  }
  const Value base = expect_plain(elaborate(e->parts[0], scope, {}), "what is indexed");
  if (base.bad()) return base;
  if (base.type()->kind == Type::Kind::list) {
    error(Kind::not_indexable, base.loc,
          fmt::format("lists are not indexed, found {}; match [x, *rest] takes them apart",
                      show(*base.type())));
    return bad(e->loc);
  }
  std::vector<ops::Subscript> subscripts;
  std::vector<ExprRef> computed;
  for (const fun::Index& each : e->indices) {
    ops::Subscript subscript;
    ExprRef at;
    if (!one_index(each, scope, e->loc, &subscript, &at)) return bad(e->loc);
    subscripts.push_back(subscript);
    computed.push_back(at);
  }
  const bool gathers = subscripts.size() == 1 && computed[0] && !computed[0]->type->shape.empty() &&
                       computed[0]->type->kind == Type::Kind::tensor;
  if (gathers) return gather(base, computed[0], e->loc);
  const Result<ops::Indexed> indexed =
      ops::infer_index(base.type(), subscripts, base.loc, *diagnostics_);
  if (!indexed) return bad(e->loc);
  auto out = fun::make(Expr::Kind::index, e->loc);
  out->parts = {base.expr};
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Dim& axis = base.type()->shape[i];
    if (computed[i] && !index_fits(*computed[i], axis)) return bad(e->loc);
    out->indices.push_back(core_index(indexed->subscripts[i], computed[i]));
  }
  return literal(out, indexed->result);
}

// A tensor of indices is take's.
Value Checker::gather(const Value& base, const ExprRef& at, Loc loc) {
  Value indices = bad(at->loc);
  indices.kind = Value::Kind::plain;
  indices.expr = at;
  std::vector<Arg> args{{nullptr, nullptr, base, base.loc}, {nullptr, nullptr, indices, at->loc}};
  return apply_op(*ops::find("take"), std::move(args), nullptr, nullptr, loc, {});
}

bool Checker::index_fits(const Expr& at, const Dim& axis) {
  if (at.type->kind != Type::Kind::index || at.type->shape[0].value() <= axis.value()) return true;
  const std::string length =
      axis.is_literal() ? axis.str() : fmt::format("{} = {}", axis.str(), axis.value());
  error(Kind::index_too_wide, at.loc,
        fmt::format("{} may exceed an axis of {}", show(*at.type), length));
  return false;
}

bool Checker::one_index(const fun::Index& index, const ScopeRef& scope, Loc loc,
                        ops::Subscript* out, ExprRef* computed) {
  out->slice = index.slice;
  out->loc = loc_of(index, loc);
  if (index.slice) {
    bool fine = true;
    const auto bound = [&](const ExprRef& e) -> std::optional<Dim> {
      if (!e) return std::nullopt;
      auto dim = constant_dim(*e, scope);
      if (dim) return dim;
      error(Kind::option_not_constant, e->loc,
            "the bounds and the step of a slice are dims or literal integers");
      fine = false;
      return std::nullopt;
    };
    out->begin = bound(index.begin);
    out->end = bound(index.end);
    out->step = bound(index.step);
    return fine;
  }
  if (adaptable(*index.at, scope))
    if ((out->literal = constant_dim(*index.at, scope))) return true;
  const Value at = expect_plain(elaborate(index.at, scope, Hint::of_dtype(Dtype::i64)), "an index");
  if (at.bad()) return false;
  out->type = at.type();
  *computed = at.expr;
  return true;
}

}  // namespace espalier::fun_pass

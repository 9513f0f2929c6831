// x[i, a:b].
#include <fmt/format.h>

#include <algorithm>

#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

ExprRef integer(std::int64_t value, Loc loc) {
  auto out = fun::make(Expr::Kind::number, loc);
  out->number = static_cast<double>(value);
  out->number_text = std::to_string(value);
  out->type = fun::scalar(Dtype::i64);
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
    for (const fun::Index& each : e->indices) {
      const Loc loc = each.at ? each.at->loc : e->loc;
      shape.push_back({each.at, scope, {}, loc});
    }
    return filled(of.name, shape, e->loc, e->type ? Hint::exactly(e->type) : hint);
  }
  const Value base = expect_plain(elaborate(e->parts[0], scope, {}), "what is indexed");
  if (base.bad()) return base;
  const Type& type = *base.type();
  if (type.kind != Type::Kind::tensor || type.shape.empty()) {
    error(Kind::not_indexable, e->loc,
          type.kind == Type::Kind::list
              ? fmt::format("lists are not indexed, found {}; match [x, *rest] takes them apart",
                            show(type))
              : fmt::format("only tensors with an axis are indexed, found {}", show(type)));
    return bad(e->loc);
  }
  if (e->indices.size() > type.shape.size()) {
    error(Kind::index_count, e->loc,
          fmt::format("{} indices for {}", e->indices.size(), show(type)));
    return bad(e->loc);
  }
  auto out = fun::make(Expr::Kind::index, e->loc);
  out->parts = {base.expr};
  std::vector<Dim> shape;
  for (std::size_t i = 0; i < e->indices.size(); ++i) {
    const fun::Index& each = e->indices[i];
    if (each.slice) {
      Dim length;
      auto resolved = slice(each, type.shape[i], scope, e->loc, &length);
      if (!resolved) return bad(e->loc);
      out->indices.push_back(std::move(*resolved));
      shape.push_back(length);
      continue;
    }
    const Value at = index_value(each, type.shape[i], scope);
    if (at.bad()) return bad(e->loc);
    if (at.type()->kind == Type::Kind::tensor && !at.type()->shape.empty()) {
      if (e->indices.size() == 1 && ops::find("take"))
        return apply_op(*ops::find("take"),
                        {{nullptr, nullptr, base, base.loc}, {nullptr, nullptr, at, at.loc}},
                        nullptr, nullptr, e->loc, hint);
      error(Kind::not_integers, each.at->loc,
            "an index that is a tensor stands alone; take(x, indices, axis=) is for other axes");
      return bad(e->loc);
    }
    fun::Index core;
    core.at = at.expr;
    out->indices.push_back(core);
  }
  shape.insert(shape.end(), type.shape.begin() + static_cast<std::ptrdiff_t>(e->indices.size()),
               type.shape.end());
  return literal(out, fun::tensor(type.dtype, std::move(shape)));
}

Value Checker::index_value(const fun::Index& index, const Dim& axis, const ScopeRef& scope) {
  const Expr& at = *index.at;
  if (const auto fixed = constant_dim(at, scope); fixed && adaptable(at, scope)) {
    const std::int64_t value = fixed->value();
    if (value < -axis.value() || value >= axis.value()) {
      error(Kind::index_out_of_range, at.loc,
            fmt::format("index {} of an axis of {}", value, axis.value()));
      return bad(at.loc);
    }
    Value out = bad(at.loc);
    out.kind = Value::Kind::plain;
    out.expr = integer(value < 0 ? value + axis.value() : value, at.loc);
    return out;
  }
  Value value = expect_plain(elaborate(index.at, scope, Hint::of_dtype(Dtype::i64)), "an index");
  if (value.bad()) return value;
  const Type& type = *value.type();
  if (!is_integral(type)) {
    error(Kind::not_integers, at.loc, fmt::format("an index is an integer, found {}", show(type)));
    return bad(at.loc);
  }
  if (type.kind == Type::Kind::index && type.shape[0].value() > axis.value()) {
    error(Kind::index_too_wide, at.loc,
          fmt::format("{} may exceed an axis of {}", show(type),
                      show(*fun::index_type(axis)).substr(5)));
    return bad(at.loc);
  }
  return value;
}

// Bounds as numpy takes them: negative ones count from the end, those beyond it are cut.
std::optional<fun::Index> Checker::slice(const fun::Index& index, const Dim& axis,
                                         const ScopeRef& scope, Loc loc, Dim* length) {
  const std::int64_t n = axis.value();
  bool fine = true;
  const auto bound = [&](const ExprRef& e, std::int64_t otherwise, const char* what) {
    if (!e) return otherwise;
    const auto fixed = constant_dim(*e, scope);
    if (fixed) return fixed->value();
    error(Kind::slice_range, e->loc,
          fmt::format("the {} of a slice has to be a dim or a literal integer", what));
    fine = false;
    return otherwise;
  };
  const auto clamp = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + n : at, 0, n);
  };
  const std::int64_t begin = clamp(bound(index.begin, 0, "begin"));
  const std::int64_t end = clamp(bound(index.end, n, "end"));
  const std::int64_t step = bound(index.step, 1, "step");
  if (!fine) return std::nullopt;
  if (step <= 0) {
    error(Kind::slice_range, index.step->loc,
          fmt::format("the step of a slice is positive, found {}; flip(x) reverses", step));
    return std::nullopt;
  }
  fun::Index out;
  out.slice = true;
  out.begin = integer(begin, index.begin ? index.begin->loc : loc);
  out.end = integer(std::max(begin, end), index.end ? index.end->loc : loc);
  out.step = integer(step, index.step ? index.step->loc : loc);
  *length = Dim(end > begin ? (end - begin - 1) / step + 1 : 0);
  // The axis keeps its name where all of it is taken, and the bounds' where they are plain.
  const auto spelled_end = index.end ? constant_dim(*index.end, scope) : axis;
  const auto spelled_begin = index.begin ? constant_dim(*index.begin, scope) : Dim(0);
  if (step == 1 && spelled_end && spelled_begin) {
    const Dim spelled = *spelled_end - *spelled_begin;
    if (!spelled.overflowed() && spelled.bound() && spelled.value() == length->value())
      *length = spelled;
  }
  return out;
}

}  // namespace espalier::fun_pass

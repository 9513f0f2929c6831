// Patterns.
#include <fmt/format.h>

#include <cmath>

#include "base/kinds.h"
#include "fun_pass/checker/checker.h"
#include "fun_pass/checker/usefulness.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

// What costs nothing to write again in place of a name.
bool trivial(const Expr& e) {
  if (e.kind == Expr::Kind::variable || e.kind == Expr::Kind::number) return true;
  return e.kind == Expr::Kind::field && trivial(*e.parts[0]);
}

}  // namespace

bool Checker::once_each(const std::vector<PatternRef>& patterns) {
  std::map<std::string, Loc> seen;
  bool fine = true;
  for (const PatternRef& each : patterns)
    for (const Pattern* variable : variables(*each)) {
      const auto [it, added] = seen.emplace(variable->name, variable->loc);
      if (added) continue;
      error(Kind::duplicate_name, variable->loc,
            fmt::format("'{}' stands twice in a pattern", variable->name))
          .notes.push_back({it->second, "the first one is here"});
      fine = false;
    }
  return fine;
}

PatternRef Checker::pattern(const Pattern& p, const TypeRef& type, ScopeRef* scope) {
  switch (p.kind) {
    case Pattern::Kind::wildcard: {
      auto out = std::make_shared<Pattern>(p);
      out->type = type;
      return out;
    }
    case Pattern::Kind::variable: {
      auto out = std::make_shared<Pattern>(p);
      out->type = type;
      out->name = names_->unique(p.name);
      auto variable = fun::make(Expr::Kind::variable, p.loc);
      variable->name = out->name;
      Value value = literal(variable, type);
      if (type->kind == Type::Kind::list) value = list_like(variable, bad(p.loc));
      *scope = extend(*scope, p.name, {value, {}, p.loc});
      return out;
    }
    case Pattern::Kind::number: return number_pattern(p, type);
    case Pattern::Kind::variant: return variant_pattern(p, type, scope);
    case Pattern::Kind::tuple: return tuple_pattern(p, type, scope);
    case Pattern::Kind::list: return list_pattern(p, type, scope);
  }
  return nullptr;
}

PatternRef Checker::number_pattern(const Pattern& p, const TypeRef& type) {
  const bool numeric =
      type->kind == Type::Kind::index ||
      (type->kind == Type::Kind::tensor && type->shape.empty() && type->dtype != Dtype::boolean);
  if (!numeric) {
    error(Kind::pattern_type, p.loc, fmt::format("a number cannot be {}", show(*type)));
    return nullptr;
  }
  const bool whole = p.number == std::floor(p.number);
  const bool out_of_range =
      type->kind == Type::Kind::index && type->shape[0].bound() &&
      (p.number < 0 || p.number >= static_cast<double>(type->shape[0].value()));
  if (out_of_range || (is_integral(*type) && !whole)) {
    error(Kind::pattern_type, p.loc, fmt::format("{} is never {}", p.number, show(*type)));
    return nullptr;
  }
  auto out = std::make_shared<Pattern>(p);
  out->type = type;
  return out;
}

PatternRef Checker::variant_pattern(const Pattern& p, const TypeRef& type, ScopeRef* scope) {
  if (type->kind != Type::Kind::data) {
    error(Kind::pattern_type, p.loc,
          fmt::format("variant '{}' cannot match {}", p.name, show(*type)));
    return nullptr;
  }
  const std::string& origin = types_.origin(type->name);
  if (!p.type_name.empty() && p.type_name != origin) {
    error(Kind::pattern_type, p.loc,
          fmt::format("a pattern of type '{}' cannot match {}", p.type_name, show(*type)));
    return nullptr;
  }
  std::vector<std::string> known;
  for (const fun::Variant& variant : types_.instance(type->name).variants) {
    known.push_back(variant.name);
    if (variant.name != p.name) continue;
    const std::size_t count = variant.fields.size();
    const Loc at = p.parts.size() > count ? p.parts[count]->loc : p.loc;
    if (!check_fields({origin, p.name, p.loc}, variant, p.parts.size(), at)) return nullptr;
    auto out = std::make_shared<Pattern>(p);
    out->type = type;
    out->type_name = type->name;
    for (std::size_t i = 0; i < p.parts.size(); ++i) {
      out->parts[i] = pattern(*p.parts[i], variant.fields[i].type, scope);
      if (!out->parts[i]) return nullptr;
    }
    return out;
  }
  const std::string near = nearest(p.name, known);
  error(Kind::unknown_variant, p.loc,
        fmt::format("type '{}' has no variant '{}'{}; it has {}", origin, p.name,
                    near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                    fmt::join(known, ", ")));
  return nullptr;
}

PatternRef Checker::tuple_pattern(const Pattern& p, const TypeRef& type, ScopeRef* scope) {
  if (type->kind != Type::Kind::tuple || type->parts.size() != p.parts.size()) {
    error(Kind::pattern_type, p.loc,
          fmt::format("a pattern of {} parts cannot match {}", p.parts.size(), show(*type)));
    return nullptr;
  }
  auto out = std::make_shared<Pattern>(p);
  out->type = type;
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    out->parts[i] = pattern(*p.parts[i], type->parts[i], scope);
    if (!out->parts[i]) return nullptr;
  }
  return out;
}

PatternRef Checker::list_pattern(const Pattern& p, const TypeRef& type, ScopeRef* scope) {
  if (type->kind != Type::Kind::list) {
    error(Kind::pattern_type, p.loc, fmt::format("a list cannot match {}", show(*type)));
    return nullptr;
  }
  auto out = std::make_shared<Pattern>(p);
  out->type = type;
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    const bool rest = static_cast<int>(i) == p.starred;
    out->parts[i] = pattern(*p.parts[i], rest ? type : type->parts[0], scope);
    if (!out->parts[i]) return nullptr;
  }
  return out;
}

PatternRef Checker::irrefutable(const Pattern& p, const TypeRef& type, ScopeRef* scope,
                                const char* where) {
  const PatternRef out = pattern(p, type, scope);
  if (!out) return nullptr;
  Usefulness cover(&types_);
  const auto missing = cover.uncovered({out}, type);
  if (!missing) return out;
  error(Kind::refutable_pattern, p.loc,
        fmt::format("a pattern in {} must always match, and this one does not match {}; use match",
                    where, *missing));
  return nullptr;
}

bool Checker::destructure(const Pattern& p, const Value& value, ScopeRef* scope, bool keep) {
  if (value.bad() || p.kind == Pattern::Kind::wildcard) {
    for (const Pattern* variable : variables(p))
      *scope = extend(*scope, variable->name, {bad(variable->loc), {}, variable->loc});
    return !value.bad();
  }
  if (p.kind == Pattern::Kind::variable) {
    const bool named = value.plain() && (keep || !trivial(*value.expr));
    *scope = extend(*scope, p.name, {named ? let(p.name, value, p.loc) : value, {}, p.loc});
    return true;
  }
  const bool functions = value.kind == Value::Kind::tuple;
  if (p.kind == Pattern::Kind::tuple &&
      (functions || (value.plain() && value.expr->kind == Expr::Kind::tuple))) {
    const std::size_t count = functions ? value.parts.size() : value.expr->parts.size();
    bool fine = count == p.parts.size();
    if (!fine)
      error(Kind::pattern_type, p.loc,
            fmt::format("a pattern of {} parts cannot match a tuple of {}", p.parts.size(), count));
    for (std::size_t i = 0; i < p.parts.size() && count == p.parts.size(); ++i) {
      Value part = functions ? value.parts[i]
                             : field_of(value,
                                        value.type()->names.empty() ? std::to_string(i)
                                                                    : value.type()->names[i],
                                        p.loc, p.loc);
      fine = destructure(*p.parts[i], part, scope, keep) && fine;
    }
    return fine;
  }
  if (!value.plain()) {
    error(Kind::pattern_type, p.loc, "this pattern cannot match a function");
    return false;
  }
  const PatternRef out = irrefutable(p, value.type(), scope, "a statement or an argument");
  if (!out) {
    for (const Pattern* variable : variables(p))
      *scope = extend(*scope, variable->name, {bad(variable->loc), {}, variable->loc});
    return false;
  }
  emit({out, value.expr, false});
  return true;
}

namespace {

// The pattern with `[]` in the place of the part at `target`.
PatternRef with_empty(const PatternRef& p, const Pattern* target) {
  if (p.get() == target) {
    auto empty = fun::make_pattern(Pattern::Kind::list, p->loc);
    empty->type = p->type;
    return empty;
  }
  auto out = std::make_shared<Pattern>(*p);
  for (PatternRef& part : out->parts) part = with_empty(part, target);
  return out;
}

void lists_in(const PatternRef& p, std::vector<const Pattern*>* out) {
  const bool whole = p->kind == Pattern::Kind::variable || p->kind == Pattern::Kind::wildcard;
  if (p->type && p->type->kind == Type::Kind::list) out->push_back(p.get());
  if (whole) return;
  for (const PatternRef& part : p->parts) lists_in(part, out);
}

// The value that `p` takes apart at the place of `target`, if that is a name or a tuple of names.
const Expr* matched_at(const Expr& scrutinee, const PatternRef& p, const Pattern* target) {
  if (p.get() == target) return &scrutinee;
  if (scrutinee.kind != Expr::Kind::tuple || p->kind != Pattern::Kind::tuple) return nullptr;
  for (std::size_t i = 0; i < p->parts.size(); ++i)
    if (p->parts[i].get() == target) return scrutinee.parts[i].get();
  return nullptr;
}

}  // namespace

// The tokens of lists that have an item wherever this case is taken.
std::vector<int> Checker::nonempty_in(const MatchCases& cases, const PatternRef& row,
                                      const ScopeRef& inner, const Value& scrutinee) {
  std::vector<int> out;
  std::vector<const Pattern*> lists;
  lists_in(row, &lists);
  const auto add = [&](const Value& value) {
    out.insert(out.end(), value.lengths.begin(), value.lengths.end());
  };
  for (const Pattern* list : lists) {
    Usefulness cover(&types_);
    const bool items =
        list->kind == Pattern::Kind::list && list->parts.size() > (list->starred >= 0 ? 1u : 0u);
    const bool maybe_empty = list->kind == Pattern::Kind::list && !items;
    if (!items && (maybe_empty || cover.useful(cases.rows, with_empty(row, list), cases.type)))
      continue;
    // The names bound here, and the lists matched on.
    for (const Scope* s = inner.get(); s != nullptr; s = s->outer.get())
      if (s->named.value.plain() && s->named.value.expr->kind == Expr::Kind::variable &&
          list->kind == Pattern::Kind::variable && s->named.value.expr->name == list->name)
        add(s->named.value);
    const Expr* on = matched_at(*cases.scrutinee, row, list);
    if (on == cases.scrutinee.get()) add(scrutinee);
    if (on != nullptr && on->kind == Expr::Kind::variable)
      if (const Named* named = find(inner, on->name)) add(named->value);
  }
  return out;
}

}  // namespace espalier::fun_pass

// Statements, conditionals and matches.
#include <fmt/format.h>

#include <algorithm>

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

ExprRef named_variable(const std::string& name, Loc loc) {
  auto out = fun::make(Expr::Kind::variable, loc);
  out->name = name;
  return out;
}

}  // namespace

ExprRef Checker::Region::close(const ExprRef& value) {
  if (statements_.empty()) return value;
  auto out = fun::make(Expr::Kind::block, value->loc);
  out->statements = std::move(statements_);
  statements_.clear();
  out->parts = {value};
  out->type = value->type;
  return out;
}

void Checker::emit(fun::Statement statement) { blocks_.back()->push_back(std::move(statement)); }

Value Checker::let(const std::string& name, Value value, Loc loc) {
  auto pattern = fun::make_pattern(Pattern::Kind::variable, loc);
  pattern->name = names_->unique(name);
  pattern->type = value.type();
  emit({pattern, value.expr, false});
  auto variable = fun::make(Expr::Kind::variable, loc);
  variable->name = pattern->name;
  variable->type = pattern->type;
  value.expr = variable;
  value.loc = loc;
  return value;
}

Value Checker::block(const Expr& e, const ScopeRef& outer, const Hint& hint) {
  ScopeRef scope = outer;
  std::map<std::string, Loc> here;
  bool fine = true;
  for (const fun::Statement& statement : e.statements) {
    for (const Pattern* variable : variables(*statement.pattern)) {
      const auto [it, added] = here.emplace(variable->name, variable->loc);
      if (added) continue;
      error(Kind::duplicate_name, variable->loc,
            fmt::format("'{}' is defined twice in this list of statements", variable->name))
          .notes.push_back({it->second, "the first one is here"});
      fine = false;
    }
    if (statement.function_form && free_names(*statement.value).count(statement.pattern->name)) {
      error(Kind::recursive_local_function,
            free_names(*statement.value).at(statement.pattern->name),
            fmt::format("local function '{}' calls itself; only functions of the model may",
                        statement.pattern->name));
      scope = extend(scope, statement.pattern->name, {bad(statement.pattern->loc), {}, {}});
      fine = false;
      continue;
    }
    const Value value = elaborate(statement.value, scope, {});
    fine = destructure(*statement.pattern, value, &scope, true) && fine;
  }
  const Value value = elaborate(e.parts[0], scope, hint);
  return fine ? value : bad(e.loc);
}

Value Checker::conditional(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  Value chosen = expect_plain(elaborate(e->parts[0], scope, {}), "a condition");
  if (!chosen.bad() && !is_scalar(*chosen.type(), Dtype::boolean)) {
    const bool tensor = chosen.type()->kind == Type::Kind::tensor && !chosen.type()->shape.empty();
    error(Kind::condition_not_scalar, e->parts[0]->loc,
          fmt::format("'if' takes a bool, found {}{}", show(*chosen.type()),
                      tensor ? "; tensors use select(condition, a, b)" : ""));
    chosen = bad(e->loc);
  }
  std::vector<Branch> branches;
  for (std::size_t i = 1; i <= 2; ++i)
    branches.push_back({e->parts[i], scope, [this, e, i, scope](const Hint& asked) {
                          Region region(this);
                          Value value = elaborate(e->parts[i], scope, asked);
                          if (value.plain()) value.expr = region.close(value.expr);
                          return value;
                        }});
  const auto values = unite(branches, hint, Kind::branch_types_differ, "the branches of 'if'");
  if (values.empty() || chosen.bad()) return bad(e->loc);
  if (!values[0].plain()) return deferred(e, scope, chosen);
  auto out = fun::make(Expr::Kind::conditional, e->loc);
  out->parts = {chosen.expr, values[0].expr, values[1].expr};
  Value value = literal(
      out, fits(*values[1].type(), *values[0].type()) ? values[0].type() : values[1].type());
  value.nonempty = is_nonempty(values[0]) && is_nonempty(values[1]);
  return value;
}

// The choice among functions, made again where they are applied, by a condition computed once.
Value Checker::deferred(const ExprRef& e, const ScopeRef& scope, const Value& chosen_by) {
  static const std::string name = "chosen";
  const std::string hidden = "$" + std::to_string(lambda_numbers_.size());
  Value by = chosen_by;
  if (by.plain() && by.expr->kind != Expr::Kind::variable) by = let(name, by, e->loc);
  auto choice = std::make_shared<Expr>(*e);
  lambda_numbers_.emplace(choice.get(), static_cast<int>(lambda_numbers_.size()));
  choice->parts[0] = named_variable(hidden, e->parts[0]->loc);
  kept_.push_back(choice);
  Value value = bad(e->loc);
  value.kind = Value::Kind::choice;
  value.expr = choice;
  value.scope = extend(scope, hidden, {by, {}, {}});
  return value;
}

std::vector<Value> Checker::unite(const std::vector<Branch>& branches, Hint hint, Kind kind,
                                  const char* what) {
  // Those that have a type of their own come first and give it to the others.
  std::vector<std::size_t> order;
  for (const bool soft : {false, true})
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const Branch& branch = branches[i];
      if ((adaptable(*branch.ast, branch.scope) || needs_hint(*branch.ast)) == soft)
        order.push_back(i);
    }
  std::vector<Value> values(branches.size());
  const bool asked = hint.type != nullptr;
  std::size_t first = branches.size();
  bool fine = true;
  for (const std::size_t i : order) {
    Value& value = values[i];
    value = branches[i].run(hint);
    fine = fine && !value.bad();
    if (value.bad()) continue;
    if (first == branches.size()) {
      first = i;
      if (value.plain() && !asked) hint = Hint::exactly(value.type());
      continue;
    }
    const Value& model = values[first];
    if (value.plain() != model.plain()) {
      error(kind, branches[i].ast->loc,
            fmt::format("{} differ: one is a function, the other is not", what));
      fine = false;
    } else if (value.plain() && !fits(*value.type(), *model.type()) &&
               !fits(*model.type(), *value.type())) {
      error(kind, branches[i].ast->loc,
            fmt::format("{} differ in type: {} and {}", what, show(*model.type()),
                        show(*value.type())))
          .notes.push_back(
              {branches[first].ast->loc, fmt::format("this one is {}", show(*model.type()))});
      fine = false;
    }
  }
  return fine ? values : std::vector<Value>();
}

Value Checker::match(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  const Value on = elaborate(e->parts[0], scope, {});
  if (on.bad()) return on;
  if (!on.plain()) {
    ScopeRef inner = scope;
    if (e->cases.empty() || !destructure(*e->cases[0].pattern, on, &inner, false))
      return bad(e->loc);
    return elaborate(e->cases[0].body, inner, hint);
  }
  MatchCases cases{on.type(), {}, e->parts[0]};
  std::vector<Branch> branches;
  std::vector<PatternRef> patterns(e->cases.size());
  std::vector<std::vector<PatternRef>> earlier;
  for (std::size_t i = 0; i < e->cases.size(); ++i) {
    {  // The pattern alone first, for the cover and for what earlier cases tell of it.
      Region region(this);
      ScopeRef inner = scope;
      Quiet quiet(this);
      const PatternRef row = pattern(*e->cases[i].pattern, on.type(), &inner);
      earlier.push_back(cases.rows);
      if (row) cases.rows.push_back(row);
    }
    const auto run = [this, e, i, scope, on, &patterns, &earlier](const Hint& asked) {
      const fun::Case& each = e->cases[i];
      Region region(this);
      ScopeRef inner = scope;
      if (!once_each({each.pattern})) return bad(e->loc);
      patterns[i] = pattern(*each.pattern, on.type(), &inner);
      if (!patterns[i]) return bad(e->loc);
      const auto known = nonempty_in({on.type(), earlier[i], e->parts[0]}, patterns[i], inner, on);
      nonempty_.insert(nonempty_.end(), known.begin(), known.end());
      Value value = elaborate(each.body, inner, asked);
      if (value.plain()) value.expr = region.close(value.expr);
      return value;
    };
    branches.push_back({e->cases[i].body, scope, run});
  }
  const auto values = unite(branches, hint, Kind::branch_types_differ, "the cases of a match");
  if (cases.rows.size() != e->cases.size()) return bad(e->loc);
  if (!check_cover(cases, e->parts[0]->loc) || values.empty()) return bad(e->loc);
  if (!values[0].plain()) return deferred(e, scope, on);
  auto out = fun::make(Expr::Kind::match, e->loc);
  out->parts = {on.expr};
  TypeRef type = values[0].type();
  bool nonempty = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out->cases.push_back({patterns[i], values[i].expr});
    if (!fits(*values[i].type(), *type)) type = values[i].type();
    nonempty = nonempty && is_nonempty(values[i]);
  }
  Value value = literal(out, type);
  value.nonempty = nonempty;
  return value;
}

bool Checker::check_cover(const MatchCases& cases, Loc loc) {
  Usefulness cover(&types_);
  bool fine = true;
  std::vector<PatternRef> before;
  for (const PatternRef& row : cases.rows) {
    if (!cover.useful(before, row, cases.type)) {
      error(Kind::redundant_case, row->loc, "this case is never taken: earlier ones cover it");
      fine = false;
    }
    before.push_back(row);
  }
  const auto missing = cover.uncovered(cases.rows, cases.type);
  if (cover.gave_up()) {
    error(Kind::match_too_complex, loc, "this match is too complex to be checked; split it");
    return false;
  }
  if (!missing) return fine;
  error(Kind::non_exhaustive_match, loc,
        fmt::format("this match of {} has no case for {}", show(*cases.type), *missing));
  return false;
}

}  // namespace espalier::fun_pass

#include "fun/walk.h"

namespace espalier::fun {

namespace {

// Calls `see` with a reference to every child of `expr`, which may be const or not.
template <class AnyExpr, class See>
void each_child(AnyExpr& expr, const See& see) {
  const auto present = [&](auto& child) {
    if (child) see(child);
  };
  for (auto& statement : expr.statements) present(statement.value);
  for (auto& part : expr.parts) present(part);
  for (auto& option : expr.options) present(option.second);
  for (auto& one : expr.cases) present(one.body);
  for (auto& at : expr.indices) {
    present(at.at);
    present(at.begin);
    present(at.end);
    present(at.step);
  }
}

using Names = std::set<std::string>;

void bind(const Pattern& pattern, Names* bound) {
  if (pattern.kind == Pattern::Kind::variable) bound->insert(pattern.name);
  for (const PatternRef& part : pattern.parts) bind(*part, bound);
}

Names with(const Names& bound, const std::vector<PatternRef>& patterns) {
  Names out = bound;
  for (const PatternRef& pattern : patterns) bind(*pattern, &out);
  return out;
}

void collect_free(const Expr& expr, const Names& bound, Names* free);

void collect_block(const Expr& block, Names bound, Names* free) {
  for (const Statement& statement : block.statements) {
    collect_free(*statement.value, bound, free);
    bind(*statement.pattern, &bound);
  }
  collect_free(*block.parts[0], bound, free);
}

void collect_free(const Expr& expr, const Names& bound, Names* free) {
  switch (expr.kind) {
    case Expr::Kind::variable:
      if (!bound.count(expr.name)) free->insert(expr.name);
      return;
    case Expr::Kind::block: return collect_block(expr, bound, free);
    case Expr::Kind::lambda: return collect_free(*expr.parts[0], with(bound, expr.params), free);
    case Expr::Kind::each:
      collect_free(*expr.parts[0], with(bound, expr.params), free);
      return collect_free(*expr.parts[1], bound, free);
    case Expr::Kind::match:
      collect_free(*expr.parts[0], bound, free);
      for (const Case& one : expr.cases) collect_free(*one.body, with(bound, {one.pattern}), free);
      return;
    case Expr::Kind::call:
      if (!expr.name.empty()) free->insert(expr.name);
      break;
    case Expr::Kind::number:
    case Expr::Kind::text:
    case Expr::Kind::tuple:
    case Expr::Kind::field:
    case Expr::Kind::conditional:
    case Expr::Kind::op:
    case Expr::Kind::construct:
    case Expr::Kind::list:
    case Expr::Kind::index: break;
  }
  each_child(expr, [&](const ExprRef& child) { collect_free(*child, bound, free); });
}

}  // namespace

std::vector<ExprRef> children(const Expr& expr) {
  std::vector<ExprRef> out;
  each_child(expr, [&](const ExprRef& child) { out.push_back(child); });
  return out;
}

void visit(const ExprRef& expr, const std::function<void(const ExprRef&)>& see) {
  see(expr);
  each_child(*expr, [&](const ExprRef& child) { visit(child, see); });
}

ExprRef map_children(const ExprRef& expr, const std::function<ExprRef(const ExprRef&)>& change) {
  std::vector<ExprRef> changed;
  bool any = false;
  each_child(*expr, [&](const ExprRef& child) {
    changed.push_back(change(child));
    any = any || changed.back() != child;
  });
  if (!any) return expr;
  auto out = std::make_shared<Expr>(*expr);
  std::size_t next = 0;
  each_child(*out, [&](ExprRef& child) { child = changed[next++]; });
  return out;
}

ExprRef rewrite(const ExprRef& expr, const std::function<ExprRef(const ExprRef&)>& change) {
  return change(map_children(expr, [&](const ExprRef& child) { return rewrite(child, change); }));
}

std::vector<std::string> names_bound(const Pattern& pattern) {
  std::vector<std::string> out;
  if (pattern.kind == Pattern::Kind::variable) out.push_back(pattern.name);
  for (const PatternRef& part : pattern.parts)
    for (std::string& name : names_bound(*part)) out.push_back(std::move(name));
  return out;
}

std::set<std::string> free_variables(const ExprRef& expr) {
  Names free;
  collect_free(*expr, {}, &free);
  return free;
}

}  // namespace espalier::fun

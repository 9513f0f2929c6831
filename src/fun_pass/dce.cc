#include "fun_pass/dce.h"

#include <algorithm>
#include <set>

#include "fun_pass/call_graph.h"

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;

namespace {

using Used = std::set<std::string>;

// The pattern with wildcards for names that are not used; its names are no longer counted as used.
PatternRef prune(const PatternRef& p, Used* used) {
  auto out = std::make_shared<Pattern>(*p);
  if (p->kind == Pattern::Kind::variable && used->erase(p->name) == 0) {
    out->kind = Pattern::Kind::wildcard;
    out->name.clear();
  }
  for (PatternRef& part : out->parts) part = prune(part, used);
  return out;
}

bool binds_used(const Pattern& p, const Used& used) {
  if (p.kind == Pattern::Kind::variable && used.count(p.name)) return true;
  return std::any_of(p.parts.begin(), p.parts.end(),
                     [&](const PatternRef& part) { return binds_used(*part, used); });
}

ExprRef sweep(const ExprRef& e, Used* used);

ExprRef sweep_block(const Expr& e, Used* used) {
  auto out = std::make_shared<Expr>(e);
  out->parts[0] = sweep(e.parts[0], used);
  std::vector<fun::Statement> kept;
  for (auto it = e.statements.rbegin(); it != e.statements.rend(); ++it) {
    if (!binds_used(*it->pattern, *used)) continue;
    fun::Statement statement = *it;
    statement.pattern = prune(it->pattern, used);
    statement.value = sweep(it->value, used);
    kept.push_back(std::move(statement));
  }
  if (kept.empty()) return out->parts[0];
  out->statements.assign(kept.rbegin(), kept.rend());
  return out;
}

// A body under patterns: what it uses of them is not used outside.
ExprRef sweep_under(std::vector<PatternRef*> patterns, const ExprRef& body, Used* used) {
  Used inner;
  ExprRef out = sweep(body, &inner);
  for (PatternRef* pattern : patterns) *pattern = prune(*pattern, &inner);
  used->insert(inner.begin(), inner.end());
  return out;
}

ExprRef sweep(const ExprRef& e, Used* used) {
  if (e->kind == Expr::Kind::block) return sweep_block(*e, used);
  auto out = std::make_shared<Expr>(*e);
  switch (e->kind) {
    case Expr::Kind::variable: used->insert(e->name); return e;
    case Expr::Kind::match:
      for (fun::Case& each : out->cases) each.body = sweep_under({&each.pattern}, each.body, used);
      break;
    case Expr::Kind::each:
      out->parts[0] = sweep_under({&out->params[0]}, e->parts[0], used);
      out->parts[1] = sweep(e->parts[1], used);
      return out;
    case Expr::Kind::lambda: {
      std::vector<PatternRef*> params;
      for (PatternRef& param : out->params) params.push_back(&param);
      out->parts[0] = sweep_under(params, e->parts[0], used);
      return out;
    }
    case Expr::Kind::number:
    case Expr::Kind::text:
    case Expr::Kind::block:
    case Expr::Kind::tuple:
    case Expr::Kind::field:
    case Expr::Kind::conditional:
    case Expr::Kind::call:
    case Expr::Kind::op:
    case Expr::Kind::construct:
    case Expr::Kind::list:
    case Expr::Kind::index: break;
  }
  for (ExprRef& part : out->parts) part = sweep(part, used);
  for (fun::Index& index : out->indices)
    if (index.at) index.at = sweep(index.at, used);
  return out;
}

}  // namespace

void dce(fun::Module& module) {
  for (fun::Function& f : module.functions) {
    Used used;
    f.body = sweep(f.body, &used);
  }
  const std::set<std::string> live = live_functions(module);
  auto& all = module.functions;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const fun::Function& f) { return !live.count(f.name); }),
            all.end());
}

}  // namespace espalier::fun_pass

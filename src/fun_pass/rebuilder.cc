#include "fun_pass/rebuilder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;

bool trivial(const Expr& e) {
  if (e.kind == Expr::Kind::variable || e.kind == Expr::Kind::number) return true;
  return e.kind == Expr::Kind::field && trivial(*e.parts[0]);
}

ExprRef variable(const std::string& name, const fun::TypeRef& type, Loc loc) {
  auto out = fun::make(Expr::Kind::variable, loc);
  out->name = name;
  out->type = type;
  return out;
}

std::set<std::string> global_names(const fun::Module& module) {
  std::set<std::string> names;
  for (const auto& [name, dim] : module.dims) names.insert(name);
  for (const fun::Named& param : module.params) names.insert(param.name);
  for (const fun::Constant& constant : module.constants) names.insert(constant.name);
  for (const fun::Function& f : module.functions) names.insert(f.name);
  return names;
}

namespace {

void collect_bound(const Pattern& pattern, std::set<std::string>* out) {
  if (pattern.kind == Pattern::Kind::variable) out->insert(pattern.name);
  for (const PatternRef& part : pattern.parts) collect_bound(*part, out);
}

}  // namespace

void visit(const ExprRef& e, const std::function<void(const Expr&)>& f) {
  f(*e);
  for (const fun::Statement& statement : e->statements) visit(statement.value, f);
  for (const ExprRef& part : e->parts) visit(part, f);
  for (const fun::Case& each : e->cases) visit(each.body, f);
  for (const fun::Index& index : e->indices)
    if (index.at) visit(index.at, f);
}

void collect_bound(const Expr& e, std::set<std::string>* out) {
  for (const fun::Statement& statement : e.statements) {
    collect_bound(*statement.pattern, out);
    collect_bound(*statement.value, out);
  }
  for (const PatternRef& param : e.params) collect_bound(*param, out);
  for (const fun::Case& each : e.cases) {
    collect_bound(*each.pattern, out);
    collect_bound(*each.body, out);
  }
  for (const ExprRef& part : e.parts) collect_bound(*part, out);
  for (const fun::Index& index : e.indices)
    if (index.at) collect_bound(*index.at, out);
}

ExprRef Rebuilder::function_body(const fun::Function& f) {
  env_.clear();
  own_.clear();
  foreign_ = false;
  path_ = {reserved_};
  collect_bound(*f.body, &own_);
  for (const fun::Argument& argument : f.args) {
    own_.insert(argument.named.name);
    path_.back().insert(argument.named.name);
  }
  return region([&] { return rebuild(f.body); });
}

ExprRef Rebuilder::region(const std::function<ExprRef()>& make) {
  std::vector<fun::Statement> statements;
  blocks_.push_back(&statements);
  path_.emplace_back();
  const Env outer = env_;
  region_begins();
  ExprRef value = make();
  region_ends();
  env_ = outer;
  path_.pop_back();
  blocks_.pop_back();
  if (statements.empty()) return value;
  auto out = fun::make(Expr::Kind::block, value->loc);
  out->statements = std::move(statements);
  out->type = value->type;
  out->parts = {std::move(value)};
  return out;
}

void Rebuilder::emit(const PatternRef& pattern, const ExprRef& value) {
  blocks_.back()->push_back({pattern, value, false});
}

std::string Rebuilder::fresh(const std::string& name) {
  const auto taken = [&](const std::string& each) {
    return (foreign_ && own_.count(each)) ||
           std::any_of(path_.begin(), path_.end(),
                       [&](const auto& level) { return level.count(each) > 0; });
  };
  const std::string wanted = name[0] == '$' ? name.substr(1) : name;
  std::string out = wanted;
  for (int i = 2; taken(out); ++i) out = wanted + '_' + std::to_string(i);
  path_.back().insert(out);
  return out;
}

ExprRef Rebuilder::let(const std::string& name, const ExprRef& value) {
  if (trivial(*value)) return value;
  auto pattern = fun::make_pattern(Pattern::Kind::variable, value->loc);
  pattern->name = fresh(name);
  pattern->type = value->type;
  emit(pattern, value);
  return variable(pattern->name, value->type, value->loc);
}

PatternRef Rebuilder::bind(const PatternRef& pattern) {
  auto out = std::make_shared<Pattern>(*pattern);
  if (pattern->kind == Pattern::Kind::variable) {
    out->name = fresh(pattern->name);
    env_[pattern->name] = variable(out->name, pattern->type, pattern->loc);
  }
  for (PatternRef& part : out->parts) part = bind(part);
  return out;
}

ExprRef Rebuilder::rebuild(const ExprRef& e) {
  switch (e->kind) {
    case Expr::Kind::variable: {
      const bool global =
          e->binding == Expr::Binding::parameter || e->binding == Expr::Binding::constant;
      const auto it = env_.find(e->name);
      if (global || it == env_.end()) return e;
      auto out = std::make_shared<Expr>(*it->second);
      out->loc = e->loc;
      return out;
    }
    case Expr::Kind::block: return rebuild_block(*e);
    case Expr::Kind::conditional: return rebuild_conditional(*e);
    case Expr::Kind::match: return rebuild_match(*e);
    case Expr::Kind::lambda: return rebuild_lambda(*e);
    case Expr::Kind::each: return rebuild_each(*e);
    case Expr::Kind::number:
    case Expr::Kind::text:
    case Expr::Kind::tuple:
    case Expr::Kind::field:
    case Expr::Kind::call:
    case Expr::Kind::op:
    case Expr::Kind::construct:
    case Expr::Kind::list:
    case Expr::Kind::index: break;
  }
  return rebuild_parts(e);
}

ExprRef Rebuilder::rebuild_parts(const ExprRef& e) {
  auto out = std::make_shared<Expr>(*e);
  for (ExprRef& part : out->parts) part = rebuild(part);
  for (fun::Index& index : out->indices)
    if (index.at) index.at = rebuild(index.at);
  return out;
}

ExprRef Rebuilder::rebuild_block(const Expr& e) {
  for (const fun::Statement& statement : e.statements) {
    const ExprRef value = rebuild(statement.value);
    emit(bind(statement.pattern), value);
  }
  return rebuild(e.parts[0]);
}

ExprRef Rebuilder::rebuild_conditional(const Expr& e) {
  auto out = std::make_shared<Expr>(e);
  out->parts[0] = rebuild(e.parts[0]);
  for (std::size_t i = 1; i < e.parts.size(); ++i)
    out->parts[i] = region([&] { return rebuild(e.parts[i]); });
  return out;
}

ExprRef Rebuilder::rebuild_match(const Expr& e) {
  auto out = std::make_shared<Expr>(e);
  out->parts[0] = rebuild(e.parts[0]);
  for (fun::Case& each : out->cases)
    each.body = region([&] {
      each.pattern = bind(each.pattern);
      return rebuild(each.body);
    });
  return out;
}

ExprRef Rebuilder::rebuild_each(const Expr& e) {
  auto out = std::make_shared<Expr>(e);
  out->parts[1] = rebuild(e.parts[1]);
  out->parts[0] = region([&] {
    out->params = {bind(e.params[0])};
    return rebuild(e.parts[0]);
  });
  return out;
}

ExprRef Rebuilder::rebuild_lambda(const Expr& e) {
  auto out = std::make_shared<Expr>(e);
  out->parts[0] = region([&] {
    for (PatternRef& param : out->params) param = bind(param);
    return rebuild(e.parts[0]);
  });
  return out;
}

namespace {

template <class T, class Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, Same same) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

bool same_pattern(const PatternRef& a, const PatternRef& b) {
  return a->kind == b->kind && a->name == b->name && a->type_name == b->type_name &&
         a->number == b->number && a->starred == b->starred &&
         all_same(a->parts, b->parts, same_pattern);
}

bool same_ref(const ExprRef& a, const ExprRef& b) {
  return a == b || (a && b && same_expr(*a, *b));
}

bool same_number(double a, double b) {
  return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b;
}

}  // namespace

bool same_expr(const Expr& a, const Expr& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.type_name != b.type_name ||
      a.binding != b.binding || a.names != b.names || !same_number(a.number, b.number))
    return false;
  if (a.kind == Expr::Kind::number && a.number_text != b.number_text && !is_float(a.type->dtype) &&
      a.type->kind == fun::Type::Kind::tensor)
    return false;
  if (!a.type != !b.type || (a.type && !fun::same(*a.type, *b.type))) return false;
  return all_same(a.parts, b.parts, same_ref) && all_same(a.params, b.params, same_pattern) &&
         all_same(a.statements, b.statements,
                  [](const fun::Statement& x, const fun::Statement& y) {
                    return same_pattern(x.pattern, y.pattern) && same_ref(x.value, y.value);
                  }) &&
         all_same(a.cases, b.cases,
                  [](const fun::Case& x, const fun::Case& y) {
                    return same_pattern(x.pattern, y.pattern) && same_ref(x.body, y.body);
                  }) &&
         all_same(a.indices, b.indices,
                  [](const fun::Index& x, const fun::Index& y) {
                    return x.slice == y.slice && same_ref(x.at, y.at) &&
                           same_ref(x.begin, y.begin) && same_ref(x.end, y.end) &&
                           same_ref(x.step, y.step);
                  }) &&
         all_same(a.options, b.options, [](const auto& x, const auto& y) {
           return x.first == y.first && same_ref(x.second, y.second);
         });
}

}  // namespace espalier::fun_pass

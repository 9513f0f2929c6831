#include "fun_pass/checker/scope.h"

#include <algorithm>

namespace espalier::fun_pass {

bool LocalNames::taken(const std::string& name) const {
  return std::any_of(levels_.begin(), levels_.end(),
                     [&](const auto& level) { return level.count(name) > 0; });
}

std::string LocalNames::unique(const std::string& wanted) {
  std::string name = wanted;
  int& next = next_.back()[wanted];
  for (const auto& level : next_)
    if (const auto known = level.find(wanted); known != level.end())
      next = std::max(next, known->second);
  for (next = std::max(next, 2); taken(name); ++next) name = wanted + '_' + std::to_string(next);
  levels_.back().insert(name);
  return name;
}

namespace {

void collect_variables(const Pattern& pattern, std::vector<const Pattern*>* out) {
  if (pattern.kind == Pattern::Kind::variable) out->push_back(&pattern);
  for (const PatternRef& part : pattern.parts) collect_variables(*part, out);
}

class FreeNames {
 public:
  std::map<std::string, Loc> found;

  void visit(const Expr& e) {
    switch (e.kind) {
      case Expr::Kind::variable: use(e.name, e.loc); return;
      case Expr::Kind::construct: use(e.type_name, e.loc); break;
      case Expr::Kind::block: visit_block(e); return;
      case Expr::Kind::match: visit_match(e); return;
      case Expr::Kind::lambda: visit_under(e.params, *e.parts[0]); return;
      case Expr::Kind::each:
        visit(*e.parts[1]);
        visit_under(e.params, *e.parts[0]);
        return;
      default: break;
    }
    visit_operands(e);
  }

 private:
  void use(const std::string& name, Loc loc) {
    if (!bound_.count(name)) found.emplace(name, loc);
  }

  void visit_operands(const Expr& e) {
    for (const ExprRef& part : e.parts) visit(*part);
    for (const auto& [name, option] : e.options) visit(*option);
    for (const fun::Index& index : e.indices)
      for (const ExprRef* at : {&index.at, &index.begin, &index.end, &index.step})
        if (*at) visit(**at);
  }

  void visit_block(const Expr& e) {
    const auto outer = bound_;
    for (const fun::Statement& statement : e.statements) {
      visit(*statement.value);
      bind_all(*statement.pattern);
    }
    visit(*e.parts[0]);
    bound_ = outer;
  }

  void visit_match(const Expr& e) {
    visit(*e.parts[0]);
    for (const fun::Case& each : e.cases) visit_under({each.pattern}, *each.body);
  }

  void visit_under(const std::vector<PatternRef>& patterns, const Expr& body) {
    const auto outer = bound_;
    for (const PatternRef& pattern : patterns) bind_all(*pattern);
    visit(body);
    bound_ = outer;
  }

  void bind_all(const Pattern& pattern) {
    for (const Pattern* variable : variables(pattern)) bound_.insert(variable->name);
  }

  std::set<std::string> bound_;
};

}  // namespace

std::map<std::string, Loc> free_names(const Expr& e) {
  FreeNames visitor;
  visitor.visit(e);
  return visitor.found;
}

std::vector<const Pattern*> variables(const Pattern& pattern) {
  std::vector<const Pattern*> out;
  collect_variables(pattern, &out);
  return out;
}

}  // namespace espalier::fun_pass

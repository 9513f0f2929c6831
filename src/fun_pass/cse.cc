#include "fun_pass/cse.h"

#include <algorithm>

#include "fun_pass/rebuilder.h"

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;

namespace {

// Worth a name of its own where it stands twice within expressions. (Tensors are left to wave.)
bool dear(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::call:
    case Expr::Kind::each:
    case Expr::Kind::match: return true;
    case Expr::Kind::op: return e.name == "fold" || e.name == "scan";
    default: return false;
  }
}

class Sharer : public Rebuilder {
 public:
  explicit Sharer(const fun::Module& module) : Rebuilder(global_names(module)) {}

  ExprRef share(const fun::Function& f) {
    repeated_.clear();
    std::vector<const Expr*> seen;
    visit(f.body, [&](const Expr& e) {
      if (!dear(e)) return;
      const auto same = [&](const Expr* other) { return same_expr(e, *other); };
      if (std::any_of(seen.begin(), seen.end(), same)) repeated_.push_back(&e);
      seen.push_back(&e);
    });
    return function_body(f);
  }

 private:
  ExprRef known(const ExprRef& value) const {
    for (const auto& [name, other] : available_)
      if (same_expr(*other, *value)) return variable(name, value->type, value->loc);
    return nullptr;
  }

  ExprRef rebuild(const ExprRef& e) override {
    const bool twice = dear(*e) && std::any_of(repeated_.begin(), repeated_.end(),
                                               [&](const Expr* r) { return same_expr(*r, *e); });
    ExprRef out = Rebuilder::rebuild(e);
    if (trivial(*out) || !dear(*e)) return out;
    if (const ExprRef shared = known(out)) return shared;
    if (!twice) return out;
    const std::string wanted = e->kind == Expr::Kind::call ? "of_" + e->name : "shared";
    const ExprRef name = let(wanted, out);
    available_.emplace_back(name->name, out);
    return name;
  }

  void region_begins() override { sizes_.push_back(available_.size()); }
  void region_ends() override {
    available_.resize(sizes_.back());
    sizes_.pop_back();
  }

  ExprRef rebuild_block(const Expr& e) override {
    for (const fun::Statement& statement : e.statements) {
      const ExprRef value = rebuild(statement.value);
      const bool named = statement.pattern->kind == Pattern::Kind::variable;
      const ExprRef shared = named && !trivial(*value) ? known(value) : nullptr;
      if (shared || (named && value->kind == Expr::Kind::variable)) {
        env_[statement.pattern->name] = shared ? shared : value;
        continue;
      }
      const fun::PatternRef pattern = bind(statement.pattern);
      emit(pattern, value);
      if (named) available_.emplace_back(pattern->name, value);
    }
    return rebuild(e.parts[0]);
  }

  std::vector<const Expr*> repeated_;
  std::vector<std::pair<std::string, ExprRef>> available_;
  std::vector<std::size_t> sizes_;  // of available_ where each region began
};

}  // namespace

void cse(fun::Module& module) {
  Sharer sharer(module);
  for (fun::Function& f : module.functions) f.body = sharer.share(f);
}

}  // namespace espalier::fun_pass

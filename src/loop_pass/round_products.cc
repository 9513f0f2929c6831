#include "loop_pass/round_products.h"

#include <set>

#include "loop/build.h"

namespace espalier::loop_pass {

using loop::Expr;
using loop::ExprRef;
using loop::Stmt;

namespace {

// Functions of the runtime that end with a product.
const std::set<std::string> products = {"square",    "silu", "gelu", "mish",
                                        "hardswish", "sinh", "cosh"};

class Rounder {
 public:
  void statements(std::vector<Stmt>& body) {
    const std::set<std::string> outer = products_;
    for (Stmt& s : body) statement(s);
    products_ = outer;
  }

 private:
  void statement(Stmt& s) {
    if (s.value) s.value = rewritten(s.value);
    for (ExprRef& arg : s.args) arg = rewritten(arg);
    const bool named = s.kind == Stmt::Kind::let || s.kind == Stmt::Kind::variable;
    if (named && s.value && is_product(s.value)) products_.insert(s.name);
    const bool adds = s.kind == Stmt::Kind::assign && s.op == "+";
    if (adds && products_.count(s.name) && is_product(s.value)) s.value = rounded(s.value);
    statements(s.body);
    statements(s.other);
  }

  bool is_product(const ExprRef& e) const {
    if (!is_float(e->type.dtype) || e->type.pointer) return false;
    switch (e->kind) {
      case Expr::Kind::binary: return e->name == "*";
      case Expr::Kind::unary: return is_product(e->args[0]);
      case Expr::Kind::variable: return products_.count(e->name) > 0;
      case Expr::Kind::call: return products.count(e->name) > 0;
      case Expr::Kind::cast:
        return e->args[0]->type.dtype == e->type.dtype && is_product(e->args[0]);
      default: return false;
    }
  }

  static ExprRef rounded(const ExprRef& e) { return loop::call("rounded", e->type, {e}); }

  ExprRef rewritten(const ExprRef& e) const {
    return loop::rewrite(e, [&](const ExprRef& x) -> ExprRef {
      const bool sum = x->kind == Expr::Kind::binary && (x->name == "+" || x->name == "-");
      if (!sum || !is_product(x->args[0]) || !is_product(x->args[1])) return nullptr;
      return loop::binary(x->name, x->type, rounded(x->args[0]), x->args[1]);
    });
  }

  std::set<std::string> products_;  // variables whose values are products
};

}  // namespace

void round_products(loop::Module& module) {
  for (loop::Function& function : module.functions) Rounder().statements(function.body);
}

}  // namespace espalier::loop_pass

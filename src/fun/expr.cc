#include "fun/expr.h"

namespace espalier::fun {

std::shared_ptr<Expr> make(Expr::Kind kind, Loc loc) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->loc = loc;
  return expr;
}

std::shared_ptr<Pattern> make_pattern(Pattern::Kind kind, Loc loc) {
  auto pattern = std::make_shared<Pattern>();
  pattern->kind = kind;
  pattern->loc = loc;
  return pattern;
}

}  // namespace espalier::fun

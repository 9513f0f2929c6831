// Expressions down to unary operators.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "read/parser_class.h"

namespace espalier::read {

using fun::Expr;
using fun::ExprRef;

ExprRef Parser::op(const Token& name, std::vector<ExprRef> parts, std::size_t begin) {
  auto out = fun::make(Expr::Kind::op, since(begin));
  out->name = name.text;
  out->name_loc = loc(name);
  out->parts = std::move(parts);
  return done(std::move(out));
}

int Parser::height(const ExprRef& expr) const {
  const auto found = heights_.find(expr.get());
  return found == heights_.end() ? 1 : found->second;
}

ExprRef Parser::done(ExprPtr expr) {
  int below = 0;
  const auto add = [&](const ExprRef& part) {
    if (part) below = std::max(below, height(part));
  };
  for (const ExprRef& part : expr->parts) add(part);
  for (const auto& [name, value] : expr->options) add(value);
  for (const fun::Index& at : expr->indices)
    for (const ExprRef& part : {at.at, at.begin, at.end, at.step}) add(part);
  if (context_.depth + below + 1 > deepest) too_deep();
  heights_[expr.get()] = below + 1;
  return expr;
}

ExprRef Parser::expr() {
  const Level level(this);
  if (is("if")) return conditional();
  if (is("fun")) return lambda();
  return disjunction();
}

ExprRef Parser::conditional() {
  const Token& start = take();
  ExprRef condition = expr();
  if (!is("then")) {
    if (peek().kind == Token::Kind::end || is("else"))
      fail(Kind::missing_then, peek(),
           fmt::format("found {}, expected 'then': a conditional is 'if c then a else b'",
                       describe(peek())));
    unexpected("an operator or 'then'");
  }
  take();
  ExprRef yes = expr();
  if (!is("else")) {
    if (peek().kind == Token::Kind::end || is_any({")", "]", ","}))
      fail(Kind::missing_else, peek(),
           fmt::format("found {}, expected 'else': a conditional has a value in both cases",
                       describe(peek())));
    unexpected("an operator or 'else'");
  }
  take();
  ExprRef no = expr();
  auto out = fun::make(Expr::Kind::conditional, since(start.begin));
  out->parts = {std::move(condition), std::move(yes), std::move(no)};
  return done(std::move(out));
}

ExprRef Parser::lambda() {
  const Token& start = take();
  if (!is("(")) unexpected("'(' and the function's arguments: fun (x) -> ..");
  const Token& open = take();
  std::vector<fun::PatternRef> params = patterns(open);
  if (!take_if("->")) unexpected("'->'");
  ExprRef body = expr();
  auto out = fun::make(Expr::Kind::lambda, since(start.begin));
  out->params = std::move(params);
  out->parts = {std::move(body)};
  return done(std::move(out));
}

// operand { operator operand }, to the left.
ExprRef Parser::left_chain(Names operators, Rule operand) {
  const std::size_t begin = peek().begin;
  ExprRef left = (this->*operand)();
  while (is_any(operators)) {
    const Token& name = take();
    ExprRef right = (this->*operand)();
    left = op(name, {std::move(left), std::move(right)}, begin);
  }
  return left;
}

ExprRef Parser::negation() {
  if (!is("not")) return comparison();
  const Token& name = take();
  if (is("not")) unexpected("an operand; write not (not ..)");
  ExprRef operand = comparison();
  return op(name, {std::move(operand)}, name.begin);
}

ExprRef Parser::comparison() {
  const auto compares = [this] { return is_any({"==", "!=", "<", "<=", ">", ">="}); };
  const std::size_t begin = peek().begin;
  ExprRef left = sum();
  if (!compares()) return left;
  const Token& name = take();
  ExprRef right = sum();
  if (compares())
    fail(Kind::chained_comparison, peek(),
         fmt::format("a comparison is not compared again: write 'a {} b and b {} c'", name.text,
                     peek().text));
  return op(name, {std::move(left), std::move(right)}, begin);
}

// A minus before nothing but a number is part of the number.
ExprRef Parser::unary() {
  if (!is("-")) return power();
  const std::size_t start = taken();
  const Token& minus = take();
  ExprRef operand = power();
  const bool literal = taken() == start + 2 && operand->kind == Expr::Kind::number &&
                       !operand->type && operand->number_text != "nan";
  if (!literal) return op(minus, {std::move(operand)}, minus.begin);
  auto out = fun::make(Expr::Kind::number, since(minus.begin));
  out->number = -operand->number;
  out->number_text = "-" + operand->number_text;
  return out;
}

ExprRef Parser::power() {
  const std::size_t begin = peek().begin;
  ExprRef base = postfix();
  if (!is("**")) return base;
  const Level level(this);
  const Token& name = take();
  ExprRef exponent = unary();
  return op(name, {std::move(base), std::move(exponent)}, begin);
}

ExprRef Parser::disjunction() { return left_chain({"or"}, &Parser::conjunction); }
ExprRef Parser::conjunction() { return left_chain({"and"}, &Parser::negation); }
ExprRef Parser::sum() { return left_chain({"+", "-"}, &Parser::product); }
ExprRef Parser::product() { return left_chain({"*", "/", "//", "%", "@"}, &Parser::unary); }

}  // namespace espalier::read

// Postfix expressions and atoms.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/parser_class.h"

namespace espalier::read {

using fun::Expr;
using fun::ExprRef;

ExprRef Parser::postfix() {
  const std::size_t begin = peek().begin;
  ExprRef base = atom();
  for (;;) {
    if (is("."))
      base = field(std::move(base), begin);
    else if (is("("))
      base = call(std::move(base), begin);
    else if (is("["))
      base = subscript(std::move(base), begin);
    else
      return base;
  }
}

ExprRef Parser::field(ExprRef base, std::size_t begin) {
  take();
  const bool numbered = peek().kind == Token::Kind::number;
  const Token& name = numbered ? take() : take_name("a field's name");
  const bool of_type =
      base->kind == Expr::Kind::variable && !context_.data_type(base->name).empty();
  if (of_type && !is("("))
    fail(Kind::variant_parentheses, name,
         fmt::format("variants always have parentheses: {}.{}()", base->name, name.text));
  auto out = fun::make(Expr::Kind::field, since(begin));
  out->name = name.text;
  out->name_loc = loc(name);
  out->parts = {std::move(base)};
  return done(std::move(out));
}

ExprRef Parser::call(ExprRef callee, std::size_t begin) {
  const Token& open = take();
  auto out = fun::make(Expr::Kind::call, {});
  std::string type;
  if (callee->kind == Expr::Kind::field && callee->parts[0]->kind == Expr::Kind::variable)
    type = context_.data_type(callee->parts[0]->name);
  if (!type.empty()) {
    out->kind = Expr::Kind::construct;
    out->type_name = type;
    out->name = callee->name;
    out->name_loc = callee->name_loc;
  } else {
    out->parts = {std::move(callee)};
  }
  if (!is(")")) {
    const std::size_t first = peek().begin;
    argument(out.get());
    if (is("for") && out->options.empty())
      out->parts.back() = each(out->parts.back(), first);
    else
      while (take_if(",")) argument(out.get());
  }
  close(open, ")", "',' or ')'");
  out->loc = since(begin);
  return done(std::move(out));
}

void Parser::argument(Expr* call) {
  const bool named = at_name() && peek(1).is("=");
  if (!named) {
    if (!call->options.empty())
      fail(Kind::named_argument_order, peek(), "named arguments come behind all others");
    call->parts.push_back(expr());
    return;
  }
  const Token& name = take();
  const auto repeats = [&](const auto& option) { return option.first == name.text; };
  if (std::any_of(call->options.begin(), call->options.end(), repeats))
    fail(Kind::repeated_argument, name, fmt::format("argument '{}' is given twice", name.text));
  take();
  call->option_locs.push_back(loc(name));
  call->options.emplace_back(name.text, expr());
}

ExprRef Parser::subscript(ExprRef base, std::size_t begin) {
  const Token& open = take();
  auto out = fun::make(Expr::Kind::index, {});
  out->parts = {std::move(base)};
  do out->indices.push_back(index());
  while (take_if(","));
  close(open, "]", "',' or ']'");
  out->loc = since(begin);
  return done(std::move(out));
}

fun::Index Parser::index() {
  fun::Index out;
  if (!is(":")) out.at = expr();
  if (!is(":")) return out;
  take();
  out.slice = true;
  out.begin = std::move(out.at);
  out.at = nullptr;
  if (!is_any({":", ",", "]"})) out.end = expr();
  if (take_if(":") && !is_any({",", "]"})) out.step = expr();
  return out;
}

ExprRef Parser::number(const Token& token, std::string text) {
  auto out = fun::make(Expr::Kind::number, loc(token));
  out->number = parse_double(text).value_or(0);
  out->number_text = std::move(text);
  return out;
}

ExprRef Parser::atom() {
  const Token& token = peek();
  switch (token.kind) {
    case Token::Kind::name: {
      take();
      auto out = fun::make(Expr::Kind::variable, loc(token));
      out->name = token.text;
      return out;
    }
    case Token::Kind::number: take(); return number(token, std::string(token.text));
    case Token::Kind::text: {
      take();
      auto out = fun::make(Expr::Kind::text, loc(token));
      out->name = token.text;
      return out;
    }
    case Token::Kind::word:
      if (is_any({"true", "false"})) {
        take();
        auto out = fun::make(Expr::Kind::number, loc(token));
        out->number = token.text == "true";
        out->number_text = token.text;
        out->type = fun::scalar(Dtype::boolean);
        return out;
      }
      if (is_any({"inf", "nan"})) return number(take(), std::string(token.text));
      return missing();
    case Token::Kind::symbol:
      if (is("(")) return parenthesized();
      if (is("[")) return list();
      return missing();
    case Token::Kind::end: return missing();
  }
  return missing();
}

// No expression begins with the token at hand.
ExprRef Parser::missing() {
  const Token& found = peek();
  if (is_any({"if", "fun"}))
    fail(Kind::misplaced_conditional, found,
         fmt::format("put parentheses around what begins with '{}'", found.text));
  if (is_any({"*", "**"}))
    fail(Kind::misplaced_star, found, "a starred item stands in the pattern of a list only");
  if (found.kind == Token::Kind::word && !is("not"))
    fail(Kind::reserved_word, found,
         fmt::format("'{}' is a word of the language, expected an expression", found.text));
  if (is("not")) fail(Kind::misplaced_conditional, found, "put parentheses around 'not ..' here");
  const bool first = taken() == 0;
  if (found.kind == Token::Kind::end)
    fail(Kind::missing_expression, found,
         first ? "the text is empty, expected an expression"
               : "an expression is missing at the end");
  if (is_any({")", "]", ","}) && !first)
    fail(Kind::missing_expression, found,
         fmt::format("an expression is missing before {}", describe(found)));
  unexpected("an expression");
}

ExprRef Parser::parenthesized() {
  const Token& open = take();
  if (is(")")) fail(Kind::empty_tuple, open, "a tuple has fields");
  if (at_name() && peek(1).is("=")) return named_tuple(open);
  ExprRef first = expr();
  if (!is(",")) {
    close(open, ")", "an operator, ',' or ')'");
    return first;
  }
  auto out = fun::make(Expr::Kind::tuple, {});
  out->parts = {std::move(first)};
  while (take_if(",")) {
    if (is(")") && out->parts.size() == 1) break;
    if (at_name() && peek(1).is("="))
      fail(Kind::mixed_fields, peek(), "either all fields of a tuple have names or none");
    out->parts.push_back(expr());
  }
  close(open, ")", "',' or ')'");
  out->loc = since(open.begin);
  return done(std::move(out));
}

ExprRef Parser::named_tuple(const Token& open) {
  auto out = fun::make(Expr::Kind::tuple, {});
  do {
    if (!(at_name() && peek(1).is("="))) {
      if (peek().kind == Token::Kind::word || !at_name()) take_name("a field's name and '='");
      fail(Kind::mixed_fields, peek(), "either all fields of a tuple have names or none");
    }
    const Token& name = take();
    if (std::find(out->names.begin(), out->names.end(), name.text) != out->names.end())
      fail(Kind::repeated_field, name, fmt::format("field '{}' stands twice", name.text));
    take();
    out->names.emplace_back(name.text);
    out->parts.push_back(expr());
  } while (take_if(","));
  close(open, ")", "an operator, ',' or ')'");
  out->loc = since(open.begin);
  return done(std::move(out));
}

ExprRef Parser::list() {
  const Token& open = take();
  auto out = fun::make(Expr::Kind::list, {});
  if (!is("]")) {
    ExprRef first = expr();
    if (is("for")) {
      ExprRef comprehension = each(std::move(first), open.begin);
      close(open, "]", "an operator or ']'");
      auto whole = std::make_shared<Expr>(*comprehension);
      whole->loc = since(open.begin);
      return done(std::move(whole));
    }
    out->parts = {std::move(first)};
    while (take_if(",")) out->parts.push_back(expr());
  }
  close(open, "]", "an operator, ',' or ']'");
  out->loc = since(open.begin);
  return done(std::move(out));
}

// Behind the item: for pattern in expr.
ExprRef Parser::each(ExprRef item, std::size_t begin) {
  take();
  fun::PatternRef variable = pattern();
  if (!take_if("in")) unexpected("'in'");
  ExprRef items = expr();
  auto out = fun::make(Expr::Kind::each, since(begin));
  out->params = {std::move(variable)};
  out->parts = {std::move(item), std::move(items)};
  return done(std::move(out));
}

}  // namespace espalier::read

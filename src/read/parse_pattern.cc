// Patterns, statements, and whole texts.
#include <fmt/format.h>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/parser_class.h"

namespace espalier::read {

using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;

PatternRef Parser::pattern() {
  const Level level(this);
  const Token& token = peek();
  if (token.kind == Token::Kind::number) {
    take();
    auto out = fun::make_pattern(Pattern::Kind::number, loc(token));
    out->number = parse_double(token.text).value_or(0);
    return out;
  }
  if (at_name()) return named_pattern();
  if (is("(")) return grouped_pattern();
  if (is("[")) return list_pattern();
  not_a_pattern();
}

void Parser::not_a_pattern() {
  const Token& found = peek();
  if (is("*"))
    fail(Kind::misplaced_star, found, "a starred item stands in the pattern of a list only");
  if (found.kind == Token::Kind::word)
    fail(Kind::reserved_word, found,
         fmt::format("'{}' is a word of the language, expected a pattern", found.text));
  if (is("-"))
    fail(Kind::negative_pattern, found,
         "patterns have no negative numbers; compare with 'if' instead");
  unexpected("a pattern");
}

PatternRef Parser::named_pattern() {
  const Token& first = take();
  if (!is_any({".", "("})) {
    auto out = fun::make_pattern(
        first.text == "_" ? Pattern::Kind::wildcard : Pattern::Kind::variable, loc(first));
    if (first.text != "_") out->name = first.text;
    return out;
  }
  auto out = fun::make_pattern(Pattern::Kind::variant, {});
  out->name = first.text;
  if (take_if(".")) {
    const std::string canonical = context_.data_type(first.text);
    out->type_name = canonical.empty() ? std::string(first.text) : canonical;
    const Token& name = take_name("a variant's name");
    out->name = name.text;
    if (!is("("))
      fail(Kind::variant_parentheses, name,
           fmt::format("variants always have parentheses: {}.{}()", first.text, name.text));
  }
  const Token& open = take();
  out->parts = patterns(open);
  out->loc = since(first.begin);
  return out;
}

// Zero or more, up to and with the ')'.
std::vector<PatternRef> Parser::patterns(const Token& open) {
  std::vector<PatternRef> out;
  if (!is(")")) {
    do out.push_back(pattern());
    while (take_if(","));
  }
  close(open, ")", "',' or ')'");
  return out;
}

PatternRef Parser::grouped_pattern() {
  const Token& open = take();
  if (is(")")) fail(Kind::empty_tuple, open, "a tuple has fields");
  std::vector<PatternRef> parts = {pattern()};
  bool tuple = false;
  while (take_if(",")) {
    tuple = true;
    if (is(")") && parts.size() == 1) break;
    parts.push_back(pattern());
  }
  close(open, ")", "',' or ')'");
  if (!tuple) return parts[0];
  auto out = fun::make_pattern(Pattern::Kind::tuple, since(open.begin));
  out->parts = std::move(parts);
  return out;
}

PatternRef Parser::list_pattern() {
  const Token& open = take();
  auto out = fun::make_pattern(Pattern::Kind::list, {});
  const Token* star = nullptr;
  while (!is("]")) {
    if (is("*")) {
      if (star) fail(Kind::repeated_star, peek(), "a list pattern has one starred item at most");
      star = &take();
      out->starred = static_cast<int>(out->parts.size());
      const Token& name = take_name("a name behind '*'");
      auto rest = fun::make_pattern(
          name.text == "_" ? Pattern::Kind::wildcard : Pattern::Kind::variable, loc(name));
      if (name.text != "_") rest->name = name.text;
      out->parts.push_back(rest);
    } else {
      out->parts.push_back(pattern());
    }
    if (!take_if(",")) break;
    if (is("]")) unexpected("a pattern");
  }
  close(open, "]", "',' or ']'");
  if (out->starred > 0 && out->starred + 1 != static_cast<int>(out->parts.size()))
    fail(Kind::starred_position, *star, "a starred item is the first or the last of its list");
  out->loc = since(open.begin);
  return out;
}

Target Parser::target() {
  Target out;
  const bool function = at_name() && peek(1).is("(") && peek().text != "_";
  if (!function) {
    out.pattern = pattern();
    return out;
  }
  const Token& name = take();
  auto variable = fun::make_pattern(Pattern::Kind::variable, loc(name));
  variable->name = name.text;
  out.pattern = variable;
  out.function = true;
  const Token& open = take();
  out.params = patterns(open);
  return out;
}

PatternRef Parser::whole_pattern() {
  PatternRef out = pattern();
  if (peek().kind == Token::Kind::end) return out;
  if (is_any({")", "]"})) unexpected("the pattern's end");
  if (is(",")) fail(Kind::bad_pattern, peek(), "patterns of several values stand in parentheses");
  fail(Kind::bad_pattern, peek(),
       fmt::format("found {} behind a pattern, which is a name, a number, a variant, a tuple or a "
                   "list of patterns",
                   describe(peek())));
}

Target Parser::whole_target() {
  Target out = target();
  if (peek().kind != Token::Kind::end)
    fail(Kind::bad_pattern, peek(), fmt::format("found {} behind the pattern", describe(peek())));
  return out;
}

// Whether what stands before the first = outside brackets could be bound by it.
bool Parser::left_of_equals_is_target() const {
  int open = 0;
  for (const Token& token : tokens()) {
    if (token.is("(") || token.is("[")) ++open;
    if (token.is(")") || token.is("]")) --open;
    if (open == 0 && token.is("=")) return true;
    const bool binds = token.kind == Token::Kind::name || token.kind == Token::Kind::number ||
                       token.is("(") || token.is(")") || token.is("[") || token.is("]") ||
                       token.is(",") || token.is(".") || token.is("*");
    if (!binds) return false;
  }
  return false;
}

void Parser::end_of_expr() {
  const Token& found = peek();
  if (found.kind == Token::Kind::end) return;
  if (is("="))
    fail(Kind::equals_sign, found, "found '=' behind an expression; to compare, write '=='");
  if (is(",")) fail(Kind::trailing_text, found, "a tuple stands in parentheses: (a, b)");
  const bool value =
      at_name() || found.kind == Token::Kind::number || found.kind == Token::Kind::text;
  if (value)
    fail(Kind::trailing_text, found,
         fmt::format("found {} behind a whole expression, expected an operator", describe(found)));
  unexpected("an operator or the end");
}

ExprRef Parser::whole_expr() {
  if (left_of_equals_is_target())
    fail(Kind::statement_as_value, peek(),
         "a statement where a value is expected; a body of statements is a list that ends with its "
         "value");
  ExprRef out = expr();
  end_of_expr();
  return out;
}

fun::Statement Parser::whole_statement() {
  if (!left_of_equals_is_target()) {
    ExprRef value = expr();
    end_of_expr();
    fail(Kind::value_as_statement, tokens().front(),
         "a value that nothing uses; only the last of a list of statements is a value");
  }
  Target left = target();
  if (!is("=")) unexpected("'='");
  take();
  ExprRef value = expr();
  end_of_expr();
  return make_statement(std::move(left), std::move(value));
}

fun::Statement make_statement(Target target, ExprRef value) {
  if (!target.function) return {std::move(target.pattern), std::move(value), false};
  auto lambda = fun::make(fun::Expr::Kind::lambda, target.pattern->loc);
  lambda->params = std::move(target.params);
  lambda->parts = {std::move(value)};
  return {std::move(target.pattern), std::move(lambda), true};
}

namespace {

template <class T>
Result<T> parse(const Snippet& snippet, const ParseContext& context, Diagnostics* diagnostics,
                T (Parser::*rule)()) {
  Result<std::vector<Token>> tokens = lex(snippet, diagnostics);
  if (!tokens) return Failed{};
  try {
    Parser parser(snippet, std::move(*tokens), context, diagnostics);
    return (parser.*rule)();
  } catch (const SyntaxStop&) {
    return Failed{};
  }
}

}  // namespace

Result<ExprRef> parse_expr(const Snippet& snippet, const ParseContext& context,
                           Diagnostics* diagnostics) {
  return parse(snippet, context, diagnostics, &Parser::whole_expr);
}

Result<fun::Statement> parse_statement(const Snippet& snippet, const ParseContext& context,
                                       Diagnostics* diagnostics) {
  return parse(snippet, context, diagnostics, &Parser::whole_statement);
}

Result<PatternRef> parse_pattern(const Snippet& snippet, const ParseContext& context,
                                 Diagnostics* diagnostics) {
  return parse(snippet, context, diagnostics, &Parser::whole_pattern);
}

Result<Target> parse_target(const Snippet& snippet, const ParseContext& context,
                            Diagnostics* diagnostics) {
  return parse(snippet, context, diagnostics, &Parser::whole_target);
}

}  // namespace espalier::read

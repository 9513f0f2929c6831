// The recursive-descent parser behind parser.h: a method a rule of the grammar.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "read/parser.h"
#include "read/token_stream.h"

namespace espalier::read {

class Parser : public TokenStream {
 public:
  Parser(const Snippet& snippet, std::vector<Token> tokens, const ParseContext& context,
         Diagnostics* diagnostics)
      : TokenStream(snippet, std::move(tokens), context.depth, diagnostics), context_(context) {}

  // Whole texts.
  fun::ExprRef whole_expr();
  fun::Statement whole_statement();
  fun::PatternRef whole_pattern();
  Target whole_target();

 private:
  using ExprPtr = std::shared_ptr<fun::Expr>;
  using Rule = fun::ExprRef (Parser::*)();
  using Names = std::initializer_list<std::string_view>;

  // parse_expr.cc
  fun::ExprRef expr();
  fun::ExprRef conditional();
  fun::ExprRef lambda();
  fun::ExprRef left_chain(Names operators, Rule operand);
  fun::ExprRef disjunction();
  fun::ExprRef conjunction();
  fun::ExprRef negation();
  fun::ExprRef comparison();
  fun::ExprRef sum();
  fun::ExprRef product();
  fun::ExprRef unary();
  fun::ExprRef power();

  // parse_atom.cc
  fun::ExprRef postfix();
  fun::ExprRef field(fun::ExprRef base, std::size_t begin);
  fun::ExprRef call(fun::ExprRef callee, std::size_t begin);
  fun::ExprRef subscript(fun::ExprRef base, std::size_t begin);
  fun::Index index();
  void argument(fun::Expr*);
  fun::ExprRef atom();
  fun::ExprRef number(const Token&, std::string text);
  fun::ExprRef missing();
  fun::ExprRef parenthesized();
  fun::ExprRef named_tuple(const Token& open);
  fun::ExprRef list();
  fun::ExprRef each(fun::ExprRef item, std::size_t begin);

  // parse_pattern.cc
  fun::PatternRef pattern();
  std::vector<fun::PatternRef> patterns(const Token& open);  // up to the ')'
  fun::PatternRef named_pattern();
  fun::PatternRef grouped_pattern();
  fun::PatternRef list_pattern();
  Target target();
  [[noreturn]] void not_a_pattern();

  void end_of_expr();
  bool left_of_equals_is_target() const;
  fun::ExprRef op(const Token& name, std::vector<fun::ExprRef> parts, std::size_t begin);
  // Every expression with parts passes here: its height is held to what is left of `deepest`, since
  // a chain a + b + c + .. is a tree as high as it is long.
  fun::ExprRef done(ExprPtr);
  int height(const fun::ExprRef&) const;

  const ParseContext& context_;
  std::map<const fun::Expr*, int> heights_;  // of those with parts; at least 2
};

}  // namespace espalier::read

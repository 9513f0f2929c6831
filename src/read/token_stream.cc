#include "read/token_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"

namespace espalier::read {

bool TokenStream::is_any(std::initializer_list<std::string_view> texts) const {
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) { return is(text); });
}

bool TokenStream::take_if(std::string_view text) {
  if (!is(text)) return false;
  take();
  return true;
}

void TokenStream::too_deep() const {
  fail(Kind::expression_depth, peek(),
       fmt::format("the expression nests deeper than {} levels; give parts of it names", deepest));
}

void TokenStream::fail(Kind kind, const Token& token, std::string message) const {
  diagnostics_->error(kind, loc(token), std::move(message));
  throw SyntaxStop{};
}

void TokenStream::unexpected(const std::string& expected) const {
  const Token& found = peek();
  if (found.is(")") || found.is("]"))
    fail(Kind::unmatched_bracket, found,
         fmt::format("found {} that closes nothing, expected {}", describe(found), expected));
  if (found.is("="))
    fail(Kind::equals_sign, found,
         fmt::format("found '=', expected {}; to compare, write '=='", expected));
  if (found.is("for"))
    fail(Kind::misplaced_each, found,
         "a comprehension stands in [ ], or alone as the argument of a call");
  if (found.is(":"))
    fail(Kind::misplaced_slice, found,
         fmt::format("found ':', expected {}; slices stand in "
                     "indices, x[a:b]",
                     expected));
  if (found.is("if"))
    fail(Kind::foreign_syntax, found,
         fmt::format("found 'if', expected {}; a conditional is 'if c then a else b'", expected));
  fail(Kind::unexpected_token, found,
       fmt::format("found {}, expected {}", describe(found), expected));
}

void TokenStream::close(const Token& open, std::string_view bracket, const std::string& expected) {
  if (take_if(bracket)) return;
  if (peek().kind == Token::Kind::end)
    fail(Kind::unclosed_bracket, open, fmt::format("'{}' is not closed", open.text));
  if (is_any({")", "]"}))
    fail(Kind::unmatched_bracket, peek(),
         fmt::format("'{}' is closed by {}, expected {}", open.text, describe(peek()), expected));
  unexpected(expected);
}

const Token& TokenStream::take_name(const std::string& what) {
  if (at_name()) return take();
  if (peek().kind == Token::Kind::word)
    fail(Kind::reserved_word, peek(),
         fmt::format("'{}' is a word of the language and cannot be {}", peek().text, what));
  unexpected(what);
}

}  // namespace espalier::read

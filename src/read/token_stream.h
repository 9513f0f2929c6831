// The tokens of one text, with the messages that are the same wherever a token is out of place.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "read/lexer.h"

namespace espalier::read {

// Thrown, within a parser only, at the first mistake in a text; the diagnostic is reported.
struct SyntaxStop {};

class TokenStream {
 public:
  TokenStream(const Snippet& snippet, std::vector<Token> tokens, int depth,
              Diagnostics* diagnostics)
      : snippet_(snippet), tokens_(std::move(tokens)), diagnostics_(diagnostics), depth_(depth) {}

 protected:
  // One level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(TokenStream* stream) : stream_(stream) {
      if (++stream->depth_ > deepest) stream->too_deep();
    }
    ~Level() { --stream_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TokenStream* stream_;
  };

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool is(std::string_view text) const { return peek().is(text); }
  bool is_any(std::initializer_list<std::string_view> texts) const;
  bool take_if(std::string_view text);
  bool at_name() const { return peek().kind == Token::Kind::name; }

  // The stretch from byte `begin` to the end of the token taken last.
  Loc since(std::size_t begin) const { return snippet_.loc(begin, at_ ? tokens_[at_ - 1].end : 0); }
  Loc loc(const Token& token) const { return snippet_.loc(token.begin, token.end); }

  int depth() const { return depth_; }
  [[noreturn]] void too_deep() const;
  [[noreturn]] void fail(Kind, const Token&, std::string message) const;
  // The token at hand stands where `expected` should.
  [[noreturn]] void unexpected(const std::string& expected) const;
  // The bracket that closes `open`, or what is wrong with it. `expected`: "',' or ')'".
  void close(const Token& open, std::string_view bracket, const std::string& expected);
  // A name; `what` says whose ("a field's name").
  const Token& take_name(const std::string& what);

  std::size_t taken() const { return at_; }
  const std::vector<Token>& tokens() const { return tokens_; }

 private:
  const Snippet& snippet_;
  std::vector<Token> tokens_;
  Diagnostics* diagnostics_;
  std::size_t at_ = 0;
  int depth_;
};

}  // namespace espalier::read

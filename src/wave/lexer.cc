#include "wave/lexer.h"

namespace espalier::wave {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '\''; }

int hex(char c) {
  if (is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> all;
    do {
      skip();
      all.push_back(next());
    } while (all.back().kind != Token::Kind::end && all.back().kind != Token::Kind::bad);
    return all;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
        ++at_;
      else
        return;
    }
  }

  Token next() {
    const std::size_t start = at_;
    Token token;
    if (at_ == text_.size())
      token.kind = Token::Kind::end;
    else if (is_digit(peek()))
      number(token);
    else if (is_letter(peek()))
      name(token, Token::Kind::word);
    else if (peek() == '"')
      string(token, Token::Kind::string);
    else if (peek() == '%' && (in_name(peek(1)) || peek(1) == '"'))
      value(token);
    else
      mark(token);
    token.offset = static_cast<std::uint32_t>(start);
    token.length = static_cast<std::uint32_t>(at_ > start ? at_ - start : 1);
    return token;
  }

  void value(Token& token) {
    ++at_;
    if (peek() == '"')
      string(token, Token::Kind::value);
    else
      name(token, Token::Kind::value);
  }

  void name(Token& token, Token::Kind kind) {
    const std::size_t start = at_;
    while (in_name(peek())) ++at_;
    token.kind = kind;
    token.text = text_.substr(start, at_ - start);
  }

  void number(Token& token) {
    const std::size_t start = at_;
    while (is_digit(peek())) ++at_;
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    if (peek() == 'e') {
      const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
      if (is_digit(peek(1 + sign))) at_ += 1 + sign;
      while (is_digit(peek())) ++at_;
    }
    token.kind = Token::Kind::number;
    token.text = text_.substr(start, at_ - start);
  }

  void string(Token& token, Token::Kind kind) {
    token.kind = Token::Kind::bad;
    ++at_;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        token.kind = kind;
        return;
      }
      if (text_[at_] != '\\') {
        token.text += text_[at_];
      } else if (!escape(token.text)) {
        return;
      }
    }
  }

  bool escape(std::string& out) {
    ++at_;
    if (peek() == '"' || peek() == '\\') {
      out += peek();
      return true;
    }
    if (peek() != 'x' || hex(peek(1)) < 0 || hex(peek(2)) < 0) return false;
    out += static_cast<char>(hex(peek(1)) * 16 + hex(peek(2)));
    at_ += 2;
    return true;
  }

  void mark(Token& token) {
    constexpr std::string_view pairs[] = {"//", "<=", ">=", "==", "!="};
    constexpr std::string_view marks = "{}()[]:,=<>+-*/%@?";
    for (const std::string_view pair : pairs)
      if (text_.substr(at_, 2) == pair) token.text = pair;
    if (token.text.empty() && marks.find(peek()) != std::string_view::npos) token.text = peek();
    token.kind = token.text.empty() ? Token::Kind::bad : Token::Kind::mark;
    at_ += token.text.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens(std::string_view text) { return Lexer(text).run(); }

}  // namespace espalier::wave

#include "read/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/kinds.h"
#include "read/utf8.h"

namespace espalier::read {

namespace {

constexpr std::string_view reserved[] = {"if", "then", "else", "fun",   "for", "in", "and",
                                         "or", "not",  "true", "false", "inf", "nan"};

// Longest first.
constexpr std::string_view symbols[] = {"->", "**", "//", "==", "!=", "<=", ">=", "+",
                                        "-",  "*",  "/",  "%",  "@",  "<",  ">",  "=",
                                        "(",  ")",  "[",  "]",  ",",  ".",  ":"};

// What people write who come from another language, and what they mean.
struct Foreign {
  std::string_view text, advice;
};
constexpr Foreign foreign[] = {
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"!", "write 'not'"},
    {"^", "write '**' for powers"},
    {"{", "write lists in [ ] and tuples in ( )"},
    {"}", "write lists in [ ] and tuples in ( )"},
    {";", "write statements as a list"},
    {"\xc3\x97", "write '*'"},
    {"\xc2\xb7", "write '*' or '@'"},
    {"\xe2\x88\x92", "write '-'"},
    {"\xe2\x8a\x99", "write '*'"},
    {"\xe2\x89\xa4", "write '<='"},
    {"\xe2\x89\xa5", "write '>='"},
    {"\xe2\x89\xa0", "write '!='"},
    {"\xe2\x86\x92", "write '->'"},
    {"\"", "write texts as '...'"},
    {"\\", "write functions as 'fun (x) -> ...'"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(const Snippet& snippet, Diagnostics* diagnostics)
      : snippet_(snippet), text_(snippet.text()), diagnostics_(diagnostics) {}

  bool run() {
    for (skip(); at_ < text_.size(); skip())
      if (!next()) return false;
    push(Token::Kind::end, text_.size());
    return true;
  }
  std::vector<Token> take() { return std::move(tokens_); }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void push(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, text_.substr(at_, end - at_), at_, end});
    at_ = end;
  }

  bool fail(Kind kind, std::size_t end, std::string message) {
    diagnostics_->error(kind, snippet_.loc(at_, end), std::move(message));
    return false;
  }

  bool next() {
    if (is_digit(text_[at_])) return number();
    if (text_[at_] == '\'') return quoted();
    if (const std::size_t end = name_end(at_); end > at_) {
      const bool word = is_reserved(text_.substr(at_, end - at_));
      push(word ? Token::Kind::word : Token::Kind::name, end);
      return true;
    }
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]) && !follows_value()) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      return fail(
          Kind::bad_number, end,
          fmt::format("a number begins with a digit: write 0{}", text_.substr(at_, end - at_)));
    }
    for (const std::string_view symbol : symbols) {
      if (!rest.starts_with(symbol)) continue;
      push(Token::Kind::symbol, at_ + symbol.size());
      return true;
    }
    return unknown(rest);
  }

  bool follows_value() const {
    if (tokens_.empty()) return false;
    const Token& last = tokens_.back();
    const bool field = tokens_.size() > 1 && tokens_[tokens_.size() - 2].is(".");
    return field || last.kind == Token::Kind::name || last.is(")") || last.is("]");
  }

  bool unknown(std::string_view rest) {
    for (const Foreign& spelling : foreign)
      if (rest.starts_with(spelling.text))
        return fail(Kind::foreign_syntax, at_ + spelling.text.size(),
                    fmt::format("'{}' means nothing here: {}", spelling.text, spelling.advice));
    const Character c = first_character(rest);
    const std::string shown =
        c.code < 0x20 ? fmt::format("character U+{:04X}", c.code)
                      : fmt::format("'{}' (U+{:04X})", rest.substr(0, c.length), c.code);
    return fail(Kind::bad_character, at_ + c.length, shown + " means nothing in an expression");
  }

  // The end of the run of letters and digits at `from`.
  std::size_t name_end(std::size_t from) const {
    while (from < text_.size()) {
      const Character c = first_character(text_.substr(from));
      if (!is_letter(c.code) && !(c.code < 0x80 && is_digit(text_[from]))) break;
      from += c.length;
    }
    return from;
  }

  std::size_t digits_end(std::size_t from) const {
    while (from < text_.size() && is_digit(text_[from])) ++from;
    return from;
  }

  // Digits; a point and digits; e and an exponent, which may have a sign. Behind a '.' that follows
  // a value stands the number of a tuple's field, which has none of these.
  bool number() {
    const bool field = !tokens_.empty() && tokens_.back().is(".");
    std::size_t end = digits_end(at_);
    if (!field && end < text_.size() && text_[end] == '.') {
      const std::size_t fraction = digits_end(end + 1);
      if (fraction == end + 1)
        return fail(Kind::bad_number, fraction,
                    fmt::format("digits have to follow the point of {}",
                                text_.substr(at_, fraction - at_)));
      end = fraction;
    }
    if (!field && end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '-' || text_[exponent] == '+')) ++exponent;
      const std::size_t after = digits_end(exponent);
      if (after == exponent)
        return fail(Kind::bad_number, std::max(exponent, name_end(end)),
                    fmt::format("digits have to follow the exponent's e of {}",
                                text_.substr(at_, exponent - at_)));
      end = after;
    }
    if (const std::size_t tail = name_end(end); tail > end)
      return fail(Kind::bad_number, tail,
                  fmt::format("{} is neither a number nor a name", text_.substr(at_, tail - at_)));
    push(Token::Kind::number, end);
    return true;
  }

  bool quoted() {
    const std::size_t close = text_.find('\'', at_ + 1);
    if (close == std::string_view::npos)
      return fail(Kind::unclosed_string, text_.size(), "no ' closes this text");
    tokens_.push_back({Token::Kind::text, text_.substr(at_ + 1, close - at_ - 1), at_, close + 1});
    at_ = close + 1;
    return true;
  }

  const Snippet& snippet_;
  std::string_view text_;
  Diagnostics* diagnostics_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_reserved(std::string_view word) {
  return std::find(std::begin(reserved), std::end(reserved), word) != std::end(reserved);
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::name: return fmt::format("name '{}'", token.text);
    case Token::Kind::number: return fmt::format("number {}", token.text);
    case Token::Kind::text: return fmt::format("text '{}'", token.text);
    case Token::Kind::end: return "the end";
    case Token::Kind::word:
    case Token::Kind::symbol: return fmt::format("'{}'", token.text);
  }
  return {};
}

Result<std::vector<Token>> lex(const Snippet& snippet, Diagnostics* diagnostics) {
  Lexer lexer(snippet, diagnostics);
  if (!lexer.run()) return Failed{};
  return lexer.take();
}

}  // namespace espalier::read

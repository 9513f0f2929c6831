#include "wave/cursor.h"

#include <fmt/format.h>

#include "base/kinds.h"
#include "base/numbers.h"

namespace espalier::wave {

Cursor::Cursor(const Sources& sources, std::int32_t file, Diagnostics& diagnostics)
    : file_(file), diagnostics_(diagnostics), tokens_(tokens(sources.text(file))) {}

Loc Cursor::loc(const Token& token) const { return {file_, token.offset, token.length, -1}; }

bool Cursor::at_mark(std::string_view mark) const {
  return here().kind == Token::Kind::mark && here().text == mark;
}
bool Cursor::at_word(std::string_view word) const {
  return here().kind == Token::Kind::word && here().text == word;
}

bool Cursor::accept_mark(std::string_view mark) {
  if (!at_mark(mark)) return false;
  ++at_;
  return true;
}
bool Cursor::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  ++at_;
  return true;
}

void Cursor::expect_mark(std::string_view mark) {
  if (!accept_mark(mark)) unexpected(fmt::format("'{}'", mark));
}
void Cursor::expect_word(std::string_view word) {
  if (!accept_word(word)) unexpected(fmt::format("'{}'", word));
}

Token Cursor::take() {
  const Token& token = here();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

std::string Cursor::name(std::string_view what) {
  if (here().kind != Token::Kind::word && here().kind != Token::Kind::string) unexpected(what);
  return take().text;
}

std::string Cursor::string(std::string_view what) {
  if (here().kind != Token::Kind::string) unexpected(what);
  return take().text;
}

std::int64_t Cursor::integer() {
  const bool minus = accept_mark("-");
  if (here().kind != Token::Kind::number) unexpected("a number");
  const auto value = parse_int((minus ? "-" : "") + here().text);
  if (!value)
    fail(Kind::wave_number, here(), fmt::format("'{}' is no 64-bit integer", here().text));
  take();
  return *value;
}

std::vector<std::int64_t> Cursor::shape() {
  std::vector<std::int64_t> extents;
  if (!accept_mark("[")) return extents;
  do extents.push_back(integer());
  while (accept_mark(","));
  expect_mark("]");
  return extents;
}

namespace {

constexpr Dtype dtypes[] = {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16,
                            Dtype::i8,  Dtype::i32, Dtype::i64, Dtype::boolean};

}  // namespace

bool Cursor::is_dtype(const Token& token) {
  for (const Dtype t : dtypes)
    if (token.kind == Token::Kind::word && token.text == dtype_name(t)) return true;
  return false;
}

bool Cursor::at_cast() const {
  return is_dtype(here()) && at_ + 1 < tokens_.size() &&
         tokens_[at_ + 1].kind == Token::Kind::mark && tokens_[at_ + 1].text == "(";
}
bool Cursor::at_dtype_suffix() const {
  return at_mark(":") && at_ + 1 < tokens_.size() && is_dtype(tokens_[at_ + 1]);
}

Dtype Cursor::dtype() {
  for (const Dtype t : dtypes)
    if (accept_word(dtype_name(t))) return t;
  unexpected("a dtype");
}

void Cursor::fail(Kind kind, const Token& token, const std::string& message) const {
  diagnostics_.error(kind, loc(token), message);
  throw Unreadable();
}

void Cursor::unexpected(std::string_view wanted) const {
  const std::string found = here().kind == Token::Kind::end   ? "the end of the text"
                            : here().kind == Token::Kind::bad ? "what is no word of it"
                                                              : fmt::format("'{}'", here().text);
  fail(Kind::wave_syntax, here(), fmt::format("expected {}, found {}", wanted, found));
}

Id Known::domain(Cursor& c) const {
  const Token token = c.here();
  const std::string name = c.name("a domain");
  const auto found = domains.find(name);
  if (found == domains.end())
    c.fail(Kind::wave_unknown_name, token, fmt::format("there is no domain '{}' above", name));
  return found->second;
}

Id Known::value(Cursor& c) const {
  const Token token = c.here();
  if (token.kind != Token::Kind::value) c.unexpected("a value");
  const auto found = values.find(token.text);
  if (found == values.end())
    c.fail(Kind::wave_unknown_name, token,
           fmt::format("there is no value '%{}' above", token.text));
  c.take();
  return found->second;
}

}  // namespace espalier::wave

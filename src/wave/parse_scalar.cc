#include <fmt/format.h>

#include <optional>

#include "base/kinds.h"
#include "base/numbers.h"
#include "wave/cursor.h"
#include "wave/simplify.h"

namespace espalier::wave {
namespace {

constexpr int deepest = 1000;

class ScalarParser {
 public:
  ScalarParser(Cursor& cursor, const Known& known) : c_(cursor), known_(known) {}

  ScalarRef whole() { return infix(0); }

 private:
  struct Operator {
    std::string_view text;
    Opcode op;
    int level;  // binds tighter the higher it is
  };
  static constexpr int not_level = 2, compare_level = 3, unary_level = 6;

  std::optional<Operator> operator_here() const {
    static constexpr Operator all[] = {
        {"or", Opcode::logical_or, 0}, {"and", Opcode::logical_and, 1},
        {"==", Opcode::eq, 3},         {"!=", Opcode::ne, 3},
        {"<", Opcode::lt, 3},          {"<=", Opcode::le, 3},
        {">", Opcode::gt, 3},          {">=", Opcode::ge, 3},
        {"+", Opcode::add, 4},         {"-", Opcode::sub, 4},
        {"*", Opcode::mul, 5},         {"/", Opcode::div, 5},
        {"//", Opcode::floordiv, 5},   {"%", Opcode::mod, 5}};
    for (const Operator& o : all)
      if (c_.at_mark(o.text) || c_.at_word(o.text)) return o;
    return std::nullopt;
  }

  ScalarRef made(Opcode op, std::vector<ScalarRef> args) {
    const Dtype dtype = result_dtype(op, args.back()->dtype);
    return plain_apply(op, dtype, std::move(args));
  }

  ScalarRef infix(int level) {
    if (++depth_ > deepest)
      c_.fail(Kind::wave_nesting, c_.here(),
              fmt::format("the expression is nested more than {} deep", deepest));
    ScalarRef left = level <= not_level && c_.accept_word("not")
                         ? made(Opcode::logical_not, {infix(not_level)})
                         : unary();
    bool compared = false;  // comparisons do not chain
    for (auto o = operator_here(); o && o->level >= level; o = operator_here()) {
      if (compared && o->level == compare_level) break;
      compared = o->level == compare_level;
      c_.take();
      ScalarRef right = infix(o->level + 1);
      left = made(o->op, {std::move(left), std::move(right)});
    }
    --depth_;
    return left;
  }

  ScalarRef unary() {
    if (!c_.accept_mark("-")) return atom();
    if (c_.here().kind == Token::Kind::number || c_.at_word("inf") || c_.at_word("nan"))
      return literal(true);
    return made(Opcode::neg, {infix(unary_level)});
  }

  ScalarRef atom() {
    if (c_.accept_mark("(")) {
      ScalarRef inner = infix(0);
      c_.expect_mark(")");
      return inner;
    }
    if (c_.here().kind == Token::Kind::value) return load_value();
    if (c_.here().kind == Token::Kind::number || c_.at_word("inf") || c_.at_word("nan"))
      return literal(false);
    return word();
  }

  ScalarRef literal(bool minus) {
    const Token token = c_.take();
    const std::string text = (minus ? "-" : "") + token.text;
    const bool real =
        token.kind == Token::Kind::word || token.text.find_first_of(".e") != std::string::npos;
    Dtype dtype = real ? Dtype::f32 : Dtype::i64;
    if (c_.at_dtype_suffix()) {
      c_.take();
      dtype = c_.dtype();
    }
    if (is_float(dtype)) {
      const auto value = parse_double(text);
      if (!value) c_.fail(Kind::wave_number, token, fmt::format("'{}' is no number", text));
      return number(*value, dtype);
    }
    const auto value = parse_int(text);
    if (!value)
      c_.fail(Kind::wave_number, token, fmt::format("'{}' is no {}", text, dtype_name(dtype)));
    return integer(*value, dtype);
  }

  ScalarRef load_value() {
    const Id id = known_.value(c_);
    Dtype dtype = known_.entry->value(id).dtype;
    ScalarRef at;
    if (c_.accept_mark("@")) at = c_.at_mark("(") ? atom() : word();
    std::vector<ScalarRef> indices;
    if (c_.accept_mark("[")) {
      do indices.push_back(infix(0));
      while (c_.accept_mark(","));
      c_.expect_mark("]");
    }
    if (c_.at_dtype_suffix()) {
      c_.take();
      dtype = c_.dtype();
    }
    return load(id, dtype, std::move(at), std::move(indices));
  }

  ScalarRef word() {
    const Token token = c_.here();
    if (token.kind != Token::Kind::word) c_.unexpected("an expression");
    if (c_.accept_word("true")) return integer(1, Dtype::boolean);
    if (c_.accept_word("false")) return integer(0, Dtype::boolean);
    if (c_.accept_word("d")) return element();
    if (c_.accept_word("e")) return item();
    if (c_.at_cast()) {  // before axes: i8 may be either
      const Dtype to = c_.dtype();
      return plain_apply(Opcode::cast, to, arguments(token, 1));
    }
    if (ScalarRef found = axis_here(token)) return found;
    c_.take();
    if (token.text == "owner") return of_list(owner);
    if (token.text == "first") return of_list(first);
    if (token.text == "end") return of_list(end);
    return applied(token);
  }

  ScalarRef axis_here(const Token& token) {
    if (token.text.size() < 2 || (token.text[0] != 'i' && token.text[0] != 'r')) return nullptr;
    if (token.text[1] < '0' || token.text[1] > '9') return nullptr;
    const auto which = parse_int(token.text.substr(1));
    if (!which) return nullptr;
    c_.take();
    const std::vector<std::int64_t>& extents = token.text[0] == 'i' ? known_.axes : known_.bounds;
    if (*which >= static_cast<std::int64_t>(extents.size()))
      c_.fail(Kind::wave_unknown_name, token, fmt::format("there is no axis {} here", token.text));
    const bool unknown = c_.accept_mark("?");
    const std::int64_t extent = unknown ? 0 : extents[static_cast<std::size_t>(*which)];
    return (token.text[0] == 'i' ? axis : bound)(static_cast<int>(*which), extent);
  }

  ScalarRef of_list(ScalarRef (*make)(Id, ScalarRef)) {
    c_.expect_mark("(");
    const Id list = known_.domain(c_);
    c_.expect_mark(",");
    ScalarRef arg = infix(0);
    c_.expect_mark(")");
    return make(list, std::move(arg));
  }

  std::vector<ScalarRef> arguments(const Token& token, int arity) {
    std::vector<ScalarRef> args;
    c_.expect_mark("(");
    do args.push_back(infix(0));
    while (c_.accept_mark(","));
    c_.expect_mark(")");
    if (arity >= 0 && args.size() != static_cast<std::size_t>(arity))
      c_.fail(Kind::wave_syntax, token,
              fmt::format("'{}' takes {} operands, not {}", token.text, arity, args.size()));
    return args;
  }

  ScalarRef applied(const Token& token) {
    const std::optional<Opcode> op = find_opcode(token.text);
    if (op && *op != Opcode::cast) return made(*op, arguments(token, opcode_arity(*op)));
    c_.fail(Kind::wave_unknown_name, token, fmt::format("there is no operation '{}'", token.text));
  }

  Cursor& c_;
  const Known& known_;
  int depth_ = 0;
};

}  // namespace

ScalarRef parse_scalar(Cursor& cursor, const Known& known) {
  return ScalarParser(cursor, known).whole();
}

}  // namespace espalier::wave

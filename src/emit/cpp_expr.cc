// Expressions in C++.
#include <cmath>

#include "base/bug.h"
#include "base/numbers.h"
#include "emit/cpp.h"
#include "loop/build.h"

namespace espalier::emit {

using loop::Buffer;
using loop::Expr;
using loop::ExprRef;
using loop::Type;

namespace {

// Strengths of C++'s binary operators; a stronger one binds tighter.
int strength_of(const std::string& op) {
  if (op == "*" || op == "/" || op == "%") return 13;
  if (op == "+" || op == "-") return 12;
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return 9;
  if (op == "==" || op == "!=") return 8;
  if (op == "&") return 7;
  if (op == "|") return 5;
  if (op == "&&") return 4;
  if (op == "||") return 3;
  throw Bug("an operator that C++ has not");
}

constexpr int primary = 16, prefix = 15, ternary = 2;

std::string scalar_name(Dtype dtype) {
  if (dtype == Dtype::i32) return "int";
  if (dtype == Dtype::boolean) return "bool";
  return loop::cpp_type(dtype);
}

}  // namespace

std::string cpp_name(Type type) {
  if (type.pointer) return (type.writes ? "" : "const ") + loop::cpp_type(type.dtype) + "*";
  if (type.vector) return type.dtype == Dtype::boolean ? "mask" : "vec";
  return scalar_name(type.dtype);
}

std::string CppPrinter::wrapped(const ExprRef& e, int needed) const {
  const Text t = text(e);
  return t.strength < needed ? "(" + t.text + ")" : t.text;
}

std::string CppPrinter::buffer(int number) const {
  const Buffer& b = module_.buffer(number);
  switch (b.space) {
    case Buffer::Space::weights: return "weights." + b.name;
    case Buffer::Space::constants: return b.name;
    case Buffer::Space::prepared:
      if (function_)
        for (const loop::Param& param : function_->params)
          if (param.name == b.name) return b.name;
      return "m." + b.name;
    case Buffer::Space::structure: return "g." + b.name;
    case Buffer::Space::workspace:
    case Buffer::Space::scratch: return "w." + b.name;
  }
  return "";
}

std::string CppPrinter::offset(const std::string& base, const ExprRef& index) const {
  if (index->kind == Expr::Kind::integer && index->integer == 0) return base;
  if (index->kind == Expr::Kind::integer && index->integer < 0)
    return base + " - " + std::to_string(-index->integer);
  return base + " + " + wrapped(index, 12);
}

CppPrinter::Text CppPrinter::text(const ExprRef& e) const {
  switch (e->kind) {
    case Expr::Kind::integer:
      if (e->type.dtype == Dtype::boolean) return {e->integer ? "true" : "false", primary};
      if (e->type.dtype == Dtype::i64 && e->integer != static_cast<std::int32_t>(e->integer))
        return {literal(e->integer), e->integer < 0 ? prefix : primary};
      return {literal(static_cast<std::int32_t>(e->integer)), e->integer < 0 ? prefix : primary};
    case Expr::Kind::number: {
      const std::string printed = number(e->number, e->type.dtype);
      return {printed, printed[0] == '-' ? prefix : primary};
    }
    case Expr::Kind::variable: return {e->name, primary};
    case Expr::Kind::constant:  // a dim, or "2 * hidden"
      if (e->name.find(" + ") != std::string::npos || e->name.find(" - ") != std::string::npos)
        return {e->name, 12};
      return {e->name, e->name.find(" * ") != std::string::npos ? 13 : primary};
    case Expr::Kind::load: return load(*e);
    case Expr::Kind::item: return {e->name + "[" + expression(e->args[0]) + "]", primary};
    case Expr::Kind::address:
      return {"row<" + expression(e->args[1]) + ">(" + buffer(e->buffer) + ", " +
                  expression(e->args[0]) + ")",
              primary};
    case Expr::Kind::pointer: {
      const std::string printed = offset(e->buffer < 0 ? e->name : buffer(e->buffer), e->args[0]);
      return {printed, printed.find(' ') == std::string::npos ? primary : 12};
    }
    case Expr::Kind::binary: return binary(*e);
    case Expr::Kind::unary: {
      const std::string inner = wrapped(e->args[0], prefix);
      return {e->name + (inner[0] == '-' ? "(" + inner + ")" : inner), prefix};
    }
    case Expr::Kind::call: return call(*e);
    case Expr::Kind::select:
      if (e->type.vector && !e->type.pointer)
        return {"select(" + expression(e->args[0]) + ", " + expression(e->args[1]) + ", " +
                    expression(e->args[2]) + ")",
                primary};
      return {wrapped(e->args[0], ternary + 1) + " ? " + wrapped(e->args[1], ternary + 1) + " : " +
                  wrapped(e->args[2], ternary),
              ternary};
    case Expr::Kind::cast: return cast(*e);
  }
  throw Bug("unknown expression");
}

CppPrinter::Text CppPrinter::binary(const Expr& e) const {
  const int strength = strength_of(e.name);
  std::string a = wrapped(e.args[0], strength), b = wrapped(e.args[1], strength + 1);
  // gcc asks for parentheses around && inside ||, and around comparisons of comparisons.
  const auto asks = [&](const ExprRef& x, int bare) {  // bare: it has none yet
    return x->kind == Expr::Kind::binary && x->name != e.name && strength <= 8 &&
           strength_of(x->name) <= 9 && strength_of(x->name) >= bare;
  };
  if (asks(e.args[0], strength)) a = "(" + a + ")";
  if (asks(e.args[1], strength + 1)) b = "(" + b + ")";
  return {a + " " + e.name + " " + b, strength};
}

CppPrinter::Text CppPrinter::load(const Expr& e) const {
  std::string base = e.buffer >= 0 ? buffer(e.buffer) : e.name;
  if (e.args.size() > 1) base = wrapped(e.args[1], primary);
  if (!e.type.vector) return {base + "[" + expression(e.args[0]) + "]", primary};
  const std::string from = offset(base, e.args[0]);
  if (e.integer > 0)  // fewer than all lanes may exist
    return {"load_some(" + from + ", " + std::to_string(e.integer) + " - " + e.args[0]->name + ")",
            primary};
  return {(e.number != 0 ? "loadu(" : "load(") + from + ")", primary};
}

CppPrinter::Text CppPrinter::cast(const Expr& e) const {
  const Type from = e.args[0]->type;
  const std::string arg = expression(e.args[0]);
  if (e.type.vector) return {"splat(" + arg + ")", primary};
  const bool plain =
      is_float(e.type.dtype) || (is_integer(from.dtype) && is_integer(e.type.dtype) &&
                                 bytes(e.type.dtype) >= bytes(from.dtype));
  if (plain) return {"static_cast<" + cpp_name(e.type) + ">(" + arg + ")", primary};
  return {"cast<" + cpp_name(e.type) + ">(" + arg + ")", primary};
}

CppPrinter::Text CppPrinter::call(const Expr& e) const {
  std::string printed = e.name;
  if (is_integer(e.type.dtype) && !e.type.vector) printed += "<" + cpp_name(e.type) + ">";
  for (std::size_t i = 0; i < e.args.size(); i++)
    printed += (i == 0 ? "(" : ", ") + expression(e.args[i]);
  return {printed + ")", primary};
}

std::string CppPrinter::number(double value, Dtype dtype) const {
  const bool wide = dtype == Dtype::f64;
  const std::string limits =
      wide ? "std::numeric_limits<double>::" : "std::numeric_limits<float>::";
  const std::string infinity = limits + "infinity()", nan = limits + "quiet_NaN()";
  const Specials specials{infinity, nan};
  return wide ? literal(value, specials) : literal(static_cast<float>(value), specials);
}

std::string CppPrinter::status(const std::string& code) const {
  for (std::size_t i = 0; i < module_.statuses.size(); i++)
    if (module_.statuses[i].name == code) return api_.statuses[i];
  throw Bug("a status that the module has not");
}

}  // namespace espalier::emit

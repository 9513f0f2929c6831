#include "wave/scalar.h"

#include <doctest/doctest.h>

#include <string>

#include "wave/integer.h"

using namespace espalier::wave;
using espalier::Dtype;

namespace {

std::string symbol(Opcode op) {
  switch (op) {
    case Opcode::add: return " + ";
    case Opcode::sub: return " - ";
    case Opcode::mul: return " * ";
    case Opcode::floordiv: return " // ";
    case Opcode::mod: return " % ";
    default: return std::string(" ") + opcode_name(op) + " ";
  }
}

std::string str(const ScalarRef& s) {
  switch (s->kind) {
    case Scalar::Kind::number:
      return is_float(s->dtype) ? std::to_string(s->number) : std::to_string(s->integer);
    case Scalar::Kind::axis: return "i" + std::to_string(s->which);
    case Scalar::Kind::bound: return "r" + std::to_string(s->which);
    case Scalar::Kind::load: return "v" + std::to_string(s->value);
    case Scalar::Kind::apply: {
      if (s->args.size() == 2) return "(" + str(s->args[0]) + symbol(s->op) + str(s->args[1]) + ")";
      std::string text = opcode_name(s->op);
      for (const ScalarRef& arg : s->args) text += " " + str(arg);
      return "(" + text + ")";
    }
    default: return "?";
  }
}

ScalarRef operator+(const ScalarRef& a, const ScalarRef& b) { return apply(Opcode::add, {a, b}); }
ScalarRef operator-(const ScalarRef& a, const ScalarRef& b) { return apply(Opcode::sub, {a, b}); }
ScalarRef operator*(const ScalarRef& a, const ScalarRef& b) { return apply(Opcode::mul, {a, b}); }
ScalarRef operator/(const ScalarRef& a, std::int64_t n) {
  return apply(Opcode::floordiv, {a, integer(n)});
}
ScalarRef operator%(const ScalarRef& a, std::int64_t n) {
  return apply(Opcode::mod, {a, integer(n)});
}
ScalarRef n(std::int64_t value) { return integer(value); }

}  // namespace

TEST_CASE("sums of integers are collected") {
  const ScalarRef i = axis(0), j = axis(1), x = load(7, Dtype::i64, nullptr);
  CHECK(str(i + n(0)) == "i0");
  CHECK(str(i * n(1)) == "i0");
  CHECK(str(i * n(0)) == "0");
  CHECK(str(n(2) * n(3) + n(4)) == "10");
  CHECK(str((i + n(2)) + n(3)) == "(i0 + 5)");
  CHECK(str((i + n(2)) - n(2)) == "i0");
  CHECK(str((i + n(2)) * n(4) + j) == "(((i0 * 4) + i1) + 8)");
  CHECK(str(n(1) - i) == "(1 - i0)");
  CHECK(str(i - n(3)) == "(i0 - 3)");
  CHECK(str(apply(Opcode::neg, {i})) == "(neg i0)");
  CHECK(str(i - i) == "0");
  CHECK(str(x * j) == "(v7 * i1)");
  CHECK(str(n(INT64_MAX) + n(1)) == std::to_string(INT64_MIN));
}

TEST_CASE("quotients and remainders split where ranges prove it") {
  const ScalarRef i = axis(0, 5), j = axis(1, 3), x = load(7, Dtype::i64, nullptr);
  const ScalarRef flat = i * n(3) + j;
  CHECK(str(flat / 3) == "i0");
  CHECK(str(flat % 3) == "i1");
  CHECK(str(flat / 6) == "(((i0 * 3) + i1) // 6)");
  CHECK(str((flat / 4) * n(4) + flat % 4) == "((i0 * 3) + i1)");
  CHECK(str((flat / 2) / 3) == "(((i0 * 3) + i1) // 6)");
  CHECK(str((flat % 6) % 3) == "i1");
  CHECK(str(i / 5) == "0");
  CHECK(str(i % 5) == "i0");
  CHECK(str((i * n(4) + j * n(2) + n(9)) / 4) == "((i0 + (((i1 * 2) + 1) // 4)) + 2)");
  CHECK(str((x * n(3)) / 3) == "((v7 * 3) // 3)");  // x * 3 may wrap
  CHECK(str(x / 1) == "v7");
  CHECK(str(n(-7) / 2) == "-4");
  CHECK(str(n(-7) % 2) == "1");
  CHECK(str(n(7) / 0) == "0");
}

TEST_CASE("comparisons, logic and selects with known conditions") {
  const ScalarRef i = axis(0, 5), f = load(1, Dtype::f32, nullptr),
                  g = load(2, Dtype::f32, nullptr);
  const ScalarRef yes = integer(1, Dtype::boolean), c = load(3, Dtype::boolean, nullptr);
  CHECK(str(apply(Opcode::lt, {i, n(5)})) == "1");
  CHECK(str(apply(Opcode::ge, {i, n(5)})) == "0");
  CHECK(str(apply(Opcode::lt, {i, n(4)})) == "(i0 lt 4)");
  CHECK(str(apply(Opcode::eq, {n(2), n(2)})) == "1");
  CHECK(str(apply(Opcode::select, {apply(Opcode::lt, {i, n(5)}), f, g})) == "v1");
  CHECK(str(apply(Opcode::select, {c, f, g})) == "(select v3 v1 v2)");
  CHECK(str(apply(Opcode::logical_and, {c, yes})) == "v3");
  CHECK(str(apply(Opcode::logical_or, {yes, c})) == "1");
  CHECK(str(apply(Opcode::logical_not, {yes})) == "0");
  CHECK(str(apply(Opcode::minimum, {i, n(9)})) == "i0");
  CHECK(str(apply(Opcode::maximum, {i, n(2)})) == "(i0 maximum 2)");
}

TEST_CASE("floats stay as they are; narrow integers wrap") {
  const ScalarRef f = load(1, Dtype::f32, nullptr);
  CHECK(str(apply(Opcode::add, {f, number(0, Dtype::f32)})) == "(v1 + 0.000000)");
  CHECK(str(apply(Opcode::mul, {number(2, Dtype::f32), number(3, Dtype::f32)})) ==
        "(2.000000 * 3.000000)");
  CHECK(str(apply(Opcode::add, {integer(127, Dtype::i8), integer(1, Dtype::i8)})) == "-128");
  CHECK(str(cast(Dtype::i8, n(300))) == "44");
  CHECK(cast(Dtype::f32, f) == f);
}

TEST_CASE("dtypes follow from the operands") {
  const ScalarRef f = load(1, Dtype::f16, nullptr);
  CHECK(apply(Opcode::lt, {f, f})->dtype == Dtype::boolean);
  CHECK(apply(Opcode::isnan, {f})->dtype == Dtype::boolean);
  CHECK(apply(Opcode::tanh, {f})->dtype == Dtype::f16);
  CHECK(cast(Dtype::f64, f)->dtype == Dtype::f64);
}

TEST_CASE("equal, rewrite and visit") {
  const ScalarRef a = apply(Opcode::tanh, {load(1, Dtype::f32, element(), {axis(0) + n(1)})});
  const ScalarRef b = apply(Opcode::tanh, {load(1, Dtype::f32, element(), {axis(0, 8) + n(1)})});
  CHECK(equal(a, b));
  const ScalarRef c = rewrite(a, [](const ScalarRef& s) -> ScalarRef {
    return s->kind == Scalar::Kind::axis ? n(4) : nullptr;
  });
  CHECK_FALSE(equal(a, c));
  CHECK(str(c->args[0]->args[1]) == "5");
  CHECK(rewrite(a, [](const ScalarRef&) -> ScalarRef { return nullptr; }) == a);
  int loads = 0;
  visit(c, [&](const Scalar& s) { loads += s.kind == Scalar::Kind::load; });
  CHECK(loads == 1);
}

#include "wave/simplify.h"

#include <algorithm>
#include <array>

#include "wave/integer.h"

namespace espalier::wave {
namespace {

constexpr std::int64_t most_ids = (std::int64_t{1} << 31) - 1;  // of nodes, edges and items

// ---- Ranges

std::optional<std::int64_t> exact(Opcode op, std::int64_t a, std::int64_t b) {
  std::int64_t c = 0;
  const bool wrapped = op == Opcode::add   ? __builtin_add_overflow(a, b, &c)
                       : op == Opcode::sub ? __builtin_sub_overflow(a, b, &c)
                                           : __builtin_mul_overflow(a, b, &c);
  if (wrapped) return std::nullopt;
  return c;
}

std::optional<Range> dtype_range(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean: return Range{0, 1};
    case Dtype::i8: return Range{-128, 127};
    case Dtype::i32: return Range{-most_ids - 1, most_ids};
    default: return std::nullopt;
  }
}

// `range` if it fits the dtype, so that nothing wrapped.
std::optional<Range> within(std::optional<Range> range, Dtype dtype) {
  const std::optional<Range> whole = dtype_range(dtype);
  if (range && whole && (range->low < whole->low || range->high > whole->high)) return whole;
  return range ? range : whole;
}

std::optional<Range> arithmetic_range(Opcode op, Range a, Range b) {
  std::optional<Range> found;
  for (const std::int64_t x : {a.low, a.high})
    for (const std::int64_t y : {b.low, b.high}) {
      const std::optional<std::int64_t> z = exact(op, x, y);
      if (!z) return std::nullopt;
      found = found ? Range{std::min(found->low, *z), std::max(found->high, *z)} : Range{*z, *z};
    }
  return found;
}

std::optional<Range> quotient_range(Opcode op, std::optional<Range> a, Range b) {
  if (b.low != b.high || b.low <= 0) return std::nullopt;
  if (op == Opcode::floordiv) {
    if (!a) return std::nullopt;
    return Range{floor_div(a->low, b.low), floor_div(a->high, b.low)};
  }
  if (a && a->low >= 0 && a->high < b.low) return a;
  return Range{0, b.low - 1};
}

std::optional<Range> hull(std::optional<Range> a, std::optional<Range> b) {
  if (!a || !b) return std::nullopt;
  return Range{std::min(a->low, b->low), std::max(a->high, b->high)};
}

std::optional<Range> range_at(const ScalarRef& scalar, int depth);

std::optional<Range> apply_range(const Scalar& s, int depth) {
  const auto arg = [&](std::size_t i) { return range_at(s.args[i], depth + 1); };
  switch (s.op) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul: {
      const std::optional<Range> a = arg(0), b = arg(1);
      return a && b ? arithmetic_range(s.op, *a, *b) : std::nullopt;
    }
    case Opcode::floordiv:
    case Opcode::mod: {
      const std::optional<Range> b = arg(1);
      return b ? quotient_range(s.op, arg(0), *b) : std::nullopt;
    }
    case Opcode::minimum:
    case Opcode::maximum: {
      const std::optional<Range> a = arg(0), b = arg(1);
      if (!a || !b) return std::nullopt;
      return s.op == Opcode::minimum ? Range{std::min(a->low, b->low), std::min(a->high, b->high)}
                                     : Range{std::max(a->low, b->low), std::max(a->high, b->high)};
    }
    case Opcode::clip:  // by constants
      return hull(arg(1), arg(2));
    case Opcode::select: return hull(arg(1), arg(2));
    case Opcode::cast: return is_float(s.args[0]->dtype) ? std::nullopt : arg(0);
    default: return std::nullopt;
  }
}

std::optional<Range> range_at(const ScalarRef& scalar, int depth) {
  if (is_float(scalar->dtype) || depth > 40) return std::nullopt;
  switch (scalar->kind) {
    case Scalar::Kind::number: return Range{scalar->integer, scalar->integer};
    case Scalar::Kind::axis:
    case Scalar::Kind::bound:
      return scalar->extent > 0 ? std::optional(Range{0, scalar->extent - 1}) : std::nullopt;
    case Scalar::Kind::element:
    case Scalar::Kind::item:
    case Scalar::Kind::owner:
    case Scalar::Kind::first:
    case Scalar::Kind::end: return Range{0, most_ids};
    case Scalar::Kind::load: return dtype_range(scalar->dtype);
    case Scalar::Kind::apply: return within(apply_range(*scalar, depth), scalar->dtype);
  }
  return std::nullopt;
}

// ---- Sums

std::optional<std::int64_t> constant_of(const ScalarRef& s) {
  if (s->kind != Scalar::Kind::number || is_float(s->dtype)) return std::nullopt;
  return s->integer;
}

bool is_apply(const ScalarRef& s, Opcode op) {
  return s->kind == Scalar::Kind::apply && s->op == op;
}

// terms[k].first * terms[k].second, added up, plus `constant`: i64, modulo 2^64.
struct Sum {
  std::vector<std::pair<ScalarRef, std::int64_t>> terms;
  std::int64_t constant = 0;

  void add(const ScalarRef& s, std::int64_t scale);
  void drop_zeros() {
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
  }
};

void Sum::add(const ScalarRef& s, std::int64_t scale) {
  if (const auto c = constant_of(s)) {
    constant = wrapping_add(constant, wrapping_mul(*c, scale));
  } else if (is_apply(s, Opcode::add) || is_apply(s, Opcode::sub)) {
    add(s->args[0], scale);
    add(s->args[1], s->op == Opcode::add ? scale : wrapping_sub(0, scale));
  } else if (is_apply(s, Opcode::neg)) {
    add(s->args[0], wrapping_sub(0, scale));
  } else if (is_apply(s, Opcode::mul) && constant_of(s->args[1])) {
    add(s->args[0], wrapping_mul(scale, *constant_of(s->args[1])));
  } else if (is_apply(s, Opcode::mul) && constant_of(s->args[0])) {
    add(s->args[1], wrapping_mul(scale, *constant_of(s->args[0])));
  } else {
    for (auto& term : terms)
      if (equal(term.first, s)) {
        term.second = wrapping_add(term.second, scale);
        return;
      }
    terms.emplace_back(s, scale);
  }
}

// (x // n) * k n + (x % n) * k is x * k.
bool join_quotient(Sum& sum) {
  for (std::size_t i = 0; i < sum.terms.size(); ++i)
    for (std::size_t j = 0; j < sum.terms.size(); ++j) {
      const auto [quotient, many] = sum.terms[i];
      const auto [rest, scale] = sum.terms[j];
      if (!is_apply(quotient, Opcode::floordiv) || !is_apply(rest, Opcode::mod)) continue;
      const std::optional<std::int64_t> n = constant_of(rest->args[1]);
      if (!n || *n == 0 || many != wrapping_mul(scale, *n) ||
          !equal(quotient->args[0], rest->args[0]) || !equal(quotient->args[1], rest->args[1]))
        continue;
      sum.terms[i].second = sum.terms[j].second = 0;
      sum.drop_zeros();
      sum.add(rest->args[0], scale);
      return true;
    }
  return false;
}

ScalarRef term_of(const ScalarRef& s, std::int64_t scale) {
  if (scale == 1) return s;
  if (scale == -1) return plain_apply(Opcode::neg, Dtype::i64, {s});
  return plain_apply(Opcode::mul, Dtype::i64, {s, integer(scale)});
}

ScalarRef built(const Sum& sum) {
  ScalarRef made;
  const auto join = [&](const ScalarRef& s, std::int64_t scale) {
    const bool minus = made && scale < 0 && scale != INT64_MIN;
    ScalarRef term = term_of(s, minus ? -scale : scale);
    made = made ? plain_apply(minus ? Opcode::sub : Opcode::add, Dtype::i64, {made, term})
                : std::move(term);
  };
  for (const auto& [s, scale] : sum.terms)
    if (scale > 0) join(s, scale);
  if (!made && sum.constant != 0 && !sum.terms.empty()) made = integer(sum.constant);
  const bool constant_first = made && made->kind == Scalar::Kind::number;
  for (const auto& [s, scale] : sum.terms)
    if (scale < 0) join(s, scale);
  if (!made) return integer(sum.constant);
  if (sum.constant == 0 || constant_first) return made;
  const bool minus = sum.constant < 0 && sum.constant != INT64_MIN;
  return plain_apply(minus ? Opcode::sub : Opcode::add, Dtype::i64,
                     {made, integer(minus ? -sum.constant : sum.constant)});
}

Sum sum_of(const ScalarRef& s) {
  Sum sum;
  sum.add(s, 1);
  sum.drop_zeros();
  return sum;
}

std::optional<Range> range_of_sum(const Sum& sum) {
  Range total{sum.constant, sum.constant};
  for (const auto& [s, scale] : sum.terms) {
    const std::optional<Range> range = range_at(s, 0);
    if (!range) return std::nullopt;
    const std::optional<Range> term = arithmetic_range(Opcode::mul, *range, {scale, scale});
    if (!term) return std::nullopt;
    const std::optional<Range> next = arithmetic_range(Opcode::add, total, *term);
    if (!next) return std::nullopt;
    total = *next;
  }
  return total;
}

// ---- Operations

ScalarRef linear(Opcode op, const std::vector<ScalarRef>& args) {
  if (op == Opcode::mul && !constant_of(args[0]) && !constant_of(args[1])) return nullptr;
  Sum sum;
  if (op == Opcode::mul) {
    const bool second = constant_of(args[1]).has_value();
    sum.add(args[second ? 0 : 1], *constant_of(args[second ? 1 : 0]));
  } else {
    sum.add(args[0], op == Opcode::neg ? -1 : 1);
    if (args.size() > 1) sum.add(args[1], op == Opcode::sub ? -1 : 1);
  }
  sum.drop_zeros();
  while (join_quotient(sum)) sum.drop_zeros();
  sum.drop_zeros();
  return built(sum);
}

// x // n and x % n for a constant n > 0: with x = n d + r, where no sum wraps, they are d + r // n
// and r % n.
ScalarRef divided(Opcode op, const ScalarRef& x, std::int64_t n) {
  if (n == 1) return op == Opcode::mod ? integer(0) : x;
  const Sum sum = sum_of(x);
  Sum many, rest;
  for (const auto& [s, scale] : sum.terms)
    if (scale % n == 0)
      many.terms.emplace_back(s, scale / n);
    else
      rest.terms.emplace_back(s, scale);
  many.constant = floor_div(sum.constant, n);
  rest.constant = floor_mod(sum.constant, n);
  const std::optional<Range> left = range_of_sum(rest);
  if (left && range_of_sum(sum)) {
    if (left->low >= 0 && left->high < n) return built(op == Opcode::mod ? rest : many);
    if (!many.terms.empty()) {
      const ScalarRef other = apply(op, {built(rest), integer(n)});
      return op == Opcode::mod ? other : apply(Opcode::add, {built(many), other});
    }
  }
  if (!is_apply(x, op) || !constant_of(x->args[1])) return nullptr;
  const std::int64_t inner = *constant_of(x->args[1]);
  if (op == Opcode::mod)
    return inner > 0 && inner % n == 0 ? apply(op, {x->args[0], integer(n)}) : nullptr;
  const std::optional<std::int64_t> both = exact(Opcode::mul, inner, n);
  return inner > 0 && both ? apply(op, {x->args[0], integer(*both)}) : nullptr;
}

std::optional<bool> decided(Opcode op, Range a, Range b) {
  const bool below = a.high<b.low, above = a.low> b.high;
  const bool not_above = a.high <= b.low, not_below = a.low >= b.high;
  const bool one = a.low == a.high && b.low == b.high && a.low == b.low;
  const auto answer = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  switch (op) {
    case Opcode::lt: return answer(below, not_below);
    case Opcode::le: return answer(not_above, above);
    case Opcode::gt: return answer(above, not_above);
    case Opcode::ge: return answer(not_below, below);
    case Opcode::eq: return answer(one, below || above);
    case Opcode::ne: return answer(below || above, one);
    default: return std::nullopt;
  }
}

ScalarRef compared(Opcode op, const std::vector<ScalarRef>& args) {
  const std::optional<Range> a = range_of(args[0]), b = range_of(args[1]);
  if (!a || !b) return nullptr;
  const std::optional<bool> known = decided(op, *a, *b);
  return known ? integer(*known, Dtype::boolean) : nullptr;
}

ScalarRef logic(Opcode op, const std::vector<ScalarRef>& args) {
  const bool absorbing = op == Opcode::logical_or;
  for (std::size_t i : {0U, 1U})
    if (const auto c = constant_of(args[i])) return (*c != 0) == absorbing ? args[i] : args[1 - i];
  return nullptr;
}

ScalarRef smaller(Opcode op, const std::vector<ScalarRef>& args) {
  const std::optional<Range> a = range_of(args[0]), b = range_of(args[1]);
  if (!a || !b) return nullptr;
  const bool least = op == Opcode::minimum;
  if (a->high <= b->low) return args[least ? 0 : 1];
  if (b->high <= a->low) return args[least ? 1 : 0];
  return nullptr;
}

// Integers narrower than i64: constants alone.
ScalarRef narrow(Opcode op, Dtype dtype, const std::vector<ScalarRef>& args) {
  const auto a = constant_of(args[0]);
  const auto b = constant_of(args[args.size() - 1]);
  if (!a || !b) return nullptr;
  switch (op) {
    case Opcode::add: return integer(wrapping_add(*a, *b), dtype);
    case Opcode::sub: return integer(wrapping_sub(*a, *b), dtype);
    case Opcode::mul: return integer(wrapping_mul(*a, *b), dtype);
    case Opcode::neg: return integer(wrapping_sub(0, *a), dtype);
    default: return nullptr;
  }
}

ScalarRef quotient(Opcode op, Dtype dtype, const std::vector<ScalarRef>& args) {
  const auto a = constant_of(args[0]), b = constant_of(args[1]);
  if (a && b) return integer(op == Opcode::mod ? floor_mod(*a, *b) : floor_div(*a, *b), dtype);
  return b && *b > 0 && dtype == Dtype::i64 ? divided(op, args[0], *b) : nullptr;
}

}  // namespace

std::optional<Range> range_of(const ScalarRef& scalar) { return range_at(scalar, 0); }

ScalarRef simplify(Opcode op, Dtype dtype, const std::vector<ScalarRef>& args) {
  if (op == Opcode::select) {
    if (const auto c = constant_of(args[0])) return args[*c != 0 ? 1 : 2];
    return equal(args[1], args[2]) ? args[1] : nullptr;
  }
  if (is_float(dtype) || is_float(args[0]->dtype)) return nullptr;
  switch (op) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::neg: return dtype == Dtype::i64 ? linear(op, args) : narrow(op, dtype, args);
    case Opcode::floordiv:
    case Opcode::mod: return quotient(op, dtype, args);
    case Opcode::eq:
    case Opcode::ne:
    case Opcode::lt:
    case Opcode::le:
    case Opcode::gt:
    case Opcode::ge: return compared(op, args);
    case Opcode::logical_and:
    case Opcode::logical_or: return logic(op, args);
    case Opcode::logical_not:
      return constant_of(args[0]) ? integer(!*constant_of(args[0]), dtype) : nullptr;
    case Opcode::minimum:
    case Opcode::maximum: return smaller(op, args);
    case Opcode::cast:
      return constant_of(args[0]) ? integer(*constant_of(args[0]), dtype) : nullptr;
    default: return nullptr;
  }
}

}  // namespace espalier::wave

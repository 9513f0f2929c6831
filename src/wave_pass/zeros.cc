#include "wave_pass/zeros.h"

#include <algorithm>
#include <cmath>

#include "wave/analysis.h"

namespace espalier::wave_pass {

using wave::Op;
using wave::Opcode;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

Zeros::Zeros(const wave::Entry& entry)
    : entry_(entry), never_negative_(entry.values.size()), finite_(entry.values.size()) {
  wave::visit_ops(entry.ops, [&](const Op& op) {
    if (op.kind == Op::Kind::compute) note(op);
    wave::visit_scalars(op, [&](const Scalar& s) { told_apart_ = told_apart_ || tells_apart(s); });
  });
}

void Zeros::note(const Op& op) {
  // A sum begins with +0.0, which stays where only -0.0 is added.
  never_negative_[static_cast<std::size_t>(op.result)] =
      is_float(op.body->dtype) && (op.reduce == wave::Reduce::sum || never_negative(op.body));
  finite_[static_cast<std::size_t>(op.result)] =
      is_float(op.body->dtype) && op.reduce == wave::Reduce::map && finite(op.body);
}

bool Zeros::never_negative(const ScalarRef& s) const {
  if (s->kind == Scalar::Kind::number) return !(s->number == 0 && std::signbit(s->number));
  if (s->kind == Scalar::Kind::load) return never_negative_[static_cast<std::size_t>(s->value)];
  if (s->kind != Scalar::Kind::apply) return false;
  switch (s->op) {
    // One would do, but that one may turn out to be 0.0 and go.
    case Opcode::add: return never_negative(s->args[0]) && never_negative(s->args[1]);
    case Opcode::cast: return !is_float(s->args[0]->dtype) || never_negative(s->args[0]);
    case Opcode::select: return never_negative(s->args[1]) && never_negative(s->args[2]);
    case Opcode::exp:
    case Opcode::sigmoid:
    case Opcode::square:
    case Opcode::abs: return true;
    case Opcode::sqrt: return never_negative(s->args[0]);
    case Opcode::mul: return s->args[0] == s->args[1];
    default: return false;
  }
}

bool Zeros::tells_apart(const Scalar& s) const {
  if (s.kind != Scalar::Kind::apply || !is_float(s.dtype)) return false;
  switch (s.op) {
    case Opcode::div:
    case Opcode::floordiv:
    case Opcode::mod: return !never_negative(s.args[1]);
    case Opcode::reciprocal:
    case Opcode::rsqrt: return !never_negative(s.args[0]);
    case Opcode::pow:
    case Opcode::atan2: return true;
    default: return false;
  }
}

bool Zeros::finite(const ScalarRef& s) const {
  if (s->kind == Scalar::Kind::number) return std::isfinite(s->number);
  if (s->kind == Scalar::Kind::load) {
    const Value::Kind kind = entry_.value(s->value).kind;
    return kind == Value::Kind::parameter || kind == Value::Kind::constant ||
           finite_[static_cast<std::size_t>(s->value)];
  }
  if (s->kind != Scalar::Kind::apply) return false;
  switch (s->op) {
    case Opcode::sigmoid:
    case Opcode::hardsigmoid:
    case Opcode::tanh:
    case Opcode::erf:
    case Opcode::sin:
    case Opcode::cos: return true;
    case Opcode::cast: return !is_float(s->args[0]->dtype) || finite(s->args[0]);
    case Opcode::neg:
    case Opcode::abs: return finite(s->args[0]);
    case Opcode::mul:
    case Opcode::add:
    case Opcode::sub: return finite(s->args[0]) && finite(s->args[1]);
    default: return false;
  }
}

bool Zeros::is_zero(const ScalarRef& s) const {
  if (s->kind == Scalar::Kind::number) return is_float(s->dtype) ? s->number == 0 : s->integer == 0;
  if (s->kind != Scalar::Kind::apply) return false;
  const auto zero = [&](std::size_t i) { return is_zero(s->args[i]); };
  switch (s->op) {
    case Opcode::neg: return zero(0);
    case Opcode::mul:
      return (zero(0) && (zero(1) || finite(s->args[1]))) || (zero(1) && finite(s->args[0]));
    case Opcode::add:
    case Opcode::sub: return zero(0) && zero(1);
    case Opcode::select: return zero(1) && zero(2);
    default: return false;
  }
}

}  // namespace espalier::wave_pass

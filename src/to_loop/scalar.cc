// Scalars as expressions.
#include <cmath>
#include <limits>

#include "base/bug.h"
#include "to_loop/code.h"

namespace espalier::to_loop {

using loop::Expr;
using loop::Type;
using wave::Domain;
using wave::Opcode;
using wave::Scalar;
using wave::Value;

ExprRef Code::scalar(const ScalarRef& s, const Env& env) {
  switch (s->kind) {
    case Scalar::Kind::number:
      if (is_float(s->dtype)) return loop::number(s->number, computed(s->dtype));
      if (const auto start = starts.find(s->integer);
          start != starts.end() && s->dtype == Dtype::i64)
        return start->second;
      return loop::integer(s->integer, {s->dtype == Dtype::boolean ? Dtype::boolean : Dtype::i32});
    case Scalar::Kind::axis: return env.axes.at(static_cast<std::size_t>(s->which));
    case Scalar::Kind::bound: return env.bounds.at(static_cast<std::size_t>(s->which));
    case Scalar::Kind::element: return env.element ? env.element : loop::integer(0);
    case Scalar::Kind::item: return env.item;
    case Scalar::Kind::owner: {
      const ExprRef item = scalar(s->args[0], env);
      if (env.item && s->args[0]->kind == Scalar::Kind::item && s->domain == env.list &&
          context.entry.domain(s->domain).owner == env.domain && env.element)
        return env.element;
      return owner_of(s->domain, item);
    }
    case Scalar::Kind::first: return first_of(s->domain, scalar(s->args[0], env));
    case Scalar::Kind::end: return end_of(s->domain, scalar(s->args[0], env));
    case Scalar::Kind::load: return load(*s, env);
    case Scalar::Kind::apply: return apply(*s, env);
  }
  throw Bug("unknown scalar");
}

// ---- Loads

bool Code::is_local(const Scalar& s) const {
  if (!locals.count(s.value)) return false;
  if (s.args[0] && s.args[0]->kind != Scalar::Kind::element) return false;
  for (std::size_t i = 1; i < s.args.size(); i++)
    if (s.args[i]->kind != Scalar::Kind::axis || s.args[i]->which != static_cast<int>(i) - 1)
      return false;
  return true;
}

ExprRef Code::load(const Scalar& s, const Env& env) {
  if (is_local(s)) return locals.at(s.value);
  const Value& v = context.entry.value(s.value);
  const ExprRef element = s.args[0] ? scalar(s.args[0], env) : nullptr;
  if (v.kind == Value::Kind::place) return place_of(v.domain, element);
  std::vector<ExprRef> indices;
  for (std::size_t i = 1; i < s.args.size(); i++) indices.push_back(scalar(s.args[i], env));

  if (v.kind == Value::Kind::parameter && preparing) {  // in prepare(): the user's tensor
    const int buffer = context.parameter(v.source, false);
    ExprRef index = loop::integer(0);
    for (std::size_t i = 0; i < indices.size(); i++)
      index = loop::add(loop::mul(index, extent(s.value, i)), indices[i]);
    const Dtype stored = context.shared.module.buffer(buffer).dtype;
    const ExprRef made = loop::load(buffer, {stored}, index);
    if (stored == Dtype::f16) return loop::call("from_f16", loop::float_type, {made});
    if (stored == Dtype::bf16) return loop::call("from_bf16", loop::float_type, {made});
    return made;
  }
  const Type type{computed(v.dtype)};
  if (indices.empty() && v.kind == Value::Kind::previous) {
    const ExprRef from = previous(s.value, element, env);
    return from;
  }
  const Place place = v.kind == Value::Kind::previous ? Place{} : context.place_of(s.value);
  if (indices.empty()) {
    const ExprRef row = row_of(s.value, element, env);
    return loop::load(place.buffer, {context.shared.module.buffer(place.buffer).dtype},
                      row ? row : loop::integer(0));
  }
  if (place.row == Place::Row::one && indices.size() > 1 && v.kind != Value::Kind::previous) {
    // A row of a table: its number may be large.
    const loop::Buffer& b = context.shared.module.buffer(place.buffer);
    ExprRef row = indices[0];
    for (std::size_t i = 1; i + 1 < indices.size(); i++)
      row = loop::add(loop::mul(row, extent(s.value, i)), indices[i]);
    const ExprRef stride = table_stride(s.value);
    const Type pointer_type{b.dtype, false, true};
    const ExprRef from = loop::address(place.buffer, pointer_type, unwidened(row), stride);
    const ExprRef named = hoist(v.name + "_row", from, env);
    if (named->kind == Expr::Kind::variable) return loop::load(named->name, type, indices.back());
    auto direct = std::make_shared<Expr>(*loop::load(-1, type, indices.back()));
    direct->args.push_back(named);
    return direct;
  }
  const ExprRef from =
      pointer_to(s.value, element, false, env, context.read_name(s.value, s.args[0]));
  const ExprRef index = index_of(s.value, indices);
  if (from->kind == Expr::Kind::variable) return loop::load(from->name, type, index);
  if (from->kind == Expr::Kind::pointer) return loop::load(from->buffer, type, index);
  auto direct = std::make_shared<Expr>(*loop::load(-1, type, index));
  direct->args.push_back(from);
  return direct;
}

ExprRef Code::table_stride(Id value) {
  const Value& v = context.entry.value(value);
  const std::size_t axis = v.shape.size() - 1;
  const std::int64_t last = v.shape.back();
  return context.shared.module.buffer(context.place_of(value).buffer).inner == last
             ? extent(value, axis)
             : context.shared.row_extent(last, context.dim(value, axis));
}

// The carry at the item before, or the initial value at the first: a pointer, or the scalar itself.
ExprRef Code::previous(Id value, const ExprRef& element, const Env& env) {
  const Value& v = context.entry.value(value);
  const Value& carry = context.entry.value(v.of);
  const Id list = carry.domain;
  const ExprRef owner = owner_of(list, element);
  const wave::Op* steps = context.steps_of.at(v.of);
  const ExprRef inside =
      steps->backward ? loop::binary("<", loop::bool_type, loop::add(element, loop::integer(1)),
                                     end_of(list, owner))
                      : loop::binary(">", loop::bool_type, element, first_of(list, owner));
  const ExprRef before =
      steps->backward ? loop::add(element, loop::integer(1)) : loop::sub(element, loop::integer(1));
  const Value& initial = context.entry.value(v.initial);
  const ExprRef initial_element =
      context.entry.domain(initial.domain).kind == Domain::Kind::once ? nullptr : owner;
  Env inner = env;
  inner.guarded = true;
  if (v.shape.empty()) {
    const auto at = [&](Id which, const ExprRef& x) {
      const Place place = context.place_of(which);
      const ExprRef row = row_of(which, x, inner);
      return loop::load(place.buffer, {computed(v.dtype)}, row ? row : loop::integer(0));
    };
    return loop::select(inside, at(v.of, before), at(v.initial, initial_element));
  }
  const ExprRef carried = pointer_to(v.of, before, false, inner);
  const ExprRef start = pointer_to(v.initial, initial_element, false, inner);
  return loop::select(inside, carried, start);
}

// ---- Operations

namespace {

// Whether the integer is made of elements, axes and offsets alone, so that it cannot overflow.
bool structural(const ScalarRef& s, const wave::Entry& entry) {
  bool all = true;
  wave::visit(s, [&](const Scalar& x) {
    if (x.kind != Scalar::Kind::load) return;
    switch (entry.value(x.value).kind) {
      case Value::Kind::argument:
      case Value::Kind::payload:
      case Value::Kind::parameter:
      case Value::Kind::constant:
      case Value::Kind::computed:
      case Value::Kind::carry:
      case Value::Kind::previous: all = false; break;
      default: break;
    }
  });
  return all;
}

const char* comparison(Opcode op) {
  switch (op) {
    case Opcode::eq: return "==";
    case Opcode::ne: return "!=";
    case Opcode::lt: return "<";
    case Opcode::le: return "<=";
    case Opcode::gt: return ">";
    case Opcode::ge: return ">=";
    case Opcode::logical_and: return "&&";
    case Opcode::logical_or: return "||";
    default: return nullptr;
  }
}

const char* arithmetic(Opcode op) {
  switch (op) {
    case Opcode::add: return "+";
    case Opcode::sub: return "-";
    case Opcode::mul: return "*";
    case Opcode::div: return "/";
    default: return nullptr;
  }
}

const char* function_name(Opcode op) {
  return op == Opcode::mod ? "floormod" : wave::opcode_name(op);
}

}  // namespace

ExprRef Code::apply(const Scalar& s, const Env& env) {
  if (s.op == Opcode::cast) return cast(s, env);
  if (s.op == Opcode::select) {
    Env inner = env;
    inner.guarded = true;
    const ExprRef condition = scalar(s.args[0], env);
    const ExprRef yes = scalar(s.args[1], inner), no = scalar(s.args[2], inner);
    if (yes->type == no->type) return loop::select(condition, yes, no);
    const Type wide = is_float(yes->type.dtype) ? yes->type : loop::long_type;
    return loop::select(condition, loop::cast(wide, yes), loop::cast(wide, no));
  }
  if (const char* op = comparison(s.op)) {
    ExprRef a = scalar(s.args[0], env);
    Env inner = env;  // && and || stop early
    inner.guarded = env.guarded || s.op == Opcode::logical_and || s.op == Opcode::logical_or;
    return loop::binary(op, loop::bool_type, a, scalar(s.args[1], inner));
  }
  if (s.op == Opcode::logical_not) return loop::unary("!", loop::bool_type, scalar(s.args[0], env));
  if (s.op == Opcode::isnan) return loop::call("isnan", loop::bool_type, {scalar(s.args[0], env)});
  return is_float(s.dtype) ? float_apply(s, env) : integer_apply(s, env);
}

ExprRef Code::float_apply(const Scalar& s, const Env& env) {
  const Type type{computed(s.dtype)};
  std::vector<ExprRef> args;
  for (const ScalarRef& arg : s.args) args.push_back(loop::cast(type, scalar(arg, env)));
  if (const char* op = arithmetic(s.op)) return loop::binary(op, type, args[0], args[1]);
  if (s.op == Opcode::neg) return loop::unary("-", type, args[0]);
  return loop::call(function_name(s.op), type, args);
}

ExprRef Code::integer_apply(const Scalar& s, const Env& env) {
  std::vector<ExprRef> args;
  bool plain = s.dtype == Dtype::i64;
  for (const ScalarRef& arg : s.args) {
    args.push_back(scalar(arg, env));
    plain = plain && structural(arg, context.entry) && args.back()->type.dtype == Dtype::i32;
  }
  if (plain) {
    if (s.op == Opcode::add) return loop::add(args[0], args[1]);
    if (s.op == Opcode::sub) return loop::sub(args[0], args[1]);
    if (s.op == Opcode::mul) return loop::mul(args[0], args[1]);
    if (s.op == Opcode::neg) return loop::sub(loop::integer(0), args[0]);
  }
  const Type type{plain ? Dtype::i32 : s.dtype};
  if (s.op == Opcode::neg) args.insert(args.begin(), loop::integer(0, type));
  for (ExprRef& arg : args) arg = loop::cast(type, arg);
  switch (s.op) {
    case Opcode::add: return loop::call("wrap_add", type, args);
    case Opcode::sub:
    case Opcode::neg: return loop::call("wrap_sub", type, args);
    case Opcode::mul: return loop::call("wrap_mul", type, args);
    case Opcode::square: return loop::call("wrap_mul", type, {args[0], args[0]});
    case Opcode::div: return loop::call("floordiv", type, args);
    default: return loop::call(function_name(s.op), type, args);
  }
}

ExprRef Code::cast(const Scalar& s, const Env& env) {
  const ExprRef arg = scalar(s.args[0], env);
  const Dtype from = s.args[0]->dtype;
  if (s.dtype == Dtype::f16)
    return loop::call("from_f16", loop::float_type,
                      {loop::call("to_f16", {Dtype::f16}, {loop::cast(loop::float_type, arg)})});
  if (s.dtype == Dtype::bf16)
    return loop::call("from_bf16", loop::float_type,
                      {loop::call("to_bf16", {Dtype::bf16}, {loop::cast(loop::float_type, arg)})});
  if (s.dtype == Dtype::i64 && arg->type.dtype == Dtype::i32 && is_integer(from) &&
      structural(s.args[0], context.entry))
    return arg;
  return loop::cast({computed(s.dtype)}, arg);
}

}  // namespace espalier::to_loop

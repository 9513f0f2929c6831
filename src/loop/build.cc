#include "loop/build.h"

#include <algorithm>
#include <bit>

namespace espalier::loop {

namespace {

std::shared_ptr<Expr> make(Expr::Kind kind, Type type) {
  auto made = std::make_shared<Expr>();
  made->kind = kind;
  made->type = type;
  return made;
}

bool is_integer(const ExprRef& e, std::int64_t value) {
  return e->kind == Expr::Kind::integer && e->integer == value;
}

Type wider(const ExprRef& a, const ExprRef& b) {
  return a->type.dtype == Dtype::i64 || b->type.dtype == Dtype::i64 ? long_type : int_type;
}

Stmt make(Stmt::Kind kind, std::string name = {}) {
  Stmt made;
  made.kind = kind;
  made.name = std::move(name);
  return made;
}

}  // namespace

ExprRef integer(std::int64_t value, Type type) {
  auto made = make(Expr::Kind::integer, type);
  made->integer = value;
  return made;
}

ExprRef number(double value, Dtype dtype) {
  auto made = make(Expr::Kind::number, {dtype});
  made->number = value;
  return made;
}

ExprRef variable(std::string name, Type type) {
  auto made = make(Expr::Kind::variable, type);
  made->name = std::move(name);
  return made;
}

ExprRef constant(std::string name, std::int64_t value) {
  auto made = make(Expr::Kind::constant, int_type);
  made->name = std::move(name);
  made->integer = value;
  return made;
}

ExprRef load(int buffer, Type type, ExprRef index) {
  auto made = make(Expr::Kind::load, type);
  made->buffer = buffer;
  made->args = {std::move(index)};
  return made;
}

ExprRef load(std::string pointer, Type type, ExprRef index) {
  auto made = make(Expr::Kind::load, type);
  made->name = std::move(pointer);
  made->args = {std::move(index)};
  return made;
}

ExprRef item(std::string array, Type type, ExprRef index) {
  auto made = make(Expr::Kind::item, type);
  made->name = std::move(array);
  made->args = {std::move(index)};
  return made;
}

ExprRef address(int buffer, Type type, ExprRef row, ExprRef stride) {
  auto made = make(Expr::Kind::address, type);
  made->buffer = buffer;
  made->args = {std::move(row), std::move(stride)};
  return made;
}

ExprRef pointer(int buffer, std::string name, Type type, ExprRef offset) {
  auto made = make(Expr::Kind::pointer, type);
  made->buffer = buffer;
  made->name = std::move(name);
  made->args = {std::move(offset)};
  return made;
}

ExprRef binary(std::string op, Type type, ExprRef a, ExprRef b) {
  auto made = make(Expr::Kind::binary, type);
  made->name = std::move(op);
  made->args = {std::move(a), std::move(b)};
  return made;
}

ExprRef unary(std::string op, Type type, ExprRef a) {
  if (op == "!" && a->kind == Expr::Kind::unary && a->name == "!" && a->args[0]->type == bool_type)
    return a->args[0];
  auto made = make(Expr::Kind::unary, type);
  made->name = std::move(op);
  made->args = {std::move(a)};
  return made;
}

ExprRef call(std::string name, Type type, std::vector<ExprRef> args) {
  auto made = make(Expr::Kind::call, type);
  made->name = std::move(name);
  made->args = std::move(args);
  return made;
}

ExprRef select(ExprRef condition, ExprRef yes, ExprRef no) {
  auto made = make(Expr::Kind::select, yes->type);
  made->args = {std::move(condition), std::move(yes), std::move(no)};
  return made;
}

ExprRef cast(Type type, ExprRef arg) {
  if (arg->type == type) return arg;
  if (arg->kind == Expr::Kind::integer && espalier::is_integer(type.dtype) && !type.vector)
    return integer(arg->integer, type);
  if (arg->kind == Expr::Kind::integer && is_float(type.dtype) && !type.vector &&
      std::abs(arg->integer) < (1 << 24))
    return number(static_cast<double>(arg->integer), type.dtype);
  auto made = make(Expr::Kind::cast, type);
  made->args = {std::move(arg)};
  return made;
}

std::optional<std::int64_t> known_value(const ExprRef& e) {
  if (e->kind == Expr::Kind::integer) return e->integer;
  if (e->kind == Expr::Kind::constant && e->integer != 0) return e->integer;
  return std::nullopt;
}

ExprRef add(ExprRef a, ExprRef b) {
  if (is_integer(a, 0)) return b;
  if (is_integer(b, 0)) return a;
  if (a->kind == Expr::Kind::integer && b->kind == Expr::Kind::integer)
    return integer(a->integer + b->integer, wider(a, b));
  if (b->kind == Expr::Kind::integer && b->integer < 0)
    return sub(a, integer(-b->integer, b->type));
  const Type type = wider(a, b);
  return binary("+", type, std::move(a), std::move(b));
}

ExprRef sub(ExprRef a, ExprRef b) {
  if (is_integer(b, 0)) return a;
  if (equal(a, b)) return integer(0);
  if (a->kind == Expr::Kind::integer && b->kind == Expr::Kind::integer)
    return integer(a->integer - b->integer, wider(a, b));
  const Type type = wider(a, b);
  return binary("-", type, std::move(a), std::move(b));
}

ExprRef mul(ExprRef a, ExprRef b) {
  if (is_integer(a, 1) || is_integer(b, 0)) return b;
  if (is_integer(b, 1) || is_integer(a, 0)) return a;
  if (a->kind == Expr::Kind::integer && b->kind == Expr::Kind::integer)
    return integer(a->integer * b->integer, wider(a, b));
  const Type type = wider(a, b);
  return binary("*", type, std::move(a), std::move(b));
}

Stmt let(std::string name, ExprRef value) {
  Stmt made = make(Stmt::Kind::let, std::move(name));
  made.type = value->type;
  made.value = std::move(value);
  return made;
}

Stmt variable_of(std::string name, Type type, ExprRef value) {
  Stmt made = make(Stmt::Kind::variable, std::move(name));
  made.type = type;
  made.value = std::move(value);
  return made;
}

Stmt assign(std::string name, std::string op, ExprRef value) {
  Stmt made = make(Stmt::Kind::assign, std::move(name));
  made.op = std::move(op);
  made.type = value->type;
  made.value = std::move(value);
  return made;
}

Stmt store(int buffer, ExprRef index, ExprRef value) {
  Stmt made = make(Stmt::Kind::store);
  made.buffer = buffer;
  made.index = std::move(index);
  made.type = value->type;
  made.value = std::move(value);
  return made;
}

Stmt store(std::string pointer, ExprRef index, ExprRef value) {
  Stmt made = store(-1, std::move(index), std::move(value));
  made.name = std::move(pointer);
  return made;
}

Stmt for_loop(std::string name, ExprRef begin, ExprRef end, std::vector<Stmt> body) {
  Stmt made = make(Stmt::Kind::loop, std::move(name));
  made.type = int_type;
  made.begin = std::move(begin);
  made.end = std::move(end);
  made.body = std::move(body);
  return made;
}

Stmt comment(std::string text) { return make(Stmt::Kind::comment, std::move(text)); }

Stmt simple(Stmt::Kind kind) { return make(kind); }

bool equal(const ExprRef& a, const ExprRef& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || !(a->type == b->type) || a->integer != b->integer ||
      std::bit_cast<std::uint64_t>(a->number) != std::bit_cast<std::uint64_t>(b->number) ||
      a->name != b->name || a->buffer != b->buffer || a->args.size() != b->args.size())
    return false;
  for (std::size_t i = 0; i < a->args.size(); i++)
    if (!equal(a->args[i], b->args[i])) return false;
  return true;
}

void visit(const ExprRef& e, const std::function<void(const Expr&)>& see) {
  if (!e) return;
  see(*e);
  for (const ExprRef& arg : e->args) visit(arg, see);
}

void visit(const Stmt& s, const std::function<void(const Expr&)>& see) {
  for (const ExprRef& e : {s.begin, s.end, s.step, s.index, s.value, s.count}) visit(e, see);
  for (const ExprRef& e : s.args) visit(e, see);
  for (const Stmt& inner : s.body) visit(inner, see);
  for (const Stmt& inner : s.other) visit(inner, see);
}

void visit_statements(const std::vector<Stmt>& all, const std::function<void(const Stmt&)>& see) {
  for (const Stmt& s : all) {
    see(s);
    visit_statements(s.body, see);
    visit_statements(s.other, see);
  }
}

ExprRef rewrite(const ExprRef& e, const std::function<ExprRef(const ExprRef&)>& replace) {
  if (!e) return e;
  std::vector<ExprRef> args;
  bool changed = false;
  for (const ExprRef& arg : e->args) {
    args.push_back(rewrite(arg, replace));
    changed = changed || args.back() != arg;
  }
  ExprRef made = e;
  if (changed) {
    auto copy = std::make_shared<Expr>(*e);
    copy->args = std::move(args);
    made = copy;
  }
  if (ExprRef other = replace(made)) return other;
  return made;
}

std::string cpp_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return "float";
    case Dtype::f64: return "double";
    case Dtype::f16:
    case Dtype::bf16: return "std::uint16_t";
    case Dtype::i8: return "std::int8_t";
    case Dtype::i32: return "std::int32_t";
    case Dtype::i64: return "std::int64_t";
    case Dtype::boolean: return "std::uint8_t";
  }
  return "";
}

bool mentions(const ExprRef& e, const std::string& name) {
  bool found = false;
  visit(e, [&](const Expr& x) { found = found || x.name == name; });
  return found;
}

}  // namespace espalier::loop

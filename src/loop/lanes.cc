#include "loop/lanes.h"

#include <cmath>
#include <map>
#include <set>

#include "loop/build.h"

namespace espalier::loop {

namespace {

// Functions that have a form for vectors.
const std::set<std::string> vector_functions = {
    "abs",      "exp",        "expm1", "sigmoid",     "tanh",       "log",  "log1p",
    "erf",      "floor",      "ceil",  "round",       "sqrt",       "sin",  "cos",
    "tan",      "asin",       "acos",  "atan",        "sinh",       "cosh", "floordiv",
    "floormod", "pow",        "atan2", "minimum",     "maximum",    "clip", "sign",
    "square",   "reciprocal", "rsqrt", "relu",        "leaky_relu", "elu",  "gelu",
    "softplus", "silu",       "mish",  "hardsigmoid", "hardswish",  "isnan"};

constexpr std::int64_t most_lanes = 16;

bool multiple(const ExprRef& e) {  // of the widest vector, whatever variables hold
  if (e->kind == Expr::Kind::integer) return e->integer % most_lanes == 0;
  if (e->kind == Expr::Kind::constant) return e->integer != 0 && e->integer % most_lanes == 0;
  if (e->kind != Expr::Kind::binary) return false;
  if (e->name == "*") return multiple(e->args[0]) || multiple(e->args[1]);
  return (e->name == "+" || e->name == "-") && multiple(e->args[0]) && multiple(e->args[1]);
}

// index = rest + j, or nothing.
struct Along {
  ExprRef rest;  // null: zero
  bool minus = false;
};
std::optional<Along> along(const ExprRef& index, const std::string& j) {
  if (index->kind == Expr::Kind::variable && index->name == j) return Along{};
  if (index->kind != Expr::Kind::binary || (index->name != "+" && index->name != "-"))
    return std::nullopt;
  const ExprRef &a = index->args[0], &b = index->args[1];
  if (b->kind == Expr::Kind::variable && b->name == j && index->name == "+" && !mentions(a, j))
    return Along{a, false};
  if (a->kind == Expr::Kind::variable && a->name == j && !mentions(b, j))
    return Along{b, index->name == "-"};
  return std::nullopt;
}

struct Impossible {};

class Rewriter {
 public:
  Rewriter(const Module& module, const std::vector<Stmt>& around, const LaneLoop& loop)
      : module_(module), j_(loop.j), end_(loop.end), end_name_(loop.end_name) {
    visit_statements(around, [&](const Stmt& s) { note(s); });
  }

  Lanes run(const std::vector<Stmt>& body) {
    visit_statements(body, [&](const Stmt& s) { note(s); });
    Lanes made;
    made.body = statements(body);
    made.row_end = row_end_;
    made.stores = stores_;
    return made;
  }

 private:
  void note(const Stmt& s) {
    if (s.kind == Stmt::Kind::let && s.type.pointer) pointers_[s.name] = s.value;
    if (s.kind == Stmt::Kind::variable && s.count && s.type.vector) arrays_.insert(s.name);
  }

  std::vector<Stmt> statements(const std::vector<Stmt>& body) {
    std::vector<Stmt> made;
    for (const Stmt& s : body) made.push_back(statement(s));
    return made;
  }

  Stmt statement(const Stmt& s) {
    Stmt made = s;
    switch (s.kind) {
      case Stmt::Kind::let:
        if (!varies(s.value)) return made;
        if (s.type.pointer) throw Impossible();
        made.value = vector(s.value);
        made.type = made.value->type;
        if (made.type.dtype != Dtype::f32) throw Impossible();
        varying_.insert(s.name);
        return made;
      case Stmt::Kind::variable:
        if (s.type.dtype != Dtype::f32 || s.count || varies(s.value)) throw Impossible();
        made.type = vec_type;
        made.value = cast(vec_type, s.value);
        if (s.value->kind == Expr::Kind::number && s.value->number == 0 &&
            !std::signbit(s.value->number)) {
          made.value = s.value;
        }
        varying_.insert(s.name);
        return made;
      case Stmt::Kind::assign:
        if (!varying_.count(s.name) || s.index) throw Impossible();
        made.value = vector(s.value);
        made.type = vec_type;
        return made;
      case Stmt::Kind::store: return store(s);
      case Stmt::Kind::loop:
        if (varies(s.begin) || varies(s.end)) throw Impossible();
        made.body = statements(s.body);
        return made;
      case Stmt::Kind::comment:
      case Stmt::Kind::blank: return made;
      default: throw Impossible();
    }
  }

  Stmt store(const Stmt& s) {
    Stmt made = s;
    const auto at = along(s.index, j_);
    if (!at || s.type.dtype != Dtype::f32 || !s.op.empty()) throw Impossible();
    const Buffer* b = buffer_of(s.buffer, s.name);
    if (!b || b->inner % most_lanes != 0) throw Impossible();
    if (at->rest && !multiple(at->rest)) throw Impossible();
    if (at->rest && at->minus) throw Impossible();
    row_end(*b);
    made.value = vector(s.value);
    if (!made.value->type.vector) made.value = cast(vec_type, made.value);
    made.type = vec_type;
    stores_++;
    return made;
  }

  // Rows of the buffer are padded: the loop may run over the end of what they mean.
  void row_end(const Buffer& b) {
    if (end_ % most_lanes == 0) return;
    if (b.shape.empty() || b.shape.back() != end_) throw Impossible();
    row_end_ = integer(b.inner);
    const std::string end = end_name_.empty() ? std::to_string(end_) : end_name_;
    for (const NamedConstant& c : module_.named)
      if (c.comment.starts_with(end + ", padded") && c.value == std::to_string(b.inner))
        row_end_ = constant(c.name, b.inner);
  }

  const Buffer* buffer_of(int number, const std::string& pointer) const {
    if (number >= 0) return &module_.buffer(number);
    const auto at = pointers_.find(pointer);
    return at == pointers_.end() ? nullptr : buffer_of(at->second);
  }
  const Buffer* buffer_of(const ExprRef& e) const {
    if (e->kind == Expr::Kind::select) {
      const Buffer *yes = buffer_of(e->args[1]), *no = buffer_of(e->args[2]);
      return yes && no && yes->inner == no->inner && yes->stride == no->stride ? yes : nullptr;
    }
    if (e->kind == Expr::Kind::address) return &module_.buffer(e->buffer);
    if (e->kind == Expr::Kind::pointer && e->args[0]->kind == Expr::Kind::integer &&
        e->args[0]->integer == 0)
      return buffer_of(e->buffer, e->name);
    if (e->kind == Expr::Kind::variable) return buffer_of(-1, e->name);
    return nullptr;
  }

  bool varies(const ExprRef& e) const {
    bool found = false;
    visit(e, [&](const Expr& x) {
      found = found || (!x.name.empty() &&
                        (x.name == j_ || varying_.count(x.name) > 0 || arrays_.count(x.name) > 0));
    });
    return found;
  }

  ExprRef wide(const ExprRef& e) {  // as a vector, whether it varies or not
    const ExprRef made = vector(e);
    if (made->type.vector) return made;
    if (made->type.dtype != Dtype::f32) throw Impossible();
    return cast(vec_type, made);
  }

  ExprRef vector(const ExprRef& e) {
    if (!varies(e)) return e;
    switch (e->kind) {
      case Expr::Kind::variable:
        if (e->name == j_) throw Impossible();
        return variable(e->name, vec_type);
      case Expr::Kind::item:
        if (!arrays_.count(e->name) || varies(e->args[0])) throw Impossible();
        return item(e->name, vec_type, e->args[0]);
      case Expr::Kind::load: return load(e);
      case Expr::Kind::unary:
        if (e->name != "-") throw Impossible();
        return unary("-", vec_type, wide(e->args[0]));
      case Expr::Kind::binary: return binary(e);
      case Expr::Kind::call: {
        if (!vector_functions.count(e->name)) throw Impossible();
        std::vector<ExprRef> args;
        for (const ExprRef& arg : e->args) args.push_back(wide(arg));
        return call(e->name, {e->type.dtype, true}, std::move(args));
      }
      case Expr::Kind::select: {
        if (e->type.dtype != Dtype::f32 || e->type.pointer) throw Impossible();
        const ExprRef condition = vector(e->args[0]);
        if (!condition->type.vector || guarded(e->args[1]) || guarded(e->args[2]))
          throw Impossible();
        return select(condition, wide(e->args[1]), wide(e->args[2]));
      }
      default: throw Impossible();
    }
  }

  // Both branches of a vector's select are computed: rows must exist whatever the condition.
  static bool guarded(const ExprRef& e) {
    bool direct = false;  // a load through a named pointer was safe to hoist
    visit(e, [&](const Expr& x) {
      direct = direct || (x.kind == Expr::Kind::load && x.args.size() > 1);
    });
    return direct;
  }

  ExprRef binary(const ExprRef& e) {
    const bool logic = e->type.dtype == Dtype::boolean;
    if (logic && (e->name == "&&" || e->name == "||")) {
      const ExprRef a = vector(e->args[0]), b = vector(e->args[1]);
      if (!a->type.vector || !b->type.vector) throw Impossible();
      return loop::binary(e->name == "&&" ? "&" : "|", {Dtype::boolean, true}, a, b);
    }
    for (const ExprRef& arg : e->args)
      if (arg->type.dtype != Dtype::f32) throw Impossible();
    const Type type{e->type.dtype, true};
    return loop::binary(e->name, type, operand(e->args[0]), operand(e->args[1]));
  }

  // Numbers stand beside vectors as they are.
  ExprRef operand(const ExprRef& e) {
    if (e->kind == Expr::Kind::number) return e;
    return wide(e);
  }

  ExprRef load(const ExprRef& e) {
    const auto at = along(e->args[0], j_);
    if (!at || e->type.dtype != Dtype::f32) throw Impossible();
    const Buffer* b = e->args.size() > 1 ? buffer_of(e->args[1]) : buffer_of(e->buffer, e->name);
    if (!b || b->inner % most_lanes != 0 || b->dtype != Dtype::f32) throw Impossible();
    if (e->args.size() > 1 && varies(e->args[1])) throw Impossible();
    auto made = std::make_shared<Expr>(*e);
    made->type = vec_type;
    // The user's arrays, weights and arguments that need no copy, begin anywhere.
    const bool users = b->space == Buffer::Space::weights || b->space == Buffer::Space::structure;
    if (users) made->number = 1;  // loose
    if (!at->rest || multiple(at->rest)) return made;
    const auto offset = known_value(at->rest);
    if (!offset || at->minus) throw Impossible();
    made->number = 1;  // loose
    const std::int64_t reach = *offset + padded(end_);
    if (reach > b->inner) throw Impossible();
    return made;
  }

  const Module& module_;
  std::map<std::string, ExprRef> pointers_;
  std::string j_;
  std::int64_t end_ = 0;
  std::string end_name_;
  ExprRef row_end_;
  std::set<std::string> varying_, arrays_;  // arrays_: local ones of vectors
  int stores_ = 0;
};

}  // namespace

std::optional<Lanes> lanes_of(const Module& module, const std::vector<Stmt>& around,
                              const LaneLoop& loop, const std::vector<Stmt>& body) {
  try {
    return Rewriter(module, around, loop).run(body);
  } catch (Impossible) {
    return std::nullopt;
  }
}

bool has_vector_form(const std::string& function) { return vector_functions.count(function) > 0; }

}  // namespace espalier::loop

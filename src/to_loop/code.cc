#include "to_loop/code.h"

#include "base/bug.h"
#include "to_loop/plan.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::Expr;
using loop::StructureMember;
using wave::Domain;
using wave::Scalar;
using wave::Value;
using Kind = StructureMember::Kind;

const std::vector<std::string>& kernel_words() {
  static const std::vector<std::string> words = {
      "m",
      "g",
      "w",
      "weights",
      "barrier",
      "member",
      "members",
      "level",
      "first",
      "offset",
      "begin",
      "end",
      "mine",
      "rows",
      "lanes",
      "vec",
      "mask",
      "load",
      "loadu",
      "store",
      "storeu",
      "splat",
      "select",
      "row",
      "copy_rows",
      "copy_f16_rows",
      "copy_bf16_rows",
      "pack_panels",
      "exceeds",
      "falls_below",
      "load_some",
      "rounded",
      "report",
      "first_failure",
      "Failure",
      "espalier",
      "std",
      "cast",
      "wrap_add",
      "wrap_sub",
      "wrap_mul",
      "floordiv",
      "floormod",
      "from_f16",
      "to_f16",
      "from_bf16",
      "to_bf16",
      "by_lane",
      "constant",
      "whole",
      "panel",
      "alignment",
#define OPCODE(name, arity) #name,
#include "wave/opcodes.def"
#undef OPCODE
  };
  return words;
}

Code::Code(Context& c, Id d, bool l) : context(c), domain(d), level(l) {
  for (const std::string& taken : kernel_words()) names_.reserve(taken);
  scopes_.emplace_back();
  scopes_.back().variables = {"m",      "g",     "w",   "weights", "first",
                              "offset", "begin", "end", "member",  "level"};
}

void Code::reserve_values(const std::vector<Id>& values) {
  for (const Id v : values) {
    const std::string legal = legal_identifier(context.entry.value(v).name);
    if (!context.shared.used_elsewhere(legal) && legal.size() == 1) names_.reserve("loop " + legal);
  }
}

std::string Code::loop_name(std::initializer_list<const char*> wanted) {
  std::string last;
  for (const char* candidate : wanted) {
    last = candidate;
    if (names_.taken("loop " + last) || names_.taken(last) || context.shared.used_elsewhere(last))
      continue;
    bool active = false;
    for (const Scope& scope : scopes_) active = active || scope.variables.count(last) > 0;
    if (!active) return last;
  }
  for (;;) {
    const std::string made = names_.unique(last);
    if (!context.shared.used_elsewhere(made)) return made;
  }
}

std::string Code::value_name(Id value) {
  auto& name = value_names_[value];
  if (name.empty()) name = names_.unique(context.entry.value(value).name);
  return name;
}

std::string Code::variable_name(Id value) {
  const std::string name = value_name(value);
  for (const Scope& scope : scopes_)
    if (scope.variables.count(name)) return names_.unique(context.entry.value(value).name);
  return name;
}

// ---- Scopes

void Code::open(const std::string& variable) {
  scopes_.emplace_back();
  if (!variable.empty()) scopes_.back().variables.insert(variable);
}

std::vector<Stmt> Code::close() {
  std::vector<Stmt> body = std::move(scopes_.back().body);
  if (scopes_.size() > 1) scopes_.pop_back();
  return body;
}

void Code::add(Stmt s) {
  if (s.kind == Stmt::Kind::let || s.kind == Stmt::Kind::variable || s.kind == Stmt::Kind::share)
    scopes_.back().variables.insert(s.name);
  scopes_.back().body.push_back(std::move(s));
}

void Code::open_loop(const std::string& variable, ExprRef begin, ExprRef end) {
  open(variable);
  scopes_.back().loop = loop::for_loop(variable, std::move(begin), std::move(end), {});
}

void Code::close_loop() {
  Stmt made = scopes_.back().loop;
  made.body = close();
  add(std::move(made));
}

// ---- Rows

ExprRef Code::base_of(Id d) {
  const ExprRef first = loop::variable("first");
  if (context.entry.domain(d).kind != Domain::Kind::list) return first;
  return first_of(d, base_of(context.entry.domain(d).owner));
}

ExprRef Code::first_of(Id list, const ExprRef& owner) {
  const Domain& d = context.entry.domain(list);
  if (d.length >= 0) return owner ? loop::mul(owner, loop::integer(d.length)) : loop::integer(0);
  return loop::load(context.list_array(Kind::list_first, list), loop::int_type,
                    owner ? owner : loop::integer(0));
}

ExprRef Code::end_of(Id list, const ExprRef& owner) {
  return first_of(list, loop::add(owner ? owner : loop::integer(0), loop::integer(1)));
}

ExprRef Code::first_within(Id list, Id root, const ExprRef& at) {
  if (list == root) return at;
  const Id owner = context.entry.domain(list).owner;
  require(owner != wave::none, "a domain that does not lie within the one at work");
  return first_of(list, first_within(owner, root, at));
}

ExprRef Code::owner_of(Id list, const ExprRef& item) {
  const Domain& d = context.entry.domain(list);
  if (d.length >= 0)
    return d.length == 1 ? item : loop::binary("/", loop::int_type, item, loop::integer(d.length));
  return loop::load(context.list_array(Kind::list_owner, list), loop::int_type, item);
}

ExprRef Code::place_of(Id nodes, const ExprRef& element) {
  const Domain& d = context.entry.domain(nodes);
  if (d.kind == Domain::Kind::all || (context.one_class() && d.part == Domain::Part::any))
    return element;
  if (level && nodes == context.root_of(domain))
    return loop::add(element, loop::variable("offset"));
  return loop::load(context.class_array(Kind::place, nodes), loop::int_type, element);
}

ExprRef Code::original_of(const ExprRef& element, Id of) {
  ExprRef at = element;
  while (context.entry.domain(of).owner != wave::none) {
    at = owner_of(of, at);
    of = context.entry.domain(of).owner;
  }
  switch (context.entry.domain(of).kind) {
    case Domain::Kind::nodes:
    case Domain::Kind::all:
      return loop::load(context.node_array(Kind::original), loop::int_type, place_of(of, at));
    default: return loop::integer(-1);
  }
}

ExprRef Code::row_of(Id value, const ExprRef& element, const Env& env) {
  return row_at(context.place_of(value), context.entry.value(value).domain, element, env);
}

ExprRef Code::row_at(const Place& place, Id of, const ExprRef& element, const Env& env) {
  const Domain& d = context.entry.domain(of);
  switch (place.row) {
    case Place::Row::one: return nullptr;
    case Place::Row::all: return place_of(of, element);
    case Place::Row::edge:
      return loop::load(context.field_array(Kind::slot, of, place.field), loop::int_type, element);
    case Place::Row::element: {
      if (d.kind == Domain::Kind::once) return loop::integer(0);
      const bool scratch =
          context.shared.module.buffer(place.buffer).space == Buffer::Space::scratch;
      if (!scratch) return element;
      if (d.kind == Domain::Kind::list)  // named, since the reader meets it again and again
        return loop::sub(element, hoist("first_" + d.name, base_of(of), env));
      return loop::sub(element, base_of(of));
    }
    case Place::Row::expr: break;
  }
  throw Bug("a value without rows");
}

ExprRef Code::extent(Id value, std::size_t axis) {
  return context.shared.extent(context.entry.value(value).shape[axis], context.dim(value, axis));
}

ExprRef Code::stride(int buffer, Id value) {
  const Buffer& b = context.shared.module.buffer(buffer);
  if (b.shape.empty()) return loop::integer(b.stride);
  const std::size_t last = b.shape.size() - 1;
  ExprRef made = b.inner == b.shape[last]
                     ? extent(value, last)
                     : context.shared.row_extent(b.shape[last], context.dim(value, last));
  if (b.stride == b.inner) return made;
  for (std::size_t i = last; i-- > 0;) made = loop::mul(extent(value, i), made);
  return made;
}

std::string Code::key_of(const ExprRef& e) {
  std::string key = std::to_string(static_cast<int>(e->kind)) + ":" + e->name + ":" +
                    std::to_string(e->buffer) + ":" + std::to_string(e->integer) + "(";
  for (const ExprRef& arg : e->args) key += key_of(arg) + ",";
  return key + (e->type.writes ? "w)" : ")");
}

ExprRef unwidened(const ExprRef& row) {
  const bool widens = row->kind == Expr::Kind::cast && row->type.dtype == Dtype::i64 &&
                      is_integer(row->args[0]->type.dtype);
  return widens ? row->args[0] : row;
}

// Gives the expression a name in the outermost scope in which all its variables are known.
ExprRef Code::hoist(const std::string& wanted, const ExprRef& value, const Env& env) {
  if (env.guarded || value->kind == Expr::Kind::variable || value->kind == Expr::Kind::integer)
    return value;
  const std::string key = key_of(value);
  const bool reads = value->type.pointer && !value->type.writes;
  const std::string writing = key.substr(0, key.size() - 1) + "w)";
  for (const Scope& scope : scopes_) {
    if (const auto known = scope.pointers.find(key); known != scope.pointers.end())
      return known->second;
    if (const auto known = scope.pointers.find(writing); reads && known != scope.pointers.end())
      return known->second;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < scopes_.size(); i++)
    if (scopes_[i].branch) at = i;
  loop::visit(value, [&](const Expr& e) {
    const bool named = e.kind == Expr::Kind::variable ||
                       (e.buffer < 0 && (e.kind == Expr::Kind::load || e.kind == Expr::Kind::item ||
                                         e.kind == Expr::Kind::pointer));
    if (!named || e.name.find('.') != std::string::npos) return;
    for (std::size_t i = scopes_.size(); i-- > 0;)
      if (scopes_[i].variables.count(e.name)) {
        at = std::max(at, i);
        break;
      }
  });
  const std::string made = names_.unique(wanted);
  scopes_[at].body.push_back(loop::let(made, value));
  scopes_[at].variables.insert(made);
  return scopes_[at].pointers[key] = loop::variable(made, value->type);
}

ExprRef Code::pointer_to(Id value, const ExprRef& element, bool writes, const Env& env,
                         const std::string& wanted) {
  const Value& v = context.entry.value(value);
  if (v.kind == Value::Kind::previous) return hoist(v.name, previous(value, element, env), env);
  const Place place = context.place_of(value);
  return pointer_at(place, value, row_of(value, element, env), writes, env, wanted);
}

ExprRef Code::pointer_at(const Place& place, Id value, const ExprRef& row, bool writes,
                         const Env& env, const std::string& wanted) {
  const Buffer& b = context.shared.module.buffer(place.buffer);
  const loop::Type type{b.dtype, false, true, writes};
  if (!row || (row->kind == Expr::Kind::integer && row->integer == 0))
    return loop::pointer(place.buffer, "", type, loop::integer(0));
  const ExprRef made =
      loop::address(place.buffer, type, unwidened(row), stride(place.buffer, value));
  std::string name = wanted.empty() ? context.entry.value(value).name : wanted;
  if (writes && value_names_.count(value)) name += "_row";
  return hoist(name, made, env);
}

ExprRef Code::index_of(Id value, const std::vector<ExprRef>& indices) {
  const Value& v = context.entry.value(value);
  ExprRef made = loop::integer(0);
  if (indices.empty()) return made;
  const std::size_t last = indices.size() - 1;
  const std::int64_t n = v.shape[last];
  ExprRef size = computed(v.dtype) == Dtype::f32 && n > 1
                     ? context.shared.row_extent(n, context.dim(value, last))
                     : extent(value, last);
  for (std::size_t i = last; i-- > 0;) {
    made = loop::add(loop::mul(indices[i], size), made);
    size = loop::mul(extent(value, i), size);
  }
  return loop::add(made, indices[last]);
}

Stmt Code::store_to(const Work& work, const ExprRef& element, const std::vector<ExprRef>& indices,
                    ExprRef stored, const Env& env) {
  Id value = work.result;
  Place place;
  if (value != wave::none) {
    place = context.place_of(value);
  } else {
    value = work.carry;
    place = context.carry_place(work.carry, work.field);
  }
  const ExprRef row = row_at(place, work.domain, element, env);
  if (indices.empty()) return loop::store(place.buffer, row ? row : loop::integer(0), stored);
  const ExprRef to = pointer_at(place, value, row, true, env);
  if (to->kind == Expr::Kind::pointer)
    return loop::store(to->buffer, index_of(value, indices), std::move(stored));
  return loop::store(to->name, index_of(value, indices), std::move(stored));
}

}  // namespace espalier::to_loop

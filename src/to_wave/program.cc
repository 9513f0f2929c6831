#include "to_wave/program.h"

#include <algorithm>

#include "base/bug.h"
#include "wave/names.h"

namespace espalier::to_wave {

using wave::Domain;
using wave::Scalar;
using wave::Value;

namespace {

bool is_element(const ScalarRef& s) { return s->kind == Scalar::Kind::element; }

bool has_element(const ScalarRef& s) {
  bool found = false;
  wave::visit(s, [&](const Scalar& x) { found |= x.kind == Scalar::Kind::element; });
  return found;
}

// Does every `element` stand directly under owner(list, ..)?
bool only_owners(const ScalarRef& s, Id list) {
  if (s->kind == Scalar::Kind::owner && s->domain == list && is_element(s->args[0])) return true;
  if (is_element(s)) return false;
  return std::all_of(s->args.begin(), s->args.end(),
                     [&](const ScalarRef& a) { return !a || only_owners(a, list); });
}

ScalarRef drop_owner(const ScalarRef& s, Id list) {
  return wave::rewrite(s, [&](const ScalarRef& x) -> ScalarRef {
    if (x->kind == Scalar::Kind::owner && x->domain == list && is_element(x->args[0]))
      return wave::element();
    return nullptr;
  });
}

std::vector<ScalarRef> axes(const std::vector<std::int64_t>& shape) {
  std::vector<ScalarRef> out;
  for (std::size_t i = 0; i < shape.size(); i++)
    out.push_back(wave::axis(static_cast<int>(i), shape[i]));
  return out;
}

}  // namespace

bool cheap(const ScalarRef& s) {
  bool dear = false;
  wave::visit(s, [&](const Scalar& x) {
    dear |= x.kind == Scalar::Kind::apply && is_float(x.dtype) && x.op != wave::Opcode::select &&
            x.op != wave::Opcode::cast;
  });
  return !dear;
}

Program::Program(const wave::Module& module, wave::Entry& entry) : module_(module), entry_(entry) {
  Domain d;
  d.kind = Domain::Kind::once;
  d.name = "once";
  once_ = here_ = add_domain(std::move(d));
  regions_.push_back({});
}

// ---- The context ----

bool Program::reaches(Id from, Id outer) const {
  for (Id d = from; d != wave::none; d = domain(d).owner)
    if (d == outer) return true;
  return false;
}

ScalarRef Program::path(Id to) const {
  ScalarRef e = wave::element();
  for (Id d = here_; d != to; d = domain(d).owner) {
    if (d == wave::none || domain(d).kind != Domain::Kind::list) throw OutsideList();
    e = wave::owner(d, e);
  }
  return e;
}

ScalarRef Program::move(const ScalarRef& s, Id from) const {
  if (from == here_ || from == wave::none || from == once_ || !has_element(s)) return s;
  const ScalarRef to = path(from);
  return wave::rewrite(s, [&](const ScalarRef& x) { return is_element(x) ? to : ScalarRef(); });
}

ops::Term Program::move(const Abs& a) const {
  if (a.domain == here_ || a.domain == wave::none || a.domain == once_) return a.term;
  return at_element(a.term, path(a.domain));
}

AbsRef Program::load(Id v, const ScalarRef& at) const {
  const Value& val = value(v);
  const bool column = val.kind == Value::Kind::payload || val.kind == Value::Kind::argument;
  const bool number = val.kind != Value::Kind::computed && val.kind != Value::Kind::parameter &&
                      val.kind != Value::Kind::constant && val.kind != Value::Kind::carry &&
                      val.kind != Value::Kind::previous;
  const bool index = column ? leaf(val.domain, val.field).bound > 0 : number;
  ops::Term t{index ? Dtype::i64 : val.dtype, val.shape,
              [v, at, dtype = val.dtype, index](const std::vector<ScalarRef>& i) {
                const ScalarRef s = wave::load(v, dtype, at, i);
                return index ? wave::cast(Dtype::i64, s) : s;
              }};
  return tensor_abs(at ? here_ : wave::none, std::move(t));
}

AbsRef Program::load(Id v) const {
  return load(v, value(v).domain == once_ ? nullptr : path(value(v).domain));
}

ScalarRef Program::guard() const {
  ScalarRef all;
  for (const Guard& g : guards_) {
    if (!reaches(here_, g.domain)) continue;
    const ScalarRef c = move(g.condition, g.domain);
    all = all ? wave::apply(wave::Opcode::logical_and, {all, c}) : c;
  }
  return all;
}

Program::Named::Named(Program& p, std::string name, Loc loc)
    : program_(p), name_(std::move(name)), loc_(loc), first_(p.entry_.values.size()) {
  std::swap(program_.name_, name_);
  std::swap(program_.loc_, loc_);
}

Program::Named::~Named() {
  program_.name_parts(first_);
  std::swap(program_.name_, name_);
  std::swap(program_.loc_, loc_);
}

// Of the values from `first` on that have the name, the last one keeps it; the others, which it is
// made of, are called after what computes them.
void Program::name_parts(std::size_t first) {
  std::vector<Id> parts;
  for (std::size_t i = first; i < entry_.values.size(); i++)
    if (const Id id = static_cast<Id>(i); what_.count(id) && wave::label(value(id).name) == name_)
      parts.push_back(id);
  for (std::size_t i = 0; i + 1 < parts.size(); i++) {
    std::string& name = entry_.value(parts[i]).name;
    const std::string wanted = name_ + "_" + what_.at(parts[i]);
    name.clear();
    name = wave::unique_value_name(entry_, wanted);
  }
  if (parts.size() < 2) return;
  std::string& whole = entry_.value(parts.back()).name;
  whole.clear();
  whole = wave::unique_value_name(entry_, name_);
}

// ---- Operators ----

bool Program::inside(const Region& r, Id d) const {
  const Domain::Kind base = [&] {
    Id b = d;
    while (domain(b).kind == Domain::Kind::list) b = domain(b).owner;
    return domain(b).kind;
  }();
  switch (r.op.kind) {
    case Op::Kind::sweep_up:
    case Op::Kind::sweep_down: return base != Domain::Kind::once && base != Domain::Kind::calls;
    case Op::Kind::steps: return reaches(d, r.op.list);
    default: return true;
  }
}

void Program::append(Op op, Id d) {
  for (auto r = regions_.rbegin(); r != regions_.rend(); ++r)
    if (inside(*r, d) || std::next(r) == regions_.rend()) {
      r->ops.push_back(std::move(op));
      if (std::next(r) == regions_.rend()) {
        entry_.ops.push_back(std::move(r->ops.back()));
        r->ops.clear();
      }
      return;
    }
}

// The outermost domain on which the scalars mean the same; rewrites them for it.
Id Program::least_domain(Id d, std::vector<ScalarRef*> scalars) const {
  auto every = [&](auto&& holds) {
    return std::all_of(scalars.begin(), scalars.end(),
                       [&](ScalarRef* s) { return !*s || holds(*s); });
  };
  if (every([](const ScalarRef& s) { return !has_element(s); })) return once_;
  while (domain(d).kind == Domain::Kind::list &&
         every([&](const ScalarRef& s) { return only_owners(s, d); })) {
    for (ScalarRef* s : scalars)
      if (*s) *s = drop_owner(*s, d);
    d = domain(d).owner;
  }
  return d;
}

namespace {

constexpr std::size_t longest_name = 40;

// The labels of the floats that a scalar reads, each once: "W_x".
std::string read_labels(const wave::Entry& entry, const ScalarRef& s) {
  std::vector<std::string> labels;
  wave::visit(s, [&](const Scalar& x) {
    if (x.kind != Scalar::Kind::load || !is_float(x.dtype)) return;
    const std::string label = wave::label(entry.value(x.value).name);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  });
  std::string joined;
  for (const std::string& label : labels) joined += (joined.empty() ? "" : "_") + label;
  std::replace(joined.begin(), joined.end(), '.', '_');  // it is no field
  return joined;
}

}  // namespace

// What a part of an expression is called: after its operands where it is a product, else after the
// whole, whose own name is left to its last operator.
std::string Program::part_name(const Op& op) const {
  if (op.body->kind == Scalar::Kind::apply && op.body->op == wave::Opcode::mul) {
    const std::string a = read_labels(entry_, op.body->args[0]);
    const std::string b = read_labels(entry_, op.body->args[1]);
    if (!a.empty() && !b.empty() && a.size() + b.size() < longest_name) return a + "_" + b;
  }
  return name_ + "_" + wave::reduce_name(op.reduce);
}

// A value that was named for want of another name takes the one that it has in the model.
void Program::take_name(Id whole) {
  if (unnamed_.erase(whole) == 0) return;
  entry_.value(whole).name.clear();
  entry_.value(whole).name = wave::unique_value_name(entry_, name_);
}

Id Program::compute(Op op, Id d, Dtype dtype, std::vector<std::int64_t> shape) {
  Value v;
  v.name = name_;
  v.domain = d;
  v.dtype = dtype;
  v.shape = std::move(shape);
  op.kind = Op::Kind::compute;
  const bool apply = op.body->kind == Scalar::Kind::apply;
  const std::string what = op.reduce != wave::Reduce::map ? wave::reduce_name(op.reduce)
                           : apply                        ? wave::opcode_name(op.body->op)
                                                          : "part";
  op.result = add_value(std::move(v));
  what_[op.result] = what;
  const Id result = op.result;
  append(std::move(op), d);
  return result;
}

ops::Term Program::reduce(wave::Reduce kind, Dtype dtype, std::vector<std::int64_t> shape,
                          std::vector<std::int64_t> extents, const Body& body) {
  if (extents.empty()) {  // of a scalar: itself, at position 0
    const bool position = kind == wave::Reduce::argmax || kind == wave::Reduce::argmin;
    return {dtype, std::move(shape),
            [=](const Indices& axes) { return position ? wave::integer(0) : body(axes, {}); }};
  }
  std::vector<ScalarRef> reduced;
  for (std::size_t i = 0; i < extents.size(); i++)
    reduced.push_back(wave::bound(static_cast<int>(i), extents[i]));
  Op op;
  op.reduce = kind;
  op.axes = std::move(extents);
  op.body = body(axes(shape), reduced);
  const Named named(*this, part_name(op), loc_);
  const Id d = least_domain(here_, {&op.body});
  Id v;
  {
    const Scope scope(*this, d);
    op.guard = guard();
    v = compute(std::move(op), d, dtype, shape);
  }
  unnamed_.insert(v);
  return load(v)->term;
}

ops::Term Program::reduce_list(wave::Reduce kind, Dtype dtype, Id list, const ops::Term& item) {
  if (domain(list).owner != here_) throw OutsideList();
  Op op;
  op.reduce = kind;
  op.list = list;
  const bool position = kind == wave::Reduce::argmax || kind == wave::Reduce::argmin;
  op.body = wave::rewrite(item.at(axes(item.shape)), [&](const ScalarRef& x) -> ScalarRef {
    if (is_element(x)) return wave::item();
    if (x->kind == Scalar::Kind::owner && x->domain == list &&
        x->args[0]->kind == Scalar::Kind::item)
      return wave::element();
    return nullptr;
  });
  op.guard = guard();
  const Id v = compute(std::move(op), here_, position ? Dtype::i64 : dtype, item.shape);
  return load(v)->term;
}

ops::Term Program::materialize(const ops::Term& t) {
  Op op;
  op.body = t.at(axes(t.shape));
  if (cheap(op.body)) return t;
  const Id d = least_domain(here_, {&op.body});
  Id v;
  {
    const Scope scope(*this, d);
    op.guard = guard();
    v = compute(std::move(op), d, t.dtype, t.shape);
  }
  return load(v)->term;
}

// The value of this domain that the scalar reads whole, at the element itself, or none. But
// `previous` is read from its carry, never stored.
Id Program::whole_value(const ScalarRef& s, const ops::Term& t) const {
  if (s->kind != Scalar::Kind::load || !s->args[0] || !is_element(s->args[0])) return wave::none;
  const Value& v = value(s->value);
  if (v.domain != here_ || v.kind == Value::Kind::previous || v.shape != t.shape ||
      v.dtype != t.dtype)
    return wave::none;
  for (std::size_t i = 1; i < s->args.size(); i++)
    if (s->args[i]->kind != Scalar::Kind::axis || s->args[i]->which != static_cast<int>(i) - 1)
      return wave::none;
  return s->value;
}

ops::Term Program::settle(const ops::Term& t) {
  const ops::Term made = materialize(t);
  const Id whole = whole_value(made.at(axes(made.shape)), made);
  if (whole != wave::none) take_name(whole);
  return made;
}

Id Program::define(const ops::Term& t) {
  Op op;
  op.body = t.at(axes(t.shape));
  if (const Id whole = whole_value(op.body, t); whole != wave::none) {
    take_name(whole);
    return whole;
  }
  op.guard = guard();
  return compute(std::move(op), here_, t.dtype, t.shape);
}

void Program::check(const ops::Term& condition, const std::string& code, const ops::Term& detail) {
  Op op;
  op.kind = Op::Kind::check;
  op.body = value_of(condition);
  op.detail = detail.at ? value_of(detail) : nullptr;
  op.code = code;
  op.domain = least_domain(here_, {&op.body, &op.detail});
  const Scope scope(*this, op.domain);
  op.guard = guard();
  const Id d = op.domain;
  append(std::move(op), d);
}

Id Program::carry(const std::string& name, Id d, Dtype dtype, std::vector<std::int64_t> shape) {
  Value v;
  v.kind = Value::Kind::carry;
  v.name = name;
  v.domain = d;
  v.dtype = dtype;
  v.shape = std::move(shape);
  return add_value(std::move(v));
}

Id Program::previous(Id carry, Id initial) {
  Value v = value(carry);
  v.kind = Value::Kind::previous;
  v.name = "last_" + v.name;
  v.of = carry;
  v.initial = initial;
  return add_value(std::move(v));
}

void Program::set(Id carry, Id part, int field, Id v) {
  Op op;
  op.kind = Op::Kind::set;
  op.result = carry;
  op.part = part;
  op.field = field;
  op.value = v;
  append(std::move(op), part);
}

void Program::open(Op::Kind kind, Id list, bool backward) {
  Region r;
  r.op.kind = kind;
  r.op.list = list;
  r.op.backward = backward;
  regions_.push_back(std::move(r));
}

void Program::close() {
  Region r = std::move(regions_.back());
  regions_.pop_back();
  r.op.region = std::move(r.ops);
  append(std::move(r.op), r.op.kind == Op::Kind::steps ? domain(r.op.list).owner : once_);
}

void Program::close_outside() {
  for (Op& op : regions_.back().ops) entry_.ops.push_back(std::move(op));
  regions_.pop_back();
}

bool Program::in_sweep() const {
  for (auto r = regions_.rbegin(); r != regions_.rend() && !r->outside; ++r)
    if (r->op.kind == Op::Kind::sweep_up || r->op.kind == Op::Kind::sweep_down) return true;
  return false;
}

void Program::drop() { regions_.pop_back(); }

}  // namespace espalier::to_wave

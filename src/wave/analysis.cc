#include "wave/analysis.h"

#include <algorithm>

#include "base/bug.h"

namespace espalier::wave {

Id outermost(const Entry& entry, Id domain) {
  while (entry.domain(domain).owner != none) domain = entry.domain(domain).owner;
  return domain;
}

bool is_over(const Entry& entry, Id domain, Id owner) {
  for (; domain != none; domain = entry.domain(domain).owner)
    if (domain == owner) return true;
  return false;
}

void visit_ops(const std::vector<Op>& ops, const std::function<void(const Op&)>& see) {
  for (const Op& op : ops) {
    see(op);
    visit_ops(op.region, see);
  }
}

void visit_ops(std::vector<Op>& ops, const std::function<void(Op&)>& see) {
  for (Op& op : ops) {
    see(op);
    visit_ops(op.region, see);
  }
}

void visit_scalars(const Op& op, const std::function<void(const Scalar&)>& see) {
  visit(op.body, see);
  visit(op.guard, see);
  visit(op.detail, see);
}

void rewrite_scalars(Op& op, const std::function<ScalarRef(const ScalarRef&)>& replace) {
  op.body = rewrite(op.body, replace);
  op.guard = rewrite(op.guard, replace);
  op.detail = rewrite(op.detail, replace);
}

Id domain_of(const Entry& entry, const Op& op) {
  switch (op.kind) {
    case Op::Kind::compute: return entry.value(op.result).domain;
    case Op::Kind::set: return op.part;
    case Op::Kind::check: return op.domain;
    case Op::Kind::steps: return op.list;
    case Op::Kind::sweep_up:
    case Op::Kind::sweep_down: return none;
  }
  throw Bug("an operator of no kind");
}

std::set<Id> reads(const Op& op) {
  std::set<Id> values;
  if (op.kind == Op::Kind::set) values.insert(op.value);
  visit_scalars(op, [&](const Scalar& s) {
    if (s.kind == Scalar::Kind::load) values.insert(s.value);
  });
  return values;
}

std::vector<int> count_uses(const Entry& entry) {
  std::vector<int> uses(entry.values.size());
  const auto count = [&](Id value) { ++uses[static_cast<std::size_t>(value)]; };
  visit_ops(entry.ops, [&](const Op& op) {
    for (const Id value : reads(op)) count(value);
  });
  for (const Output& o : entry.outputs) count(o.value);
  for (const Value& v : entry.values) {
    if (v.kind != Value::Kind::previous) continue;
    count(v.of);
    count(v.initial);
  }
  return uses;
}

std::set<Id> carries_set(const std::vector<Op>& ops) {
  std::set<Id> carries;
  visit_ops(ops, [&](const Op& op) {
    if (op.kind == Op::Kind::set) carries.insert(op.result);
  });
  return carries;
}

std::set<Id> varying(const Entry& entry, const Op& region) {
  std::set<Id> found = carries_set(region.region);
  for (std::size_t i = 0; i < entry.values.size(); ++i)
    if (entry.values[i].kind == Value::Kind::previous && found.count(entry.values[i].of) > 0)
      found.insert(static_cast<Id>(i));
  visit_ops(region.region, [&](const Op& op) {
    if (op.kind != Op::Kind::compute) return;
    for (const Id value : reads(op))
      if (found.count(value) > 0) found.insert(op.result);
  });
  return found;
}

namespace {

std::optional<Id> only(const Entry& entry, Domain::Kind kind) {
  for (std::size_t i = 0; i < entry.domains.size(); ++i)
    if (entry.domains[i].kind == kind) return static_cast<Id>(i);
  return std::nullopt;
}

// What the numbers that a value holds are elements of.
std::optional<Id> held(const Entry& entry, const Value& v) {
  switch (v.kind) {
    case Value::Kind::root:
    case Value::Kind::child:
    case Value::Kind::place: return only(entry, Domain::Kind::all);
    case Value::Kind::slot:
    case Value::Kind::parent_edge:
    case Value::Kind::in_edge: return only(entry, Domain::Kind::edges);
    case Value::Kind::root_call: return only(entry, Domain::Kind::calls);
    case Value::Kind::parameter:
    case Value::Kind::constant:
    case Value::Kind::argument:
    case Value::Kind::payload:
    case Value::Kind::variant:
    case Value::Kind::local:
    case Value::Kind::computed:
    case Value::Kind::carry:
    case Value::Kind::previous: return std::nullopt;
  }
  throw Bug("a value of no kind");
}

}  // namespace

std::optional<Id> element_domain(const Entry& entry, Id domain, Id list, const ScalarRef& s) {
  switch (s->kind) {
    case Scalar::Kind::element: return domain;
    case Scalar::Kind::item: return list;
    case Scalar::Kind::owner: return entry.domain(s->domain).owner;
    case Scalar::Kind::first: return s->domain;
    case Scalar::Kind::load: return held(entry, entry.value(s->value));
    case Scalar::Kind::apply:
      if (s->op == Opcode::cast) return element_domain(entry, domain, list, s->args[0]);
      return std::nullopt;
    case Scalar::Kind::number:
    case Scalar::Kind::axis:
    case Scalar::Kind::bound:
    case Scalar::Kind::end: return std::nullopt;
  }
  throw Bug("a scalar of no kind");
}

// ---- Numbers

namespace {

// A domain or value by its new number.
class Renumber {
 public:
  Renumber(const std::vector<Id>& domain, const std::vector<Id>& value)
      : domain_(domain), value_(value) {}

  Id domain(Id id) const { return mapped(domain_, id); }
  Id value(Id id) const { return mapped(value_, id); }

  ScalarRef scalar(const ScalarRef& s) const {
    if (!s) return s;
    // Not rewrite(): every node is replaced as it stands, nothing is simplified.
    auto made = std::make_shared<Scalar>(*s);
    made->domain = domain(s->domain);
    made->value = value(s->value);
    for (ScalarRef& arg : made->args) arg = scalar(arg);
    return made;
  }

  void ops(std::vector<Op>& all) const {
    for (Op& op : all) {
      op.result = value(op.result);
      op.value = value(op.value);
      op.list = domain(op.list);
      op.part = domain(op.part);
      op.domain = domain(op.domain);
      op.body = scalar(op.body);
      op.guard = scalar(op.guard);
      op.detail = scalar(op.detail);
      ops(op.region);
    }
  }

 private:
  static Id mapped(const std::vector<Id>& to, Id id) {
    if (id == none) return none;
    const Id found = to[static_cast<std::size_t>(id)];
    require(found >= 0, "something in use loses its number");
    return found;
  }
  const std::vector<Id>&domain_, &value_;
};

template <class T>
void permute(std::vector<T>& all, const std::vector<Id>& to) {
  std::vector<T> kept(
      static_cast<std::size_t>(std::count_if(to.begin(), to.end(), [](Id i) { return i >= 0; })));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (to[i] >= 0) kept[static_cast<std::size_t>(to[i])] = std::move(all[i]);
  all = std::move(kept);
}

void renumber(Entry& entry) {
  std::vector<Id> computed;
  std::set<Id> seen;
  visit_ops(entry.ops, [&](const Op& op) {
    if (op.kind == Op::Kind::compute && seen.insert(op.result).second)
      computed.push_back(op.result);
  });
  std::vector<Id> value(entry.values.size()), domain(entry.domains.size());
  Id next = 0;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (seen.count(static_cast<Id>(i)) == 0) value[i] = next++;
  for (const Id id : computed) value[static_cast<std::size_t>(id)] = next++;
  for (std::size_t i = 0; i < domain.size(); ++i) domain[i] = static_cast<Id>(i);
  renumber(entry, domain, value);
}

}  // namespace

void renumber(Entry& entry, const std::vector<Id>& domain, const std::vector<Id>& value) {
  const Renumber to(domain, value);
  permute(entry.domains, domain);
  permute(entry.values, value);
  for (Domain& d : entry.domains) {
    d.owner = to.domain(d.owner);
    d.like = to.domain(d.like);
  }
  for (Value& v : entry.values) {
    v.domain = to.domain(v.domain);
    v.of = to.value(v.of);
    v.initial = to.value(v.initial);
  }
  to.ops(entry.ops);
  for (Output& o : entry.outputs) o.value = to.value(o.value);
}

void renumber(Module& module) {
  for (Entry& entry : module.entries) renumber(entry);
}

}  // namespace espalier::wave

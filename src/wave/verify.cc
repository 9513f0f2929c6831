#include "wave/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "wave/analysis.h"
#include "wave/verify_scalar.h"

namespace espalier::wave {
namespace {

void hold(bool holds, const std::string& otherwise) {
  if (!holds) throw Unsound(otherwise);
}

template <class T>
bool has(const std::vector<T>& all, std::int64_t i) {
  return i >= 0 && i < static_cast<std::int64_t>(all.size());
}

template <class T>
const T* find_named(const std::vector<T>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& x) { return x.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// ---- Tables

class TableVerifier {
 public:
  TableVerifier(const Module& module, const Entry& entry) : m_(module), e_(entry) {}

  void run() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < e_.domains.size(); ++i) {
      const Domain& d = e_.domains[i];
      hold(names.insert(d.name).second, fmt::format("two domains are called '{}'", d.name));
      hold(d.owner == none || (d.owner >= 0 && d.owner < static_cast<Id>(i)),
           fmt::format("domain '{}' is over one that does not stand before it", d.name));
      hold(sound(d), fmt::format("domain '{}' is not as its kind wants it", d.name));
    }
    names.clear();
    for (const Value& v : e_.values) {
      hold(names.insert(v.name).second, fmt::format("two values are called '%{}'", v.name));
      hold(has(e_.domains, v.domain), fmt::format("%{} is on no domain", v.name));
      hold(std::all_of(v.shape.begin(), v.shape.end(), [](std::int64_t n) { return n >= 0; }),
           fmt::format("%{} has a negative extent", v.name));
      hold(v.phase == Phase::call || kind(v.domain) == Domain::Kind::once,
           fmt::format("%{} is made when loading, but has elements", v.name));
      hold(sound(v), fmt::format("%{} is not as its kind wants it", v.name));
    }
  }

 private:
  Domain::Kind kind(Id d) const { return e_.domain(d).kind; }
  Domain::Kind base(Id d) const { return kind(outermost(e_, d)); }

  bool sound(const Domain& d) const {
    switch (d.kind) {
      case Domain::Kind::once:
      case Domain::Kind::calls:
      case Domain::Kind::all:
      case Domain::Kind::edges: return d.owner == none;
      case Domain::Kind::nodes: return d.owner == none && has(m_.forest.variants, d.variant);
      case Domain::Kind::parents: return d.owner != none && kind(d.owner) == Domain::Kind::all;
      case Domain::Kind::list: break;
    }
    if (d.owner == none || (d.list >= 0) + (d.length >= 0) + (d.like != none) != 1) return false;
    if (d.length >= 0) return true;
    if (d.like != none) return sound_pairs(d);
    const Domain::Kind over = base(d.owner);
    if (over == Domain::Kind::calls) return has(e_.arguments.lists, d.list);
    return over == Domain::Kind::nodes && has(m_.forest.lists, d.list);
  }

  bool sound_pairs(const Domain& d) const {
    if (d.like < 0 || d.like >= static_cast<Id>(&d - e_.domains.data())) return false;
    const Domain& like = e_.domain(d.like);
    if (like.kind != Domain::Kind::list) return false;
    if (d.field >= 0) {
      Value node;
      node.domain = d.owner;
      node.field = d.field;
      const Domain& of = e_.domain(like.owner);
      return d.side == Domain::Side::whole && like.list >= 0 && of.kind == Domain::Kind::nodes &&
             of.part == Domain::Part::any &&
             (base(d.owner) == Domain::Kind::calls ? argument(node, true) : leaf(node, true));
    }
    return d.side == Domain::Side::whole ? like.length < 0 && is_over(e_, d.owner, like.owner)
                                         : d.owner == d.like;
  }

  // How many lists deep the domain is; -1: none of the inputs has its items.
  int depth(Id d) const {
    int depth = 0;
    for (; e_.domain(d).owner != none; d = e_.domain(d).owner, ++depth)
      if (e_.domain(d).like != none) return -1;
    return depth;
  }

  // The variant's leaf, if the value's domain is where that leaf has a place.
  const Field* leaf(const Value& v, bool child) const {
    if (base(v.domain) != Domain::Kind::nodes) return nullptr;
    const Domain& nodes = e_.domain(outermost(e_, v.domain));
    const std::vector<Field>& fields =
        m_.forest.variants[static_cast<std::size_t>(nodes.variant)].fields;
    if (!has(fields, v.field)) return nullptr;
    const Field& f = fields[static_cast<std::size_t>(v.field)];
    return f.child == child && static_cast<int>(f.lists.size()) == depth(v.domain) ? &f : nullptr;
  }

  const Field* argument(const Value& v, bool child) const {
    if (base(v.domain) != Domain::Kind::calls) return nullptr;
    const std::vector<Field>& columns = e_.arguments.columns;
    if (!has(columns, v.field)) return nullptr;
    const Field* f = &columns[static_cast<std::size_t>(v.field)];
    if (!v.source.empty() && v.source != f->name) return nullptr;
    if (f->child != child) return nullptr;
    return static_cast<int>(f->lists.size()) == depth(v.domain) ? f : nullptr;
  }

  bool number_on(const Value& v, Domain::Kind on) const {
    return kind(v.domain) == on && v.shape.empty() && is_integer(v.dtype);
  }

  bool sound(const Value& v) const {
    const auto like = [&](const auto* x) {
      return x && x->dtype == v.dtype && x->shape == v.shape;
    };
    switch (v.kind) {
      case Value::Kind::parameter:
        return kind(v.domain) == Domain::Kind::once && like(find_named(m_.parameters, v.source));
      case Value::Kind::constant:
        return kind(v.domain) == Domain::Kind::once && like(find_named(m_.constants, v.source));
      case Value::Kind::argument: return like(argument(v, false));
      case Value::Kind::payload: return like(leaf(v, false));
      case Value::Kind::root: return argument(v, true) && v.shape.empty() && is_integer(v.dtype);
      case Value::Kind::child:
      case Value::Kind::slot: return leaf(v, true) && v.shape.empty() && is_integer(v.dtype);
      case Value::Kind::place: return number_on(v, Domain::Kind::nodes);
      case Value::Kind::variant:
      case Value::Kind::local:
      case Value::Kind::parent_edge: return number_on(v, Domain::Kind::all);
      case Value::Kind::in_edge: return number_on(v, Domain::Kind::parents);
      case Value::Kind::root_call:
        return number_on(v, Domain::Kind::all) && has(e_.arguments.columns, v.field);
      case Value::Kind::computed: return true;
      case Value::Kind::carry: return carry_domain(kind(v.domain));
      case Value::Kind::previous: return previous(v);
    }
    return false;
  }

  static bool carry_domain(Domain::Kind kind) {
    return kind == Domain::Kind::all || kind == Domain::Kind::edges || kind == Domain::Kind::list;
  }

  bool previous(const Value& v) const {
    if (kind(v.domain) != Domain::Kind::list || !has(e_.values, v.of) || !has(e_.values, v.initial))
      return false;
    const Value &carry = e_.value(v.of), &initial = e_.value(v.initial);
    return carry.kind == Value::Kind::carry && carry.domain == v.domain && carry.dtype == v.dtype &&
           carry.shape == v.shape && initial.domain == e_.domain(v.domain).owner &&
           initial.dtype == v.dtype && initial.shape == v.shape;
  }

  const Module& m_;
  const Entry& e_;
};

// ---- Operators

class OpVerifier {
 public:
  OpVerifier(const Module& module, const Entry& entry)
      : m_(module), e_(entry), known_(entry.values.size(), false) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Value::Kind kind = e_.values[i].kind;
      known_[i] = kind != Value::Kind::computed && kind != Value::Kind::carry &&
                  kind != Value::Kind::previous;
    }
  }

  void run() {
    for (const Op& op : e_.ops) check(op);
    for (const Output& o : e_.outputs) output(o);
  }

 private:
  Domain::Kind base(Id d) const { return e_.domain(outermost(e_, d)).kind; }

  void check(const Op& op) {
    switch (op.kind) {
      case Op::Kind::compute: return compute(op);
      case Op::Kind::set: return set(op);
      case Op::Kind::check: {
        hold(has(e_.domains, op.domain), "a check on no domain");
        hold(op.body && op.body->dtype == Dtype::boolean, "a check of what is not bool");
        place(op.domain, "a check");
        scalar(op, {e_, op.domain}, op.body);
        if (op.detail) scalar(op, {e_, op.domain}, op.detail);
        return guard(op, op.domain);
      }
      case Op::Kind::sweep_up:
      case Op::Kind::sweep_down:
      case Op::Kind::steps: return region(op);
    }
  }

  // Is an operator on `domain` in its place in the regions around it?
  void place(Id domain, const std::string& what) const {
    for (const Op* r : regions_) {
      if (r->kind == Op::Kind::steps) {
        hold(is_over(e_, domain, r->list),
             fmt::format("{} stands in steps over '{}', but is not on it", what,
                         e_.domain(r->list).name));
        continue;
      }
      const Domain::Kind kind = base(domain);
      hold(kind == Domain::Kind::nodes || kind == Domain::Kind::all || kind == Domain::Kind::edges,
           fmt::format("{} stands in a sweep, but is not on nodes", what));
    }
  }

  void known(Id value) const {
    hold(has(e_.values, value), "a value that does not exist is read");
    const Value& v = e_.value(value);
    hold(known_[static_cast<std::size_t>(value)],
         fmt::format("%{} is read before it is computed", v.name));
  }

  void scalar(const Op& op, const Position& at, const ScalarRef& s) const {
    verify_scalar(at, s);
    visit(s, [&](const Scalar& x) {
      if (x.kind != Scalar::Kind::load) return;
      known(x.value);
      if (op.kind == Op::Kind::compute && e_.value(op.result).phase == Phase::load)
        hold(e_.value(x.value).phase == Phase::load,
             fmt::format("%{} is made when loading, but reads %{}", e_.value(op.result).name,
                         e_.value(x.value).name));
    });
  }

  void guard(const Op& op, Id domain) const {
    if (!op.guard) return;
    hold(op.guard->dtype == Dtype::boolean, "a guard that is not bool");
    scalar(op, {e_, domain}, op.guard);
  }

  void compute(const Op& op) {
    hold(has(e_.values, op.result) && e_.value(op.result).kind == Value::Kind::computed,
         "a computation of what is not a computed value");
    const Value& v = e_.value(op.result);
    hold(!known_[static_cast<std::size_t>(op.result)],
         fmt::format("%{} is computed twice", v.name));
    try {
      place(v.domain, "it");
      hold(op.reduce != Reduce::map || (op.axes.empty() && op.list == none),
           "a map with a reduction");
      hold(op.reduce == Reduce::map || !op.axes.empty() || op.list != none,
           "a reduction over nothing");
      hold(op.list == none || (has(e_.domains, op.list) && e_.domain(op.list).owner == v.domain),
           "a reduction over a list that is not its own element's");
      hold(op.body != nullptr, "a computation of nothing");
      const bool position = op.reduce == Reduce::argmax || op.reduce == Reduce::argmin;
      hold(v.dtype == (position ? Dtype::i64 : op.body->dtype), "its dtype is not its body's");
      scalar(op, {e_, v.domain, op.list, v.shape, op.axes}, op.body);
      guard(op, v.domain);
    } catch (const Unsound& wrong) {
      throw Unsound(fmt::format("%{}: {}", v.name, wrong.what()));
    }
    known_[static_cast<std::size_t>(op.result)] = true;
  }

  void region(const Op& op) {
    if (op.kind == Op::Kind::steps) {
      hold(has(e_.domains, op.list) && e_.domain(op.list).kind == Domain::Kind::list,
           "steps over what is no list");
      place(op.list, "steps");
      if (!regions_.empty() && regions_.back()->kind == Op::Kind::steps)
        hold(regions_.back()->list != op.list, "steps over a list within steps over it");
    } else {
      hold(regions_.empty(), "a sweep within a region");
    }
    const std::set<Id> carries = carries_set(op.region);
    std::vector<Id> inside;  // may be read within the region alone, or from within it on
    for (std::size_t i = 0; i < e_.values.size(); ++i) {
      const Value& v = e_.values[i];
      const auto id = static_cast<Id>(i);
      if (op.kind != Op::Kind::steps && v.kind == Value::Kind::carry && carries.count(id) > 0)
        known_[i] = true;
      if (op.kind == Op::Kind::steps && v.kind == Value::Kind::previous && v.domain == op.list &&
          carries.count(v.of) > 0) {
        known(v.initial);
        known_[i] = true;
        inside.push_back(id);
      }
    }
    regions_.push_back(&op);
    for (const Op& inner : op.region) check(inner);
    regions_.pop_back();
    for (const Id id : inside) known_[static_cast<std::size_t>(id)] = false;
  }

  void set(const Op& op) {
    hold(has(e_.values, op.result) && e_.value(op.result).kind == Value::Kind::carry,
         "a set of what is no carry");
    const Value& carry = e_.value(op.result);
    try {
      hold(has(e_.domains, op.part), "it is set on no domain");
      known(op.value);
      const Value& v = e_.value(op.value);
      hold(v.domain == op.part || e_.domain(v.domain).kind == Domain::Kind::once,
           fmt::format("%{} is not on the part that it is set on", v.name));
      hold(v.dtype == carry.dtype && v.shape == carry.shape,
           fmt::format("%{} is of another type than the carry", v.name));
      place(op.part, "its set");
      part(op, carry);
    } catch (const Unsound& wrong) {
      throw Unsound(fmt::format("carry %{}: {}", carry.name, wrong.what()));
    }
    known_[static_cast<std::size_t>(op.result)] = true;
    sets_.push_back(&op);
  }

  void part(const Op& op, const Value& carry) const {
    const Domain::Kind on = e_.domain(carry.domain).kind;
    if (on == Domain::Kind::list)
      hold(op.part == carry.domain && op.field < 0, "it is set on another domain than its own");
    else if (on == Domain::Kind::all)
      hold(e_.domain(op.part).kind == Domain::Kind::nodes && op.field < 0, "its part is no class");
    else
      hold(base(op.part) == Domain::Kind::nodes && is_child(op), "its part is no child field");
    for (const Op* other : sets_)
      hold(other->result != op.result || other->field != op.field || !overlap(other->part, op.part),
           "it is set twice on one part");
  }

  bool is_child(const Op& op) const {
    const Domain& nodes = e_.domain(outermost(e_, op.part));
    const std::vector<Field>& fields =
        m_.forest.variants[static_cast<std::size_t>(nodes.variant)].fields;
    return has(fields, op.field) && fields[static_cast<std::size_t>(op.field)].child;
  }

  bool overlap(Id a, Id b) const {
    const Domain &x = e_.domain(outermost(e_, a)), &y = e_.domain(outermost(e_, b));
    return x.variant == y.variant &&
           (x.part == y.part || x.part == Domain::Part::any || y.part == Domain::Part::any);
  }

  void output(const Output& o) const {
    known(o.value);
    const Domain& d = e_.domain(e_.value(o.value).domain);
    bool fits = false;
    switch (o.rows) {
      case Output::Rows::calls: fits = d.kind == Domain::Kind::calls; break;
      case Output::Rows::nodes: fits = d.kind == Domain::Kind::all; break;
      case Output::Rows::items:
        fits =
            d.kind == Domain::Kind::list && base(e_.value(o.value).domain) == Domain::Kind::calls;
        break;
    }
    hold(fits, fmt::format("output '{}' has other rows than its value", o.entry_result));
  }

  const Module& m_;
  const Entry& e_;
  std::vector<bool> known_;  // by value: may be read here
  std::vector<const Op*> regions_, sets_;
};

void forest(const Forest& f) {
  for (const DataType& t : f.types)
    for (const int v : t.variants)
      hold(has(f.variants, v), fmt::format("type '{}' has a variant that does not exist", t.name));
  for (const List& l : f.lists)
    hold(l.outer < 0 || has(f.lists, l.outer), fmt::format("list '{}' is in none", l.name));
  for (const Variant& v : f.variants)
    for (const Field& field : v.fields) {
      hold(has(f.columns, field.column), fmt::format("field '{}' has no column", field.name));
      for (const int l : field.lists)
        hold(has(f.lists, l), fmt::format("field '{}' is in no list", field.name));
    }
}

}  // namespace

std::string verify(const Module& module) {
  try {
    forest(module.forest);
  } catch (const Unsound& wrong) {
    return wrong.what();
  }
  for (const Entry& entry : module.entries) {
    try {
      TableVerifier(module, entry).run();
      OpVerifier(module, entry).run();
    } catch (const Unsound& wrong) {
      return fmt::format("entry '{}': {}", entry.name, wrong.what());
    }
  }
  return "";
}

}  // namespace espalier::wave

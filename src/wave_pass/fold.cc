#include "wave_pass/fold.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ops/scalar_eval.h"
#include "wave/analysis.h"
#include "wave_pass/zeros.h"

namespace espalier::wave_pass {
namespace {

using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

bool is_number(const ScalarRef& s) { return s->kind == Scalar::Kind::number; }
bool is_number(const ScalarRef& s, double x) {
  return is_number(s) && is_float(s->dtype) && s->number == x &&
         std::signbit(s->number) == std::signbit(x);
}
bool is_true(const ScalarRef& s) {
  return is_number(s) && s->dtype == Dtype::boolean && s->integer != 0;
}
bool is_false(const ScalarRef& s) {
  return is_number(s) && s->dtype == Dtype::boolean && s->integer == 0;
}

ScalarRef zero(Dtype dtype) {
  return is_float(dtype) ? wave::number(0, dtype) : wave::integer(0, dtype);
}

ScalarRef with_extent(const ScalarRef& s, const std::vector<std::int64_t>& extents) {
  const std::int64_t extent = extents[static_cast<std::size_t>(s->which)];
  if (s->extent == extent) return nullptr;
  return s->kind == Scalar::Kind::axis ? wave::axis(s->which, extent)
                                       : wave::bound(s->which, extent);
}

ops::Number number_of(const Scalar& s) { return {s.dtype, s.number, s.integer}; }

ScalarRef evaluated(const Scalar& s) {
  std::vector<ops::Number> args;
  for (const ScalarRef& arg : s.args) args.push_back(number_of(*arg));
  const ops::Number made =
      s.op == Opcode::cast ? ops::convert(args[0], s.dtype) : ops::evaluate(s.op, s.dtype, args);
  return is_float(s.dtype) ? wave::number(made.f, s.dtype) : wave::integer(made.i, s.dtype);
}

class Fold {
 public:
  Fold(const Forest& forest, Entry& entry)
      : forest_(forest),
        entry_(entry),
        zeros_(entry),
        constant_(entry.values.size()),
        same_(entry.values.size(), wave::none) {}

  void run() {
    ops(entry_.ops);
    for (wave::Output& o : entry_.outputs) o.value = replaced(o.value);
    for (Value& v : entry_.values)
      if (v.kind == Value::Kind::previous) v.initial = replaced(v.initial);
  }

 private:
  // What `set`, outputs and `previous` read in a value's place: computed values alone.
  Id replaced(Id id) const {
    const Id to = same_[static_cast<std::size_t>(id)];
    return to != wave::none && entry_.value(to).kind == Value::Kind::computed ? to : id;
  }

  void ops(std::vector<Op>& all) {
    for (Op& op : all) {
      if (op.kind == Op::Kind::set) op.value = replaced(op.value);
      scalars(op);
      if (op.kind == Op::Kind::compute) compute(op);
      ops(op.region);
    }
    std::erase_if(all, [](const Op& op) {
      return op.kind == Op::Kind::check && (is_true(op.body) || (op.guard && is_false(op.guard)));
    });
  }

  void scalars(Op& op) {
    axes_ =
        op.kind == Op::Kind::compute ? entry_.value(op.result).shape : std::vector<std::int64_t>{};
    bounds_ = op.axes;
    given_.clear();
    const auto simpler = [&](const ScalarRef& s) { return this->simpler(s); };
    op.guard = rewrite(op.guard, simpler);
    if (op.guard && is_true(op.guard)) op.guard = nullptr;
    if (op.guard) give(op.guard);
    op.body = rewrite(op.body, simpler);
    op.detail = rewrite(op.detail, simpler);
  }

  // Behind its guard an operator may take the guard, and each part of it, for true.
  void give(const ScalarRef& guard) {
    if (guard->kind == Scalar::Kind::apply && guard->op == Opcode::logical_and)
      for (const ScalarRef& arg : guard->args) give(arg);
    if (guard->kind == Scalar::Kind::apply && guard->op == Opcode::logical_not)
      given_.emplace_back(guard->args[0], false);
    given_.emplace_back(guard, true);
  }

  ScalarRef simpler(const ScalarRef& s) const {
    for (const auto& [known, truth] : given_)
      if (equal(known, s)) return wave::integer(truth, Dtype::boolean);
    switch (s->kind) {
      case Scalar::Kind::axis: return with_extent(s, axes_);
      case Scalar::Kind::bound: return with_extent(s, bounds_);
      case Scalar::Kind::load: return loaded(*s);
      case Scalar::Kind::apply: return applied(s);
      case Scalar::Kind::number:
      case Scalar::Kind::element:
      case Scalar::Kind::item:
      case Scalar::Kind::owner:
      case Scalar::Kind::first:
      case Scalar::Kind::end: return nullptr;
    }
    return nullptr;
  }

  ScalarRef loaded(const Scalar& s) const {
    const auto at = static_cast<std::size_t>(s.value);
    if (constant_[at]) return constant_[at];
    if (same_[at] == wave::none) return nullptr;
    auto made = std::make_shared<Scalar>(s);
    made->value = same_[at];
    return made;
  }

  ScalarRef applied(const ScalarRef& s) const {
    if (std::all_of(s->args.begin(), s->args.end(),
                    [](const ScalarRef& a) { return is_number(a); }))
      return evaluated(*s);
    if (const std::optional<bool> truth = length_compared(*s))
      return wave::integer(*truth, Dtype::boolean);
    if (!is_float(s->dtype)) return nullptr;
    const ScalarRef &a = s->args[0], &b = s->args.back();
    switch (s->op) {
      case Opcode::add:
        if (is_number(b, -0.0) || (zeros_.is_zero(b) && zeros_.may_drop(a))) return a;
        if (is_number(a, -0.0) || (zeros_.is_zero(a) && zeros_.may_drop(b))) return b;
        return nullptr;
      case Opcode::sub: return is_number(b, 0.0) ? a : nullptr;
      case Opcode::mul:
        if (is_number(b, 1.0)) return a;
        if (is_number(a, 1.0)) return b;
        return zeros_.is_zero(s) && !zeros_.told_apart() ? zero(s->dtype) : nullptr;
      case Opcode::div: return is_number(b, 1.0) ? a : nullptr;
      default: return nullptr;
    }
  }

  // Of a list that is known to have items, its length against a number.
  std::optional<bool> length_compared(const Scalar& s) const {
    if (s.args.size() != 2 || is_float(s.args[0]->dtype)) return std::nullopt;
    ScalarRef end = s.args[0], first = s.args[1];
    std::int64_t n = 0;
    if (is_number(first) && end->kind == Scalar::Kind::apply && end->op == Opcode::sub) {
      n = first->integer;
      first = end->args[1];
      end = end->args[0];
    }
    if (end->kind != Scalar::Kind::end || first->kind != Scalar::Kind::first ||
        end->domain != first->domain || !equal(end->args[0], first->args[0]) ||
        !has_items(end->domain, *end->args[0]))
      return std::nullopt;
    switch (s.op) {
      case Opcode::gt:
      case Opcode::ne: return n <= 0 ? std::optional(true) : std::nullopt;
      case Opcode::ge: return n <= 1 ? std::optional(true) : std::nullopt;
      case Opcode::le:
      case Opcode::eq: return n <= 0 ? std::optional(false) : std::nullopt;
      case Opcode::lt: return n <= 1 ? std::optional(false) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // The list of an item, and the only one of a node that has lists with items.
  bool has_items(Id list, const Scalar& element) const {
    if (element.kind == Scalar::Kind::owner && element.domain == list) return true;
    const wave::Domain& l = entry_.domain(list);
    const wave::Domain& nodes = entry_.domain(l.owner);
    if (nodes.kind != wave::Domain::Kind::nodes || nodes.part != wave::Domain::Part::filled)
      return false;
    const auto& fields = forest_.variants[static_cast<std::size_t>(nodes.variant)].fields;
    return std::all_of(fields.begin(), fields.end(),
                       [&](const Field& f) { return f.lists.empty() || f.lists[0] == l.list; });
  }

  void compute(Op& op) {
    if (op.guard && is_false(op.guard)) {
      make_constant(op, zero(entry_.value(op.result).dtype));
      op.guard = nullptr;
    }
    if (op.reduce != Reduce::map)
      if (const ScalarRef known = reduced(op)) make_constant(op, known);
    zeros_.note(op);
    if (op.reduce != Reduce::map) return;
    const auto at = static_cast<std::size_t>(op.result);
    if (is_number(op.body))
      constant_[at] = op.body;
    else if (const Id same = whole_load(op); same != wave::none)
      same_[at] = same;
  }

  static void make_constant(Op& op, const ScalarRef& value) {
    op.reduce = Reduce::map;
    op.axes.clear();
    op.list = wave::none;
    op.body = value;
  }

  ScalarRef reduced(const Op& op) const {
    const bool nothing = std::count(op.axes.begin(), op.axes.end(), 0) > 0 ||
                         (op.list != wave::none && entry_.domain(op.list).length == 0);
    const Dtype dtype = op.body->dtype;
    switch (op.reduce) {
      case Reduce::sum: return nothing || zeros_.is_zero(op.body) ? zero(dtype) : nullptr;
      case Reduce::prod: {
        const ScalarRef one = is_float(dtype) ? wave::number(1, dtype) : wave::integer(1, dtype);
        return nothing || equal(op.body, one) ? one : nullptr;
      }
      case Reduce::max:
      case Reduce::min:
        if (nothing) return zero(dtype);  // never read
        return is_number(op.body) && op.list == wave::none ? op.body : nullptr;
      case Reduce::argmax:
      case Reduce::argmin: return nothing ? wave::integer(0) : nullptr;
      case Reduce::map: return nullptr;
    }
    return nullptr;
  }

  // The value that the operator copies as it stands.
  Id whole_load(const Op& op) const {
    const Scalar& s = *op.body;
    if (s.kind != Scalar::Kind::load) return wave::none;
    const Value &to = entry_.value(op.result), &from = entry_.value(s.value);
    if (from.domain != to.domain || from.shape != to.shape || from.phase != to.phase)
      return wave::none;
    if (from.kind == Value::Kind::carry || from.kind == Value::Kind::previous) return wave::none;
    if (s.args[0] && s.args[0]->kind != Scalar::Kind::element) return wave::none;
    for (std::size_t i = 1; i < s.args.size(); ++i)
      if (s.args[i]->kind != Scalar::Kind::axis || s.args[i]->which != static_cast<int>(i) - 1)
        return wave::none;
    return s.value;
  }

  const Forest& forest_;
  Entry& entry_;
  Zeros zeros_;
  std::vector<ScalarRef> constant_;                // by value: the number that it is everywhere
  std::vector<Id> same_;                           // by value: the value that it copies
  std::vector<std::int64_t> axes_, bounds_;        // of the operator at work
  std::vector<std::pair<ScalarRef, bool>> given_;  // known behind its guard
};

}  // namespace

void fold(const Forest& forest, Entry& entry) { Fold(forest, entry).run(); }

void fold(wave::Module& module) {
  for (Entry& entry : module.entries) fold(module.forest, entry);
}

}  // namespace espalier::wave_pass

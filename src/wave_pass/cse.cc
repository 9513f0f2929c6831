#include "wave_pass/cse.h"

#include <bit>
#include <map>
#include <vector>

#include "wave/analysis.h"

namespace espalier::wave_pass {
namespace {

using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  return (h ^ x) * 0x9e3779b97f4a7c15U + (h >> 29);
}

// Equal scalars have equal hashes.
std::uint64_t hash(const ScalarRef& s) {
  if (!s) return 1;
  std::uint64_t h = mix(static_cast<std::uint64_t>(s->kind), static_cast<std::uint64_t>(s->op));
  h = mix(h, std::bit_cast<std::uint64_t>(s->number));
  h = mix(h, static_cast<std::uint64_t>(s->integer));
  h = mix(h, static_cast<std::uint64_t>(s->which));
  h = mix(h, static_cast<std::uint64_t>(s->domain));
  h = mix(h, static_cast<std::uint64_t>(s->value));
  for (const ScalarRef& arg : s->args) h = mix(h, hash(arg));
  return h;
}

bool same_input(const Value& a, const Value& b) {
  return a.kind == b.kind && a.kind != Value::Kind::computed && a.kind != Value::Kind::carry &&
         a.domain == b.domain && a.dtype == b.dtype && a.shape == b.shape && a.phase == b.phase &&
         a.source == b.source && a.field == b.field && a.of == b.of && a.initial == b.initial;
}

class Cse {
 public:
  explicit Cse(Entry& entry) : entry_(entry), to_(entry.values.size()) {
    for (std::size_t i = 0; i < to_.size(); ++i) to_[i] = static_cast<Id>(i);
  }

  void run() {
    inputs();
    ops(entry_.ops);
    for (wave::Output& o : entry_.outputs) o.value = now(o.value);
    for (Value& v : entry_.values)
      if (v.initial != wave::none) v.initial = now(v.initial);
    drop_replaced();
  }

 private:
  Id now(Id id) const { return to_[static_cast<std::size_t>(id)]; }

  void inputs() {
    for (std::size_t i = 0; i < to_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (to_[j] == static_cast<Id>(j) && same_input(entry_.values[i], entry_.values[j])) {
          to_[i] = static_cast<Id>(j);
          break;
        }
  }

  void ops(std::vector<Op>& all) {
    std::vector<Op> out;
    for (Op& op : all) {
      replace(op);
      if (op.kind == Op::Kind::compute && merged(op)) continue;
      if (op.kind == Op::Kind::check && repeated(op)) continue;
      const bool steps = op.kind == Op::Kind::steps;
      const auto outside = steps ? seen_ : decltype(seen_){};
      ops(op.region);
      if (steps) seen_ = outside;  // what steps compute need not be kept behind them
      out.push_back(std::move(op));
    }
    all = std::move(out);
  }

  void replace(Op& op) {
    if (op.kind == Op::Kind::set) op.value = now(op.value);
    wave::rewrite_scalars(op, [&](const ScalarRef& s) -> ScalarRef {
      if (s->kind != Scalar::Kind::load || now(s->value) == s->value) return nullptr;
      auto made = std::make_shared<Scalar>(*s);
      made->value = now(s->value);
      return made;
    });
  }

  struct Seen {
    Id result;
    wave::Reduce reduce;
    std::vector<std::int64_t> axes;
    Id list;
    ScalarRef body, guard;
  };

  bool merged(const Op& op) {
    std::vector<Seen>& bucket = seen_[hash(op.body)];
    const Value& v = entry_.value(op.result);
    for (const Seen& s : bucket) {
      const Value& other = entry_.value(s.result);
      if (other.domain == v.domain && other.shape == v.shape && other.dtype == v.dtype &&
          other.phase == v.phase && s.reduce == op.reduce && s.axes == op.axes &&
          s.list == op.list && equal(s.body, op.body) && (!s.guard || equal(s.guard, op.guard))) {
        to_[static_cast<std::size_t>(op.result)] = s.result;
        return true;
      }
    }
    bucket.push_back({op.result, op.reduce, op.axes, op.list, op.body, op.guard});
    return false;
  }

  bool repeated(const Op& op) {
    for (const Op& c : checks_)
      if (c.domain == op.domain && c.code == op.code && equal(c.body, op.body) &&
          equal(c.detail, op.detail) && (!c.guard || equal(c.guard, op.guard)))
        return true;
    checks_.push_back(op);
    return false;
  }

  void drop_replaced() {
    std::vector<Id> domains(entry_.domains.size()), values(to_.size(), wave::none);
    for (std::size_t i = 0; i < domains.size(); ++i) domains[i] = static_cast<Id>(i);
    Id next = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (to_[i] == static_cast<Id>(i)) values[i] = next++;
    wave::renumber(entry_, domains, values);
  }

  Entry& entry_;
  std::vector<Id> to_;                               // by value: what stands for it
  std::map<std::uint64_t, std::vector<Seen>> seen_;  // by the body's hash
  std::vector<Op> checks_;
};

}  // namespace

void cse(wave::Module& module) {
  for (Entry& entry : module.entries) Cse(entry).run();
}

}  // namespace espalier::wave_pass

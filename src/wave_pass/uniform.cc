#include "wave_pass/uniform.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "wave/analysis.h"
#include "wave/names.h"

namespace espalier::wave_pass {
namespace {

using wave::Domain;
using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Opcode;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

bool takes_work(const Op& op) {
  bool work = op.reduce != wave::Reduce::map;
  wave::visit(op.body, [&](const Scalar& s) {
    work = work || (s.kind == Scalar::Kind::apply && is_float(s.dtype) && s.op != Opcode::select &&
                    s.op != Opcode::cast);
  });
  return work;
}

class Uniform {
 public:
  explicit Uniform(Entry& entry) : entry_(entry) {}

  void run() {
    std::vector<Op> out;
    for (Op& op : entry_.ops) {
      std::vector<Op> before;
      visit(op, before);
      std::move(before.begin(), before.end(), std::back_inserter(out));
      out.push_back(std::move(op));
    }
    entry_.ops = std::move(out);
  }

 private:
  void visit(Op& op, std::vector<Op>& before) {
    wave::rewrite_scalars(op, [&](const ScalarRef& s) -> ScalarRef {
      if (s->kind != Scalar::Kind::load) return nullptr;
      const auto once = once_.find(s->value);
      if (once == once_.end()) return nullptr;
      return wave::load(once->second, s->dtype, nullptr, {s->args.begin() + 1, s->args.end()});
    });
    if (op.kind == Op::Kind::compute && same_everywhere(op)) before.push_back(computed_once(op));
    if (op.kind == Op::Kind::set &&
        entry_.domain(entry_.value(op.result).domain).kind == Domain::Kind::all)
      if (const auto once = once_.find(op.value); once != once_.end()) op.value = once->second;
    for (Op& inner : op.region) visit(inner, before);
  }

  bool is_once(Id value) const {
    return entry_.domain(entry_.value(value).domain).kind == Domain::Kind::once;
  }

  bool same_everywhere(const Op& op) const {
    if (is_once(op.result) || op.list != wave::none || !takes_work(op)) return false;
    bool same = true;
    wave::visit_scalars(op, [&](const Scalar& s) {
      switch (s.kind) {
        case Scalar::Kind::number:
        case Scalar::Kind::axis:
        case Scalar::Kind::bound:
        case Scalar::Kind::apply: return;
        case Scalar::Kind::load: same = same && is_once(s.value); return;
        case Scalar::Kind::element:
        case Scalar::Kind::item:
        case Scalar::Kind::owner:
        case Scalar::Kind::first:
        case Scalar::Kind::end: same = false; return;
      }
    });
    return same;
  }

  // The operator on the domain `once`; it itself becomes a copy.
  Op computed_once(Op& op) {
    const auto made = static_cast<Id>(entry_.values.size());
    Value v = entry_.value(op.result);
    const Domain& d = entry_.domain(v.domain);
    const char* part = d.name.ends_with("_leaf") ? "_leaf" : "_empty";
    if (d.part == Domain::Part::empty)
      v.name = wave::unique_value_name(entry_, wave::label(v.name) + part);
    else
      entry_.value(op.result).name = wave::unique_value_name(entry_, wave::label(v.name));
    v.domain = once();
    const std::size_t rank = v.shape.size();
    const std::vector<std::int64_t> shape = v.shape;
    const Dtype dtype = v.dtype;
    entry_.values.push_back(std::move(v));
    once_[op.result] = made;
    Op first = op;
    first.result = made;
    op.reduce = wave::Reduce::map;
    op.axes.clear();
    std::vector<ScalarRef> indices;
    for (std::size_t i = 0; i < rank; ++i)
      indices.push_back(wave::axis(static_cast<int>(i), shape[i]));
    op.body = wave::load(made, dtype, nullptr, std::move(indices));
    return first;
  }

  Id once() {
    for (std::size_t i = 0; i < entry_.domains.size(); ++i)
      if (entry_.domains[i].kind == Domain::Kind::once) return static_cast<Id>(i);
    Domain d;
    d.name = "once";
    const auto taken = [&](const Domain& other) { return other.name == d.name; };
    while (std::any_of(entry_.domains.begin(), entry_.domains.end(), taken)) d.name += "_2";
    entry_.domains.push_back(std::move(d));
    return static_cast<Id>(entry_.domains.size()) - 1;
  }

  Entry& entry_;
  std::map<Id, Id> once_;  // value: the one that is computed once
};

}  // namespace

void uniform(wave::Module& module) {
  for (Entry& entry : module.entries) Uniform(entry).run();
}

}  // namespace espalier::wave_pass

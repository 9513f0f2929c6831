#include "wave_pass/dce.h"

#include <map>
#include <vector>

#include "wave/analysis.h"

namespace espalier::wave_pass {
namespace {

using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Scalar;
using wave::Value;

class Live {
 public:
  explicit Live(const Entry& entry)
      : entry_(entry), values_(entry.values.size()), domains_(entry.domains.size()) {
    wave::visit_ops(entry.ops, [&](const Op& op) {
      if (op.kind == Op::Kind::compute || op.kind == Op::Kind::set)
        makers_[op.result].push_back(&op);
    });
    wave::visit_ops(entry.ops, [&](const Op& op) {
      if (op.kind == Op::Kind::check) read(op);
    });
    for (const wave::Output& o : entry.outputs) value(o.value);
    wave::visit_ops(entry.ops, [&](const Op& op) {
      if (op.kind == Op::Kind::steps && keeps(op)) domain(op.list);
    });
  }

  bool keeps(const Op& op) const {
    switch (op.kind) {
      case Op::Kind::compute:
      case Op::Kind::set: return values_[static_cast<std::size_t>(op.result)];
      case Op::Kind::check: return true;
      case Op::Kind::sweep_up:
      case Op::Kind::sweep_down:
      case Op::Kind::steps: break;
    }
    for (const Op& inner : op.region)
      if (keeps(inner)) return true;
    return false;
  }

  const std::vector<bool>& values() const { return values_; }
  const std::vector<bool>& domains() const { return domains_; }

 private:
  void value(Id first) {
    std::vector<Id> todo = {first};
    while (!todo.empty()) {
      const Id id = todo.back();
      todo.pop_back();
      if (values_[static_cast<std::size_t>(id)]) continue;
      values_[static_cast<std::size_t>(id)] = true;
      const Value& v = entry_.value(id);
      domain(v.domain);
      if (v.kind == Value::Kind::previous) todo.insert(todo.end(), {v.of, v.initial});
      for (const Op* op : makers_[id]) {
        domains_of(*op);
        for (const Id read : wave::reads(*op)) todo.push_back(read);
      }
    }
  }

  void read(const Op& op) {
    domains_of(op);
    for (const Id id : wave::reads(op)) value(id);
  }

  void domains_of(const Op& op) {
    domain(op.list);
    domain(op.part);
    domain(op.domain);
    wave::visit_scalars(op, [&](const Scalar& s) { domain(s.domain); });
  }

  void domain(Id id) {
    for (; id != wave::none; id = entry_.domain(id).owner) {
      domains_[static_cast<std::size_t>(id)] = true;
      domain(entry_.domain(id).like);
    }
  }

  const Entry& entry_;
  std::map<Id, std::vector<const Op*>> makers_;
  std::vector<bool> values_, domains_;
};

std::vector<Op> kept(std::vector<Op> ops, const Live& live) {
  std::vector<Op> out;
  for (Op& op : ops) {
    if (!live.keeps(op)) continue;
    op.region = kept(std::move(op.region), live);
    out.push_back(std::move(op));
  }
  return out;
}

std::vector<Id> numbers(const std::vector<bool>& keep) {
  std::vector<Id> to(keep.size(), wave::none);
  Id next = 0;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) to[i] = next++;
  return to;
}

}  // namespace

void dce(Entry& entry) {
  const Live live(entry);  // points into the operators, so these are copied
  std::vector<Op> ops = kept(entry.ops, live);
  entry.ops = std::move(ops);
  wave::renumber(entry, numbers(live.domains()), numbers(live.values()));
}

void dce(wave::Module& module) {
  for (Entry& entry : module.entries) dce(entry);
}

}  // namespace espalier::wave_pass

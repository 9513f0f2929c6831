#include "wave_pass/inline_values.h"

#include <map>
#include <optional>
#include <vector>

#include "wave/analysis.h"

namespace espalier::wave_pass {
namespace {

using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Opcode;
using wave::Scalar;
using wave::ScalarRef;
using wave::Value;

constexpr int most_operations = 4, most_nodes = 24;

// Operations on reals in a body; nothing where there is one that is not plain, or too much of any
// kind.
std::optional<int> cost(const ScalarRef& body) {
  int operations = 0, nodes = 0;
  bool plain = true;
  wave::visit(body, [&](const Scalar& s) {
    ++nodes;
    if (s.kind != Scalar::Kind::apply || !is_float(s.dtype)) return;
    if (s.op == Opcode::select || s.op == Opcode::cast) return;
    ++operations;
    plain = plain && (s.op == Opcode::add || s.op == Opcode::sub || s.op == Opcode::mul ||
                      s.op == Opcode::neg);
  });
  if (!plain || operations > most_operations || nodes > most_nodes) return std::nullopt;
  return operations;
}

class Inline {
 public:
  explicit Inline(Entry& entry) : entry_(entry), uses_(wave::count_uses(entry)) {}

  void run() { ops(entry_.ops); }

 private:
  void ops(std::vector<Op>& all) {
    for (Op& op : all) {
      if (op.kind == Op::Kind::compute || op.kind == Op::Kind::check) {
        const Id domain = wave::domain_of(entry_, op);
        wave::rewrite_scalars(op, [&](const ScalarRef& s) -> ScalarRef {
          return s->kind == Scalar::Kind::load ? replaced(op, domain, *s) : nullptr;
        });
      }
      if (op.kind == Op::Kind::compute && op.reduce == wave::Reduce::map) note(op);
      ops(op.region);
    }
  }

  struct Map {
    ScalarRef body;
    int cost;
  };

  void note(const Op& op) {
    const std::optional<int> c = cost(op.body);
    if (!c) return;
    bool stepping = false;  // is read where the steps are done, too
    wave::visit(op.body, [&](const Scalar& s) {
      stepping = stepping || (s.kind == Scalar::Kind::load &&
                              entry_.value(s.value).kind == Value::Kind::previous);
    });
    if (!stepping) maps_[op.result] = {op.body, *c};
  }

  ScalarRef replaced(const Op& op, Id domain, const Scalar& load) const {
    const auto map = maps_.find(load.value);
    if (map == maps_.end()) return nullptr;
    const Value& v = entry_.value(load.value);
    const wave::Domain::Kind kind = entry_.domain(v.domain).kind;
    if (v.domain == domain || kind == wave::Domain::Kind::once) return nullptr;
    if (map->second.cost > 0 && !only_reader(op, load)) return nullptr;
    return wave::rewrite(map->second.body, [&](const ScalarRef& s) -> ScalarRef {
      if (s->kind == Scalar::Kind::element) return load.args[0];
      if (s->kind == Scalar::Kind::axis) return load.args[static_cast<std::size_t>(s->which) + 1];
      const bool back = s->kind == Scalar::Kind::owner && s->domain == op.list &&
                        s->args[0]->kind == Scalar::Kind::item;
      return back ? wave::element() : nullptr;
    });
  }

  // Does nothing else read it, and the operator once for each item and axis?
  bool only_reader(const Op& op, const Scalar& load) const {
    if (op.list != entry_.value(load.value).domain || !op.axes.empty()) return false;
    if (uses_[static_cast<std::size_t>(load.value)] != 1) return false;
    if (load.args[0]->kind != Scalar::Kind::item) return false;
    if (load.args.size() != entry_.value(op.result).shape.size() + 1) return false;
    for (std::size_t i = 1; i < load.args.size(); ++i)
      if (load.args[i]->kind != Scalar::Kind::axis ||
          load.args[i]->which != static_cast<int>(i) - 1)
        return false;
    int times = 0;
    wave::visit_scalars(op, [&](const Scalar& s) {
      times += s.kind == Scalar::Kind::load && s.value == load.value;
    });
    return times == 1;
  }

  Entry& entry_;
  std::vector<int> uses_;
  std::map<Id, Map> maps_;  // what may be put in a load's place
};

}  // namespace

void inline_values(wave::Module& module) {
  for (Entry& entry : module.entries) Inline(entry).run();
}

}  // namespace espalier::wave_pass

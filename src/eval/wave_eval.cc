#include "eval/wave_eval.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/bug.h"
#include "eval/numbering.h"
#include "eval/validate.h"
#include "eval/wave_scalar.h"

namespace espalier::eval {
namespace {

using ops::Number;
using wave::Domain;
using wave::Entry;
using wave::Id;
using wave::Op;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class Machine {
 public:
  Machine(const wave::Module& module, const Weights& weights, const Entry& entry,
          const ForestData& data, const CallsData& calls)
      : entry_(entry), data_(data), calls_(calls), numbering_(module, entry, data, calls) {
    store_ = make_store(module, weights, entry, data, calls, numbering_);
  }

  Outcome run() {
    for (const Op& op : entry_.ops) execute(op);
    Outcome out;
    out.status = status_;
    if (!status_.ok()) return out;
    require(!store_.bad_load, "an index out of range that nothing checks");
    for (const wave::Output& output : entry_.outputs) out.results.push_back(gather(output));
    return out;
  }

 private:
  // ---- Which elements are at work ----

  bool active(Id domain, std::int64_t e) const {
    const std::int64_t node = numbering_.elements(domain).node[at(e)];
    if (level_ >= 0 && node >= 0 && numbering_.level(node) != level_) return false;
    return std::all_of(steps_.begin(), steps_.end(),
                       [&](const Step& step) { return in_step(step, domain, e); });
  }

  struct Step {
    Id list;
    std::int64_t position;
    bool backward;
  };

  bool in_step(const Step& step, Id domain, std::int64_t e) const {
    while (domain != step.list) {
      const Domain& d = entry_.domain(domain);
      if (d.owner == wave::none) return true;
      e = numbering_.elements(domain).owner[at(e)];
      domain = d.owner;
    }
    const auto& items = numbering_.elements(step.list);
    const std::int64_t owner = items.owner[at(e)];
    return step.backward ? items.first[at(owner + 1)] - 1 - e == step.position
                         : e - items.first[at(owner)] == step.position;
  }

  void each_active(Id domain, const std::function<void(std::int64_t)>& visit) const {
    for (std::int64_t e = 0; e < numbering_.elements(domain).count; ++e)
      if (active(domain, e)) visit(e);
  }

  // ---- Operators ----

  void execute(const Op& op) {
    switch (op.kind) {
      case Op::Kind::compute: return compute(op);
      case Op::Kind::sweep_up:
      case Op::Kind::sweep_down: return sweep(op);
      case Op::Kind::steps: return steps(op);
      case Op::Kind::set: return set(op);
      case Op::Kind::check: return check(op);
    }
  }

  void sweep(const Op& op) {
    require(level_ < 0, "a sweep within a sweep");
    for (int i = 0; i < numbering_.levels(); ++i) {
      level_ = op.kind == Op::Kind::sweep_up ? i : numbering_.levels() - 1 - i;
      for (const Op& inner : op.region) execute(inner);
    }
    level_ = -1;
  }

  void steps(const Op& op) {
    const auto& items = numbering_.elements(op.list);
    std::int64_t longest = 0;
    for (std::size_t o = 0; o + 1 < items.first.size(); ++o)
      longest = std::max(longest, items.first[o + 1] - items.first[o]);
    store_.backward[op.list] = op.backward;
    for (std::int64_t position = 0; position < longest; ++position) {
      steps_.push_back({op.list, position, op.backward});
      for (const Op& inner : op.region) execute(inner);
      steps_.pop_back();
    }
  }

  bool guarded_off(const Op& op, Place& place) {
    return op.guard && evaluate(op.guard, place, store_).i == 0;
  }

  void compute(const Op& op) {
    const wave::Value& result = entry_.value(op.result);
    each_active(result.domain, [&](std::int64_t e) {
      Place place{result.domain, e, -1, std::vector<std::int64_t>(result.shape.size(), 0), {}};
      if (guarded_off(op, place)) return;
      const std::int64_t size = store_.values[at(op.result)].row;
      for (std::int64_t flat = 0; flat < size; ++flat) {
        std::int64_t rest = flat;
        for (std::size_t a = result.shape.size(); a-- > 0; rest /= result.shape[a])
          place.axes[a] = rest % result.shape[a];
        store_.put(op.result, e * size + flat, reduce(op, place, result.dtype));
      }
    });
  }

  Number reduce(const Op& op, Place& place, Dtype dtype) {
    Reduction reduction(op.reduce, dtype);
    const auto over_axes = [&] {
      std::int64_t size = 1;
      for (const std::int64_t extent : op.axes) size *= extent;
      place.bounds.assign(op.axes.size(), 0);
      for (std::int64_t flat = 0; flat < size; ++flat) {
        std::int64_t rest = flat;
        for (std::size_t a = op.axes.size(); a-- > 0; rest /= op.axes[a])
          place.bounds[a] = rest % op.axes[a];
        reduction.add(evaluate(op.body, place, store_));
      }
    };
    if (op.list == wave::none) {
      over_axes();
      return reduction.result();
    }
    const auto& items = numbering_.elements(op.list);
    const std::int64_t owner =
        numbering_.project(place.domain, place.element, entry_.domain(op.list).owner);
    for (place.item = items.first[at(owner)]; place.item < items.first[at(owner + 1)]; ++place.item)
      over_axes();
    return reduction.result();
  }

  void set(const Op& op) {
    const wave::Value& carry = entry_.value(op.result);
    const wave::Value& value = entry_.value(op.value);
    const bool edges = entry_.domain(carry.domain).kind == Domain::Kind::edges;
    Id part = op.part;
    if (edges && entry_.domain(part).kind == Domain::Kind::nodes &&
        !numbering_.leaf(part, op.field).lists.empty())
      part = value.domain;
    const std::int64_t size = store_.values[at(op.result)].row;
    each_active(part, [&](std::int64_t e) {
      const auto& elements = numbering_.elements(part);
      const std::int64_t from = numbering_.project(part, e, value.domain);
      const std::int64_t to =
          edges ? numbering_.edge(numbering_.leaf(part, op.field).column, elements.row[at(e)])
                : numbering_.project(part, e, carry.domain);
      for (std::int64_t i = 0; i < size; ++i)
        store_.put(op.result, to * size + i, store_.get(op.value, from * size + i));
    });
  }

  void check(const Op& op) {
    each_active(op.domain, [&](std::int64_t e) {
      Place place{op.domain, e, -1, {}, {}};
      if (guarded_off(op, place) || evaluate(op.body, place, store_).i != 0) return;
      const std::int64_t all = numbering_.elements(op.domain).node[at(e)];
      const std::int64_t node = all < 0 ? -1 : numbering_.original(all);
      if (!status_.ok() && status_.node <= node) return;
      status_ = {op.code, node, op.detail ? evaluate(op.detail, place, store_).i : 0};
    });
  }

  // ---- Results ----

  Rows gather(const wave::Output& output) const {
    const wave::Value& value = entry_.value(output.value);
    Rows rows;
    rows.name = output.entry_result;
    rows.data.dtype = value.dtype;
    std::int64_t count = 0;
    const auto append = [&](std::int64_t element) {  // -1: zeros
      ++count;
      const std::int64_t size = store_.values[at(output.value)].row;
      for (std::int64_t i = 0; i < size; ++i) {
        const Number x =
            element < 0 ? Number{value.dtype, 0, 0} : store_.get(output.value, element * size + i);
        is_float(value.dtype) ? rows.data.f.push_back(x.f) : rows.data.i.push_back(x.i);
      }
    };
    switch (output.rows) {
      case wave::Output::Rows::calls:
        for (std::int64_t c = 0; c < calls_.count; ++c)
          append(entry_.domain(value.domain).kind == Domain::Kind::once ? 0 : c);
        break;
      case wave::Output::Rows::nodes: each_row(output, [&](std::int64_t e) { append(e); }); break;
      case wave::Output::Rows::items: append_items(output, rows, append); break;
    }
    rows.data.shape = {count};
    rows.data.shape.insert(rows.data.shape.end(), value.shape.begin(), value.shape.end());
    return rows;
  }

  // Visits the elements of the value, on nodes of the output's type in the input's order.
  void each_row(const wave::Output& output, const std::function<void(std::int64_t)>& visit) const {
    const Id domain = entry_.value(output.value).domain;
    for (std::int64_t n = 0; n < data_.nodes; ++n) {
      if (store_.module->forest.variants[at(data_.variant[at(n)])].type != output.type) continue;
      visit(element_of_node(domain, numbering_.place(n)));
    }
  }

  std::int64_t element_of_node(Id domain, std::int64_t all) const {
    if (entry_.domain(domain).kind == Domain::Kind::once) return 0;
    const auto& nodes = numbering_.elements(domain).node;
    const auto it = std::lower_bound(nodes.begin(), nodes.end(), all);
    return it != nodes.end() && *it == all ? it - nodes.begin() : -1;
  }

  void append_items(const wave::Output& output, Rows& rows,
                    const std::function<void(std::int64_t)>& append) const {
    const Id list = entry_.value(output.value).domain;
    const auto& items = numbering_.elements(list);
    rows.ragged = true;
    rows.offsets = {0};
    const auto segment = [&](std::int64_t owner) {
      for (std::int64_t i = items.first[at(owner)]; i < items.first[at(owner + 1)]; ++i) append(i);
      rows.offsets.push_back(rows.offsets.back() + items.first[at(owner + 1)] -
                             items.first[at(owner)]);
    };
    for (std::size_t o = 0; o + 1 < items.first.size(); ++o) segment(static_cast<std::int64_t>(o));
  }

  const Entry& entry_;
  const ForestData& data_;
  const CallsData& calls_;
  Numbering numbering_;
  Store store_;
  int level_ = -1;
  std::vector<Step> steps_;
  Status status_;
};

}  // namespace

Outcome evaluate(const wave::Module& module, const Weights& weights, const Entry& entry,
                 const ForestData& data, const CallsData& calls) {
  const Status status = validate(module.forest, data, entry.arguments, calls);
  if (!status.ok()) return {status, {}};
  return Machine(module, weights, entry, data, calls).run();
}

}  // namespace espalier::eval

#include "wave_pass/hoist.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "base/bug.h"
#include "wave/analysis.h"

namespace espalier::wave_pass {
namespace {

using wave::Entry;
using wave::Id;
using wave::Op;
using wave::Phase;
using wave::Scalar;
using wave::Value;

bool is_region(const Op& op) {
  return op.kind == Op::Kind::sweep_up || op.kind == Op::Kind::sweep_down ||
         op.kind == Op::Kind::steps;
}

bool meets(const std::set<Id>& a, const std::set<Id>& b) {
  return std::any_of(a.begin(), a.end(), [&](Id id) { return b.count(id) > 0; });
}

class Region {
 public:
  Region(const Entry& entry, Op& op) : entry_(entry), op_(op), stays_(op.region.size(), false) {
    // What is set here stays at first, and with it what reads it; then, as long as something
    // turns out to be able to leave, the rest is looked at again.
    for (std::size_t i = 0; i < stays_.size(); ++i) stays_[i] = op.region[i].kind == Op::Kind::set;
    for (bool again = true; again;) {
      changing_ = changing();
      again = release();
    }
  }

  // Takes what may leave out of the region.
  std::vector<Op> leaving() {
    std::vector<Op> out, rest;
    for (std::size_t i = 0; i < stays_.size(); ++i)
      (movable(op_.region[i], stays_[i]) ? out : rest).push_back(std::move(op_.region[i]));
    op_.region = std::move(rest);
    return carries_first(std::move(out));
  }

 private:
  // Within a sweep a carry is read where a lower level set it; outside, all its parts come first.
  std::vector<Op> carries_first(std::vector<Op> ops) const {
    std::map<Id, int> unset;  // carries, with the sets of them that are to come
    const auto count = [&](const Op& op, int by) {
      if (op.kind == Op::Kind::set) unset[op.result] += by;
      wave::visit_ops(op.region, [&](const Op& inner) {
        if (inner.kind == Op::Kind::set) unset[inner.result] += by;
      });
    };
    for (const Op& op : ops) count(op, 1);
    std::vector<Op> out;
    while (!ops.empty()) {
      std::vector<Op> later;
      std::set<Id> waiting;  // results of what has to wait
      for (Op& op : ops) {
        count(op, -1);
        const std::set<Id> wanted = read(op);
        const bool waits = std::any_of(wanted.begin(), wanted.end(), [&](Id id) {
          return waiting.count(id) > 0 || (unset.count(id) > 0 && unset.at(id) > 0);
        });
        if (waits) {
          count(op, 1);
          if (op.kind != Op::Kind::set) add_results(op, waiting);
        }
        (waits ? later : out).push_back(std::move(op));
      }
      require(later.size() < ops.size(), "a sweep is left by what depends on itself");
      ops = std::move(later);
    }
    return out;
  }

  // The values that change while the region runs, given what stays.
  std::set<Id> changing() const {
    std::set<Id> found;
    for (std::size_t before = 1; before != found.size();) {
      before = found.size();
      for (std::size_t i = 0; i < stays_.size(); ++i)
        if (stays_[i] || meets(read(op_.region[i]), found)) add_results(op_.region[i], found);
      for (std::size_t i = 0; i < entry_.values.size(); ++i)
        if (entry_.values[i].kind == Value::Kind::previous && found.count(entry_.values[i].of) > 0)
          found.insert(static_cast<Id>(i));
      if (found.empty()) break;
    }
    return found;
  }

  static void add_results(const Op& op, std::set<Id>& to) {
    if (op.result != wave::none) to.insert(op.result);
    for (const Op& inner : op.region) add_results(inner, to);
  }

  // All that an operator reads, a region's operators included.
  std::set<Id> read(const Op& op) const {
    std::set<Id> found = wave::reads(op);
    wave::visit_ops(op.region, [&](const Op& inner) {
      for (const Id id : wave::reads(inner)) {
        found.insert(id);
        if (entry_.value(id).kind == Value::Kind::previous) found.insert(entry_.value(id).initial);
      }
    });
    return found;
  }

  // A set leaves a sweep with its value; in steps, what is set is what the next step reads.
  bool release() {
    bool released = false;
    for (std::size_t i = 0; i < stays_.size(); ++i) {
      if (!stays_[i] || op_.kind == Op::Kind::steps) continue;
      if (changing_.count(op_.region[i].value) > 0) continue;
      stays_[i] = false;
      released = true;
    }
    return released;
  }

  bool movable(const Op& op, bool stays) const {
    if (stays) return false;
    return op.kind == Op::Kind::set ? changing_.count(op.value) == 0 : !meets(read(op), changing_);
  }

  const Entry& entry_;
  Op& op_;
  std::vector<bool> stays_;  // by operator of the region: a set that is not known to leave
  std::set<Id> changing_;
};

void hoist(const Entry& entry, std::vector<Op>& ops) {
  std::vector<Op> out;
  for (Op& op : ops) {
    if (is_region(op)) {
      hoist(entry, op.region);
      std::vector<Op> before = Region(entry, op).leaving();
      std::move(before.begin(), before.end(), std::back_inserter(out));
      if (op.region.empty()) continue;
    }
    out.push_back(std::move(op));
  }
  ops = std::move(out);
}

// What needs nothing of a call is made when loading, and stands first.
void load_early(Entry& entry) {
  std::vector<Op> load, call;
  for (Op& op : entry.ops) {
    const std::set<Id> read = wave::reads(op);
    const bool early =
        op.kind == Op::Kind::compute &&
        entry.domain(entry.value(op.result).domain).kind == wave::Domain::Kind::once &&
        std::all_of(read.begin(), read.end(),
                    [&](Id id) { return entry.value(id).phase == Phase::load; });
    if (early) entry.value(op.result).phase = Phase::load;
    (early ? load : call).push_back(std::move(op));
  }
  entry.ops = std::move(load);
  std::move(call.begin(), call.end(), std::back_inserter(entry.ops));
}

}  // namespace

void hoist(wave::Module& module) {
  for (Entry& entry : module.entries) {
    hoist(entry, entry.ops);
    load_early(entry);
  }
}

}  // namespace espalier::wave_pass

#include "to_loop/plan.h"

#include <algorithm>

#include "base/bug.h"
#include "wave/names.h"

namespace espalier::to_loop {

using wave::Domain;
using wave::Op;
using wave::Scalar;
using wave::Value;

// ---- What a work reads

namespace {

// An element that belongs to the same member of the team as the one at hand: itself, its owner, its
// items.
bool followed(const ScalarRef& x, const wave::Entry& entry) {
  if (!x) return true;
  switch (x->kind) {
    case Scalar::Kind::element:
    case Scalar::Kind::item:
    case Scalar::Kind::number: return true;
    case Scalar::Kind::owner:
    case Scalar::Kind::first:
    case Scalar::Kind::end: return followed(x->args[0], entry);
    case Scalar::Kind::load:
      return entry.value(x->value).kind == Value::Kind::place && followed(x->args[0], entry);
    case Scalar::Kind::apply:
      return std::all_of(x->args.begin(), x->args.end(), [&](const ScalarRef& a) {
        return !is_float(a->dtype) && followed(a, entry);
      });
    default: return false;
  }
}

void visit_body(const ScalarRef& body, const std::function<void(const Scalar&, bool)>& see,
                const wave::Entry& entry) {
  wave::visit(body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load) return;
    see(s, followed(s.args[0], entry));
    const Value& v = entry.value(s.value);
    if (v.kind == Value::Kind::previous)
      for (const Id other : {v.of, v.initial})
        see(*wave::load(other, v.dtype, wave::owner(entry.value(v.of).domain, s.args[0])), true);
  });
}

void visit_work(const Work& work, const wave::Entry& entry,
                const std::function<void(const Scalar&, bool)>& see) {
  visit_body(work.body, see, entry);
  visit_body(work.detail, see, entry);
  if (work.kind == Work::Kind::product) {
    const Value& v = entry.value(work.product.operand);
    const ScalarRef read = wave::load(work.product.operand, v.dtype, work.product.element);
    visit_body(read, see, entry);
    visit_body(work.product.row, see, entry);
  }
  for (const Work& inner : work.region) visit_work(inner, entry, see);
}

}  // namespace

class Planner {
 public:
  explicit Planner(Context& context) : context_(context) {}

  std::vector<KernelPlan> run() {
    std::vector<KernelPlan> kernels;
    KernelPlan load, open;
    load.load = true;
    std::vector<Work> loads;
    for (const Op& op : context_.entry.ops) {
      if (op.kind == Op::Kind::sweep_up || op.kind == Op::Kind::sweep_down) {
        flush(&kernels);
        sweep(op, &kernels);
        continue;
      }
      std::vector<Work> made;
      add(op, made);
      for (Work& work : made) (is_load(work) ? loads : calls_).push_back(std::move(work));
    }
    flush(&kernels);
    if (!loads.empty()) {
      load.stages = stages_of(std::move(loads), false);
      kernels.insert(kernels.begin(), std::move(load));
    }
    return kernels;
  }

 private:
  bool is_load(const Work& work) const {
    if (work.kind == Work::Kind::steps)
      return std::all_of(work.region.begin(), work.region.end(),
                         [&](const Work& inner) { return is_load(inner); });
    return work.result != wave::none &&
           context_.entry.value(work.result).phase == wave::Phase::load;
  }

  void add(const Op& op, std::vector<Work>& out) {
    Work work;
    switch (op.kind) {
      case Op::Kind::compute:
        work.result = op.result;
        work.domain = context_.entry.value(op.result).domain;
        work.reduce = op.reduce;
        work.axes = op.axes;
        work.list = op.list;
        work.body = op.body;
        if (!match_product(context_, work, out)) split_items(context_, work, out);
        break;
      case Op::Kind::check:
        work.kind = Work::Kind::check;
        work.domain = op.domain;
        work.body = op.body;
        work.detail = op.detail;
        work.code = op.code;
        break;
      case Op::Kind::steps:
        work.kind = Work::Kind::steps;
        work.domain = op.list;
        work.steps = &op;
        for (const Op& inner : op.region) add(inner, work.region);
        if (work.region.empty()) return;  // all is made in the carries' rows, without steps
        break;
      case Op::Kind::set:
        if (alias(op, out)) return;
        work = copy(op);
        break;
      default: throw Bug("a sweep inside a region");
    }
    out.push_back(std::move(work));
  }

  // A value computed on the part that is set is made in the carry's rows at once.
  bool alias(const Op& op, const std::vector<Work>& works) {
    if (aliased_.count(op.value)) return false;
    const Value& carry = context_.entry.value(op.result);
    const auto makes = [&](const Work& w) {
      return w.result == op.value && w.domain == op.part && w.kind != Work::Kind::steps;
    };
    const bool here = std::any_of(works.begin(), works.end(), makes) ||
                      std::any_of(calls_.begin(), calls_.end(), makes);
    if (!here || computed(context_.entry.value(op.value).dtype) != computed(carry.dtype))
      return false;
    aliased_.insert(op.value);
    context_.aliases[op.value] = {op.result, op.field};
    return true;
  }

  Work copy(const Op& op) {
    Work work;
    work.domain = op.part;
    work.carry = op.result;
    work.field = op.field;
    const Value& v = context_.entry.value(op.value);
    std::vector<ScalarRef> axes;
    for (std::size_t i = 0; i < v.shape.size(); i++)
      axes.push_back(wave::axis(static_cast<int>(i), v.shape[i]));
    const bool once = context_.entry.domain(v.domain).kind == Domain::Kind::once;
    ScalarRef element = once ? nullptr : wave::element();
    if (!once && v.domain != op.part) {  // a value of the owner, or of all nodes
      const Domain& part = context_.entry.domain(op.part);
      if (part.owner == v.domain)
        element = wave::owner(op.part, element);
      else
        throw Bug("set with a value of another domain");
    }
    work.body = wave::load(op.value, v.dtype, element, axes);
    return work;
  }

  // Works in stages: one root domain each. Within a sweep the classes are independent of one
  // another, so that works of one class come together.
  std::vector<Stage> stages_of(std::vector<Work> works, bool sweep,
                               std::vector<bool>* checked = nullptr) {
    std::vector<std::pair<Id, std::vector<Work>>> runs;
    std::map<Id, std::size_t> made_in;
    for (Work& work : works) {
      const Id root = context_.root_of(work.domain);
      std::size_t earliest = 0;
      visit_work(work, context_.entry, [&](const Scalar& s, bool local) {
        const auto at = made_in.find(s.value);
        if (at == made_in.end() || other_level(s, local, sweep)) return;
        const bool same = local && runs[at->second].first == root;
        earliest = std::max(earliest, same ? at->second : at->second + 1);
      });
      std::size_t at = runs.size();
      for (std::size_t i = earliest; i < runs.size(); i++)
        if (runs[i].first == root) at = i;
      if (at == runs.size()) runs.push_back({root, {}});
      note(work, at, &made_in);
      runs[at].second.push_back(std::move(work));
    }
    if (checked)
      for (const auto& [root, all] : runs)
        checked->push_back(std::any_of(all.begin(), all.end(), has_check));
    return finish_stages(std::move(runs), sweep);
  }

  static bool has_check(const Work& work) {
    return work.kind == Work::Kind::check ||
           std::any_of(work.region.begin(), work.region.end(), has_check);
  }

  // In a sweep, carries are read of other levels, but for an element's own.
  bool other_level(const Scalar& s, bool local, bool sweep) const {
    return sweep && !local && context_.entry.value(s.value).kind == Value::Kind::carry;
  }

  void note(const Work& work, std::size_t at, std::map<Id, std::size_t>* made_in) {
    if (work.result != wave::none) (*made_in)[work.result] = at;
    if (work.carry != wave::none) (*made_in)[work.carry] = at;
    if (const auto a = context_.aliases.find(work.result); a != context_.aliases.end())
      made_in->emplace(a->second.first, at);
    for (const Work& inner : work.region) note(inner, at, made_in);
  }

  std::vector<Stage> finish_stages(std::vector<std::pair<Id, std::vector<Work>>> runs, bool sweep) {
    std::vector<Stage> stages;
    std::set<Id> fresh;  // written since the last barrier
    for (auto& [root, works] : runs) {
      Stage stage;
      stage.root = root;
      for (const Work& work : works)
        visit_work(work, context_.entry, [&](const Scalar& s, bool local) {
          if (other_level(s, local, sweep)) return;
          stage.barrier = stage.barrier || fresh.count(s.value) > 0;
        });
      if (stage.barrier) fresh.clear();
      std::map<Id, std::size_t> written;
      for (const Work& work : works) note(work, 0, &written);
      for (const auto& [value, at] : written) fresh.insert(value);
      stage.groups = group_works(context_, std::move(works));
      stages.push_back(std::move(stage));
    }
    return stages;
  }

  void flush(std::vector<KernelPlan>* kernels) {
    if (calls_.empty()) return;
    std::vector<bool> checked;
    std::vector<Stage> stages = stages_of(std::move(calls_), false, &checked);
    calls_.clear();
    bool checks = true;  // nothing goes on behind them before all members know
    for (std::size_t i = 0; i < stages.size(); i++) {
      if (i == 0 || stages[i].barrier || checks || checked[i]) kernels->emplace_back();
      checks = checked[i];
      stages[i].barrier = false;
      kernels->back().stages.push_back(std::move(stages[i]));
    }
  }

  void sweep(const Op& op, std::vector<KernelPlan>* kernels) {
    KernelPlan kernel;
    kernel.sweep = true;
    kernel.down = op.kind == Op::Kind::sweep_down;
    kernel.name = kernel.down ? "sweep_down" : "sweep_up";
    if (context_.shared.sweeps[kernel.down].size() > 1)
      kernel.name += "_" + swept(context_.entry, op);
    std::vector<Work> works;
    for (const Op& inner : op.region) add(inner, works);
    kernel.stages = stages_of(std::move(works), true);
    kernels->push_back(std::move(kernel));
  }

  Context& context_;
  std::vector<Work> calls_;  // since the last sweep
  std::set<Id> aliased_;
};

std::string swept(const wave::Entry& entry, const Op& sweep) {
  const std::string reached = "reached_";
  std::vector<std::string> carries, functions;
  for (const Op& op : sweep.region) {
    if (op.kind != Op::Kind::set) continue;
    const std::string label = wave::label(entry.value(op.result).name);
    const bool function = label.starts_with(reached);
    std::vector<std::string>& names = function ? functions : carries;
    const std::string name = function ? label.substr(reached.size()) : label;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::vector<std::string>& names = functions.empty() ? carries : functions;
  std::string joined;
  for (std::size_t i = 0; i < names.size() && i < 3; i++) joined += (i == 0 ? "" : "_") + names[i];
  return joined;
}

std::vector<KernelPlan> plan(Context& context) { return Planner(context).run(); }

void visit_loads(const Context& context, const Work& work,
                 const std::function<void(const Scalar&, bool)>& see) {
  visit_work(work, context.entry, see);
}

}  // namespace espalier::to_loop

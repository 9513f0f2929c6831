// Variables, scratch, workspace: where each value is kept.
#include <algorithm>

#include "to_loop/lower.h"

namespace espalier::to_loop {

using loop::Buffer;
using wave::Domain;
using wave::Scalar;
using wave::Value;

namespace {

struct Where {
  int kernel = -1, group = -1, nest = -1;
  Id root = wave::none;
};

class Decider {
 public:
  Decider(Context& context, std::vector<KernelPlan>& kernels)
      : context_(context), kernels_(kernels) {}

  void run() {
    each_group([&](Group& group, const Where& where) { note(group, where); });
    for (const wave::Output& output : context_.entry.outputs) outputs_.insert(output.value);
    make_carries();
    each_group([&](Group& group, const Where& where) { place(group, where); });
  }

 private:
  using Visit = std::function<void(Group&, const Where&)>;

  void each_group(const Visit& visit) {
    int groups = 0;
    for (std::size_t k = 0; k < kernels_.size(); k++)
      for (Stage& stage : kernels_[k].stages)
        each_of(stage.groups, {static_cast<int>(k), 0, 0, stage.root}, &groups, visit);
  }

  void each_of(std::vector<Group>& all, Where where, int* groups, const Visit& visit) {
    for (Group& group : all) {
      where.group = (*groups)++;
      visit(group, where);
      for (Work& work : group.works) {
        if (work.kind != Work::Kind::steps) continue;
        auto& inner = regions_[work.steps];
        if (inner.empty()) inner = group_works(context_, std::move(work.region));
        each_of(inner, where, groups, visit);
      }
    }
  }

  void note(Group& group, Where where) {
    const auto nests =
        group.plain() ? nests_of(context_, group.works) : std::vector<std::vector<std::size_t>>{};
    const auto nest_of = [&](std::size_t w) {
      for (std::size_t n = 0; n < nests.size(); n++)
        if (std::find(nests[n].begin(), nests[n].end(), w) != nests[n].end())
          return static_cast<int>(n);
      return 0;
    };
    for (std::size_t w = 0; w < group.works.size(); w++) {
      where.nest = nest_of(w);
      if (group.works[w].result != wave::none) made_[group.works[w].result] = where;
      if (group.works[w].kind == Work::Kind::steps) continue;
      visit_loads(context_, group.works[w], [&](const Scalar& s, bool) {
        reads_[s.value].push_back(where);
        const Value& v = context_.entry.value(s.value);
        if (v.kind == Value::Kind::previous) reads_[v.initial].push_back(where);
      });
    }
  }

  void make_carries() {
    for (std::size_t i = 0; i < context_.entry.values.size(); i++) {
      const Value v = context_.entry.values[i];
      if (v.kind != Value::Kind::carry) continue;
      const auto space = context_.loads(v) ? Buffer::Space::prepared : Buffer::Space::workspace;
      context_.places[static_cast<Id>(i)] = {
          context_.new_buffer(static_cast<Id>(i), space, context_.extent_of(v.domain, false)),
          Place::Row::element, -1};
    }
  }

  void place(Group& group, const Where& where) {
    for (Work& work : group.works) {
      work.stored = work.result == wave::none;
      if (work.kind == Work::Kind::check || work.kind == Work::Kind::steps) continue;
      if (work.kind == Work::Kind::product) work.product.panels = panels_of(context_, work);
      if (work.result != wave::none) place_value(work, made_.at(work.result), where);
    }
  }

  void place_value(Work& work, const Where& at, const Where&) {
    const Value v = context_.entry.value(work.result);
    const auto& readers = reads_[work.result];
    const bool alias = context_.aliases.count(work.result) > 0;
    const bool output = outputs_.count(work.result) > 0;
    bool only_level = kernels_[static_cast<std::size_t>(at.kernel)].sweep;
    work.stored = alias || output;
    for (const Where& reader : readers) {
      const bool here = reader.group == at.group && (v.shape.empty() || reader.nest == at.nest);
      (here ? work.local : work.stored) = true;
      only_level = only_level && reader.kernel == at.kernel && reader.root == at.root;
    }
    if (!work.local && !work.stored) work.stored = true;
    if (!work.stored) return;
    if (alias) {
      const auto& [carry, field] = context_.aliases.at(work.result);
      context_.places[work.result] = context_.carry_place(carry, field);
      return;
    }
    Buffer::Space space = Buffer::Space::workspace;
    if (only_level && !output) space = Buffer::Space::scratch;
    if (context_.loads(v)) space = Buffer::Space::prepared;
    const Domain& d = context_.entry.domain(v.domain);
    const bool once = d.kind == Domain::Kind::once;
    const int buffer = context_.new_buffer(
        work.result, space, context_.extent_of(v.domain, space == Buffer::Space::scratch));
    context_.places[work.result] = {buffer, once ? Place::Row::one : Place::Row::element, -1};
  }

  Context& context_;
  std::vector<KernelPlan>& kernels_;
  std::map<const wave::Op*, std::vector<Group>>& regions_ = context_.groups_of;
  std::map<Id, std::vector<Where>> reads_;
  std::map<Id, Where> made_;
  std::set<Id> outputs_;
};

}  // namespace

void decide_places(Context& context, std::vector<KernelPlan>& kernels) {
  Decider(context, kernels).run();
}

}  // namespace espalier::to_loop

#include "emit/plans.h"

#include <algorithm>

#include "base/bug.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;
using Part = loop::Class::Part;

std::vector<LinearClass> linear_classes(const loop::Module& module, const loop::Entry& entry) {
  std::vector<LinearClass> out;
  for (int v = 0; v < static_cast<int>(module.forest.variants.size()); v++) {
    const bool split =
        std::any_of(entry.classes.begin(), entry.classes.end(),
                    [&](const loop::Class& c) { return c.variant == v && c.part != Part::any; });
    if (split) out.push_back({v, Part::empty});
    out.push_back({v, split ? Part::filled : Part::any});
  }
  return out;
}

bool wants_edges(const loop::Module& module, const loop::Entry& entry) {
  const auto of_edges = [](const loop::StructureMember& member) {
    const Kind kind = member.kind;
    return kind == Kind::slot || kind == Kind::edge_count || kind == Kind::in_owner ||
           kind == Kind::in_first || kind == Kind::in_edge || kind == Kind::parent_edge;
  };
  return std::any_of(entry.structure.begin(), entry.structure.end(), of_edges) ||
         std::any_of(entry.buffers.begin(), entry.buffers.end(), [&](int b) {
           return module.buffer(b).rows.kind == loop::Extent::Kind::edges;
         });
}

int class_of(const Plan& plan, const loop::Entry& entry, const loop::ListDomain& list) {
  return list.class_index < 0
             ? -1
             : plan.find(entry.classes[static_cast<std::size_t>(list.class_index)]);
}

// The list of an entry as the plan has it.
loop::ListDomain in_plan(const Plan& plan, const loop::Entry& entry, int list) {
  loop::ListDomain out = entry.lists[static_cast<std::size_t>(list)];
  out.class_index = class_of(plan, entry, out);
  if (out.over >= 0) out.over = plan.find(entry, out.over);
  if (out.like >= 0) out.like = plan.find(entry, out.like);
  return out;
}

int position(const Plan& plan, const loop::ListDomain& list) {
  for (std::size_t l = 0; l < plan.lists.size(); l++) {
    const loop::ListDomain& other = plan.lists[l];
    if (other.class_index == list.class_index && other.list == list.list &&
        other.over == list.over && other.like == list.like && other.side == list.side &&
        other.length == list.length && other.field == list.field &&
        (list.class_index >= 0 || other.name == list.name))
      return static_cast<int>(l);
  }
  return -1;
}

void add_entry(const loop::Entry& entry, Plan* plan) {
  for (const loop::Class& c : entry.classes)
    if (std::none_of(plan->classes.begin(), plan->classes.end(), [&](const loop::Class& other) {
          return other.variant == c.variant && other.part == c.part;
        }))
      plan->classes.push_back(c);
  for (std::size_t l = 0; l < entry.lists.size(); l++) {
    const loop::ListDomain list = in_plan(*plan, entry, static_cast<int>(l));
    if (position(*plan, list) < 0) plan->lists.push_back(list);
  }
}

}  // namespace

int Plan::find(const loop::Class& c) const {
  for (std::size_t i = 0; i < classes.size(); i++)
    if (classes[i].variant == c.variant && classes[i].part == c.part) return static_cast<int>(i);
  throw Bug("a class of no plan");
}

int Plan::find(const loop::Entry& entry, int list) const {
  const int at = position(*this, in_plan(*this, entry, list));
  require(at >= 0, "a list of no plan");
  return at;
}

std::vector<Plan> plans(const loop::Module& module, const loop::ApiNames& names) {
  std::vector<Plan> out;
  for (std::size_t e = 0; e < module.entries.size(); e++) {
    const loop::Entry& entry = module.entries[e];
    const auto linear = linear_classes(module, entry);
    const bool edges = wants_edges(module, entry);
    auto plan = std::find_if(out.begin(), out.end(), [&](const Plan& p) {
      return p.linear == linear && p.edge_first == edges;
    });
    if (plan == out.end())
      plan = out.insert(out.end(), {names.entries[e].prefix, linear, edges, {}, {}, {}});
    add_entry(entry, &*plan);
    plan->entries.push_back(static_cast<int>(e));
  }
  if (out.size() == 1) out[0].prefix.clear();
  return out;
}

}  // namespace espalier::emit

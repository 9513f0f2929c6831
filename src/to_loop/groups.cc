// Puts works that go through the same elements into one loop.
#include <algorithm>

#include "to_loop/plan.h"

namespace espalier::to_loop {

using wave::Scalar;

namespace {

constexpr std::size_t most_works = 10;  // in one loop, for the reader's sake

bool own_element(const Scalar& load) {
  return load.args[0] && load.args[0]->kind == Scalar::Kind::element;
}

// Whether the work, put behind those of the group, reads only what its own element made.
bool joins(const Context& context, const Group& group, const Work& work) {
  if (group.domain != work.domain || group.works.size() >= most_works) return false;
  if (group.works[0].kind != work.kind) return false;
  bool fits = true;
  visit_loads(context, work, [&](const Scalar& s, bool) {
    for (const Work& other : group.works)
      if ((other.result == s.value || other.carry == s.value) && !own_element(s) &&
          context.entry.domain(work.domain).kind != wave::Domain::Kind::once)
        fits = false;
  });
  return fits;
}

// The first group that the work can stand in: behind all that it needs, and behind every check.
std::size_t earliest_group(const Context& context, const std::vector<Group>& groups,
                           const Work& work) {
  std::size_t at = 0;
  const auto makes = [&](const Work& w, wave::Id value, const auto& self) -> bool {
    const auto alias = context.aliases.find(w.result);
    if (w.result == value || w.carry == value ||
        (alias != context.aliases.end() && alias->second.first == value))
      return true;
    const auto makes_it = [&](const Work& inner) { return self(inner, value, self); };
    if (std::any_of(w.region.begin(), w.region.end(), makes_it)) return true;
    if (w.kind != Work::Kind::steps) return false;
    const auto stepped = context.groups_of.find(w.steps);
    if (stepped == context.groups_of.end()) return false;
    return std::any_of(stepped->second.begin(), stepped->second.end(), [&](const Group& group) {
      return std::any_of(group.works.begin(), group.works.end(), makes_it);
    });
  };
  for (std::size_t i = 0; i < groups.size(); i++)
    for (const Work& other : groups[i].works) {
      if (other.kind == Work::Kind::check) at = std::max(at, i + 1);
      visit_loads(context, work, [&](const Scalar& s, bool) {
        if (makes(other, s.value, makes))
          at = std::max(at, other.kind == Work::Kind::compute && work.kind == Work::Kind::compute &&
                                    groups[i].domain == work.domain
                                ? i
                                : i + 1);
      });
    }
  return at;
}

}  // namespace

std::vector<Group> group_works(Context& context, std::vector<Work> works) {
  std::vector<Group> groups;
  for (Work& work : works) {
    std::size_t at = groups.size();
    const bool alone = work.kind != Work::Kind::compute || !context.shared.options.fuse;
    if (!alone) {
      const std::size_t first = earliest_group(context, groups, work);
      for (std::size_t i = first; i < groups.size(); i++)
        if (joins(context, groups[i], work)) at = i;
    }
    if (at == groups.size()) groups.push_back({work.domain, {}});
    groups[at].works.push_back(std::move(work));
  }
  return groups;
}

}  // namespace espalier::to_loop

// Puts works that go through the same elements into one loop or tile.
#include <algorithm>

#include "base/bug.h"
#include "to_loop/plan.h"

namespace espalier::to_loop {

using wave::Scalar;

namespace {

constexpr std::size_t most_works = 10;                         // in one loop, for the reader's sake
constexpr std::size_t most_products = 4, most_epilogues = 12;  // in one tile

bool own_element(const Scalar& load) {
  return load.args[0] && load.args[0]->kind == Scalar::Kind::element;
}

bool own_place(const Scalar& load) {  // .. and its own index
  return own_element(load) && load.args.size() == 2 && load.args[1]->kind == Scalar::Kind::axis;
}

bool same(const ScalarRef& a, const ScalarRef& b) {
  return (!a && !b) || (a && b && wave::equal(a, b));
}

class Grouper {
 public:
  Grouper(Context& context, std::vector<Work> works)
      : context_(context), works_(std::move(works)), group_of_(works_.size(), 0) {}

  std::vector<Group> run() {
    for (std::size_t w = 0; w < works_.size(); w++) {
      needs_.push_back(needs(w));
      const std::size_t at = choose(w);
      if (at == members_.size()) members_.emplace_back();
      members_[at].push_back(w);
      group_of_[w] = at;
    }
    return ordered();
  }

 private:
  bool makes(const Work& work, Id value) const {
    const auto alias = context_.aliases.find(work.result);
    if (work.result == value || work.carry == value ||
        (alias != context_.aliases.end() && alias->second.first == value))
      return true;
    const auto makes_it = [&](const Work& inner) { return makes(inner, value); };
    if (std::any_of(work.region.begin(), work.region.end(), makes_it)) return true;
    if (work.kind != Work::Kind::steps) return false;
    const auto stepped = context_.groups_of.find(work.steps);
    if (stepped == context_.groups_of.end()) return false;
    return std::any_of(stepped->second.begin(), stepped->second.end(), [&](const Group& group) {
      return std::any_of(group.works.begin(), group.works.end(), makes_it);
    });
  }

  // The works before it that make what it reads, or that check what must hold first.
  std::set<std::size_t> needs(std::size_t w) const {
    std::set<std::size_t> found;
    for (std::size_t other = 0; other < w; other++)
      if (works_[other].kind == Work::Kind::check) found.insert(other);
    visit_loads(context_, works_[w], [&](const Scalar& s, bool) {
      for (std::size_t other = 0; other < w; other++)
        if (makes(works_[other], s.value)) found.insert(other);
    });
    return found;
  }

  std::size_t choose(std::size_t w) const {
    const Work& work = works_[w];
    const bool product = work.kind == Work::Kind::product;
    if (product || work.kind == Work::Kind::compute)
      for (std::size_t g = members_.size(); g-- > 0;)
        if ((product ? shares_operand(g, work) : finishes(g, work)) && !cyclic(g, w)) return g;
    if (work.kind == Work::Kind::compute)
      for (std::size_t g = members_.size(); g-- > 0;)
        if (shares_loop(g, work) && !cyclic(g, w)) return g;
    return members_.size();
  }

  const Work& head(std::size_t g) const { return works_[members_[g][0]]; }

  std::size_t count(std::size_t g, Work::Kind kind) const {
    return static_cast<std::size_t>(
        std::count_if(members_[g].begin(), members_[g].end(),
                      [&](std::size_t m) { return works_[m].kind == kind; }));
  }

  bool shares_operand(std::size_t g, const Work& work) const {
    const Work& other = head(g);
    if (!context_.shared.options.merge || other.kind != Work::Kind::product ||
        other.domain != work.domain || count(g, Work::Kind::product) >= most_products)
      return false;
    const Product &a = other.product, &b = work.product;
    return a.operand == b.operand && a.over == b.over && same(a.element, b.element) &&
           same(a.row, b.row) &&
           context_.entry.value(other.result).shape == context_.entry.value(work.result).shape;
  }

  // Whether the work can follow the products of a tile, in registers.
  bool finishes(std::size_t g, const Work& work) const {
    return context_.shared.options.epilogues && head(g).kind == Work::Kind::product &&
           count(g, Work::Kind::compute) < most_epilogues && fits_tile(context_, head(g), work) &&
           reads_own(g, work, own_place);
  }

  bool shares_loop(std::size_t g, const Work& work) const {
    return context_.shared.options.fuse && head(g).kind == Work::Kind::compute &&
           head(g).domain == work.domain && members_[g].size() < most_works &&
           (context_.entry.domain(work.domain).kind == wave::Domain::Kind::once ||
            reads_own(g, work, own_element));
  }

  // Whether the work reads only what its own element made of what the group makes.
  bool reads_own(std::size_t g, const Work& work, bool (*own)(const Scalar&)) const {
    bool fits = true;
    visit_loads(context_, work, [&](const Scalar& s, bool) {
      for (const std::size_t m : members_[g])
        if ((works_[m].result == s.value || works_[m].carry == s.value) && !own(s)) fits = false;
    });
    return fits;
  }

  // Whether the work needs a group that needs group g.
  bool cyclic(std::size_t g, std::size_t w) const {
    return std::any_of(needs_[w].begin(), needs_[w].end(), [&](std::size_t need) {
      return group_of_[need] != g && reaches(group_of_[need], g);
    });
  }

  bool reaches(std::size_t from, std::size_t g) const {
    if (from == g) return true;
    for (const std::size_t m : members_[from])
      for (const std::size_t need : needs_[m])
        if (group_of_[need] != from && reaches(group_of_[need], g)) return true;
    return false;
  }

  // Groups in the order of their first works, but behind what they need.
  std::vector<Group> ordered() {
    std::vector<Group> groups;
    std::vector<bool> done(members_.size(), false);
    const std::function<void(std::size_t)> place = [&](std::size_t g) {
      if (done[g]) return;
      done[g] = true;
      for (const std::size_t m : members_[g])
        for (const std::size_t need : needs_[m]) place(group_of_[need]);
      Group group{head(g).domain, {}};
      std::stable_partition(members_[g].begin(), members_[g].end(),
                            [&](std::size_t m) { return works_[m].kind == Work::Kind::product; });
      for (const std::size_t m : members_[g]) group.works.push_back(works_[m]);
      groups.push_back(std::move(group));
    };
    for (std::size_t g = 0; g < members_.size(); g++) place(g);
    return groups;
  }

  Context& context_;
  std::vector<Work> works_;
  std::vector<std::set<std::size_t>> needs_;
  std::vector<std::size_t> group_of_;
  std::vector<std::vector<std::size_t>> members_;  // of groups, as positions in works_
};

}  // namespace

std::vector<Group> group_works(Context& context, std::vector<Work> works) {
  return Grouper(context, std::move(works)).run();
}

}  // namespace espalier::to_loop

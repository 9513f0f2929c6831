#include "eval/numbering.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/bug.h"
#include "eval/validate.h"

namespace espalier::eval {

using wave::Domain;
using wave::Id;

Numbering::Numbering(const wave::Module& module, const wave::Entry& entry, const ForestData& data,
                     const CallsData& calls)
    : module_(module), entry_(entry), data_(data), calls_(calls) {
  find_levels();
  number_nodes();
  number_edges();
  for (std::size_t d = 0; d < entry.domains.size(); ++d) number_domain(static_cast<Id>(d));
}

const Numbering::Elements& Numbering::elements(Id domain) const { return domains_[index(domain)]; }

void Numbering::find_levels() {
  level_.assign(index(data_.nodes), -1);
  std::vector<std::pair<std::int64_t, bool>> stack;
  for (std::int64_t root = 0; root < data_.nodes; ++root) {
    stack.emplace_back(root, false);
    while (!stack.empty()) {
      const auto [n, below_done] = stack.back();
      stack.pop_back();
      if (level_[index(n)] >= 0) continue;
      int level = 0;
      if (!below_done) stack.emplace_back(n, true);
      for (const std::int64_t k : children_of(module_.forest, data_, n))
        if (below_done)
          level = std::max(level, level_[index(k)] + 1);
        else
          stack.emplace_back(k, false);
      if (!below_done) continue;
      level_[index(n)] = level;
      levels_ = std::max(levels_, level + 1);
    }
  }
}

bool Numbering::filled(std::int64_t node) const {
  const auto& fields = module_.forest.variants[index(data_.variant[index(node)])].fields;
  return std::any_of(fields.begin(), fields.end(), [&](const Field& leaf) {
    if (leaf.lists.empty()) return false;
    const auto& first = data_.lists[index(leaf.lists[0])];
    return first[index(node + 1)] > first[index(node)];
  });
}

void Numbering::number_nodes() {
  order_.resize(index(data_.nodes));
  std::iota(order_.begin(), order_.end(), 0);
  const auto key = [&](std::int64_t n) {
    return std::tuple(level_[index(n)], data_.variant[index(n)], filled(n), n);
  };
  std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return key(a) < key(b); });
  place_.resize(order_.size());
  std::map<int, std::int64_t> of_variant;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    place_[index(order_[i])] = static_cast<std::int64_t>(i);
    local_.push_back(of_variant[data_.variant[index(order_[i])]]++);
  }
}

void Numbering::number_edges() {
  parent_edge_.assign(order_.size(), -1);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::int64_t n = order_[i];
    for (const Field& leaf : module_.forest.variants[index(data_.variant[index(n)])].fields) {
      if (!leaf.child) continue;
      std::int64_t begin = n, end = n + 1;
      for (const int list : leaf.lists) {
        begin = data_.lists[index(list)][index(begin)];
        end = data_.lists[index(list)][index(end)];
      }
      for (std::int64_t row = begin; row < end; ++row) {
        const auto edge = static_cast<std::int64_t>(edge_child_.size());
        const std::int64_t child = place(data_.columns[index(leaf.column)].integer[index(row)]);
        edges_[{leaf.column, row}] = edge;
        edge_child_.push_back(child);
        edge_parent_.push_back(static_cast<std::int64_t>(i));
        parent_edge_[index(child)] = edge;
      }
    }
  }
}

void Numbering::number_domain(Id id) {
  const Domain& domain = entry_.domain(id);
  Elements out;
  switch (domain.kind) {
    case Domain::Kind::once: out.row = {0}, out.node = {-1}; break;
    case Domain::Kind::calls:
      for (std::int64_t c = 0; c < calls_.count; ++c) out.row.push_back(c), out.node.push_back(-1);
      break;
    case Domain::Kind::nodes:
    case Domain::Kind::all:
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::int64_t n = order_[i];
        const bool in = domain.kind == Domain::Kind::all ||
                        (data_.variant[index(n)] == domain.variant &&
                         (domain.part == Domain::Part::any ||
                          filled(n) == (domain.part == Domain::Part::filled)));
        if (in) out.row.push_back(n), out.node.push_back(static_cast<std::int64_t>(i));
      }
      break;
    case Domain::Kind::list: number_list(id, out); break;
    case Domain::Kind::edges:
      for (std::size_t e = 0; e < edge_child_.size(); ++e)
        out.row.push_back(static_cast<std::int64_t>(e)), out.node.push_back(edge_parent_[e]);
      break;
    case Domain::Kind::parents: number_parents(out); break;
  }
  out.count = static_cast<std::int64_t>(out.row.size());
  domains_.push_back(std::move(out));
}

void Numbering::number_list(Id id, Elements& out) {
  const Domain& domain = entry_.domain(id);
  require(domain.owner < id, "a list before its owner");
  const Elements& owners = domains_[index(domain.owner)];
  const auto& lists = over_calls(id) ? calls_.lists : data_.lists;
  for (std::int64_t o = 0; o < owners.count; ++o) {
    out.first.push_back(static_cast<std::int64_t>(out.row.size()));
    std::int64_t begin = 0, end = domain.length;
    if (domain.list >= 0) {
      begin = lists[index(domain.list)][index(owners.row[index(o)])];
      end = lists[index(domain.list)][index(owners.row[index(o)] + 1)];
    } else if (domain.like != wave::none) {
      std::tie(begin, end) = paired(domain, o);
    }
    for (std::int64_t row = begin; row < end; ++row) {
      out.row.push_back(row);
      out.owner.push_back(o);
      out.node.push_back(owners.node[index(o)]);
    }
  }
  out.first.push_back(static_cast<std::int64_t>(out.row.size()));
}

// The items that element `o` of a list's owner is paired with.
std::pair<std::int64_t, std::int64_t> Numbering::paired(const Domain& domain,
                                                        std::int64_t o) const {
  const Elements& like = domains_[index(domain.like)];
  std::int64_t of = o;
  if (domain.field >= 0) {
    const std::int64_t row = domains_[index(domain.owner)].row[index(o)];
    const auto column = index(leaf(domain.owner, domain.field).column);
    const std::int64_t node =
        (over_calls(domain.owner) ? calls_.columns : data_.columns)[column].integer[index(row)];
    const int variant = entry_.domain(entry_.domain(domain.like).owner).variant;
    if (data_.variant[index(node)] != variant) return {0, 0};
    of = local_[index(place(node))];
    return {like.first[index(of)], like.first[index(of + 1)]};
  }
  for (Id d = domain.owner; d != entry_.domain(domain.like).owner; d = entry_.domain(d).owner)
    of = domains_[index(d)].owner[index(of)];
  const std::int64_t begin = like.first[index(of)], end = like.first[index(of + 1)];
  if (domain.side == Domain::Side::from) return {o, end};
  if (domain.side == Domain::Side::to) return {begin, o + 1};
  return {begin, end};
}

void Numbering::number_parents(Elements& out) {
  std::vector<std::vector<std::int64_t>> entering(order_.size());
  for (std::size_t e = 0; e < edge_child_.size(); ++e)
    entering[index(edge_child_[e])].push_back(static_cast<std::int64_t>(e));
  in_edges_.clear();
  for (std::size_t n = 0; n < entering.size(); ++n) {
    out.first.push_back(static_cast<std::int64_t>(out.row.size()));
    for (const std::int64_t e : entering[n]) {
      out.row.push_back(static_cast<std::int64_t>(out.row.size()));
      out.owner.push_back(static_cast<std::int64_t>(n));
      out.node.push_back(static_cast<std::int64_t>(n));
      in_edges_.push_back(e);
    }
  }
  out.first.push_back(static_cast<std::int64_t>(out.row.size()));
}

bool Numbering::over_calls(Id domain) const {
  while (entry_.domain(domain).owner != wave::none) domain = entry_.domain(domain).owner;
  return entry_.domain(domain).kind == Domain::Kind::calls;
}

const Field& Numbering::leaf(Id domain, int field) const {
  require(field >= 0, "an input without its field");
  while (entry_.domain(domain).owner != wave::none) domain = entry_.domain(domain).owner;
  const Domain& outer = entry_.domain(domain);
  if (outer.kind == Domain::Kind::nodes)
    return module_.forest.variants[index(outer.variant)].fields[index(field)];
  return entry_.arguments.columns[index(field)];
}

std::int64_t Numbering::project(Id from, std::int64_t e, Id to) const {
  if (entry_.domain(to).kind == Domain::Kind::once) return 0;
  for (Id d = from; d != wave::none; d = entry_.domain(d).owner) {
    if (d == to) return e;
    const Domain::Kind kind = entry_.domain(d).kind;
    if (kind == Domain::Kind::list || kind == Domain::Kind::parents)
      e = elements(d).owner[index(e)];
    else
      from = d;
  }
  const std::int64_t node = elements(from).node[index(e)];
  require(node >= 0, "an element that has no place in another domain");
  if (entry_.domain(to).kind == Domain::Kind::all) return node;
  const auto& nodes = elements(to).node;
  const auto it = std::lower_bound(nodes.begin(), nodes.end(), node);
  return it != nodes.end() && *it == node ? it - nodes.begin() : -1;
}

}  // namespace espalier::eval

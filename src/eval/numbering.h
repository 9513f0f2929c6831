// What the inspector computes of a forest: the elements of every domain of an entry.
#pragma once

#include <map>
#include <vector>

#include "base/forest.h"
#include "wave/wave.h"

namespace espalier::eval {

// Elements are numbered from 0. Nodes come by level, then variant, then those without list items
// before the others, then in the input's order; list items and edges in the order of their owners.
class Numbering {
 public:
  // The data has passed validate().
  Numbering(const wave::Module&, const wave::Entry&, const ForestData&, const CallsData&);

  struct Elements {
    std::int64_t count = 0;
    std::vector<std::int64_t> row;   // where the input has the element: node, call, row of a column
    std::vector<std::int64_t> node;  // number among all of the node that it belongs to, or -1
    std::vector<std::int64_t> first;  // lists, parents: [owners + 1]
    std::vector<std::int64_t> owner;  // lists, parents: [count]
  };
  const Elements& elements(wave::Id domain) const;
  // `e` of `from` in terms of `to`: itself, the element that it belongs to, its node, 0 for once; a
  // node as one of a class, or -1.
  std::int64_t project(wave::Id from, std::int64_t e, wave::Id to) const;

  int levels() const { return levels_; }
  int level(std::int64_t all) const { return level_[static_cast<std::size_t>(order_[index(all)])]; }
  std::int64_t original(std::int64_t all) const { return order_[index(all)]; }
  std::int64_t place(std::int64_t node) const { return place_[index(node)]; }
  std::int64_t edge(int column, std::int64_t row) const { return edges_.at({column, row}); }
  std::int64_t parent_edge(std::int64_t all) const { return parent_edge_[index(all)]; }
  std::int64_t in_edge(std::int64_t item) const { return in_edges_[index(item)]; }
  std::int64_t local(std::int64_t all) const { return local_[index(all)]; }
  // The leaf `field` of the variant, or of the arguments, that `domain` is over.
  const Field& leaf(wave::Id domain, int field) const;
  bool over_calls(wave::Id domain) const;

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  bool filled(std::int64_t node) const;
  void find_levels();
  void number_nodes();
  void number_edges();
  void number_domain(wave::Id);
  void number_list(wave::Id, Elements&);
  std::pair<std::int64_t, std::int64_t> paired(const wave::Domain&, std::int64_t o) const;
  void number_parents(Elements&);

  const wave::Module& module_;
  const wave::Entry& entry_;
  const ForestData& data_;
  const CallsData& calls_;
  int levels_ = 0;
  std::vector<int> level_;                   // [input node]
  std::vector<std::int64_t> order_, place_;  // all -> input node, and back
  std::vector<std::int64_t> local_;          // [all] number among the nodes of its variant
  std::map<std::pair<int, std::int64_t>, std::int64_t> edges_;  // column, row -> edge
  std::vector<std::int64_t> edge_child_, edge_parent_;          // [edge] numbers among all
  std::vector<std::int64_t> parent_edge_, in_edges_;
  std::vector<Elements> domains_;
};

}  // namespace espalier::eval

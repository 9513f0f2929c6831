// Forests of nodes that have a word and a list of children each.
#pragma once

#include <cstdint>
#include <vector>

#include "base/forest.h"

namespace espalier::test {

// The children of each node, in any numbering.
using Children = std::vector<std::vector<std::int64_t>>;

struct Numbered {
  Children children;
  std::vector<std::int64_t> place;  // of the nodes that were shuffled
};

// As columns `word` and `children`; words are made up, in [0, vocab), by node or by `place`.
ForestData rose(const espalier::Forest&, const Children&, std::int64_t vocab,
                const std::vector<std::int64_t>& place = {});
CallsData calls_on(std::vector<std::int64_t> roots);

Children star(std::int64_t children);  // node 0 has all others
Children chain(std::int64_t nodes);    // node n has n + 1
// Trees in which level l has widths[l] nodes, leaves being level 0: each node has one child on the
// level below it, if that has enough, else a leaf.
Children levels(const std::vector<std::int64_t>& widths);
// Trees grown at random, each node below one before it.
Children random_trees(std::int64_t nodes, unsigned seed);

Numbered shuffled(const Children&, unsigned seed);

}  // namespace espalier::test

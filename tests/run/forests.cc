#include "tests/run/forests.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "base/bug.h"

namespace espalier::test {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int64_t size(const Children& children) { return static_cast<std::int64_t>(children.size()); }

std::size_t column(const espalier::Forest& forest, const std::string& name) {
  for (std::size_t c = 0; c < forest.columns.size(); ++c)
    if (forest.columns[c].name == name) return c;
  throw Bug("no column " + name);
}

}  // namespace

ForestData rose(const espalier::Forest& forest, const Children& children, std::int64_t vocab,
                const std::vector<std::int64_t>& place) {
  ForestData data;
  data.nodes = size(children);
  data.variant.assign(children.size(), 0);
  data.columns.resize(forest.columns.size());
  data.lists = {{0}};
  auto& words = data.columns[column(forest, "word")].integer;
  auto& items = data.columns[column(forest, "children")].integer;
  words.resize(children.size());
  for (std::int64_t n = 0; n < data.nodes; ++n) {
    words[at(place.empty() ? n : place[at(n)])] = (n * 7 + n / 5) % vocab;
    items.insert(items.end(), children[at(n)].begin(), children[at(n)].end());
    data.lists[0].push_back(static_cast<std::int64_t>(items.size()));
  }
  return data;
}

CallsData calls_on(std::vector<std::int64_t> roots) {
  CallsData calls;
  calls.count = static_cast<std::int64_t>(roots.size());
  calls.columns = {{{}, std::move(roots)}};
  return calls;
}

Children star(std::int64_t children) {
  Children out(at(children + 1));
  out[0].resize(at(children));
  std::iota(out[0].begin(), out[0].end(), 1);
  return out;
}

Children chain(std::int64_t nodes) {
  Children out(at(nodes));
  for (std::int64_t n = 0; n + 1 < nodes; ++n) out[at(n)] = {n + 1};
  return out;
}

Children levels(const std::vector<std::int64_t>& widths) {
  Children out;
  std::int64_t below = 0, below_count = 0;  // the level below: where it begins
  for (std::size_t l = 0; l < widths.size(); ++l) {
    const std::int64_t begin = size(out);
    out.resize(out.size() + at(widths[l]));
    for (std::int64_t i = 0; l > 0 && i < widths[l]; ++i) {
      require(i < below_count, "a level wider than the one below it");
      out[at(begin + i)] = {below + i};
    }
    below = begin;
    below_count = widths[l];
  }
  return out;
}

Children random_trees(std::int64_t nodes, unsigned seed) {
  std::mt19937 random(seed);
  Children out(at(nodes));
  for (std::int64_t n = 1; n < nodes; ++n) {
    const auto parent = static_cast<std::int64_t>(random() % static_cast<unsigned>(n + n / 8 + 1));
    if (parent < n) out[at(parent)].push_back(n);  // else a root
  }
  return out;
}

Numbered shuffled(const Children& children, unsigned seed) {
  std::mt19937 random(seed);
  Numbered out;
  out.place.resize(children.size());
  std::iota(out.place.begin(), out.place.end(), 0);
  std::shuffle(out.place.begin(), out.place.end(), random);
  out.children.resize(children.size());
  for (std::size_t n = 0; n < children.size(); ++n)
    for (const std::int64_t k : children[n])
      out.children[at(out.place[n])].push_back(out.place[at(k)]);
  return out;
}

}  // namespace espalier::test

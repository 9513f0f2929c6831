// Time of the linearizer on real trees with shuffled node numbers:
//   linearizer [../shared]   prints ns and cycles a node, from a cold cache
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../../runtime/structure.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace {

using espalier::ChildField;
using espalier::Children;

// A list of children; leaves and inner nodes are classes.
template <bool with_parents>
struct ListTrees {
  static constexpr int variants = 1, classes = 2, fields = 1;
  static constexpr bool shared = false, parents = with_parents;
  static constexpr ChildField field[] = {{true, 0, 1}};
  static constexpr bool has[1][1] = {{true}};
  static int class_of(std::int32_t, int, bool leaf) { return leaf ? 0 : 1; }
  std::int32_t nodes;
  Children children[1];
};

// Variants Leaf() and Node(left, right).
template <bool with_parents>
struct BinaryTrees {
  static constexpr int variants = 2, classes = 2, fields = 2;
  static constexpr bool shared = false, parents = with_parents;
  static constexpr ChildField field[] = {{false, 0, 2}, {false, 0, 2}};
  static constexpr bool has[2][2] = {{false, false}, {true, true}};
  static int class_of(std::int32_t, int variant, bool) { return variant; }
  int variant_at(std::int32_t n) const { return children[0].items[n] != -1; }
  std::int32_t nodes;
  Children children[2];
};

// A list of children, and nodes may have several parents.
struct SharedLists {
  static constexpr int variants = 1, classes = 2, fields = 1;
  static constexpr bool shared = true, parents = true;
  static constexpr ChildField field[] = {{true, 0, 1}};
  static constexpr bool has[1][1] = {{true}};
  static int class_of(std::int32_t, int, bool leaf) { return leaf ? 0 : 1; }
  std::int32_t nodes;
  Children children[1];
};

struct Forest {
  std::vector<std::vector<std::int32_t>> children;

  // Trees of nested parentheses. What stands before a '(' or behind a ')' is no node; what else
  // does not contain parentheses is one, if it has `separator` or a parenthesis before it.
  void read(const std::string& text, bool newick) {
    std::vector<std::int32_t> open;
    bool word = false;
    for (const char c : text) {
      if (c == '(') {
        add(open);
        open.push_back(static_cast<std::int32_t>(children.size()) - 1);
        word = false;
      } else if (c == ')') {
        open.pop_back();
        word = true;
      } else if (newick && c == ',') {
        word = false;
      } else if (newick && !word && c != ';' && c != '\n') {
        add(open);
        word = true;
      }
    }
  }

  void add(const std::vector<std::int32_t>& open) {
    if (!open.empty()) children[static_cast<std::size_t>(open.back())].push_back(size());
    children.emplace_back();
  }

  std::int32_t size() const { return static_cast<std::int32_t>(children.size()); }

  void repeat(int times) {
    const std::int32_t n = size();
    for (int t = 1; t < times; t++)
      for (std::int32_t i = 0; i < n; i++) {
        children.push_back(children[static_cast<std::size_t>(i)]);
        for (std::int32_t& k : children.back()) k += t * n;
      }
  }

  void shuffle() {
    std::vector<std::int32_t> to(children.size());
    std::iota(to.begin(), to.end(), 0);
    std::shuffle(to.begin(), to.end(), std::mt19937(1));
    std::vector<std::vector<std::int32_t>> moved(children.size());
    for (std::size_t n = 0; n < children.size(); n++) {
      for (std::int32_t& k : children[n]) k = to[static_cast<std::size_t>(k)];
      moved[static_cast<std::size_t>(to[n])] = children[n];
    }
    children = moved;
  }
};

double ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return static_cast<double>(__rdtsc());
#else
  return 0;
#endif
}

void empty_caches() {
  static std::vector<char> junk(64u << 20);
  for (std::size_t i = 0; i < junk.size(); i += 64) junk[i]++;
}

template <class Shape>
void measure(const char* name, const Shape& s) {
  const std::size_t nodes = static_cast<std::size_t>(s.nodes);
  std::vector<unsigned char> space(nodes * 200 + (1u << 16));
  void* buffer = space.data();
  std::size_t size = space.size();
  std::align(espalier::alignment, size / 2, buffer, size);
  double best_ns = 1e30, best_ticks = 1e30;
  espalier::Structure<Shape> g;
  for (int round = 0; round < 15; round++) {
    empty_caches();
    const auto time = std::chrono::steady_clock::now();
    const double tick = ticks();
    espalier::Fault fault = espalier::check(s);
    espalier::Arena arena(buffer, size);
    g.lay_out(arena, nodes, nodes);
    if (!fault) fault = g.build(s, espalier::Scratch<Shape>(arena, nodes, nodes));
    best_ticks = std::min(best_ticks, ticks() - tick);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - time;
    best_ns = std::min(best_ns, took.count());
    if (fault || arena.used() > size) std::printf("%s: fault %d\n", name, fault.kind);
  }
  std::printf("%-34s %8d nodes %5d levels  %5.1f ns %6.1f cycles a node\n", name, s.nodes, g.levels,
              best_ns / s.nodes, best_ticks / s.nodes);
}

void measure_all(const std::string& name, const Forest& forest) {
  std::vector<std::int32_t> first = {0}, items, left(forest.children.size(), -1), right = left;
  bool binary = true;
  for (std::size_t n = 0; n < forest.children.size(); n++) {
    const auto& ks = forest.children[n];
    items.insert(items.end(), ks.begin(), ks.end());
    first.push_back(static_cast<std::int32_t>(items.size()));
    binary &= ks.empty() || ks.size() == 2;
    if (ks.size() == 2) left[n] = ks[0], right[n] = ks[1];
  }
  const std::int32_t nodes = forest.size();
  const Children list = {first.data(), items.data()};
  measure((name + ", lists").c_str(), ListTrees<false>{nodes, {list}});
  measure((name + ", lists, parents").c_str(), ListTrees<true>{nodes, {list}});
  measure((name + ", shared, parents").c_str(), SharedLists{nodes, {list}});
  if (!binary) return;
  const Children l = {nullptr, left.data()}, r = {nullptr, right.data()};
  measure((name + ", left and right").c_str(), BinaryTrees<false>{nodes, {l, r}});
  measure((name + ", left and right, parents").c_str(), BinaryTrees<true>{nodes, {l, r}});
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string shared = argc > 1 ? argv[1] : "../shared";
  const std::string sst = text_of(shared + "/data/trees/sst/test.txt");
  const std::string newick = text_of(shared + "/data/trees/newick/EU3031.nwk");
  if (sst.empty() || newick.empty()) {
    std::printf("skipped: no trees under %s (name the shared folder)\n", shared.c_str());
    return 0;
  }
  Forest trees, phylogeny;
  trees.read(sst, false);
  trees.shuffle();
  measure_all("SST", trees);
  trees = {};
  trees.read(sst, false);
  trees.repeat(10);
  trees.shuffle();
  measure_all("SST x 10", trees);
  phylogeny.read(newick, true);
  phylogeny.shuffle();
  measure_all("phylogeny", phylogeny);
  phylogeny = {};
  phylogeny.read(newick, true);
  phylogeny.repeat(20);
  phylogeny.shuffle();
  measure_all("phylogeny x 20", phylogeny);
}

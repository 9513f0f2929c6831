#include "runtime/structure.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using espalier::Arena;
using espalier::ChildField;
using espalier::Children;
using espalier::Fault;
using espalier::Scratch;
using espalier::Structure;

using Ints = std::vector<std::int32_t>;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <int fields>
struct Arrays {
  int variant_at(std::int32_t n) const { return variant[n]; }
  std::int32_t nodes;
  const std::uint8_t* variant;
  Children children[fields];
};

// One variant with a list; leaves are a class.
template <bool is_shared>
struct Lists : Arrays<1> {
  static constexpr int variants = 1, classes = 2, fields = 1;
  static constexpr bool shared = is_shared, parents = true;
  static constexpr ChildField field[] = {{true, 0, 1}};
  static constexpr bool has[1][1] = {{true}};
  static int class_of(std::int32_t, int, bool leaf) { return leaf ? 0 : 1; }
};

// Leaf() and Node(left, right)
template <bool is_shared>
struct Pairs : Arrays<2> {
  static constexpr int variants = 2, classes = 2, fields = 2;
  static constexpr bool shared = is_shared, parents = true;
  static constexpr ChildField field[] = {{false, 0, 2}, {false, 0, 2}};
  static constexpr bool has[2][2] = {{false, false}, {true, true}};
  static int class_of(std::int32_t, int variant, bool) { return variant; }
};

// Two types that need each other, Expr: Num(), Block(body), Stmt: Set(e), Loop(times, body),
// Skip(); they share the column `body`. A Block without items is a class of its own, the first.
template <bool is_shared>
struct Family : Arrays<3> {
  static constexpr int variants = 5, classes = 6, fields = 3;
  static constexpr bool shared = is_shared, parents = true;
  static constexpr ChildField field[] = {{false, 0, 2}, {true, 2, 3}, {false, 0, 2}};
  static constexpr bool has[5][3] = {{false, false, false},
                                     {false, true, false},
                                     {false, false, true},
                                     {true, true, false},
                                     {false, false, false}};
  static int class_of(std::int32_t, int variant, bool leaf) {
    return variant == 1 && leaf ? 0 : variant + 1;
  }
};

// Ten fields, so that a node's fields are looked up; all nodes are of one class.
struct Wide : Arrays<10> {
  static constexpr int variants = 2, classes = 1, fields = 10;
  static constexpr bool shared = false, parents = true;
  static constexpr ChildField field[] = {{true, 0, 2},  {false, 0, 2}, {false, 0, 2}, {false, 1, 1},
                                         {true, 0, 1},  {true, 0, 2},  {false, 0, 2}, {false, 0, 2},
                                         {false, 0, 2}, {true, 1, 1}};
  static constexpr bool has[2][10] = {
      {true, false, false, false, false, false, false, false, false, true},
      {true, false, false, false, true, true, true, false, false, false}};
  static int class_of(std::int32_t, int, bool) { return 0; }
};

// A forest as one would write it, and the arrays that the linearizer takes.
template <class Shape>
struct Forest {
  std::vector<std::uint8_t> variant;
  std::vector<Ints> children[Shape::fields];  // of node n; of a single child one item
  std::vector<std::int32_t> first[Shape::fields], items[Shape::fields];

  explicit Forest(std::int32_t nodes) : variant(at(nodes), 0) {
    for (auto& lists : children) lists.resize(at(nodes));
  }
  std::int32_t nodes() const { return static_cast<std::int32_t>(variant.size()); }
  bool has(std::size_t n, int f) const {
    return variant[n] < Shape::variants && Shape::has[variant[n]][f];
  }

  Shape arrays() {
    Shape s;
    s.nodes = nodes();
    s.variant = Shape::variants > 1 ? variant.data() : nullptr;
    for (int f = 0; f < Shape::fields; f++) {
      first[f] = {0};
      items[f].clear();
      for (std::size_t n = 0; n < variant.size(); n++) {
        const Ints& ks = children[f][n];
        if (Shape::field[f].list)
          items[f].insert(items[f].end(), ks.begin(), ks.end());
        else
          items[f].push_back(ks.empty() ? -77 : ks[0]);
        first[f].push_back(static_cast<std::int32_t>(items[f].size()));
      }
      s.children[f] = {Shape::field[f].list ? first[f].data() : nullptr, items[f].data()};
    }
    return s;
  }

  template <class Visit>
  void each_child(std::int32_t n, Visit visit) const {
    for (int f = 0; f < Shape::fields; f++)
      if (has(at(n), f))
        for (std::size_t i = 0; i < children[f][at(n)].size(); i++)
          visit(f, static_cast<std::int32_t>(i), children[f][at(n)][i]);
  }

  bool reaches(std::int32_t from, std::int32_t to) const {
    std::vector<bool> seen(variant.size());
    Ints open = {from};
    while (!open.empty()) {
      const std::int32_t n = open.back();
      open.pop_back();
      bool found = false;
      each_child(n, [&](int, std::int32_t, std::int32_t k) {
        found |= k == to;
        if (!seen[at(k)]) open.push_back(k);
        seen[at(k)] = true;
      });
      if (found) return true;
    }
    return false;
  }

  // The fault that check() and build() must give; of a cycle only that there is one.
  Fault fault() const {
    for (std::int32_t n = 0; n < nodes(); n++) {
      if (variant[at(n)] >= Shape::variants) return {Fault::bad_variant, n, variant[at(n)]};
      for (int f = 0; f < Shape::fields; f++)
        if (Shape::field[f].list && !has(at(n), f) && !children[f][at(n)].empty())
          return {Fault::foreign_items, n, static_cast<std::int64_t>(children[f][at(n)].size()), f};
    }
    Fault fault;
    for (std::int32_t n = 0; n < nodes() && !fault; n++)
      each_child(n, [&](int f, std::int32_t, std::int32_t k) {
        const ChildField& field = Shape::field[f];
        if (fault) return;
        if (k < 0 || k >= nodes())
          fault = {Fault::child_out_of_range, n, k, f};
        else if (variant[at(k)] < field.accepts || variant[at(k)] >= field.accepts + field.accepted)
          fault = {Fault::wrong_variant, n, k, f};
      });
    if (fault) return fault;
    for (std::int32_t k = 0; k < nodes() && !Shape::shared; k++) {
      int parents = 0;
      for (std::int32_t n = 0; n < nodes() && !fault; n++)
        each_child(n, [&](int f, std::int32_t, std::int32_t child) {
          if (child == k && ++parents == 2) fault = {Fault::shared_node, k, n, f};
        });
      if (fault) return fault;
    }
    for (std::int32_t n = 0; n < nodes(); n++)
      if (reaches(n, n)) return {Fault::cycle, n};
    return {};
  }

  int height(std::int32_t n, Ints& known) const {
    if (known[at(n)] >= 0) return known[at(n)];
    int height = 0;
    each_child(n, [&](int, std::int32_t, std::int32_t k) {
      height = std::max(height, this->height(k, known) + 1);
    });
    return known[at(n)] = height;
  }
};

// A workspace of exactly the bytes asked for, filled with 0xFF.
struct Workspace {
  explicit Workspace(std::size_t bytes) : space(new unsigned char[bytes + espalier::alignment]) {
    std::memset(space.get(), 0xFF, bytes + espalier::alignment);
    void* p = space.get();
    std::size_t room = bytes + espalier::alignment;
    buffer = std::align(espalier::alignment, bytes, p, room);
  }
  std::unique_ptr<unsigned char[]> space;
  void* buffer;
};

template <class Shape>
struct Built {
  std::size_t size;
  Workspace workspace;
  Structure<Shape> structure;
  Fault fault;

  static std::size_t bytes(std::size_t nodes, std::size_t edges) {
    const auto ints = [](std::size_t count) { return (count * 4 + 63) / 64 * 64; };
    constexpr std::size_t classes = Shape::classes;
    std::size_t sum = ints(nodes) + ints(nodes + 1) + ints((nodes + 1) * classes);
    bool lists = false;
    for (int f = 0; f < Shape::fields; f++) {
      lists |= Shape::field[f].list;
      sum += ints(nodes + Shape::field[f].list);
    }
    if (lists) sum += 2 * ints(edges);
    const std::size_t slots = Shape::shared ? edges : nodes;
    if (Shape::parents) sum += ints(nodes + 2) + 3 * ints(slots);
    sum += ints(2 * (nodes + 1)) + ints(Shape::shared ? edges : nodes + 1) + ints(nodes + 2);
    return sum + (classes > 1 ? 3 * ints(nodes) : 0);  // with what Scratch takes
  }

  explicit Built(const Shape& s)
      : size(bytes(at(s.nodes), espalier::check(s) ? 0 : at(espalier::edge_bound(s)))),
        workspace(size) {
    fault = espalier::check(s);
    if (fault) return;
    Arena arena(workspace.buffer, size);
    structure.lay_out(arena, at(s.nodes), at(espalier::edge_bound(s)));
    fault = structure.build(s, Scratch<Shape>(arena, at(s.nodes), at(espalier::edge_bound(s))));
  }
};

template <class Shape>
void check_numbers(const Forest<Shape>& forest, const Structure<Shape>& g) {
  Ints heights(at(g.nodes), -1), class_nodes(Shape::classes, 0);
  REQUIRE(g.nodes == forest.nodes());
  REQUIRE(g.start[0] == 0);
  REQUIRE(g.start[g.levels * Shape::classes] == g.nodes);
  for (std::int32_t n = 0; n < g.nodes; n++) REQUIRE(g.place[g.order[n]] == n);
  std::int32_t leaves = 0;
  Ints widest(Shape::classes, 0);
  for (std::int32_t level = 0; level < g.levels; level++) {
    for (int c = 0; c < Shape::classes; c++) {
      REQUIRE(g.begin(level, c) <= g.end(level, c));
      widest[at(c)] = std::max(widest[at(c)], g.end(level, c) - g.begin(level, c));
      for (std::int32_t n = g.begin(level, c); n < g.end(level, c); n++) {
        const std::int32_t old = g.order[n];
        REQUIRE(forest.height(old, heights) == level);
        REQUIRE(Shape().class_of(old, forest.variant[at(old)], level == 0) == c);
        leaves += level == 0;
      }
    }
    REQUIRE(g.begin(level, 0) < g.end(level, Shape::classes - 1));
  }
  REQUIRE(g.leaves() == leaves);
  for (int c = 0; c < Shape::classes; c++) REQUIRE(g.widest[c] == widest[at(c)]);
}

template <class Shape>
void check_edges(const Forest<Shape>& forest, const Structure<Shape>& g) {
  struct Edge {
    std::int32_t parent, edge;
    int field;
  };
  std::vector<std::vector<Edge>> above(at(g.nodes));
  for (std::int32_t n = 0; n < g.nodes; n++) {
    const std::int32_t old = g.order[n];
    for (int f = 0; f < Shape::fields; f++) {
      const Ints& ks = forest.children[f][at(old)];
      const auto& edges = g.edges[f];
      if (Shape::field[f].list) {
        REQUIRE(edges.first[0] == 0);
        REQUIRE(edges.first[n + 1] - edges.first[n] == static_cast<std::int32_t>(ks.size()));
      }
      if (!forest.has(at(old), f)) continue;
      for (std::size_t i = 0; i < ks.size(); i++) {
        const std::int32_t e = Shape::field[f].list ? edges.first[n] + static_cast<int>(i) : n;
        REQUIRE(edges.child[e] == g.place[ks[i]]);
        REQUIRE(edges.child[e] < n);
        if (Shape::field[f].list) REQUIRE(edges.owner[e] == n);
        above[at(edges.child[e])].push_back({n, e, f});
      }
    }
  }
  for (std::int32_t n = 0; n < g.nodes; n++) {
    const std::vector<Edge>& expected = above[at(n)];
    const std::int32_t begin = Shape::shared ? g.above.first[n] : n;
    const std::int32_t end = Shape::shared ? g.above.first[n + 1] : n + 1;
    if (!Shape::shared && expected.empty()) {
      REQUIRE(g.above.parent[n] == -1);
      REQUIRE(g.above.edge[n] == -1);
      continue;
    }
    REQUIRE(end - begin == static_cast<std::int32_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); i++) {
      REQUIRE(g.above.parent[at(begin) + i] == expected[i].parent);
      REQUIRE(g.above.edge[at(begin) + i] == expected[i].edge);
      if (Shape::fields > 1) REQUIRE(g.above.field[at(begin) + i] == expected[i].field);
    }
  }
}

template <class Shape>
Fault check_forest(Forest<Shape>& forest) {
  const Built<Shape> built(forest.arrays());
  const Fault expected = forest.fault();
  REQUIRE(built.fault.kind == expected.kind);
  if (expected.kind == Fault::cycle) {
    const std::int32_t child = static_cast<std::int32_t>(built.fault.detail);
    bool is_child = false;
    forest.each_child(built.fault.node, [&](int f, std::int32_t, std::int32_t k) {
      is_child |= k == child && f == built.fault.field;
    });
    REQUIRE(is_child);
    REQUIRE((child == built.fault.node || forest.reaches(child, built.fault.node)));
  } else if (expected) {
    REQUIRE(built.fault.node == expected.node);
    REQUIRE(built.fault.detail == expected.detail);
    REQUIRE(built.fault.field == expected.field);
  } else {
    check_numbers(forest, built.structure);
    check_edges(forest, built.structure);
  }
  return expected;
}

// Counts through all lists of up to `longest` numbers from -1 to `most`, for each node.
template <class Shape>
void all_lists(std::int32_t nodes, int longest, std::int32_t least, std::int32_t most, int* seen) {
  std::vector<Ints> lists = {{}};
  for (std::size_t i = 0; i < lists.size(); i++) {
    if (static_cast<int>(lists[i].size()) == longest) continue;
    for (std::int32_t k = least; k <= most; k++) {
      lists.push_back(lists[i]);
      lists.back().push_back(k);
    }
  }
  std::vector<std::size_t> digit(at(nodes), 0);
  for (;;) {
    Forest<Shape> forest(nodes);
    for (std::int32_t n = 0; n < nodes; n++) forest.children[0][at(n)] = lists[digit[at(n)]];
    seen[check_forest(forest).kind]++;
    std::size_t n = 0;
    while (n < digit.size() && ++digit[n] == lists.size()) digit[n++] = 0;
    if (n == digit.size()) return;
  }
}

TEST_CASE("all small forests of lists") {
  int seen[16] = {};
  for (std::int32_t nodes = 0; nodes <= 3; nodes++) {
    all_lists<Lists<false>>(nodes, 2, -1, nodes, seen);
    all_lists<Lists<true>>(nodes, 2, -1, nodes, seen);
  }
  for (const Fault::Kind kind :
       {Fault::none, Fault::child_out_of_range, Fault::shared_node, Fault::cycle})
    CHECK(seen[kind] > 0);
}

TEST_CASE("all forests of four nodes with lists of two") {
  int seen[16] = {};
  all_lists<Lists<false>>(4, 2, 0, 3, seen);
  CHECK(seen[Fault::none] > 0);
}

template <class Shape>
void all_pairs(std::int32_t nodes, int* seen) {
  const int choices = 2 + (nodes + 2) * (nodes + 2);  // a leaf, a bad variant, or two children
  std::vector<int> digit(at(nodes), 0);
  for (;;) {
    Forest<Shape> forest(nodes);
    for (std::size_t n = 0; n < digit.size(); n++) {
      const int d = digit[n] - 2;
      forest.variant[n] = static_cast<std::uint8_t>(d == -2 ? 0 : d == -1 ? 7 : 1);
      if (d < 0) continue;
      forest.children[0][n] = {d / (nodes + 2) - 1};
      forest.children[1][n] = {d % (nodes + 2) - 1};
    }
    seen[check_forest(forest).kind]++;
    std::size_t n = 0;
    while (n < digit.size() && ++digit[n] == choices) digit[n++] = 0;
    if (n == digit.size()) return;
  }
}

TEST_CASE("all small forests of pairs") {
  int seen[16] = {};
  for (std::int32_t nodes = 0; nodes <= 3; nodes++) {
    all_pairs<Pairs<false>>(nodes, seen);
    all_pairs<Pairs<true>>(nodes, seen);
  }
  for (const Fault::Kind kind : {Fault::none, Fault::bad_variant, Fault::child_out_of_range,
                                 Fault::shared_node, Fault::cycle})
    CHECK(seen[kind] > 0);
}

// A random legal forest with shuffled numbers: each node takes children that the field accepts from
// the nodes before it, in trees only such as have no parent yet.
template <class Shape>
Forest<Shape> random_forest(std::mt19937& random, std::int32_t nodes) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Forest<Shape> made(nodes), forest(nodes);
  std::vector<std::int32_t> free;
  for (std::int32_t n = 0; n < nodes; n++) {
    const auto take = [&](int f) {
      const ChildField& field = Shape::field[f];
      for (int tries = 0; tries < 5 && !free.empty(); tries++) {
        const std::size_t i = below(free.size());
        const std::int32_t k = free[i];
        const int v = made.variant[at(k)];
        if (v < field.accepts || v >= field.accepts + field.accepted) continue;
        if (!Shape::shared) free.erase(free.begin() + static_cast<std::ptrdiff_t>(i));
        made.children[f][at(n)].push_back(k);
        return true;
      }
      return false;
    };
    made.variant[at(n)] = static_cast<std::uint8_t>(below(Shape::variants));
    for (int f = 0; f < Shape::fields; f++) {
      if (!made.has(at(n), f)) continue;
      if (Shape::field[f].list) {
        for (std::size_t count = below(4); count > 0; count--) take(f);
      } else if (!take(f)) {  // no child to be had: a variant without fields instead
        for (auto& lists : made.children) {
          if (!Shape::shared) free.insert(free.end(), lists[at(n)].begin(), lists[at(n)].end());
          lists[at(n)].clear();
        }
        made.variant[at(n)] = 0;
      }
    }
    free.push_back(n);
  }
  Ints to(at(nodes));
  for (std::int32_t n = 0; n < nodes; n++) to[at(n)] = n;
  std::shuffle(to.begin(), to.end(), random);
  for (std::size_t n = 0; n < at(nodes); n++) {
    forest.variant[at(to[n])] = made.variant[n];
    for (int f = 0; f < Shape::fields; f++)
      for (const std::int32_t k : made.children[f][n])
        forest.children[f][at(to[n])].push_back(to[at(k)]);
  }
  return forest;
}

template <class Shape>
void check_random(std::uint32_t seed, int* seen) {
  std::mt19937 random(seed);
  for (int round = 0; round < 100; round++) {
    CAPTURE(round);
    const std::int32_t nodes = static_cast<std::int32_t>(random() % 40);
    Forest<Shape> forest = random_forest<Shape>(random, nodes);
    REQUIRE(!check_forest(forest));
    if (nodes == 0) continue;
    // One thing wrong, perhaps.
    const std::size_t n = random() % at(nodes);
    const int f = static_cast<int>(random() % Shape::fields);
    const std::int32_t k = static_cast<std::int32_t>(random() % at(nodes + 4)) - 2;
    if (Shape::variants > 1 && random() % 4 == 0)
      forest.variant[n] = static_cast<std::uint8_t>(random() % (Shape::variants + 1));
    else if (Shape::field[f].list)
      forest.children[f][n].push_back(k);
    else
      forest.children[f][n] = {k};
    for (int single = 0; single < Shape::fields; single++)
      if (!Shape::field[single].list && forest.has(n, single) && forest.children[single][n].empty())
        forest.children[single][n] = {-77};
    seen[check_forest(forest).kind]++;
  }
}

TEST_CASE("random forests, right and with one thing wrong") {
  int seen[16] = {};
  for (std::uint32_t seed = 1; seed <= 3; seed++) {
    CAPTURE(seed);
    check_random<Lists<false>>(seed, seen);
    check_random<Lists<true>>(seed, seen);
    check_random<Pairs<false>>(seed, seen);
    check_random<Pairs<true>>(seed, seen);
    check_random<Family<false>>(seed, seen);
    check_random<Family<true>>(seed, seen);
    check_random<Wide>(seed, seen);
  }
  for (const Fault::Kind kind :
       {Fault::none, Fault::foreign_items, Fault::bad_variant, Fault::child_out_of_range,
        Fault::wrong_variant, Fault::shared_node, Fault::cycle}) {
    CAPTURE(kind);
    CHECK(seen[kind] > 0);
  }
}

TEST_CASE("offsets that do not add up") {
  const std::int32_t items[] = {1};
  const auto fault = [&](Ints first) {
    Lists<false> s;
    s.nodes = static_cast<std::int32_t>(first.size()) - 1;
    s.variant = nullptr;
    s.children[0] = {first.data(), items};
    return espalier::check(s);
  };
  const Fault start = fault({1, 1, 1});
  CHECK(start.kind == Fault::bad_offsets);
  CHECK(start.node == 0);
  CHECK(start.detail == 1);
  const Fault falls = fault({0, 1000000, 1, 1});
  CHECK(falls.kind == Fault::bad_offsets);
  CHECK(falls.node == 1);
  CHECK(falls.detail == 1);
  const Fault negative = fault({0, 0, -5});
  CHECK(negative.kind == Fault::bad_offsets);
  CHECK(negative.node == 1);
  CHECK(negative.detail == -5);
  CHECK(!fault({0, 1, 1}));
}

TEST_CASE("more edges than an index can count") {
  const std::int32_t items[] = {0};
  Family<true> s;
  const std::uint8_t variant[] = {1};
  const std::int32_t most[] = {0, 2147483647};
  s.nodes = 1;
  s.variant = variant;
  s.children[0] = {nullptr, items};
  s.children[1] = {most, items};
  s.children[2] = {nullptr, items};
  CHECK(espalier::check(s).kind == Fault::too_many_edges);
  CHECK(espalier::check(s).detail == 2147483649);
}

TEST_CASE("null arrays: fine where nothing is read, else a fault") {
  Family<false> s;
  s.nodes = 0;
  s.variant = nullptr;
  for (Children& c : s.children) c = {nullptr, nullptr};
  CHECK(!Built<Family<false>>(s).fault);
  const std::uint8_t leaves[] = {0, 4}, one_set[] = {0, 2};
  const std::int32_t empty[] = {0, 0, 0}, one[] = {0, 1, 1};
  s.nodes = 2;
  s.variant = leaves;
  CHECK(espalier::check(s).kind == Fault::null_array);
  CHECK(espalier::check(s).field == 1);
  CHECK(espalier::check(s).detail == 0);
  s.children[1].first = empty;
  CHECK(!Built<Family<false>>(s).fault);
  s.variant = one_set;
  CHECK(espalier::check(s).kind == Fault::null_array);
  CHECK(espalier::check(s).field == 2);
  CHECK(espalier::check(s).detail == 1);
  s.variant = leaves;
  s.children[1].first = one;
  CHECK(espalier::check(s).kind == Fault::null_array);
  CHECK(espalier::check(s).field == 1);
}

// The caller's arrays of a big forest of lists, given each node's parent.
struct Big {
  Ints first, items;
  explicit Big(const Ints& parent) : first(parent.size() + 1, 0) {
    for (const std::int32_t p : parent)
      if (p >= 0) first[at(p) + 1]++;
    for (std::size_t n = 0; n < parent.size(); n++) first[n + 1] += first[n];
    items.resize(at(first.back()));
    Ints next = first;
    for (std::size_t k = 0; k < parent.size(); k++)
      if (parent[k] >= 0) items[at(next[at(parent[k])]++)] = static_cast<std::int32_t>(k);
  }
  template <class Shape>
  Shape arrays() const {
    Shape s;
    s.nodes = static_cast<std::int32_t>(first.size()) - 1;
    s.variant = nullptr;
    s.children[0] = {first.data(), items.data()};
    return s;
  }
};

TEST_CASE("a chain of a million nodes, up and down") {
  Ints parent(1000000);
  for (const bool up : {true, false}) {
    for (std::size_t n = 0; n < parent.size(); n++)
      parent[n] = static_cast<std::int32_t>(n) + (up ? 1 : -1);
    if (up) parent.back() = -1;
    const Big big(parent);
    const Built<Lists<false>> tree(big.arrays<Lists<false>>());
    const Built<Lists<true>> dag(big.arrays<Lists<true>>());
    CHECK(!tree.fault);
    CHECK(!dag.fault);
    CHECK(tree.structure.levels == 1000000);
    CHECK(dag.structure.levels == 1000000);
    CHECK(tree.structure.order[0] == (up ? 0 : 999999));
    CHECK(tree.structure.above.parent[0] == 1);
  }
}

TEST_CASE("a ring of a million nodes is a cycle, found in linear time") {
  Ints parent(1000000);
  for (std::size_t n = 0; n < parent.size(); n++)
    parent[n] = static_cast<std::int32_t>((n + 1) % parent.size());
  const Big big(parent);
  CHECK(Built<Lists<false>>(big.arrays<Lists<false>>()).fault.kind == Fault::cycle);
  CHECK(Built<Lists<true>>(big.arrays<Lists<true>>()).fault.kind == Fault::cycle);
}

TEST_CASE("a star of ten thousand children, and single nodes") {
  Ints parent(10001, 5000);
  parent[5000] = -1;
  const Big star(parent), singles(Ints(10000, -1));
  const Built<Lists<false>> built(star.arrays<Lists<false>>());
  CHECK(!built.fault);
  CHECK(built.structure.levels == 2);
  CHECK(built.structure.widest[0] == 10000);
  CHECK(built.structure.order[10000] == 5000);
  CHECK(built.structure.edges[0].child[9999] == 9999);
  const Built<Lists<false>> apart(singles.arrays<Lists<false>>());
  CHECK(!apart.fault);
  CHECK(apart.structure.levels == 1);
  CHECK(apart.structure.leaves() == 10000);
}

TEST_CASE("an empty forest has no levels") {
  Forest<Family<true>> forest(0);
  const Built<Family<true>> built(forest.arrays());
  CHECK(!built.fault);
  CHECK(built.structure.levels == 0);
  CHECK(built.structure.leaves() == 0);
  CHECK(built.structure.start[0] == 0);
  CHECK(built.structure.edges[1].first[0] == 0);
}

}  // namespace

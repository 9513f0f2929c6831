// The linearizer: checks a forest and numbers its nodes by level, children before parents, so that
// recursion over it becomes loops over contiguous ranges (Cortex, MLSys 2021; the order is Kahn's).
// Iterative, without allocation, linear in nodes and edges.
//
// A forest holds the nodes of one data type, or of several that refer to each other. The package
// says what they look like; variants of all types and their child fields count from 0:
//
//   struct Trees {
//     static constexpr int variants = 2, classes = 2, fields = 2;
//     static constexpr bool shared = false;   // may a node have several parents?
//     static constexpr bool parents = false;  // is the index of parents wanted?
//     static constexpr ChildField field[] = {{false, 0, 2}, {false, 0, 2}};
//     static constexpr bool has[variants][fields] = {{false, false}, {true, true}};
//     static int class_of(std::int32_t node, int variant, bool leaf);  // leaf: it has no child
//     int variant_at(std::int32_t node) const;  // asked where there are several
//     std::int32_t nodes;
//     Children children[2];
//   };
//
// Use: check(trees); Structure::lay_out and Scratch on an arena, for trees.nodes and
// edge_bound(trees); Structure::build. A class is what one kernel handles; class_of may look at the
// node. Variants may share a field. `field`, `has` and `children` need a column even if fields is
// 0.
#ifndef ESPALIER_V0_1_STRUCTURE_H
#define ESPALIER_V0_1_STRUCTURE_H

#include <cstddef>
#include <cstdint>

#include "arena.h"

namespace espalier {
inline namespace v0_1 {

struct ChildField {
  bool list;                // a list of children, or exactly one
  int accepts, accepted;    // what may stand there: variants accepts .. accepts + accepted - 1
  bool one_parent = false;  // where Shape::shared: may those still have one parent only?
};

// The caller's arrays of one child field, in the caller's numbers.
struct Children {
  const std::int32_t* first;  // of lists, [nodes + 1]: node n has items[first[n]..first[n + 1])
  const std::int32_t*
      items;  // of single children [nodes], read where a node's variant has the field
};

// What is wrong with a forest. A fault of one node names the lowest such node: check() finds the
// first six kinds, build() then children, else a shared node, else a cycle.
struct Fault {
  enum Kind {
    none,
    null_array,          // of a field; detail: 0 first, 1 items
    too_many_edges,      // detail: edge_bound()
    bad_offsets,         // first does not start at 0 or falls after this node; detail: the offset
    foreign_items,       // the node has items in a list that its variant lacks; detail: how many
    bad_variant,         // detail: the variant
    child_out_of_range,  // detail: the child
    wrong_variant,       // detail: the child, of a variant that the field does not accept
    shared_node,         // the node has two parents, or is twice in one list; detail: the second
    cycle,               // the node is its own descendant; detail: its child on the cycle
  };
  Kind kind = none;
  std::int32_t node = -1;
  std::int64_t detail = 0;
  int field = -1;

  explicit operator bool() const { return kind != none; }
};

// At least the number of edges, where offsets are good: trees need no more than their nodes.
template <class Shape>
std::int64_t edge_bound(const Shape& s) {
  std::int64_t bound = 0;
  for (int f = 0; f < Shape::fields && s.nodes > 0; f++) {
    const std::int32_t* const first = s.children[f].first;
    bound += !Shape::field[f].list ? s.nodes : first ? first[s.nodes] : 0;
  }
  return Shape::shared || bound < s.nodes ? bound : s.nodes;
}

namespace structure_detail {

template <class Shape>
int variant_of(const Shape& s, std::int32_t n) {
  if constexpr (Shape::variants == 1)
    return 0;
  else
    return s.variant_at(n);
}

// Variant v has the fields of[v][0] .. of[v][count[v] - 1].
template <class Shape>
struct FieldsOf {
  int count[Shape::variants] = {};
  int of[Shape::variants][Shape::fields + 1] = {};
  bool lists = false;
  constexpr FieldsOf() {
    for (int f = 0; f < Shape::fields; f++) {
      for (int v = 0; v < Shape::variants; v++)
        if (Shape::has[v][f]) of[v][count[v]++] = f;
      lists |= Shape::field[f].list;
    }
  }
};
template <class Shape>
constexpr FieldsOf<Shape> fields_of{};

// Calls visit(field, child, true) for each child of node n, in the order of fields. Where there are
// no lists it goes without branches: with visit(field, -1, false) for fields that n lacks.
template <class Shape, class Visit>
void each_child(const Shape& s, std::int32_t n, Visit visit) {
  const int v = variant_of(s, n);
  if constexpr (Shape::fields <= 4 && !fields_of<Shape>.lists) {
    static constexpr std::int32_t absent = -1;
    for (int f = 0; f < Shape::fields; f++)
      visit(f, *(Shape::has[v][f] ? s.children[f].items + n : &absent), Shape::has[v][f]);
  } else {
    for (int i = 0; i < fields_of<Shape>.count[v]; i++) {
      const int f = fields_of<Shape>.of[v][i];
      const Children& c = s.children[f];
      const std::int32_t end = Shape::field[f].list ? c.first[n + 1] : n + 1;
      for (std::int32_t e = Shape::field[f].list ? c.first[n] : n; e < end; e++)
        visit(f, c.items[e], true);
    }
  }
}

template <class Shape>
Fault check_arrays(const Shape& s) {
  for (int f = 0; f < Shape::fields; f++) {
    const Children& c = s.children[f];
    const bool list = Shape::field[f].list;
    if (list && !c.first) return {Fault::null_array, -1, 0, f};
    bool read = list && c.first[s.nodes] > 0;
    for (std::int32_t n = 0; n < s.nodes && !list && !c.items; n++)
      read |= variant_of(s, n) < Shape::variants && Shape::has[variant_of(s, n)][f];
    if (read && !c.items) return {Fault::null_array, -1, 1, f};
  }
  return {};
}

template <class Shape>
Fault check_node(const Shape& s, std::int32_t n) {
  const int v = variant_of(s, n);
  if (v >= Shape::variants) return {Fault::bad_variant, n, v};
  for (int f = 0; f < Shape::fields; f++) {
    const std::int32_t* const first = s.children[f].first;
    if (!Shape::field[f].list) continue;
    if (n == 0 && first[0] != 0) return {Fault::bad_offsets, n, first[0], f};
    if (first[n + 1] < first[n]) return {Fault::bad_offsets, n, first[n + 1], f};
    if (!Shape::has[v][f] && first[n + 1] > first[n])
      return {Fault::foreign_items, n, std::int64_t{first[n + 1]} - first[n], f};
  }
  return {};
}

inline void prefetch(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  (void)p;
#endif
}

}  // namespace structure_detail

// What must hold before sizes are known and children are read.
template <class Shape>
Fault check(const Shape& s) {
  if (s.nodes <= 0) return {};
  Fault fault = structure_detail::check_arrays(s);
  for (std::int32_t n = 0; n < s.nodes && !fault; n++) fault = structure_detail::check_node(s, n);
  if (!fault && edge_bound(s) > INT32_MAX) return {Fault::too_many_edges, -1, edge_bound(s)};
  return fault;
}

// What build() needs besides the Structure; free afterwards.
template <class Shape>
struct Scratch {
  struct State {
    std::int32_t parent;   // of trees; -1 at roots
    std::int32_t pending;  // children not yet placed
  };
  State* state;               // [nodes + 1]; the first stands above all roots of trees
  std::int32_t* above;        // of trees [nodes + 1], parents of the queue; else [edges], of nodes
  std::int32_t* above_first;  // of shared types, [nodes + 2]
  std::int32_t* sorted[2];    // [nodes] a level by class
  std::uint8_t* node_class;   // [nodes]

  Scratch(Arena& arena, std::size_t nodes, std::size_t edges) {
    state = arena.take<State>(nodes + 1);
    above = arena.take<std::int32_t>(Shape::shared ? edges : nodes + 1);
    above_first = arena.take<std::int32_t>(Shape::shared ? nodes + 2 : 0);
    for (std::int32_t*& array : sorted)
      array = arena.take<std::int32_t>(Shape::classes > 1 ? nodes : 0);
    node_class = arena.take<std::uint8_t>(Shape::classes > 1 ? nodes : 0);
  }
};

// A forest by levels. Ids are new numbers: level by level (leaves are level 0, any other node is
// one above its highest child), in a level class by class.
template <class Shape>
struct Structure {
  // The children of one field. Of a list: node n has child[first[n]..first[n + 1]), and owner[e]
  // is the node above edge e; edges are in the order of their owners. Of single children:
  // child[n], set where the node's variant has the field.
  struct Edges {
    std::int32_t *first, *child, *owner;  // [nodes + 1], [edges of the field], same; or [nodes]
  };
  // Who is above a node, if Shape::parents. In trees it is at [n], -1 at roots; in shared types at
  // [first[n]..first[n + 1]), by parent, field and position. `edge` is the index in the field's
  // child list, the parent itself for a single child. `field` is null where there is one.
  struct Above {
    std::int32_t *first, *parent, *edge;  // [nodes + 2], and [nodes] or [edges] each
    std::uint8_t* field;
  };

  std::int32_t nodes = 0;
  std::int32_t levels = 0;
  std::int32_t widest[Shape::classes] = {};  // most nodes of a class in one level
  std::int32_t* place = nullptr;             // [nodes] the caller's number to ours
  std::int32_t* order = nullptr;             // [nodes] ours to the caller's
  std::int32_t* start = nullptr;             // [levels * classes + 1] where each range begins
  Edges edges[Shape::fields > 0 ? Shape::fields : 1] = {};
  Above above = {};

  // The nodes of a class in a level are begin() .. end() - 1.
  std::int32_t begin(std::int32_t level, int node_class) const {
    return start[index(level, node_class)];
  }
  std::int32_t end(std::int32_t level, int node_class) const {
    return start[index(level, node_class) + 1];
  }
  std::int32_t leaves() const { return levels > 0 ? end(0, Shape::classes - 1) : 0; }

  void lay_out(Arena& arena, std::size_t node_limit, std::size_t edge_limit) {
    place = arena.take<std::int32_t>(node_limit);
    order = arena.take<std::int32_t>(node_limit + 1);
    start = arena.take<std::int32_t>(node_limit + 1, Shape::classes);
    for (int f = 0; f < Shape::fields; f++) {
      const bool list = Shape::field[f].list;
      edges[f].first = list ? arena.take<std::int32_t>(node_limit + 1) : nullptr;
      edges[f].child = list ? nullptr : arena.take<std::int32_t>(node_limit);
    }
    const bool lists = structure_detail::fields_of<Shape>.lists;
    list_child_ = arena.take<std::int32_t>(lists ? edge_limit : 0);
    list_owner_ = arena.take<std::int32_t>(lists ? edge_limit : 0);
    if (!Shape::parents) return;
    const std::size_t slots = Shape::shared ? edge_limit : node_limit;
    above.first = Shape::shared ? arena.take<std::int32_t>(node_limit + 2) : nullptr;
    above.parent = arena.take<std::int32_t>(slots);
    above.edge = arena.take<std::int32_t>(slots);
    above.field = Shape::fields > 1 ? arena.take<std::uint8_t>(slots) : nullptr;
  }

  // Numbers a forest that has passed check() and is within the limits.
  Fault build(const Shape& s, const Scratch<Shape>& scratch) {
    nodes = s.nodes > 0 ? s.nodes : 0;
    levels = 0;
    for (std::int32_t& width : widest) width = 0;
    if (const Fault fault = link(s, scratch)) return fault;
    if (place_nodes(s, scratch) < nodes) return find_cycle(s, scratch);
    number_edges(s, scratch);
    return {};
  }

 private:
  static std::size_t index(std::int32_t level, int node_class) {
    return static_cast<std::size_t>(level) * Shape::classes + static_cast<std::size_t>(node_class);
  }

  // Checks children, counts those of each node, and notes parents.
  Fault link(const Shape& s, const Scratch<Shape>& scratch) const {
    auto* const state = scratch.state + 1;
    std::int32_t* const first = scratch.above_first;
    for (std::int32_t n = -1; n < nodes; n++) state[n].parent = -1;
    for (std::int32_t n = 0; n < nodes + 2 && Shape::shared; n++) first[n] = 0;
    Fault fault, shared;
    shared.node = nodes;
    for (std::int32_t n = 0; n < nodes && !fault; n++) {
      std::int32_t count = 0;
      structure_detail::each_child(s, n, [&](int f, std::int32_t child, bool present) {
        const ChildField& field = Shape::field[f];
        const bool inside = static_cast<std::uint32_t>(child) < static_cast<std::uint32_t>(nodes);
        const std::int32_t k = inside ? child : -1;
        const bool accepted =
            field.accepted == Shape::variants ||
            static_cast<unsigned>(structure_detail::variant_of(s, inside ? k : 0) - field.accepts) <
                static_cast<unsigned>(field.accepted);
        if (present & !(inside & accepted) & !fault)
          fault = {inside ? Fault::wrong_variant : Fault::child_out_of_range, n, child, f};
        count += present;
        bool twice = state[k].parent >= 0;
        if (Shape::shared) {
          if (inside) twice = first[k + 2]++ > 0 && field.one_parent;
        } else {
          state[k].parent = n;
        }
        if (present & twice & (k < shared.node)) shared = {Fault::shared_node, k, n, f};
      });
      state[n].pending = count;
    }
    if (fault || shared || !Shape::shared) return fault ? fault : shared ? shared : Fault{};
    for (std::int32_t n = 0; n < nodes; n++) first[n + 2] += first[n + 1];
    for (std::int32_t n = 0; n < nodes; n++)
      structure_detail::each_child(s, n, [&](int, std::int32_t k, bool present) {
        if (present) scratch.above[first[k + 1]++] = n;
      });
    return {};
  }

  // A node joins the queue when its last child is taken from it, so levels are runs of the queue.
  // Joining goes without a branch, as half of all would be mispredicted. Returns how many joined.
  std::int32_t place_nodes(const Shape& s, const Scratch<Shape>& scratch) {
    constexpr std::int32_t ahead = 12;
    auto* const state = scratch.state + 1;
    std::int32_t* const parents = scratch.above;
    state[-1].pending = INT32_MAX;  // never counts down to 0
    std::int32_t tail = 0;
    for (std::int32_t n = 0; n < nodes; n++) {
      order[tail] = n;
      if (!Shape::shared) parents[tail] = state[n].parent;
      tail += state[n].pending == 0;
    }
    for (std::int32_t head = 0, level_end = tail; head < tail; level_end = tail) {
      sort_level(s, scratch, head, level_end);
      for (; head < level_end && !Shape::shared; head++) {
        if (head + ahead < tail) structure_detail::prefetch(&state[parents[head + ahead]]);
        auto& parent = state[parents[head]];
        order[tail] = parents[head];
        parents[tail] = parent.parent;
        tail += --parent.pending == 0;
      }
      for (; head < level_end; head++) {
        const std::int32_t* const first = scratch.above_first + order[head];
        for (std::int32_t i = first[0]; i < first[1]; i++) {
          order[tail] = parents[i];
          tail += --state[parents[i]].pending == 0;
        }
      }
    }
    start[static_cast<std::size_t>(levels) * Shape::classes] = tail;
    return tail;
  }

  // Sorts the next level, queue entries head .. end - 1, by class.
  void sort_level(const Shape& s, const Scratch<Shape>& scratch, std::int32_t head,
                  std::int32_t end) {
    std::int32_t count[Shape::classes] = {}, next[Shape::classes];
    for (std::int32_t i = head; i < end && Shape::classes > 1; i++) {
      const int variant = structure_detail::variant_of(s, order[i]);
      const int c = s.class_of(order[i], variant, levels == 0);
      scratch.node_class[i] = static_cast<std::uint8_t>(c);
      count[c]++;
    }
    if (Shape::classes == 1) count[0] = end - head;
    std::int32_t* const begins = start + static_cast<std::size_t>(levels++) * Shape::classes;
    bool mixed = false;
    for (int c = 0, at = head; c < Shape::classes; at += count[c++]) {
      begins[c] = next[c] = at;
      mixed |= count[c] > 0 && count[c] < end - head;
      if (count[c] > widest[c]) widest[c] = count[c];
    }
    std::int32_t* const columns[] = {order, scratch.above};
    for (int a = 0; a < (!mixed ? 0 : Shape::shared ? 1 : 2); a++)
      for (std::int32_t i = head; i < end; i++) scratch.sorted[a][i] = columns[a][i];
    for (std::int32_t i = head; i < end && mixed; i++) {
      const std::int32_t to = next[scratch.node_class[i]]++;
      order[to] = scratch.sorted[0][i];
      if (!Shape::shared) scratch.above[to] = scratch.sorted[1][i];
    }
  }

  // Goes down from the first node that was not placed, always to a child that was not placed
  // either, until a node comes up for the second time.
  Fault find_cycle(const Shape& s, const Scratch<Shape>& scratch) const {
    constexpr std::int32_t seen = -1;
    auto* const state = scratch.state + 1;
    std::int32_t n = 0;
    while (state[n].pending == 0) n++;
    for (;;) {
      Fault fault;
      structure_detail::each_child(s, n, [&](int f, std::int32_t k, bool present) {
        if (present && !fault && state[k].pending != 0) fault = {Fault::cycle, n, k, f};
      });
      if (state[n].pending == seen) return fault;
      state[n].pending = seen;
      n = static_cast<std::int32_t>(fault.detail);
    }
  }

  void number_edges(const Shape& s, const Scratch<Shape>& scratch) {
    constexpr std::int32_t ahead = 8;
    std::int32_t at[Shape::fields > 0 ? Shape::fields : 1] = {};
    for (int f = 0, used = 0; f < Shape::fields; f++) {
      if (!Shape::field[f].list) continue;
      edges[f].child = list_child_ + used;
      edges[f].owner = list_owner_ + used;
      if (nodes > 0) used += s.children[f].first[nodes];
      for (std::int32_t n = 0; n <= leaves(); n++) edges[f].first[n] = 0;
    }
    if (Shape::parents && Shape::shared) above.first[0] = above.first[1] = 0;
    for (std::int32_t n = 0; n < nodes; n++) {
      place[order[n]] = n;
      if (Shape::parents && !Shape::shared) above.parent[n] = above.edge[n] = -1;
      if (Shape::parents && Shape::shared) {
        const std::int32_t* const first = scratch.above_first + order[n];
        above.first[n + 2] = above.first[n + 1] + (first[1] - first[0]);  // node n fills at [n + 1]
      }
    }
    for (std::int32_t n = leaves(); n < nodes; n++) {
      for (int f = 0; f < Shape::fields && n + ahead < nodes; f++)
        structure_detail::prefetch(
            (Shape::field[f].list ? s.children[f].first : s.children[f].items) + order[n + ahead]);
      structure_detail::each_child(s, order[n], [&](int f, std::int32_t old, bool present) {
        if (!present) return;
        const std::int32_t k = place[old], edge = Shape::field[f].list ? at[f]++ : n;
        edges[f].child[edge] = k;
        if (Shape::field[f].list) edges[f].owner[edge] = n;
        if (!Shape::parents) return;
        const std::int32_t slot = Shape::shared ? above.first[k + 1]++ : k;
        above.parent[slot] = n;
        above.edge[slot] = edge;
        if (Shape::fields > 1) above.field[slot] = static_cast<std::uint8_t>(f);
      });
      for (int f = 0; f < Shape::fields; f++)
        if (Shape::field[f].list) edges[f].first[n + 1] = at[f];
    }
  }

  std::int32_t* list_child_ = nullptr;  // [edges] of all lists together
  std::int32_t* list_owner_ = nullptr;
};

}  // namespace v0_1
}  // namespace espalier

#endif

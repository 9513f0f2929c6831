// The linearizer: checks a forest and numbers its nodes by level, children before parents, so that
// recursion over it becomes loops over contiguous ranges (Cortex, MLSys 2021: data structure
// linearization; the order is Kahn's). Iterative, without allocation, linear in nodes and edges.
//
// A forest holds the nodes of one data type, or of several that refer to each other. A package
// says what they look like by a struct of this form; both variants and fields count from 0:
//
//   struct Trees {
//     static constexpr int variants = 2, classes = 2, fields = 2;
//     static constexpr bool shared = false;   // may a node have several parents?
//     static constexpr bool parents = false;  // is the index of parents wanted?
//     static constexpr ChildField field[] = {{false, 0, 2}, {false, 0, 2}};
//     static constexpr bool has[variants][fields] = {{false, false}, {true, true}};
//     static int class_of(std::int32_t node, int variant, bool leaf);  // leaf: it has no child
//     std::int32_t nodes;
//     const std::uint8_t* variant;  // [nodes]; unused where there is one
//     Children children[2];
//   };
//
// Variants may share a field: fields are columns of the caller's arrays, and a node's children are in
// the order of fields.
//
// Use: check(trees), then Structure::lay_out and Scratch on an arena, then Structure::build.
// A class is what one kernel handles; class_of may be static or not, and may look at the node.
// `field`, `has` and `children` need a column even if fields is 0.
#ifndef ESPALIER_V0_1_STRUCTURE_H
#define ESPALIER_V0_1_STRUCTURE_H

#include <cstddef>
#include <cstdint>

#include "arena.h"

namespace espalier {
inline namespace v0_1 {

// A child field: whether it holds a list or exactly one child, and the variants that may stand
// there: accepts, accepts + 1, ... accepts + accepted - 1.
struct ChildField {
  bool list;
  int accepts, accepted;
};

// The caller's arrays of one child field, in the caller's numbers.
struct Children {
  const std::int32_t* first;  // of lists, [nodes + 1]: node n has items[first[n]..first[n + 1])
  const std::int32_t* items;  // of single children [nodes], read at nodes of the field's variant
};

// What is wrong with a forest. Faults of one node name the lowest such node, in this order: arrays;
// offsets, foreign items and variants; children; shared nodes; cycles.
struct Fault {
  enum Kind {
    none,
    null_array,          // detail: 0 first or variant, 1 items
    too_many_edges,      // detail: their number, or a bound for it
    bad_offsets,         // first does not start at 0 or falls after this node; detail: the offset
    foreign_items,       // the node has items in the list of another variant; detail: how many
    bad_variant,         // detail: the variant
    child_out_of_range,  // detail: the child
    wrong_variant,       // detail: the child, whose variant the field does not accept
    shared_node,         // the node has two parents, or is twice in one list; detail: the second
    cycle,               // the node is its own descendant; detail: its child on the cycle
  };
  Kind kind = none;
  std::int32_t node = -1;
  std::int64_t detail = 0;
  int field = -1;

  explicit operator bool() const { return kind != none; }
};

namespace structure_detail {

template <class Shape>
int variant_of(const Shape& s, std::int32_t n) {
  return Shape::variants == 1 ? 0 : s.variant[n];
}

template <class Shape>
bool has_field(int variant, int field) {
  return Shape::variants == 1 || Shape::has[variant][field];
}

// Calls visit(field, child) for each child of node n, in order.
template <class Shape, class Visit>
void each_child(const Shape& s, std::int32_t n, Visit visit) {
  const int v = variant_of(s, n);
  for (int f = 0; f < Shape::fields; f++) {
    if (!has_field<Shape>(v, f)) continue;
    const Children& c = s.children[f];
    const std::int32_t begin = Shape::field[f].list ? c.first[n] : n;
    const std::int32_t end = Shape::field[f].list ? c.first[n + 1] : n + 1;
    for (std::int32_t i = begin; i < end; i++) visit(f, c.items[i]);
  }
}

template <class Shape>
std::int32_t count_children(const Shape& s, std::int32_t n) {
  const int v = variant_of(s, n);
  std::int32_t count = 0;
  for (int f = 0; f < Shape::fields; f++) {
    if (!has_field<Shape>(v, f)) continue;
    count += Shape::field[f].list ? s.children[f].first[n + 1] - s.children[f].first[n] : 1;
  }
  return count;
}

inline void prefetch(const void* p) {
#if defined(__GNUC__)
  __builtin_prefetch(p);
#else
  (void)p;
#endif
}

}  // namespace structure_detail

// At least the number of edges of a forest whose offsets are good.
template <class Shape>
std::int64_t edge_bound(const Shape& s) {
  std::int64_t bound = 0;
  for (int f = 0; f < Shape::fields && s.nodes > 0; f++)
    bound += Shape::field[f].list ? s.children[f].first[s.nodes] : s.nodes;
  return bound;
}

namespace structure_detail {

template <class Shape>
Fault check_arrays(const Shape& s) {
  if (Shape::variants > 1 && !s.variant) return {Fault::null_array};
  for (int f = 0; f < Shape::fields; f++) {
    const Children& c = s.children[f];
    if (Shape::field[f].list && !c.first) return {Fault::null_array, -1, 0, f};
    bool read = false;
    if (!c.items && !Shape::field[f].list)
      for (std::int32_t n = 0; n < s.nodes; n++)
        read |= variant_of(s, n) < Shape::variants && has_field<Shape>(variant_of(s, n), f);
    if (read || (!c.items && Shape::field[f].list && c.first[s.nodes] > 0))
      return {Fault::null_array, -1, 1, f};
  }
  if (edge_bound(s) > INT32_MAX) return {Fault::too_many_edges, -1, edge_bound(s)};
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
    if (!has_field<Shape>(v, f) && first[n + 1] > first[n])
      return {Fault::foreign_items, n, std::int64_t{first[n + 1]} - first[n], f};
  }
  return {};
}

// First whether there is a fault, in loops that the compiler can vectorize, then which.
template <class Shape>
Fault check_nodes(const Shape& s) {
  bool bad = false;
  for (std::int32_t n = 0; n < s.nodes && Shape::variants > 1; n++)
    bad |= variant_of(s, n) >= Shape::variants;
  for (int f = 0; f < Shape::fields && !bad; f++) {
    const std::int32_t* const first = s.children[f].first;
    if (!Shape::field[f].list) continue;
    bad |= first[0] != 0;
    for (std::int32_t n = 0; n < s.nodes; n++)
      bad |= (first[n + 1] < first[n]) |
             ((first[n + 1] > first[n]) & !has_field<Shape>(variant_of(s, n), f));
  }
  for (std::int32_t n = 0; n < s.nodes && bad; n++)
    if (const Fault fault = check_node(s, n)) return fault;
  return {};
}

template <class Shape>
Fault check_children(const Shape& s) {
  Fault fault;
  for (std::int32_t n = 0; n < s.nodes && !fault; n++)
    each_child(s, n, [&](int f, std::int32_t k) {
      if (fault) return;
      const ChildField& field = Shape::field[f];
      if (k < 0 || k >= s.nodes)
        fault = {Fault::child_out_of_range, n, k, f};
      else if (field.accepted < Shape::variants &&
               static_cast<unsigned>(variant_of(s, k) - field.accepts) >=
                   static_cast<unsigned>(field.accepted))
        fault = {Fault::wrong_variant, n, k, f};
    });
  return fault;
}

}  // namespace structure_detail

// Everything that can be seen without memory: all but shared nodes and cycles.
template <class Shape>
Fault check(const Shape& s) {
  if (s.nodes <= 0) return {};
  if (const Fault fault = structure_detail::check_arrays(s)) return fault;
  if (const Fault fault = structure_detail::check_nodes(s)) return fault;
  return structure_detail::check_children(s);
}

// What build() needs besides the Structure; free afterwards.
template <class Shape>
struct Scratch {
  struct State {
    std::int32_t parent;   // of trees; -1 at roots
    std::int32_t pending;  // children not yet placed
  };
  State* state;         // [nodes + 1]; of trees, the first stands above all roots
  std::int32_t* above;  // of trees [nodes + 1]: parents of the queue; else [edges] of all nodes
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
  // child[n], set at nodes of the field's variant.
  struct Edges {
    std::int32_t* first;  // of lists, [nodes + 1]
    std::int32_t* child;  // [edges of the field] or [nodes]
    std::int32_t* owner;  // of lists, [edges of the field]
  };
  // Who is above a node, if Shape::parents. In trees it is at [n], parent -1 at roots; in shared
  // types at [first[n]..first[n + 1]), by parent, field and position. `edge` is the index in the
  // field's edges of a list, the parent itself for a single child.
  struct Above {
    std::int32_t* first;   // of shared types, [nodes + 1]
    std::int32_t* parent;  // [nodes] or [edges]
    std::int32_t* edge;    // like parent
    std::uint8_t* field;   // like parent; null if there is one field
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
    return start[static_cast<std::size_t>(level) * Shape::classes + node_class];
  }
  std::int32_t end(std::int32_t level, int node_class) const {
    return start[static_cast<std::size_t>(level) * Shape::classes + node_class + 1];
  }
  std::int32_t leaves() const { return levels > 0 ? end(0, Shape::classes - 1) : 0; }

  // Takes the arrays. In trees `edge_limit` may be `node_limit`, as each node is below one other.
  void lay_out(Arena& arena, std::size_t node_limit, std::size_t edge_limit) {
    place = arena.take<std::int32_t>(node_limit);
    order = arena.take<std::int32_t>(node_limit + 1);
    start = arena.take<std::int32_t>(node_limit + 1, Shape::classes);
    bool lists = false;
    for (int f = 0; f < Shape::fields; f++) {
      const bool list = Shape::field[f].list;
      edges[f].first = list ? arena.take<std::int32_t>(node_limit + 1) : nullptr;
      edges[f].child = list ? nullptr : arena.take<std::int32_t>(node_limit);
      lists |= list;
    }
    list_child_ = arena.take<std::int32_t>(lists ? edge_limit : 0);
    list_owner_ = arena.take<std::int32_t>(lists ? edge_limit : 0);
    edge_limit_ = edge_limit;
    if (!Shape::parents) return;
    const std::size_t slots = Shape::shared ? edge_limit : node_limit;
    above.first = Shape::shared ? arena.take<std::int32_t>(node_limit + 2) : nullptr;
    above.parent = arena.take<std::int32_t>(slots);
    above.edge = arena.take<std::int32_t>(slots);
    above.field = Shape::fields > 1 ? arena.take<std::uint8_t>(slots) : nullptr;
  }

  // Fills them. The forest has passed check(), and its nodes are within the limit.
  Fault build(const Shape& s, const Scratch<Shape>& scratch) {
    nodes = s.nodes > 0 ? s.nodes : 0;
    levels = 0;
    for (std::int32_t& width : widest) width = 0;
    start[0] = 0;
    const Fault fault = Shape::shared ? list_parents(s, scratch) : link_parents(s, scratch);
    if (fault) return fault;
    const std::int32_t placed = place_nodes(s, scratch);
    if (placed < nodes) return find_cycle(s, scratch);
    number_children(s);
    if (Shape::parents) number_parents(s);
    return {};
  }

 private:
  using State = typename Scratch<Shape>::State;

  // Of trees: the one parent of each node.
  Fault link_parents(const Shape& s, const Scratch<Shape>& scratch) const {
    State* const state = scratch.state + 1;
    state[-1] = {-1, INT32_MAX};  // never counts down to 0
    for (std::int32_t n = 0; n < nodes; n++)
      state[n] = {-1, structure_detail::count_children(s, n)};
    Fault fault;
    fault.node = nodes;
    for (std::int32_t n = 0; n < nodes; n++)
      structure_detail::each_child(s, n, [&](int f, std::int32_t k) {
        if (state[k].parent >= 0 && k < fault.node) fault = {Fault::shared_node, k, n, f};
        state[k].parent = n;
      });
    return fault ? fault : Fault{};
  }

  // Of shared types: all parents, by node.
  Fault list_parents(const Shape& s, const Scratch<Shape>& scratch) const {
    State* const state = scratch.state + 1;
    std::int32_t* const first = scratch.above_first;
    std::int64_t edge_count = 0;
    for (std::int32_t n = 0; n < nodes; n++) {
      state[n] = {-1, structure_detail::count_children(s, n)};
      edge_count += state[n].pending;
    }
    if (edge_count > INT32_MAX || static_cast<std::uint64_t>(edge_count) > edge_limit_)
      return {Fault::too_many_edges, -1, edge_count};
    for (std::int32_t n = 0; n <= nodes + 1; n++) first[n] = 0;
    for (std::int32_t n = 0; n < nodes; n++)
      structure_detail::each_child(s, n, [&](int, std::int32_t k) { first[k + 2]++; });
    for (std::int32_t n = 0; n < nodes; n++) first[n + 2] += first[n + 1];
    for (std::int32_t n = 0; n < nodes; n++)
      structure_detail::each_child(s, n,
                                   [&](int, std::int32_t k) { scratch.above[first[k + 1]++] = n; });
    return {};
  }

  // A node joins the queue when its last child has been taken from it, so levels are runs of the
  // queue. Joining is written without a branch: half of all visits would mispredict it. Returns
  // how many nodes were placed.
  std::int32_t place_nodes(const Shape& s, const Scratch<Shape>& scratch) {
    constexpr std::int32_t ahead = 12;
    State* const state = scratch.state + 1;
    std::int32_t* const above_queue = scratch.above;
    std::int32_t tail = 0;
    for (std::int32_t n = 0; n < nodes; n++) {
      order[tail] = n;
      if (!Shape::shared) above_queue[tail] = state[n].parent;
      tail += state[n].pending == 0;
    }
    for (std::int32_t head = 0, level_end = tail; head < tail; level_end = tail) {
      sort_level(s, scratch, head, level_end);
      for (; head < level_end; head++) {
        if (Shape::shared) {
          const std::int32_t q = order[head];
          for (std::int32_t i = scratch.above_first[q]; i < scratch.above_first[q + 1]; i++) {
            order[tail] = scratch.above[i];
            tail += --state[scratch.above[i]].pending == 0;
          }
        } else {
          if (head + ahead < tail) structure_detail::prefetch(&state[above_queue[head + ahead]]);
          State& parent = state[above_queue[head]];
          order[tail] = above_queue[head];
          above_queue[tail] = parent.parent;
          tail += --parent.pending == 0;
        }
      }
    }
    start[static_cast<std::size_t>(levels) * Shape::classes] = tail;
    return tail;
  }

  // Puts the nodes head .. end - 1 of the queue, which are the next level, in the order of their
  // classes.
  void sort_level(const Shape& s, const Scratch<Shape>& scratch, std::int32_t head,
                  std::int32_t end) {
    std::int32_t count[Shape::classes] = {};
    for (std::int32_t i = head; i < end && Shape::classes > 1; i++) {
      const int variant = structure_detail::variant_of(s, order[i]);
      const int c = s.class_of(order[i], variant, levels == 0);
      scratch.node_class[i] = static_cast<std::uint8_t>(c);
      count[c]++;
    }
    if (Shape::classes == 1) count[0] = end - head;
    std::int32_t* const begins = start + static_cast<std::size_t>(levels) * Shape::classes;
    std::int32_t next[Shape::classes];
    bool mixed = false;
    for (int c = 0, at = head; c < Shape::classes; at += count[c++]) {
      begins[c] = next[c] = at;
      mixed |= count[c] > 0 && count[c] < end - head;
      if (count[c] > widest[c]) widest[c] = count[c];
    }
    levels++;
    if (!mixed) return;
    for (std::int32_t i = head; i < end; i++) {
      const std::int32_t to = next[scratch.node_class[i]]++;
      scratch.sorted[0][to] = order[i];
      if (!Shape::shared) scratch.sorted[1][to] = scratch.above[i];
    }
    for (std::int32_t i = head; i < end; i++) {
      order[i] = scratch.sorted[0][i];
      if (!Shape::shared) scratch.above[i] = scratch.sorted[1][i];
    }
  }

  // Some node was not placed. Goes down from the first such node, always to a child that was not
  // placed either, until a node comes up for the second time.
  Fault find_cycle(const Shape& s, const Scratch<Shape>& scratch) const {
    constexpr std::int32_t seen = -1;
    State* const state = scratch.state + 1;
    std::int32_t n = 0;
    while (state[n].pending == 0) n++;
    for (;;) {
      Fault fault = {Fault::cycle, n};
      structure_detail::each_child(s, n, [&](int f, std::int32_t k) {
        if (fault.field < 0 && state[k].pending != 0) fault = {Fault::cycle, n, k, f};
      });
      if (state[n].pending == seen) return fault;
      state[n].pending = seen;
      n = static_cast<std::int32_t>(fault.detail);
    }
  }

  void number_children(const Shape& s) {
    constexpr std::int32_t ahead = 8;
    std::int32_t at[Shape::fields > 0 ? Shape::fields : 1] = {};
    std::int32_t used = 0;
    for (int f = 0; f < Shape::fields; f++) {
      if (!Shape::field[f].list) continue;
      edges[f].child = list_child_ + used;
      edges[f].owner = list_owner_ + used;
      used += nodes > 0 ? s.children[f].first[nodes] : 0;
      for (std::int32_t n = 0; n <= leaves(); n++) edges[f].first[n] = 0;
    }
    for (std::int32_t n = 0; n < nodes; n++) place[order[n]] = n;
    for (std::int32_t n = leaves(); n < nodes; n++) {
      if (Shape::fields > 0 && n + ahead < nodes)
        structure_detail::prefetch(
            (Shape::field[0].list ? s.children[0].first : s.children[0].items) + order[n + ahead]);
      structure_detail::each_child(s, order[n], [&](int f, std::int32_t k) {
        if (Shape::field[f].list) {
          edges[f].owner[at[f]] = n;
          edges[f].child[at[f]++] = place[k];
        } else {
          edges[f].child[n] = place[k];
        }
      });
      for (int f = 0; f < Shape::fields; f++)
        if (Shape::field[f].list) edges[f].first[n + 1] = at[f];
    }
  }

  // Calls visit(field, edge, parent, child) for all edges in new numbers, by parent.
  template <class Visit>
  void each_edge(const Shape& s, Visit visit) const {
    for (std::int32_t n = leaves(); n < nodes; n++) {
      const int v = structure_detail::variant_of(s, order[n]);
      for (int f = 0; f < Shape::fields; f++) {
        if (!structure_detail::has_field<Shape>(v, f)) continue;
        const bool list = Shape::field[f].list;
        const std::int32_t end = list ? edges[f].first[n + 1] : n + 1;
        for (std::int32_t e = list ? edges[f].first[n] : n; e < end; e++)
          visit(f, e, n, edges[f].child[e]);
      }
    }
  }

  void number_parents(const Shape& s) {
    if (Shape::shared) {
      for (std::int32_t n = 0; n <= nodes + 1; n++) above.first[n] = 0;
      each_edge(s, [&](int, std::int32_t, std::int32_t, std::int32_t k) { above.first[k + 2]++; });
      for (std::int32_t n = 0; n < nodes; n++) above.first[n + 2] += above.first[n + 1];
    } else {
      for (std::int32_t n = 0; n < nodes; n++) above.parent[n] = above.edge[n] = -1;
    }
    each_edge(s, [&](int f, std::int32_t e, std::int32_t n, std::int32_t k) {
      const std::int32_t slot = Shape::shared ? above.first[k + 1]++ : k;
      above.parent[slot] = n;
      above.edge[slot] = e;
      if (Shape::fields > 1) above.field[slot] = static_cast<std::uint8_t>(f);
    });
  }

  std::int32_t* list_child_ = nullptr;  // [edge_limit_] for all lists together
  std::int32_t* list_owner_ = nullptr;
  std::size_t edge_limit_ = 0;
};

}  // namespace v0_1
}  // namespace espalier

#endif

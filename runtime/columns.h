// The caller's columns: their checks, and copies of them in the order in which kernels read.
#ifndef ESPALIER_V0_1_COLUMNS_H
#define ESPALIER_V0_1_COLUMNS_H

#include <cstddef>
#include <cstdint>

#include "structure.h"

namespace espalier {
inline namespace v0_1 {

// ---- Checks

// Whether there is a row that has the column.
template <class Has>
bool any_row(std::int32_t rows, Has has) {
  bool any = false;
  for (std::int32_t r = 0; r < rows; r++) any |= has(r);
  return any;
}

// The first row that has the column and a value outside [0, bound); -1 if there is none.
template <class Has>
std::int32_t first_outside(const std::int32_t* column, std::int32_t rows, std::int32_t bound,
                           Has has) {
  const auto outside = [&](std::int32_t r) {
    return has(r) & (static_cast<std::uint32_t>(column[r]) >= static_cast<std::uint32_t>(bound));
  };
  if (any_row(rows, outside))
    for (std::int32_t r = 0; r < rows; r++)
      if (outside(r)) return r;
  return -1;
}

// The first row whose offsets fall, or that has items though it has no list, or row 0 if it does
// not start at 0. Offsets may be null where there are no rows.
template <class Has>
Fault check_offsets(const std::int32_t* first, std::int32_t rows, Has has) {
  if (rows > 0 && !first) return {Fault::null_array};
  for (std::int32_t r = 0; r < rows; r++) {
    if (r == 0 && first[0] != 0) return {Fault::bad_offsets, 0, first[0]};
    if (first[r + 1] < first[r]) return {Fault::bad_offsets, r, first[r + 1]};
    if (first[r + 1] > first[r] && !has(r))
      return {Fault::foreign_items, r, std::int64_t{first[r + 1]} - first[r]};
  }
  return {};
}

// The row in whose list item `i` is.
inline std::int32_t row_of(const std::int32_t* first, std::int32_t rows, std::int32_t i) {
  std::int32_t low = 0, high = rows;  // first[low] <= i < first[high]
  while (high - low > 1) {
    const std::int32_t middle = low + (high - low) / 2;
    (first[middle] <= i ? low : high) = middle;
  }
  return low;
}

// first[rows], where there are rows and offsets.
inline std::int32_t last_offset(const std::int32_t* first, std::int32_t rows) {
  return rows > 0 && first ? first[rows] : 0;
}

// ---- Pairs of items

constexpr std::int64_t too_many = std::int64_t{1} << 31;

// Items of a row; none where there are no offsets, or these fall.
inline std::int64_t items(const std::int32_t* first, std::int32_t row) {
  return first && first[row + 1] > first[row] ? std::int64_t{first[row + 1]} - first[row] : 0;
}

// Items of the node in row `row` of a column, of `nodes` nodes.
inline std::int64_t items_of(const std::int32_t* first, std::int32_t nodes,
                             const std::int32_t* column, std::int32_t row) {
  if (!column || column[row] < 0 || column[row] >= nodes) return 0;
  return items(first, column[row]);
}

// Of a and b items, neither more than too_many; nor is the answer.
inline std::int64_t pairs(std::int64_t a, std::int64_t b) {
  return a * b < too_many ? a * b : too_many;
}

// Of all rows together, at most too_many.
template <class Items>
std::int64_t total(std::int32_t rows, Items items_of) {
  std::int64_t sum = 0;
  for (std::int32_t row = 0; row < rows && sum < too_many; row++) sum += items_of(row);
  return sum < too_many ? sum : too_many;
}

inline std::int32_t limit(std::int64_t n) {
  return static_cast<std::int32_t>(n < too_many ? n : too_many - 1);
}

// ---- Numbers of nodes and edges

// Neighbouring classes of the linearizer, first .. last: what kernels treat as one.
struct Classes {
  int first, last;
};

// Calls visit(k, n) for the nodes of a class: n its number among all, k among those of the class.
template <class Tree, class Visit>
void each_of_class(const Tree& tree, Classes c, Visit visit) {
  std::int32_t k = 0;
  for (std::int32_t level = 0; level < tree.levels; level++)
    for (std::int32_t n = tree.begin(level, c.first); n < tree.end(level, c.last); n++)
      visit(k++, n);
}

// The items of a class, or of a list of its nodes: all of them, and the most on one level.
struct Count {
  std::int32_t all, widest;
};

// width(begin, end): the items of a range of nodes.
template <class Tree, class Width>
Count count_by_level(const Tree& tree, Classes c, Width width) {
  Count count = {0, 0};
  for (std::int32_t level = 0; level < tree.levels; level++) {
    const std::int32_t items = width(tree.begin(level, c.first), tree.end(level, c.last));
    count.all += items;
    if (items > count.widest) count.widest = items;
  }
  return count;
}

template <class Tree>
Count count_class(const Tree& tree, Classes c) {
  return count_by_level(tree, c, [](std::int32_t begin, std::int32_t end) { return end - begin; });
}

template <class Tree>
Count count_items(const Tree& tree, Classes c, const std::int32_t* first) {
  return count_by_level(tree, c, [&](std::int32_t begin, std::int32_t end) {
    std::int32_t items = 0;
    for (std::int32_t n = begin; n < end; n++)
      items += first[tree.order[n] + 1] - first[tree.order[n]];
    return items;
  });
}

// items_of(n): of node n of the user's.
template <class Tree, class Items>
Count count_rows(const Tree& tree, Classes c, Items items_of) {
  return count_by_level(tree, c, [&](std::int32_t begin, std::int32_t end) {
    std::int64_t sum = 0;
    for (std::int32_t n = begin; n < end; n++) sum += items_of(tree.order[n]);
    return static_cast<std::int32_t>(sum);
  });
}

// first[level]: the number of the first node of a class on that level among those of the class.
template <class Tree>
void class_firsts(const Tree& tree, Classes c, std::int32_t* first) {
  first[0] = 0;
  for (std::int32_t level = 0; level < tree.levels; level++)
    first[level + 1] = first[level] + tree.end(level, c.last) - tree.begin(level, c.first);
}

// The functions below are for forests that Structure::build() found good.
template <class Shape>
std::int32_t count_children(const Shape& shape, std::int32_t n) {
  std::int32_t count = 0;
  structure_detail::each_child(shape, n,
                               [&](int, std::int32_t, bool present) { count += present; });
  return count;
}

template <class Shape>
std::int32_t count_edges(const Shape& shape) {
  std::int32_t count = 0;
  for (std::int32_t n = 0; n < shape.nodes; n++) count += count_children(shape, n);
  return count;
}

// Edges are numbered by parent, field and position: first[n] is the first one of node n.
template <class Shape, class Tree>
void edge_firsts(const Shape& shape, const Tree& tree, std::int32_t* first) {
  first[0] = 0;
  for (std::int32_t n = 0; n < tree.nodes; n++)
    first[n + 1] = first[n] + count_children(shape, tree.order[n]);
}

// Calls visit(edge, child) for all edges in their order, in our numbers.
template <class Shape, class Tree, class Visit>
void each_edge(const Shape& shape, const Tree& tree, Visit visit) {
  std::int32_t edge = 0;
  for (std::int32_t n = 0; n < tree.nodes; n++)
    structure_detail::each_child(shape, tree.order[n], [&](int, std::int32_t child, bool present) {
      if (present) visit(edge++, tree.place[child]);
    });
}

// Of trees: the edge that enters each node, -1 at roots.
template <class Shape, class Tree>
void parent_edges(const Shape& shape, const Tree& tree, std::int32_t* parent_edge) {
  for (std::int32_t n = 0; n < tree.nodes; n++) parent_edge[n] = -1;
  each_edge(shape, tree, [&](std::int32_t edge, std::int32_t k) { parent_edge[k] = edge; });
}

// The edges that enter node n are edge[first[n]] .. edge[first[n + 1] - 1], in their order.
template <class Shape, class Tree>
void entering_edges(const Shape& shape, const Tree& tree, std::int32_t* first, std::int32_t* edge) {
  for (std::int32_t n = 0; n <= tree.nodes; n++) first[n] = 0;
  each_edge(shape, tree, [&](std::int32_t, std::int32_t k) { first[k + 1]++; });
  for (std::int32_t n = 0; n < tree.nodes; n++) first[n + 1] += first[n];
  each_edge(shape, tree, [&](std::int32_t e, std::int32_t k) { edge[first[k]++] = e; });
  for (std::int32_t n = tree.nodes; n > 0; n--) first[n] = first[n - 1];
  first[0] = 0;
}

// The two lowest calls that reach a node; -1 where there are less.
struct Reached {
  std::int32_t first, second;

  void by(std::int32_t call) {
    if (call < 0 || call == first || call == second) return;
    if (first < 0 || call < first)
      second = first, first = call;
    else if (second < 0 || call < second)
      second = call;
  }
};

// Fills `reached`, which holds the calls of roots, from parents to children; where through_shared
// is false, not to nodes that may have several parents. Returns the lowest node that two calls
// reach (in the caller's numbers), or -1.
template <bool through_shared, class Shape, class Tree>
std::int32_t spread_calls(const Shape& shape, const Tree& tree, Reached* reached) {
  std::int32_t lowest = -1;
  for (std::int32_t n = tree.nodes - 1; n >= 0; n--) {
    const Reached above = reached[n];
    if (above.second >= 0 && (lowest < 0 || tree.order[n] < lowest)) lowest = tree.order[n];
    if (above.first < 0) continue;
    structure_detail::each_child(
        shape, tree.order[n], [&](int f, std::int32_t child, bool present) {
          if (!present) return;
          if (Shape::shared && !through_shared && !Shape::field[f].one_parent) return;
          reached[tree.place[child]].by(above.first);
          reached[tree.place[child]].by(above.second);
        });
  }
  return lowest;
}

// ---- Copies

// Rows of `last` elements each: `outer` of them from step `from_inner` to step `to_inner`, each
// element converted.
template <class From, class To, class Convert>
void convert_row(const From* from, std::size_t from_inner, To* to, std::size_t to_inner,
                 std::size_t outer, std::size_t last, Convert convert) {
  for (std::size_t i = 0; i < outer; i++)
    for (std::size_t j = 0; j < last; j++) to[i * to_inner + j] = convert(from[i * from_inner + j]);
}

template <class From, class To>
void copy_row(const From* from, std::size_t from_inner, To* to, std::size_t to_inner,
              std::size_t outer, std::size_t last) {
  convert_row(from, from_inner, to, to_inner, outer, last,
              [](From x) { return static_cast<To>(x); });
}

template <class T>
void clear_row(T* to, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) to[i] = T();
}

}  // namespace v0_1
}  // namespace espalier

#endif

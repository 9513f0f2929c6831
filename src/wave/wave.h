// The wavefront IR: first-order tensor operators on domains, in structured regions.
//
// A *domain* is a finite set of elements known when an entry is called: the nodes of a variant, the
// items of a list, the calls. A *value* is a tensor for each element of its domain. Every
// computation is one `compute` operator: for each element and each axis, a scalar expression over
// other values, at will reduced over axes or over the items of a list. Recursion is a `sweep`
// region: its operators run once a level, on the elements of that level; what crosses levels is a
// carry.
//
//   wave entry encode
//   %x: Node f32[32] = map E[word@d, i0]
//   sweep_up {
//     %hs: Node f32[48] = sum over children: h@(child@e)[i0]
//     ...
//     set %h part Node = %h1
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/forest.h"
#include "base/source.h"
#include "wave/scalar.h"

namespace espalier::wave {

using espalier::Dtype;
// ---- Domains

struct Domain {
  enum class Kind : std::uint8_t {
    once,     // one element
    calls,    // the calls of the entry
    nodes,    // the nodes of one class: a variant, or the part of it that `part` says
    all,      // every node of the forest: the union of all `nodes` domains
    list,     // the items of lists: one contiguous segment for each element of `owner`
    edges,    // every child slot of the forest: the union of all child and children fields
    parents,  // shared types: the edges that enter each node; segments over `all`
  };
  enum class Part : std::uint8_t { any, empty, filled };  // nodes: are all of its lists empty?

  Kind kind = Kind::once;
  std::string name;  // unique in the entry: "Node", "Node.children", "calls"
  int variant = -1;  // nodes
  Part part = Part::any;
  Id owner = none;  // list, parents: whose elements the segments belong to
  int list = -1;    // list: number in the forest's lists, or in the arguments' where the outermost
                    // owner is calls; -1 for a literal
  std::int64_t length = -1;  // list: items of every segment where it is the same for all (literals)
  // list: an element's segment has as many items as the list `like` has there, whose owner is that
  // element's own or encloses it; so it pairs the element with those items. from, to: `like` is the
  // owner, and only the items from the element on, or up to it, count.
  Id like = none;
  enum class Side : std::uint8_t { whole, from, to } side = Side::whole;
  // list, like one over the nodes of a variant: those of the node that is child leaf `field` of the
  // owner's element, or its root in that argument; none where the node is of another variant.
  int field = -1;
};

// ---- Values

enum class Phase : std::uint8_t { load, call };  // once per set of weights, or in each call

struct Value {
  enum class Kind : std::uint8_t {
    parameter,    // once: leaf `source` of a parameter
    constant,     // once: constant `source`
    argument,     // calls, or a list over calls: argument `source` (column)
    payload,      // nodes or list over nodes: leaf `field` of the variant's fields
    root,         // calls -> all: argument `source` of a data type
    child,        // nodes or list over nodes -> all: `field`
    place,        // nodes -> all: the element itself among all nodes
    variant,      // all: the variant of a node
    local,        // all -> nodes: a node's number in the `nodes` domain of its variant (part any)
    slot,         // nodes or list over nodes -> edges: the edge of child field `field`
    parent_edge,  // all -> edges: the edge that enters it, or -1. Trees only
    in_edge,      // parents -> edges
    root_call,    // all -> calls: the call whose argument leaf `field` it is, or -1
    computed,     // by a compute operator
    carry,        // of a sweep: on all or edges, set part by part; of steps: on the list
    previous,     // in steps, on the list: the carry at the item before, or `initial` at the first
  };
  Kind kind = Kind::computed;
  std::string name;  // unique in the entry; the model's name where it has one
  Id domain = none;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  Phase phase = Phase::call;
  std::string source;
  int field = -1;
  Id of = none;           // previous: the carry
  Id initial = none;      // previous: a value on the list's owner
  Loc loc;                // where it came from
  std::int32_t line = 0;  // computed: the line of the model that says so, from 1; 0: unknown
};

// ---- Operators

struct Op {
  enum class Kind : std::uint8_t {
    compute,     // result = reduce over (axes, list) of body
    sweep_up,    // region, once a level, children before parents
    sweep_down,  // region, once a level, parents before children
    steps,       // region, once an item of `list` in each segment, in order (backward: last first)
    set,    // carry `result` on the part of `part` (a domain) = value `value`; for edges the part
            // is child field `field` of domain `part`
    check,  // where `body` is false for an element of `domain`, the call returns status `code`
  };

  Kind kind = Kind::compute;
  Id result = none;
  Reduce reduce = Reduce::map;
  std::vector<std::int64_t> axes;  // extents of reduction axes r0, r1, ..
  Id list = none;         // compute: also reduce over its items; steps: what is stepped over
  ScalarRef body;         // compute, check
  ScalarRef guard;        // compute, check: elements for which it is false are skipped; null:
                          // none. Whoever reads the value there does so behind the same
                          // guard
  bool backward = false;  // steps
  std::vector<Op> region;
  Id part = none;
  int field = -1;
  Id value = none;
  Id domain = none;  // check
  std::string code;  // check
  ScalarRef detail;  // check: the number that is wrong, or null
};

// A row per call, or per node of a type, or per item of a list (ragged rows).
struct Output {
  std::string entry_result;  // "h", "value", "Marked.s"
  Id value = none;
  enum class Rows : std::uint8_t { calls, nodes, items } rows = Rows::calls;
  std::string type;  // nodes: rows for the nodes of this data type, in the input's order
};

struct Entry {
  std::string name, doc;
  Arguments arguments;
  std::vector<Domain> domains;
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<Output> outputs;
  bool nodes = false;  // a row per node: no calls domain, every node of the type is a root

  const Domain& domain(Id i) const { return domains[static_cast<std::size_t>(i)]; }
  const Value& value(Id i) const { return values[static_cast<std::size_t>(i)]; }
  Domain& domain(Id i) { return domains[static_cast<std::size_t>(i)]; }
  Value& value(Id i) { return values[static_cast<std::size_t>(i)]; }
};

struct Module {
  std::string name, doc;
  std::vector<std::pair<std::string, std::int64_t>> dims;
  Forest forest;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::vector<Entry> entries;
};

}  // namespace espalier::wave

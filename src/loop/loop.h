// The loop IR: what the printers print. Functions of loops and statements over buffers, and the
// facts from which host code is written (structure arrays, checks, workspace, results).
//
// Whatever a reader will see is decided before printing: names, temporaries, comments, loop kinds,
// layouts. Differences between targets are rewrites of this IR.
//
// The face of the emitted kernels, for every package NAME with namespace NAME:
//
//   NAME.h (host)          constexpr int per dim; struct Weights {const T* LEAF;} in the order of
//                          `parameters`; struct Model {const T* BUFFER;} of the `prepared` buffers,
//                          in order; Forest, Calls, Outputs, enum Code (with `statuses`)
//   NAME_kernels.h (here)  struct `structure_type` {numbers, arrays: const T*} of the members of
//   all
//                          entries' `structure`, struct `workspace_type` of their `buffers` (T*), and
//                          the exported functions: the entries' `kernels` and all of `prepare`.
//                          Entries share members, buffers and functions where these are the same
//
// Kernels are called by every member of the team, in order, with a barrier between them. Their
// parameters are some of: const Model& m, const STRUCTURE& g, const WORKSPACE& w,
// espalier::Barrier& barrier, int member, int members; host code passes variables of these names.
// Functions of `prepare` run in order on one thread. Their parameters are some of: const Weights&
// weights, const Model& m, and T* BUFFER for each prepared buffer that they write; by name again.
//
// Where an entry has `checks`, its workspace struct begins with `Failure* failure`, one of each
// member, which host code sets to {} before the call; after each barrier between kernels members
// return if one of them failed, and afterwards the call returns the status first_failure(w,
// members).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/forest.h"

namespace espalier::loop {

// ---- Sizes

// `number` times a count that is known in a call only: the rows of a buffer.
struct Extent {
  enum class Kind : std::uint8_t {
    fixed,         // one
    nodes,         // all nodes of the forest
    class_nodes,   // nodes of class `index`
    class_widest,  // nodes of class `index` on its widest level
    level_widest,  // nodes of all classes on the widest level
    edges,         // all child slots
    list_items,    // items of list `index`
    list_widest,   // the most items of list `index` that belong to one level of its class
    calls,
  };
  Kind kind = Kind::fixed;
  std::int64_t number = 1;
  int index = 0;
};

// ---- Buffers

struct Buffer {
  enum class Space : std::uint8_t {
    weights,    // the user's tensors: row-major, not aligned, read in prepare() only
    constants,  // arrays in the kernels' source: constant `source`
    prepared,   // members of Model: written by prepare(), read by calls
    structure,  // members of the entry's structure: inputs and what the linearizer made
    workspace,  // values that live from one kernel or level to another
    scratch,    // temporaries of one level, from its first element or item on
  };
  std::string name;  // legal and unique among the buffers of its struct
  Space space = Space::workspace;
  Dtype dtype = Dtype::f32;  // f32, f64, i8, i32, i64, boolean (std::uint8_t); f16 and bf16
                             // (std::uint16_t) only in `weights`
  Extent rows;
  std::vector<std::int64_t> shape;  // of a row: what it means
  std::int64_t inner = 1;  // elements from one index of the last axis but one to the next: the last
                           // axis, of floats padded to a multiple of 16 where it is longer than 1
  std::int64_t stride = 1;  // elements from row to row; prepared panels: all elements
  std::string layout;       // for the comment: "[nodes][hidden]"
  std::string source;       // weights, constants: the leaf's or constant's name
};

// ---- Expressions

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

struct Type {
  Dtype dtype = Dtype::f32;  // i32 is `int` in loops; boolean is bool
  bool vector = false;       // espalier::vec; of boolean: a mask
  bool pointer = false;      // to const dtype, or
  bool writes = false;       // to dtype
};
inline bool operator==(const Type& a, const Type& b) {
  return a.dtype == b.dtype && a.vector == b.vector && a.pointer == b.pointer &&
         a.writes == b.writes;
}

struct Expr {
  enum class Kind : std::uint8_t {
    integer,   // `integer`
    number,    // `number`, printed for its dtype
    variable,  // `name`
    constant,  // `name`, worth `integer`: "hidden", "lanes" (worth 0: known to the compiler only)
    load,      // buffer `buffer` at args[0], or pointer variable `name` at args[0] if buffer < 0
    item,      // args[0] of local array `name`
    address,   // pointer to row args[0] of buffer `buffer`, rows of args[1] elements
    pointer,   // buffer `buffer`, or pointer `name`, plus args[0] elements
    binary,    // `name` is the C++ operator
    unary,     // "-", "!"
    call,      // of runtime function `name`: "tanh", "splat", "floordiv"
    select,    // args[0] ? args[1] : args[2]; of vectors both are computed
    cast,      // to `type`; of a scalar to a vector: splat
  };
  Kind kind = Kind::integer;
  Type type;
  std::int64_t integer = 0;
  double number = 0;
  std::string name;
  int buffer = -1;
  std::vector<ExprRef> args;
};

// ---- Statements

struct Stmt {
  enum class Kind : std::uint8_t {
    loop,      // for (int name = begin; name < end; name += step) body
    let,       // const type name = value
    variable,  // type name = value, assigned later; a local array where `count` is given: zeros
    assign,    // name = value, or name `op`= value; of name[index] where given
    store,     // buffer[index] `op`= value, or of pointer variable `name` if buffer < 0
    branch,    // if (value) body else other
    call,      // of function `name` of the module, for tiles of `tile` rows, with `args`
    choose,    // switch (value): body[i] where it is body.size() - i
    share,     // name.begin, name.end: the member's part of 0 .. value
    barrier,   // of the team; "checks": return if a check of some member has failed
    leave,     // return; "member": if a check of this member has failed
    comment,   // `name`, filtered and wrapped by the printer
    blank,
    fail,  // records a failed check: number `check`, status `name`, node args[0], detail args[1]
  };
  enum class Loop : std::uint8_t { serial, vector, unrolled };

  Kind kind = Kind::comment;
  std::string name;
  Type type;
  Loop loop = Loop::serial;
  ExprRef begin, end, step;  // loop; step null is 1
  bool down = false;         // loop: from the end to the beginning
  bool aligned = true;       // store of a vector
  int buffer = -1;
  int check = 0;
  std::string op;  // "" or "+"
  std::string tile;
  ExprRef index, value, count;
  std::vector<ExprRef> args;
  std::vector<Stmt> body, other;
};

struct Param {
  std::string type;  // as printed: "const Model&", "int"
  std::string name;
};

// What a function does for one element of its loop. A multiply-add is two FLOPs.
struct Cost {
  std::string each;                            // "Node", "item of Node.children"; "" for no element
  std::int64_t products = 0, elementwise = 0;  // FLOPs in products with weights, and all others
  std::int64_t bytes = 0;                      // read and written per element; weights are not
};

struct Function {
  std::string name;
  std::string comment;              // what and why, the model's equation
  std::vector<std::int64_t> lines;  // of the model, in order
  std::vector<Cost> costs;
  std::string tile;  // not empty: template <int tile>
  std::vector<Param> params;
  std::string result = "void";
  bool exported = false;  // declared in NAME_kernels.h, called by the host code
  std::vector<Stmt> body;
};

// A constant at the top of the kernels' source.
struct NamedConstant {
  std::string name, value, comment;
};

// ---- What host code is made of

// One structure array or number that kernels read: a member of the entry's structure.
struct StructureMember {
  enum class Kind : std::uint8_t {
    levels,       // int: number of levels
    nodes,        // int: nodes of the forest
    calls,        // int: number of calls
    class_count,  // int: nodes of class `index`
    edge_count,   // int: child slots of the forest
    level_first,  // [levels + 1] first number among all nodes on each level
    class_first,  // [levels + 1] first element of class `index` on each level, in the class's numbering
    class_place,  // [levels] number among all nodes of the class's first element on each level
    place,        // [class nodes] number among all nodes
    original,     // [all nodes] the user's number of a node
    child,        // [class nodes, or items] leaf `field`: number among all nodes of the child
    payload,      // [class nodes, or items] leaf `field`, renumbered; rows of the buffer's layout
    list_first,   // of list domain `list`: [owners + 1] first item
    list_owner,   // of list domain `list`: [items] the owner
    slot,         // [class nodes or items] child leaf `field`: number among all edges
    parent_edge,  // [all nodes] edge that enters, or -1
    in_first,     // [all nodes + 1] shared types: the edges that enter each node
    in_owner,     // [edges] .. the node that each of them enters
    in_edge,      // [edges] .. their numbers among all edges
    variant,      // [all nodes] the node's variant
    local,        // [all nodes] the node's number in the class `any` of its variant
    root_call,    // [all nodes] the call of argument leaf `field` that the node is root of, or -1
    root,         // [calls] argument leaf `field`: number among all nodes
    argument,     // [calls, or items] argument leaf `field`: the user's column itself where the
                  // buffer's layout allows (same dtype, nothing padded), else a copy
  };
  Kind kind = Kind::levels;
  std::string name;
  int buffer = -1;  // arrays: its buffer, of space structure
  int index = 0;    // class
  int field = -1;   // payload, child, slot: leaf of the class's variant; else argument leaf
  int list =
      -1;  // of the entry's lists: list_first, list_owner; payload, child, slot, argument: the
           // list whose items have it, or -1
};

// A class of nodes: the unit of numbering, contiguous on each level. Classes of different variants
// are disjoint; where an entry has both, `any` is numbered as its `empty` and `filled` part in
// turn, by level.
struct Class {
  std::string name;
  int variant = 0;
  enum class Part : std::uint8_t { any, empty, filled } part = Part::any;
};

struct ListDomain {
  std::string name;
  int class_index = -1;  // outermost owner: the nodes of a class; -1: calls (or once)
  int list = -1;         // number in the forest's lists, or in the arguments' over calls
  int over = -1;         // over the items of another list of the entry
  // Of as many items as that list of the entry has at the element or what encloses it; `from`,
  // `to`: which `over` is, of those from the element on or up to it.
  int like = -1;
  enum class Side : std::uint8_t { whole, from, to } side = Side::whole;
  int field = -1;            // like: of the node in that child leaf, or root argument, of the owner
  std::int64_t length = -1;  // of every element; such lists have no arrays, others may be over them
};

struct StatusCode {
  std::string name;      // "word_out_of_range"
  std::string describe;  // "the word of this node is not a row of its table"
};

// Rows of a workspace buffer that become a result: copied by the host code after the last kernel.
struct OutputCopy {
  std::string result;  // name in Outputs, as in the model
  Dtype dtype = Dtype::f32;
  std::vector<std::string> axes;  // of a row, as the header names them: "hidden", "3"
  int buffer = -1;                // workspace, or structure or prepared
  enum class Rows : std::uint8_t { calls, nodes, items } rows = Rows::calls;
  enum class From : std::uint8_t {
    rows,  // row r of the result is row r of the buffer
    all,   // nodes: the buffer has a row per node, in the numbering among all nodes
    one,   // the buffer has one row for all
  } from = From::rows;
  std::vector<int> classes;  // all: only nodes of these have a row; the others are zeros
  std::string type;          // nodes: of this data type, in the input's order
  int list = -1;  // items: of the entry's lists; its list_first is a member of the structure
  std::int64_t length = -1;  // items: of every call, where it is fixed
};

// When an entry uses a buffer.
struct Life {
  int first = 0, last = 0;  // of the entry's kernels; one more: results are copied
  int arena =
      -1;  // buffers of the entry with the same number share memory: the host takes the most
           // bytes that one of them needs. -1: memory of its own
};

struct Entry {
  std::string name, doc;
  Arguments arguments;
  bool nodes = false;
  std::vector<Class> classes;
  std::vector<ListDomain> lists;
  std::vector<StructureMember> structure;
  std::vector<int> buffers;          // workspace and scratch of this entry, in order
  std::vector<Life> lives;           // of each of them
  std::vector<std::string> kernels;  // exported functions, in order, with a barrier between
  std::vector<OutputCopy> outputs;
  bool checks = false;
};

struct Module {
  std::string name, doc;
  std::string structure_type = "Structure", workspace_type = "Values";  // as in api_names.h
  std::vector<std::pair<std::string, std::int64_t>> dims;
  Forest forest;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::vector<Buffer> buffers;
  std::vector<NamedConstant> named;
  std::vector<Function> functions;   // in the order of printing: callees first
  std::vector<std::string> prepare;  // exported functions of the load phase, in order
  std::vector<StatusCode> statuses;  // beyond those that every package has
  std::vector<Entry> entries;

  const Buffer& buffer(int i) const { return buffers[static_cast<std::size_t>(i)]; }
  Buffer& buffer(int i) { return buffers[static_cast<std::size_t>(i)]; }
};

}  // namespace espalier::loop

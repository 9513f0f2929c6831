// The loop IR: what the printers print. Functions of loops and statements over buffers, and the facts
// from which host code is written (structure arrays, checks, workspace, results).
//
// Whatever a reader will see is decided before printing: names, temporaries, comments, loop kinds,
// layouts. Differences between targets are rewrites of this IR.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/forest.h"

namespace espalier::loop {


// ---- Sizes ---------------------------------------------------------------------------------------

// A count known in a call only: what the rows of a buffer, or the bounds of a loop, are made of.
struct Extent {
  enum class Kind : std::uint8_t {
    fixed,        // `number`
    nodes,        // all nodes of the forest
    class_nodes,  // nodes of class `index`
    class_widest, // nodes of class `index` on its widest level
    edges,        // all child slots
    list_items,   // items of list `index`
    list_widest,  // items of list `index` that belong to the widest level of its class
    calls,
    levels,
  };
  Kind kind = Kind::fixed;
  std::int64_t number = 1;
  int index = 0;
};

// ---- Buffers -------------------------------------------------------------------------------------

struct Buffer {
  enum class Space : std::uint8_t {
    weights,    // the user's tensors: row-major, not aligned, read in prepare() only
    constants,  // arrays in the source
    prepared,   // written by prepare(), read by calls
    forest,     // the user's columns, in the user's numbering
    calls,      // the user's argument columns
    structure,  // what the linearizer made: `Structure` members
    workspace,  // values that live from one kernel or level to another
    scratch,    // temporaries of one level
    member,     // temporaries of one member of the team, a piece for each
    output,     // the user's
  };
  std::string name;  // legal and unique among the buffers of its space
  Space space = Space::workspace;
  Dtype dtype = Dtype::f32;
  Extent rows;
  std::int64_t row = 1;          // elements of a row that mean something
  std::int64_t stride = 1;       // elements from row to row; a multiple of `padding` where padded
  std::int64_t padding = 1;      // 16: rows are padded for vectors; tails hold zeros or garbage
  std::string shape;             // for the comment: "[nodes][hidden]"
  std::string comment;
  int first_use = 0, last_use = 0;  // kernels of the entry, for reuse of memory
  std::int64_t arena = -1;          // buffers of the same number share memory; -1: its own
};

// ---- Expressions ---------------------------------------------------------------------------------

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

struct Type {
  Dtype dtype = Dtype::f32;
  bool vector = false;   // espalier::vec
  bool pointer = false;  // to const dtype
};

struct Expr {
  enum class Kind : std::uint8_t {
    integer,   // `integer`
    number,    // `number`, printed for its dtype
    variable,  // `name`
    load,      // buffer `buffer` at args[0]; of a pointer variable `name` if buffer < 0
    binary,    // `name` is the C++ operator
    unary,     // "-", "!"
    call,      // of runtime function `name`: "tanh", "splat", "floordiv"
    select,    // args[0] ? args[1] : args[2]
    cast,      // to `type`
    address,   // pointer to buffer `buffer` at args[0]
    constant,  // a named constant of the package: "hidden", "lanes"
  };
  Kind kind = Kind::integer;
  Type type;
  std::int64_t integer = 0;
  double number = 0;
  std::string name;
  int buffer = -1;
  std::vector<ExprRef> args;
};

// ---- Statements ----------------------------------------------------------------------------------

struct Stmt {
  enum class Kind : std::uint8_t {
    loop,      // for (name = begin; name < end; name += step) body
    let,       // const type name = value
    variable,  // type name = value, assigned later
    assign,    // name = value, or name `op`= value
    store,     // buffer[index] = value, or `op`=
    branch,    // if (value) body else other
    call,      // of function `name` of the module with `args`
    barrier,   // of the team
    comment,   // `name`, filtered and wrapped by the printer
    blank,
    fail,      // leaves the call with status `name`, node args[0], detail args[1]
    block,     // { body }
  };
  enum class Loop : std::uint8_t { serial, vector, unrolled, team, member };

  Kind kind = Kind::comment;
  std::string name;
  Type type;
  Loop loop = Loop::serial;
  ExprRef begin, end, step;  // loop; step null is 1. team: the member's share of begin..end
  bool down = false;         // loop: from the end to the beginning
  int buffer = -1;
  std::string op;            // "" or "+"
  ExprRef index, value;
  std::vector<ExprRef> args;
  std::vector<Stmt> body, other;
};

struct Param {
  std::string type;  // as printed: "const Model&", "std::int32_t"
  std::string name;
};

struct Function {
  std::string name;
  std::string comment;  // what and why, the model's equation, FLOPs and bytes
  std::vector<Param> params;
  std::string result = "void";
  bool exported = false;  // declared in NAME_kernels.h, called by the host code
  std::vector<Stmt> body;
};

// ---- What host code is made of -------------------------------------------------------------------

// One structure array or number that kernels read: a member of `Structure`.
struct StructureMember {
  enum class Kind : std::uint8_t {
    levels,       // int: number of levels
    nodes,        // int: nodes of the forest
    class_first,  // [levels + 1] first element of class `index` on each level, in the class's numbering
    class_place,  // [levels] number among all nodes of the class's first element on each level
    place,        // [class nodes] number among all nodes
    original,     // [all nodes] the user's number of a node
    child,        // [class nodes, or items] leaf `field`: number among all nodes of the child
    payload,      // [class nodes, or items] leaf `field`, renumbered
    list_first,   // of list domain `list`: [owners + 1] first item
    list_owner,   // of list domain `list`: [items] the owner
    slot,         // [class nodes or items] child leaf `field`: number among all edges
    parent_edge,  // [all nodes] edge that enters, or -1
    in_first,     // [all nodes + 1], shared types
    in_edge,      // [edges]
    root_call,    // [all nodes] the call of argument leaf `field` that the node is root of, or -1
    root,         // [calls] argument leaf `field`: number among all nodes
  };
  Kind kind = Kind::levels;
  std::string name;
  int index = 0;    // class
  int field = -1;   // of the class's variant
  int list = -1;    // of the entry's lists
};

// A class of nodes: the unit of numbering, contiguous on each level.
struct Class {
  std::string name;
  int variant = 0;
  enum class Part : std::uint8_t { any, empty, filled } part = Part::any;
};

struct ListDomain {
  std::string name;
  int class_index = -1;  // over the nodes of a class: forest list `list`
  int list = -1;         // over calls (class_index -1): arguments' list `list`; -1 for a literal
  int over = -1;         // over the items of another list of the entry
  std::int64_t length = -1;
};

struct StatusCode {
  std::string name;      // "word_out_of_range"
  std::string describe;  // "the word of this node is not a row of its table"
};

struct OutputCopy {
  std::string result;  // name in Outputs
  Dtype dtype = Dtype::f32;
  enum class Rows : std::uint8_t { calls, nodes, items } rows = Rows::calls;
  std::string rows_shape;  // "[calls][hidden]"
  std::int64_t row = 1;
  int list = -1;
};

struct Entry {
  std::string name, doc;
  Arguments arguments;
  bool nodes = false;
  std::vector<Class> classes;
  std::vector<ListDomain> lists;
  std::vector<StructureMember> structure;
  std::vector<int> buffers;          // workspace, scratch, member, of this entry
  std::vector<std::string> kernels;  // exported functions, in order, with a barrier between
  std::vector<OutputCopy> outputs;
  bool parents = false;  // the linearizer has to build the parent index
};

struct Module {
  std::string name, doc;
  std::vector<std::pair<std::string, std::int64_t>> dims;
  Forest forest;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::vector<Buffer> buffers;
  std::vector<Function> functions;
  std::vector<Function> prepare;  // load phase, in order
  std::vector<StatusCode> statuses;  // beyond those that every package has
  std::vector<Entry> entries;
};

}  // namespace espalier::loop

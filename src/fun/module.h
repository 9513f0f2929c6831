// A model: dims, data types, parameters, functions, entries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fun/expr.h"
#include "fun/recursion.h"

namespace espalier::fun {

struct Named {
  std::string name;
  TypeRef type;  // null: to be inferred
  Loc loc;
};

struct Variant {
  std::string name;
  std::vector<Named> fields;
  Loc loc;
};

struct DataType {
  std::string name;
  std::vector<std::string> params;  // type parameters
  bool shared = false;              // a DAG: a node may have several parents
  std::vector<Variant> variants;
  Loc loc;
};

struct Constant {
  std::string name;
  TypeRef type;
  std::vector<double> values;  // row-major, rounded to the dtype
  Loc loc;
};

// How a top-down argument of a shared type combines over parents: "sum", "max", ... or "".
struct Argument {
  Named named;
  std::string combine;
};

struct Function {
  std::string name;
  std::string doc;
  std::vector<std::string> forall;
  std::vector<Loc> forall_locs;  // as read
  std::vector<Argument> args;
  TypeRef returns;  // null: to be inferred
  ExprRef body;
  Loc loc;
};

struct Entry {
  std::string name;
  std::string function;
  bool nodes = false;  // a row per node, not per call
  std::string doc;
  Loc loc;
};

struct Gradient {
  std::string name, of;
  std::vector<std::string> wrt, keep;
  Loc loc, of_loc;
  std::vector<Loc> wrt_locs, keep_locs;
};

// Where weights come from. `renamed`: parameter leaf ("cell.W") -> tensor in the file.
struct WeightFiles {
  bool given = false;              // false: weights come at run time only
  std::vector<std::string> files;  // as written, relative to the model
  std::map<std::string, std::string> renamed;
  Loc loc;
};

struct Module {
  std::string name, doc;
  std::vector<std::pair<std::string, Dim>> dims;
  std::vector<DataType> types;
  std::vector<std::pair<std::string, TypeRef>> aliases;  // already expanded in all other types
  std::vector<Named> params;
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<Entry> entries;
  std::vector<Gradient> gradients;
  WeightFiles weights;
  bool checked = false;
  std::vector<Recursion> recursions;  // after fun_pass/recognize

  const DataType* find_type(const std::string& name) const;
  const Function* find_function(const std::string& name) const;
  const Named* find_param(const std::string& name) const;
  const Constant* find_constant(const std::string& name) const;
};

// A parameter is stored as tensors: itself, or the leaves of its tuple, named "cell.W".
struct Leaf {
  std::string name;
  TypeRef type;
};
std::vector<Leaf> leaves(const Named&);
// The leaves of any tuple type: "" for a plain tensor, "h", "a.b", "0.1".
std::vector<Leaf> leaves(const std::string& prefix, const TypeRef&);

}  // namespace espalier::fun

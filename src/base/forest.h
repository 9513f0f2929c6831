// The data types of a model as flat tables: what entries are called on. Shared by wave, loop and the
// evaluators' inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/dtype.h"

namespace espalier {

// A leaf of a payload field. Tuples are flattened: field "a" of type (x: f32, [Tree]) gives leaves
// "a.x" and "a.1".
struct Field {
  std::string name;
  bool child = false;  // a node, of data type `target`
  std::string target;
  Dtype dtype = Dtype::f32;         // else a tensor; an index is an i32 column with its bound
  std::vector<std::int64_t> shape;
  std::int64_t bound = 0;  // index[n]: n, checked where it enters; 0: not an index
  // The lists around it, outermost first: {} for one a node, {"a"} for a list, {"a", "a.items"} for a
  // list of lists. Leaves with the same list (a list of tuples) share its offsets.
  std::vector<std::string> lists;
};

struct Variant {
  std::string type, name;
  std::vector<Field> fields;
};

struct DataType {
  std::string name;
  bool shared = false;         // a node may have several parents
  std::vector<int> variants;   // of the forest's table
};

// All data types of a model; variants are numbered as the forest's `variant` column holds them. A
// node's level is 0 without children, else one more than its highest child's.
struct Forest {
  std::vector<DataType> types;
  std::vector<Variant> variants;
};

struct Parameter {
  std::string name;  // leaf: "W", "cell.W"
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::string> dims;  // the axes as written, for comments
};

struct Constant {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

}  // namespace espalier

// The data types of a model as flat tables: what entries are called on. Shared by wave, loop and
// the evaluators' inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/dtype.h"

namespace espalier {

// A leaf of a payload field or of an argument. Tuples are flattened: field "a" of type
// (x: f32, [Tree]) gives leaves "a.x" and "a.1".
struct Field {
  std::string name;
  bool child = false;  // a node, of data type `target`
  std::string target;
  Dtype dtype = Dtype::f32;  // else a tensor; an index is an i32 column with its bound
  std::vector<std::int64_t> shape;
  std::int64_t bound = 0;  // index[n]: n, checked where it enters; 0: not an index
  // The lists around it, outermost first, as numbers of the table's `lists`: none for one a node,
  // one for a list, two for a list of lists. The leaves of a list of tuples share theirs.
  std::vector<int> lists;
  int column = -1;  // where its data stands
};

// Offsets of lists: [rows + 1], rows being nodes (or calls), or the items of the outer list.
struct List {
  std::string name;  // of the field, "children"; its offsets are called "children_first"
  int outer = -1;
};

struct Variant {
  std::string type, name;
  std::vector<Field> fields;
};

struct DataType {
  std::string name;
  bool shared = false;        // a node may have several parents
  std::vector<int> variants;  // of the forest's table
};

// All data types that a model's entries reach; variants are numbered as the forest's `variant`
// column holds them. A node's level is 0 without children, else one more than its highest child's.
struct Forest {
  std::vector<DataType> types;
  std::vector<Variant> variants;
  // Fields of one name and type, in whatever variants, share a column (and a list, its offsets);
  // where types differ the column is called "Variant_field".
  std::vector<Field> columns;
  std::vector<List> lists;
};

// The arguments of an entry, flattened likewise.
struct Arguments {
  std::vector<Field> columns;
  std::vector<List> lists;
};

// ---- The same as data

struct Column {
  std::vector<double> real;           // row-major; rounded to the dtype
  std::vector<std::int64_t> integer;  // integers, bools, indices, nodes
};

struct ForestData {
  std::int64_t nodes = 0;
  std::vector<int> variant;                      // [nodes]
  std::vector<Column> columns;                   // rows: nodes, or the items of the innermost list;
                                                 // rows of nodes without the field hold 0 (-1:
                                                 // child)
  std::vector<std::vector<std::int64_t>> lists;  // offsets; nodes without the field have none
};

struct CallsData {
  std::int64_t count = 0;
  std::vector<Column> columns;
  std::vector<std::vector<std::int64_t>> lists;
};

// The column that tells each variant: only its nodes have something other than -1 there. -1 for one
// at most, which is what the others are not. Empty where the fields of one data type do not decide,
// or there is nothing to decide: a forest of several variants then has an array of them.
std::vector<int> telling_columns(const Forest&);
// Sets them to -1 at nodes of other variants.
void mark_missing(const Forest&, ForestData*);

// ---- What else enters

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

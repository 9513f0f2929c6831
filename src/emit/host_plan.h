// Names of counts and of lists, for the parts of the host code that lay out and fill the workspace.
#pragma once

#include <string>
#include <vector>

#include "emit/host.h"

namespace espalier::emit {

// Members of struct Counts for the classes and lists of an entry.
struct CountNames {
  std::vector<std::string> classes, widest, lists, list_widest;
};
CountNames count_names(const EntryContext&);

// The number of rows of a buffer, as an expression over `counts`.
std::string rows_text(const loop::Extent&, const CountNames&);

// The classes by which the linearizer numbers: one a variant, or two where the entry tells empty
// nodes from filled ones.
struct LinearClass {
  int variant;
  loop::Class::Part part;
};
std::vector<LinearClass> linear_classes(const EntryContext&);
// Those of a class of the entry, or of a variant, first and last, as "{0, 1}".
std::pair<int, int> class_range(const EntryContext&, int class_index);
std::pair<int, int> variant_range(const EntryContext&, int variant);
std::string class_text(const EntryContext&, int class_index);

// Which parts of the linearizer's work an entry wants.
struct Wants {
  bool edge_first = false;  // slots, edges that enter, number of edges
  bool overlap = false;     // no node may be reached by two calls
  bool unshared = false;    // some types are shared and some are not
};
Wants wants(const EntryContext&);

// The child field of the linearizer, list of the forest, and column, behind a leaf of a class.
struct Leaf {
  const Field* field;
  int column;       // of the forest
  int child_field;  // -1 unless a child
  std::string name;
};
Leaf leaf_of(const EntryContext&, int class_index, int field);

// Of count(): types and names.
std::vector<std::pair<std::string, std::string>> count_params(const EntryContext&);

std::string type_name(const EntryContext&, const std::string& what);

}  // namespace espalier::emit

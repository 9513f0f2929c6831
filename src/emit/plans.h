// Entries that number the forest alike share the host code that does so.
#pragma once

#include <string>
#include <vector>

#include "loop/api_names.h"
#include "loop/loop.h"

namespace espalier::emit {

// The classes by which the linearizer numbers: one a variant, or two where an entry tells empty
// nodes from filled ones.
struct LinearClass {
  int variant;
  loop::Class::Part part;
};
inline bool operator==(const LinearClass& a, const LinearClass& b) {
  return a.variant == b.variant && a.part == b.part;
}

// What entries that have the same linear classes number and count, with one name for each thing.
struct Plan {
  std::string prefix;  // of its types: "", or that of its first entry where there are several plans
  std::vector<LinearClass> linear;
  bool edge_first = false;           // slots, edges that enter, or the number of edges are wanted
  std::vector<loop::Class> classes;  // all that its entries name
  std::vector<loop::ListDomain> lists;  // likewise; class_index is of `classes`, over of `lists`
  std::vector<int> entries;

  // The plan's number of a class, or of a list of an entry.
  int find(const loop::Class&) const;
  int find(const loop::Entry&, int list) const;
};

std::vector<Plan> plans(const loop::Module&, const loop::ApiNames&);

}  // namespace espalier::emit

// Names of counts and of lists, for the parts of the host code that lay out and fill the workspace.
#pragma once

#include <string>
#include <vector>

#include "emit/host.h"

namespace espalier::emit {

using ParamList = std::vector<std::pair<std::string, std::string>>;

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
// Those of a class of the entry, or of a variant: first and last.
std::pair<int, int> class_range(const EntryContext&, int class_index);
std::pair<int, int> variant_range(const EntryContext&, int variant);
// Members of struct Classes for the classes of the entry, and one as "EncodeClasses::Node_leaf".
std::vector<std::string> class_names(const EntryContext&);
std::string class_text(const EntryContext&, int class_index);
std::string classes_text(const EntryContext&);    // struct Classes and classes_of()
std::string workspace_text(const EntryContext&);  // take_workspace()

// How the host code makes one member of the structure, as statements.
struct MemberText {
  std::vector<std::string> take;    // room for it
  std::vector<std::string> set;     // the member
  std::vector<std::string> before;  // what follows is for where there is something to number
  std::vector<std::string> each;    // for each node of its class: number `node`, row `k`
  std::vector<std::string> items;   // for each item of its list: `i` of the user's, row `item`
  std::vector<std::string> fill;
};
MemberText member_text(const EntryContext&, const loop::StructureMember&, const std::string& local);

// Which parts of the linearizer's work an entry wants.
struct Wants {
  bool edge_first = false;  // slots, edges that enter, number of edges
  bool overlap = false;     // no node may be reached by two calls
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
ParamList count_params(const EntryContext&);

// Lists of {type, name}: all as parameters, their names, and those that `body` names.
std::string param_list(const ParamList&);
std::string name_list(const ParamList&);
ParamList used_params(const ParamList&, const std::string& body);

// A function that copies one result, and its call.
struct CopyFunction {
  std::string text, call;
};
CopyFunction copy_function(const EntryContext&, std::size_t output);

// run_team() with the kernels of the entry, in its function; and what that needs before it.
std::string team_text(const EntryContext&);
std::string team_functions(const EntryContext&);

std::string type_name(const EntryContext&, const std::string& what);

}  // namespace espalier::emit

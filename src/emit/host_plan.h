// Names of counts and of lists, for the parts of the host code that lay out and fill the workspace.
#pragma once

#include <string>
#include <vector>

#include "emit/host.h"
#include "emit/workspace_size.h"

namespace espalier::emit {

using ParamList = std::vector<std::pair<std::string, std::string>>;

// Members of struct Counts for the classes and lists of a plan, or of an entry.
struct CountNames {
  std::vector<std::string> classes, widest, lists, list_widest;
};
CountNames count_names(const Plan&);
CountNames count_names(const EntryContext&);

// Of a buffer, of a class, of the items of a list of the entry, and of others by name.
Rows rows_of(const EntryContext&, const loop::Extent&);
Rows class_rows(const EntryContext&, int class_index);
Rows list_rows(const EntryContext&, int list);
Rows owner_rows(const EntryContext&, int list);  // of what the list is over
Rows node_rows();
Rows level_rows();
Rows edge_rows(const EntryContext&);
Rows call_rows();
Rows plus_one(Rows);

// The linear classes of a class, or of a variant: first and last.
std::pair<int, int> class_range(const Plan&, const loop::Class&);
std::pair<int, int> variant_range(const Plan&, int variant);
// A class of an entry in the text: "Classes::Node_leaf".
std::string class_text(const EntryContext&, int class_index);
// struct Classes with what `users`, the code behind it, names; Numbering.
std::string classes_text(const Context&, const Plan&, const std::string& users);
std::string class_text(const Plan&, int class_index);   // of the plan's

// How the host code makes one member of the structure, as statements.
struct MemberText {
  std::vector<Bytes> pieces;        // of the workspace, that it takes
  std::vector<std::string> take;    // room for it
  std::vector<std::string> set;     // the member
  std::vector<std::string> before;  // what follows is for where there is something to number
  std::vector<std::string> each;    // for each node of its class: number `node`, row `k`
  std::vector<std::string> items;   // for each item of its list: `i` of the user's, row `item`
  std::vector<std::string> fill;
  std::vector<std::string> last;  // of the other arrays
};
MemberText member_text(const EntryContext&, const loop::StructureMember&, const std::string& local);

// How many items lists of pairs have, off the user's offsets: `one`(forest or calls, row) of a row,
// `total` of all; 2^31 and more are not told apart.
struct PairCount {
  std::string name, one, total;
  std::vector<int> lists;  // of the plan, or of the entry
  bool of_nodes = false;   // else of the calls
};
std::vector<PairCount> pair_counts(const Context&, const Plan&);  // of nodes
std::vector<PairCount> pair_counts(const EntryContext&);          // all
std::string pairs_text(const Context&, const Plan&);              // what `one` names

// Whether no node may be reached by two calls.
bool wants_no_overlap(const EntryContext&);

// The child field of the linearizer, list of the forest, and column, behind a leaf of a class.
struct Leaf {
  const Field* field;
  int column;       // of the forest
  int child_field;  // -1 unless a child
  std::string name;
};
Leaf leaf_of(const EntryContext&, int class_index, int field);

// Lists of {type, name}: all as parameters, their names, and those that `body` names.
std::string param_list(const ParamList&);
std::string name_list(const ParamList&);
ParamList used_params(const ParamList&, const std::string& body);

// The parts of EntryCode: each adds its functions, and gives calls of them.
std::vector<std::string> call_checks(const EntryContext&, HostFunctions*);
void add_numbering(const EntryContext&, HostFunctions*, EntryCode*);
std::string add_workspace(const EntryContext&, HostFunctions*);
std::string add_copy(const EntryContext&, std::size_t output, HostFunctions*);
std::string team_text(const EntryContext&, HostFunctions*);

}  // namespace espalier::emit

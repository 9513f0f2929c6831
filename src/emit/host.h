// The host code of a package: what NAME.cpp holds beside its frame.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emit/host_functions.h"
#include "emit/plans.h"
#include "loop/api_names.h"
#include "loop/loop.h"

namespace espalier::emit {

// What all parts of one package are printed from.
struct Context {
  const loop::Module& module;
  loop::ApiNames names;
  std::string version;  // "v0_1"
  std::vector<Plan> plans;
};

// An entry of it.
struct EntryContext {
  const Context& package;
  int index;
  const loop::Entry& entry;
  const loop::ApiNames::Entry& names;
  const Plan& plan;

  const loop::Module& module() const { return package.module; }
  bool has_calls() const { return !entry.nodes; }
  bool has_forest() const { return !module().forest.variants.empty(); }
  std::string type(const std::string& what) const { return plan.prefix + what; }
};
EntryContext entry_context(const Context&, int index);

// prepare() and what it needs.
std::string prepare_helpers(const Context&);
std::string prepare_function(const Context&);

// struct Shape, its checks: check_forest(forest).
std::string forest_checks(const Context&);

// How the function of an entry calls those that it is made of.
struct EntryCode {
  std::vector<std::string> checks;  // "check_forest(forest)": each gives a Status
  std::string linearize, overlap, number, number_calls, count_calls, take_workspace, team;
  std::vector<std::string> copies;
};
EntryCode entry_code(const EntryContext&, HostFunctions*);

// Classes, Counts, Input of a plan, and count(): all that `functions`, which use it, name.
std::string plan_text(const Context&, const Plan&, const std::string& functions);

// limits_of() and the entry itself.
std::string entry_functions(const EntryContext&, const EntryCode&);

// ---- Parts that several of these need

// One child column of the forest as the linearizer counts them.
struct ChildColumn {
  int column;  // of Forest::columns
  int list;    // innermost; -1: a single child
};
std::vector<ChildColumn> child_columns(const Forest&);
int child_field(const Forest&, int column);  // its place in child_columns

bool has_column(const Variant&, int column);
bool has_list(const Forest&, const Variant&, int list);

// A lambda: whether node `node` of `forest` is of a variant for which `has` holds.
std::string has_variant(const Context&, const std::string& node,
                        const std::function<bool(const Variant&)>& has);

// "const EncodeCalls& calls" and so on, of the entry's function, and the names alone.
std::vector<std::pair<std::string, std::string>> entry_params(const EntryContext&,
                                                              bool limits_only);

// Lists whose items are no edges and therefore need a limit of their own.
bool bounded_by_edges(const Forest&, int list);
bool has_variant_array(const Forest&);
bool any_shared(const Forest&);
bool any_children(const Forest&);

// The members of Limits: name, comment, and the expression that reads it off forest and calls.
struct Limit {
  std::string name, comment, value;
  int forest_list = -1, call_list = -1;
  std::vector<int> pairs = {};  // lists of the entry
};
std::vector<Limit> limits(const EntryContext&);

// All codes of the package with their descriptions.
std::vector<std::pair<std::string, std::string>> status_codes(const Context&);

}  // namespace espalier::emit

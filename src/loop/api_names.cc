#include "loop/api_names.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/names.h"
#include "loop/library_names.h"

namespace espalier::loop {

namespace {

// What every package declares.
constexpr const char* fixed_names[] = {"Weights",
                                       "Model",
                                       "Forest",
                                       "Launch",
                                       "Code",
                                       "Status",
                                       "Variant",
                                       "Prepared",
                                       "Failure",
                                       "ok",
                                       "null_pointer",
                                       "negative_count",
                                       "misaligned",
                                       "workspace_too_small",
                                       "bad_offsets",
                                       "foreign_items",
                                       "too_many_edges",
                                       "too_many_pairs",
                                       "bad_variant",
                                       "child_out_of_range",
                                       "wrong_variant",
                                       "shared_node",
                                       "cycle",
                                       "root_out_of_range",
                                       "wrong_root_variant",
                                       "overlapping_calls",
                                       "prepare",
                                       "prepared_bytes",
                                       "describe",
                                       "linked_weights",
                                       "open_weights",
                                       "first_failure",
                                       "lanes",
                                       "vec",
                                       "mask",
                                       "Arena",
                                       "Shape",
                                       "Classes",
                                       "Counts",
                                       "Input",
                                       "Numbering",
                                       "shape_of",
                                       "status_of",
                                       "check_forest",
                                       "size",
                                       "take_prepared"};

// Its variables, which kernels have too. An entry's function may have their names.
constexpr const char* variable_names[] = {
    "weights", "model",   "forest",    "calls",  "out",     "workspace", "bytes",   "launch",
    "limits",  "status",  "arena",     "buffer", "barrier", "member",    "members", "tree",
    "shape",   "counts",  "structure", "values", "threads", "code",      "node",    "detail",
    "variant", "leaf",    "fault",     "mark",   "need",    "array",     "index",   "row",
    "item",    "place",   "original",  "first",  "rows",    "has",       "scratch", "into",
    "seen",    "failure", "team",      "m",      "g",       "w",         "input",   "prepared",
    "call",    "reached"};

// Functions of the host code, which kernels do not see,
constexpr const char* host_names[] = {
    "number",        "number_nodes",   "number_calls", "number_items_of_nodes",
    "linearize",     "take_workspace", "count",        "count_edges",
    "check_overlap", "check_columns",  "variant_of",   "variant_at",
    "check_calls",   "count_calls",    "weights_of",   "Space"};

// and its variables.
constexpr const char* host_variables[] = {"s",     "k",     "i",        "in",        "edge",
                                          "owner", "level", "levels",   "kind",      "any",
                                          "other", "fits",  "of_type",  "unshared",  "codes",
                                          "root",  "piece", "failures", "edge_first"};

// The host code's own types, whose names it makes of those of an entry.
void reserve_types(const ApiNames::Entry& entry, Names* space) {
  for (const char* type : {"Classes", "Counts", "Input", "Numbering", "Pairs", "CallPairs"})
    space->reserve(entry.prefix + type);
}

std::string camel(const std::string& name) {
  std::string out;
  bool start = true;
  for (const char c : name) {
    if (c == '_') {
      start = true;
      continue;
    }
    out += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return out;
}

// The names of a struct's members: `first` those that are always there, then columns, then offsets.
void name_columns(const std::vector<Field>& columns, const std::vector<List>& lists,
                  const char* first, std::vector<std::string>* column_names,
                  std::vector<std::string>* list_names) {
  Names names;
  names.reserve(first);
  if (std::string_view(first) == "nodes") names.reserve("variant");
  for (const Field& column : columns) column_names->push_back(names.unique(column.name));
  for (const List& list : lists) list_names->push_back(names.unique(list.name + "_first"));
}

void name_results(const Entry& entry, ApiNames::Entry* out) {
  Names names;
  for (const OutputCopy& output : entry.outputs)
    out->results.push_back(names.unique(output.result));
  for (std::size_t i = 0; i < entry.outputs.size(); i++)
    out->offsets.push_back(entry.outputs[i].rows == OutputCopy::Rows::items
                               ? names.unique(out->results[i] + "_first")
                               : "");
}

void name_entries(const Module& module, Names* space, ApiNames* api) {
  const bool one = module.entries.size() == 1;
  Names prefixes;
  for (const Entry& entry : module.entries) {
    ApiNames::Entry names;
    names.function = space->unique(entry.name);
    api->entries.push_back(names);
  }
  for (const char* name : variable_names) space->reserve(name);
  for (const char* name : host_variables) space->reserve(name);
  api->structure = space->unique("Structure");
  api->values = space->unique("Values");
  for (std::size_t i = 0; i < module.entries.size(); i++) {
    const Entry& entry = module.entries[i];
    ApiNames::Entry& names = api->entries[i];
    const std::string prefix = names.prefix = one ? "" : prefixes.unique(camel(names.function));
    names.calls = space->unique(prefix + "Calls");
    names.outputs = space->unique(prefix + "Outputs");
    names.limits = space->unique(prefix + "Limits");
    names.workspace_bytes = space->unique((one ? "" : names.function + "_") + "workspace_bytes");
    names.limits_of = space->unique((one ? "" : names.function + "_") + "limits_of");
    name_columns(entry.arguments.columns, entry.arguments.lists, "count", &names.columns,
                 &names.lists);
    name_results(entry, &names);
    reserve_types(names, space);
  }
}

std::vector<std::string> name_codes(const std::vector<Field>& columns, Names* space) {
  std::vector<std::string> codes;
  for (const Field& column : columns) {
    const bool checked = column.bound > 0 && !column.child;
    codes.push_back(checked ? space->unique(column.name + "_out_of_range") : "");
  }
  return codes;
}

std::string variant_name(const Module& module, const Variant& variant) {
  const auto same = std::count_if(module.forest.variants.begin(), module.forest.variants.end(),
                                  [&](const Variant& other) { return other.name == variant.name; });
  return same > 1 ? variant.type + "_" + variant.name : variant.name;
}

}  // namespace

ApiNames api_names(const Module& module) {
  ApiNames api;
  api.package = legal_identifier(module.name);
  if (is_library_name(api.package) || api.package == "model") api.package += "_model";

  name_columns(module.forest.columns, module.forest.lists, "nodes", &api.columns, &api.lists);
  Names space;
  for (const char* name : fixed_names) space.reserve(name);
  for (const char* name : host_names) space.reserve(name);
  name_entries(module, &space, &api);
  for (const std::string& column : api.columns) space.reserve("check_column_" + column);
  for (const std::string& list : api.lists) space.reserve("check_list_" + list);
  for (const auto& [name, value] : module.dims) api.dims.push_back(space.unique(name));
  for (const Variant& variant : module.forest.variants)
    api.variants.push_back(space.unique(variant_name(module, variant)));
  api.column_codes = name_codes(module.forest.columns, &space);
  for (const Entry& entry : module.entries)
    api.argument_codes.push_back(name_codes(entry.arguments.columns, &space));
  for (const StatusCode& status : module.statuses)  // one that host code has too is the same code
    api.statuses.push_back(status.name == "overlapping_calls" ? status.name
                                                              : space.unique(status.name));

  Names members;
  for (const Parameter& parameter : module.parameters)
    api.parameters.push_back(members.unique(parameter.name));
  std::set<std::string> unseen(std::begin(host_names), std::end(host_names));
  unseen.insert(std::begin(host_variables), std::end(host_variables));
  for (const ApiNames::Entry& entry : api.entries) unseen.erase(entry.function);
  for (const std::string& name : space.all())
    if (!unseen.contains(name)) api.global.push_back(name);
  return api;
}

}  // namespace espalier::loop

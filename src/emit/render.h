// Templates filled with data.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>
#include <vector>

#include "emit/host.h"

namespace espalier::emit {

using Data = kainjow::mustache::data;

// The template of that name, compiled into Espalier, filled; long lines are wrapped.
std::string render(const std::string& name, const Data&);

Data list_of(const std::vector<std::string>&);
// The names that every template has: package, version, guard.
Data package_data(const Context&);

// A program that uses the package, to be copied: its first entry on a small input. Where weights
// are neither linked nor absent it is a function of them.
std::vector<std::string> example(const Context&, bool linked_weights);

// Data of NAME.h, NAME_c.h and NAME_kernels.h.
Data api_data(const Context&, bool linked_weights);
Data c_api_data(const Context&);
Data kernels_data(const Context&, const std::vector<std::string>& declarations);

// Where a forest's or a call's column lives, for comments: "[nodes][4]", "[children_first[nodes]]".
std::string column_shape(const Field&, const std::vector<std::string>& list_names,
                         const std::vector<List>&, const std::string& rows);

// Declarations of structs as NAME.h has them, with comments.
std::vector<std::string> forest_members(const Context&);
std::vector<std::string> call_members(const EntryContext&);
std::vector<std::string> output_members(const EntryContext&);
std::vector<std::string> limit_members(const EntryContext&);
std::vector<std::string> weight_members(const Context&);

}  // namespace espalier::emit

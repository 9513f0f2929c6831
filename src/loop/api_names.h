// The identifiers of an emitted package's interface: one place, so that kernels and host code
// agree.
#pragma once

#include <string>
#include <vector>

#include "loop/loop.h"

namespace espalier::loop {

// All are legal in C++20 and CUDA. Members of structs are unique in their struct; dims, functions,
// types and status codes in the namespace of the package, where nothing else may have their names.
struct ApiNames {
  struct Entry {
    std::string function;                // encode
    std::string prefix;                  // of its types: "", or "Encode" if there are several
    std::string calls, outputs, limits;  // Calls, or EncodeCalls where there are several entries
    std::string workspace_bytes;         // workspace_bytes, or encode_workspace_bytes
    std::string limits_of;               // limits_of, or encode_limits_of
    std::vector<std::string> columns, lists;  // members of Calls, as Entry::arguments has them
    std::vector<std::string> results;         // members of Outputs, as Entry::outputs
    std::vector<std::string> offsets;         // .. of ragged ones, "xs_first"; else empty
  };
  std::string package;                    // namespace and file names
  std::string structure, values;          // Structure, Values: in NAME_kernels.h
  std::vector<std::string> dims;          // constexpr int
  std::vector<std::string> parameters;    // members of Weights
  std::vector<std::string> columns;       // members of Forest, as Forest::columns
  std::vector<std::string> lists;         // .. offsets, "children_first", as Forest::lists
  std::vector<std::string> variants;      // enumerators of Variant, where there are several
  std::vector<std::string> statuses;      // enumerators of Code for Module::statuses
  std::vector<std::string> column_codes;  // Code of an index column out of range; else empty
  std::vector<Entry> entries;
  std::vector<std::vector<std::string>> argument_codes;  // the same for each entry's arguments
  std::vector<std::string> global;  // everything in the namespace: hide none of these
};

// A function of the module's tables alone (not of buffers, functions or kernels).
ApiNames api_names(const Module&);

}  // namespace espalier::loop

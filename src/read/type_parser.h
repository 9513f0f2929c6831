// Types and dims, from text to fun, their names resolved.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/type.h"
#include "read/lexer.h"

namespace espalier::read {

// The names that types and dims may use.
struct TypeScope {
  std::map<std::string, fun::Dim> dims;           // with their values
  std::set<std::string> open;                     // of `forall`, or a data type's parameters
  std::map<std::string, std::size_t> data_types;  // with the number of their parameters
  std::map<std::string, fun::TypeRef> aliases;    // expanded
  std::vector<std::string> all_names() const;     // of types, for suggestions
};

// Axes are positive and bounded where all their names are; function types are left to the caller.
Result<fun::TypeRef> parse_type(const Snippet&, const TypeScope&, Diagnostics*);
// A dim expression; its value may be zero or negative.
Result<fun::Dim> parse_dim(const Snippet&, const TypeScope&, Diagnostics*);

// A declared name, "Tree" or "Pair[a, b]": its name, and its parameters.
struct Declared {
  std::string name;
  std::vector<std::string> params;
};
Result<Declared> parse_declared(const Snippet&, Diagnostics*);

bool is_type_word(std::string_view name);  // f32, ..., bool, index

}  // namespace espalier::read

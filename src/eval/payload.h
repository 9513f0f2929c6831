// Payload fields and arguments as values, from the flat columns that they stand in.
#pragma once

#include "base/forest.h"
#include "eval/value.h"
#include "fun/type.h"

namespace espalier::eval {

// The tables of a forest or of calls, and their data.
struct Columns {
  const std::vector<Column>& columns;
  const std::vector<std::vector<std::int64_t>>& lists;
};

// The value of the field of type `type` whose first leaf is leaves[leaf], for node or call `row`.
ValueRef load(const fun::Type& type, const std::vector<Field>& leaves, std::size_t leaf,
              const Columns&, std::int64_t row);

std::size_t leaf_count(const fun::Type&);

}  // namespace espalier::eval

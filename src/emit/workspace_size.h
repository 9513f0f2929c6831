// How many bytes the workspace of an entry needs, at most, as a sum over its limits.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emit/host.h"

namespace espalier::emit {

// The rows of a piece of the workspace: an expression over `counts`, and how many they are at most:
// factor * limit + more.
struct Rows {
  std::string text;
  std::string limit;  // a member of Limits; "" for a fixed number
  std::int64_t factor = 1, more = 0;
};

// fixed + the sum of each factor times its limit.
struct Bytes {
  std::int64_t fixed = 0;
  std::vector<std::pair<std::string, std::int64_t>> per;  // in the order of Limits

  Bytes& operator+=(const Bytes&);
};
Bytes most(const Bytes&, const Bytes&);  // at least each of them

// Of an arena's piece, which ends at a multiple of 64 bytes.
Bytes piece(const Rows&, std::int64_t bytes_per_row);

Bytes workspace_size(const EntryContext&);
std::int64_t prepared_size(const loop::Module&);

// Statements of workspace_bytes(limits).
std::string workspace_size_text(const EntryContext&);

}  // namespace espalier::emit

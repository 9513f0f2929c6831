// A run-time status, as a diagnostic at its place in the input.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "driver/inputs.h"
#include "fun/forest.h"

namespace espalier::driver {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

bool is_range_code(const std::string& code, const Field& column) {
  return !column.child && column.bound > 0 && code == column.name + "_out_of_range";
}

// Payloads are checked before arguments, which may have the same names.
bool is_of_payload(const std::string& code, const RunCase& c, const fun::Module& core) {
  for (const Field& column : fun::forest_of(core).columns) {
    const std::vector<std::int64_t>& values = c.forest.columns[at(column.column)].integer;
    const auto outside = [&](std::int64_t x) { return x < 0 || x >= column.bound; };
    if (is_range_code(code, column) && std::any_of(values.begin(), values.end(), outside))
      return true;
  }
  return false;
}

// The argument that is wrong, or "" where a node is.
std::string argument_of(const eval::Status& status, const RunCase& c, const fun::Module& core) {
  const bool root = status.code == "root_out_of_range" || status.code == "wrong_root_variant";
  if (c.entry.nodes || status.node < 0 || is_of_payload(status.code, c, core)) return "";
  for (const Field& leaf : fun::arguments_of(*core.find_function(c.entry.function)).columns) {
    const std::vector<std::int64_t>& values = c.calls.columns[at(leaf.column)].integer;
    const bool this_one = !leaf.lists.empty() || values.size() <= at(status.node) ||
                          values[at(status.node)] == status.detail;
    if (leaf.child ? root && this_one : is_range_code(status.code, leaf))
      return leaf.name.substr(0, leaf.name.find('.'));
  }
  return "";
}

}  // namespace

void report_status(const eval::Status& status, const RunCase& c, const fun::Module& core,
                   Session& session) {
  const std::string argument = argument_of(status, c, core);
  Loc place;
  if (c.file && status.node >= 0)
    place = argument.empty() ? c.file->place_of_node(c.title, status.node)
                             : c.file->place_of_call(c.title, argument, status.node);
  const std::string where = c.title.empty() ? "" : fmt::format(" on '{}'", c.title);
  const std::string of =
      status.node < 0 ? ""
                      : fmt::format(" at {} {}", argument.empty() ? "node" : "call", status.node);
  session.diagnostics.error(Kind::run_status, place,
                            fmt::format("entry '{}'{}: {}{} (detail {})", c.entry.name, where,
                                        status.code, of, status.detail));
}

}  // namespace espalier::driver

// A run-time status, as a diagnostic at its place in the input.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "base/status.h"
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

// As the emitted code's describe() says it.
std::string text_of(const std::string& code, const std::string& argument, const RunCase& c,
                    const fun::Module& core) {
  for (const StatusTexts* texts : {&call_statuses(), &forest_statuses()})
    for (const auto& [known, text] : *texts)
      if (known == code) return text;
  const bool of_call = !argument.empty();
  const Arguments arguments = fun::arguments_of(*core.find_function(c.entry.function));
  const Forest forest = fun::forest_of(core);
  for (const Field& column : of_call ? arguments.columns : forest.columns)
    if (is_range_code(code, column)) return out_of_range_text(column, of_call ? "call" : "node");
  return spelled_out(code);
}

// What a node calls the fields that the status is about: a payload field, or those of children, and
// columns that stand for them.
std::vector<std::string> keys_of(const std::string& code, const fun::Module& core,
                                 const Session& session) {
  const bool child = code == "child_out_of_range" || code == "wrong_variant";
  std::vector<std::string> keys;
  for (const Field& column : fun::forest_of(core).columns)
    if (child ? column.child : is_range_code(code, column))
      keys.push_back(column.name.substr(0, column.name.find('.')));
  for (const std::string& renaming : session.options.columns) {
    const std::size_t equals = renaming.find('=');
    if (std::find(keys.begin(), keys.end(), renaming.substr(equals + 1)) != keys.end())
      keys.push_back(renaming.substr(0, equals));
  }
  if (child) keys.emplace_back("children");
  return keys;
}

}  // namespace

void report_status(const eval::Status& status, const RunCase& c, const fun::Module& core,
                   Session& session) {
  const std::string argument = argument_of(status, c, core);
  Loc place;
  if (c.file && status.node >= 0)
    place = argument.empty()
                ? c.file->place_of_node(c.title, status.node, keys_of(status.code, core, session),
                                        status.detail)
                : c.file->place_of_call(c.title, argument, status.node, status.detail);
  const std::string where = c.title.empty() ? "" : fmt::format(" on '{}'", c.title);
  const std::string of =
      status.node < 0 ? ""
                      : fmt::format(" at {} {}", argument.empty() ? "node" : "call", status.node);
  session.diagnostics.error(
      Kind::run_status, place,
      fmt::format("entry '{}'{}: {} ({}{}, detail {})", c.entry.name, where,
                  text_of(status.code, argument, c, core), status.code, of, status.detail));
}

}  // namespace espalier::driver

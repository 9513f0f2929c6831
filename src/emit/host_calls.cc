// The checks of an entry's arguments.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

const DataType* find_type(const Forest& forest, const std::string& name) {
  for (const DataType& type : forest.types)
    if (type.name == name) return &type;
  return nullptr;
}

// The number of rows of a list or column: calls, or the items of the list around it.
std::string rows_of(const EntryContext& e, int list) {
  if (list < 0) return "calls.count";
  const std::string outer =
      rows_of(e, e.entry.arguments.lists[static_cast<std::size_t>(list)].outer);
  return "espalier::last_offset(calls." + e.names.lists[static_cast<std::size_t>(list)] + ", " +
         outer + ")";
}

// The call that row `row` belongs to.
std::string call_of(const EntryContext& e, int list, const std::string& row) {
  if (list < 0) return row;
  const auto l = static_cast<std::size_t>(list);
  const int outer = e.entry.arguments.lists[l].outer;
  return call_of(
      e, outer,
      "espalier::row_of(calls." + e.names.lists[l] + ", " + rows_of(e, outer) + ", " + row + ")");
}

void print_lists(const EntryContext& e, LineBuffer* out) {
  for (std::size_t l = 0; l < e.names.lists.size(); l++) {
    const std::string& first = e.names.lists[l];
    const std::string rows = rows_of(e, e.entry.arguments.lists[l].outer);
    out->line("  if ({} > 0 && !calls.{}) return {{null_pointer}};", rows, first);
    out->line("  if (const auto fault = espalier::check_offsets(calls.{}, {}, any))", first, rows);
    out->line("    return {{bad_offsets, {}, fault.detail}};",
              call_of(e, e.entry.arguments.lists[l].outer, "fault.node"));
  }
}

// The check of a column, a function of its own, so that none grows long.
std::string column_check(const EntryContext& e, std::size_t index, const std::string& name) {
  const Field& column = e.entry.arguments.columns[index];
  const std::string array = "calls." + e.names.columns[index];
  const int list = column.lists.empty() ? -1 : column.lists.back();
  const std::string& code =
      e.package.names.argument_codes[static_cast<std::size_t>(e.index)][index];
  const DataType* type = column.child ? find_type(e.module().forest, column.target) : nullptr;
  const bool narrow = type && type->variants.size() < e.module().forest.variants.size();
  LineBuffer out;
  out.line("Status {}(const {}& calls{}) {{", name, e.names.calls,
           column.child ? ", const Forest& forest" : "");
  out.line("  const std::int32_t rows = {};", rows_of(e, list));
  out.line("  if (rows > 0 && !{}) return {{null_pointer}};", array);
  if (column.child || !code.empty()) {
    out.line("  const auto any = [](std::int32_t) { return true; };");
    out.line("  const std::int32_t row = espalier::first_outside({}, rows, {}, any);", array,
             column.child ? "forest.nodes" : std::to_string(column.bound));
    out.line("  if (row >= 0) return {{{}, {}, {}[row]}};",
             column.child ? "root_out_of_range" : code, call_of(e, list, "row"), array);
  }
  if (narrow) {
    out.line("  const auto fits = {};", has_variant(e.package, "node", [&](const Variant& variant) {
               return variant.type == type->name;
             }));
    out.line("  for (std::int32_t other = 0; other < rows; other++)");
    out.line("    if (!fits({}[other]))", array);
    out.line("      return {{wrong_root_variant, {}, {}[other]}};", call_of(e, list, "other"),
             array);
  }
  out.line("  return {ok};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

// Which columns of the forest does the entry read, and are they there? Tests that one is not.
std::vector<std::string> missing_columns(const EntryContext& e) {
  std::set<int> columns;
  for (const loop::StructureMember& member : e.entry.structure) {
    if (member.kind != loop::StructureMember::Kind::payload) continue;
    const auto v =
        static_cast<std::size_t>(e.entry.classes[static_cast<std::size_t>(member.index)].variant);
    const Variant& variant = e.module().forest.variants[v];
    columns.insert(variant.fields[static_cast<std::size_t>(member.field)].column);
  }
  std::vector<std::string> tests;
  for (const int c : columns) {
    const Field& column = e.module().forest.columns[static_cast<std::size_t>(c)];
    const std::string& name = e.package.names.columns[static_cast<std::size_t>(c)];
    const std::string lacks = "!forest." + name + " && ";
    if (!column.lists.empty()) {
      const auto l = static_cast<std::size_t>(column.lists.back());
      tests.push_back(lacks + "forest." + e.package.names.lists[l] + "[forest.nodes] > 0");
      continue;
    }
    tests.push_back(lacks + "espalier::any_row(forest.nodes, " +
                    has_variant(e.package, "node",
                                [&](const Variant& variant) { return has_column(variant, c); }) +
                    ")");
  }
  return tests;
}

std::string columns_check(const std::vector<std::string>& missing, const std::string& name) {
  LineBuffer out;
  out.line("// Whether a column of the forest is missing that would be read.");
  out.line("Status {}(const Forest& forest) {{", name);
  out.line("  if (forest.nodes == 0) return {ok};");
  for (const std::string& test : missing) {
    out.line("  if ({})", test);
    out.line("    return {null_pointer};");
  }
  out.line("  return {ok};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

std::string calls_check(const EntryContext& e, const std::vector<std::string>& columns,
                        const std::string& params, const std::string& name) {
  LineBuffer out;
  out.line("Status {}({}) {{", name, params);
  out.line("  if (calls.count < 0) return {negative_count, -1, calls.count};");
  out.line("  if (calls.count == 0) return {ok};");
  if (!e.names.lists.empty()) out.line("  const auto any = [](std::int32_t) { return true; };");
  print_lists(e, &out);
  for (const std::string& check : columns)
    out.line("  if (const Status s = {}; s.code != ok) return s;", check);
  out.line("  return {ok};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

}  // namespace

std::vector<std::string> call_checks(const EntryContext& e, HostFunctions* functions) {
  std::vector<std::string> checks, columns;
  const std::string& entry = e.names.function;
  if (e.has_forest()) checks.push_back("check_forest(forest)");
  const auto missing = missing_columns(e);
  if (!missing.empty())
    checks.push_back(functions->add("check_columns", entry, [&](const std::string& name) {
      return columns_check(missing, name);
    }) + "(forest)");
  if (!e.has_calls()) return checks;
  bool roots = false;
  for (std::size_t i = 0; i < e.names.columns.size(); i++) {
    const bool root = e.entry.arguments.columns[i].child;
    roots |= root;
    columns.push_back(
        functions->add("check_argument_" + e.names.columns[i], entry,
                       [&](const std::string& name) { return column_check(e, i, name); }) +
        (root ? "(calls, forest)" : "(calls)"));
  }
  const std::string forest = roots ? "const Forest& forest, " : "";
  const std::string check = functions->add("check_calls", entry, [&](const std::string& name) {
    return calls_check(e, columns, forest + "const " + e.names.calls + "& calls", name);
  });
  checks.push_back(check + (roots ? "(forest, calls)" : "(calls)"));
  return checks;
}

}  // namespace espalier::emit

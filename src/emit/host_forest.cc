// The forest: how the linearizer sees it, and its checks.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

// The variants that may stand in a child column: a data type's, which are neighbours.
std::pair<int, int> accepted(const Forest& forest, const Field& column) {
  for (const DataType& type : forest.types)
    if (type.name == column.target && !type.variants.empty()) {
      const auto [low, high] = std::minmax_element(type.variants.begin(), type.variants.end());
      require(*high - *low + 1 == static_cast<int>(type.variants.size()),
              "the variants of a data type are not neighbours");
      return {*low, static_cast<int>(type.variants.size())};
    }
  throw Bug("a child of no data type");
}

bool is_shared(const Forest& forest, const std::string& name) {
  return std::any_of(forest.types.begin(), forest.types.end(),
                     [&](const DataType& type) { return type.name == name && type.shared; });
}

std::string boolean(bool b) { return b ? "true" : "false"; }

// Which variants have which child column.
std::string has_rows(const Forest& forest, const std::vector<ChildColumn>& children) {
  std::vector<std::string> rows;
  for (const Variant& variant : forest.variants) {
    std::vector<std::string> row;
    for (const ChildColumn& child : children)
      row.push_back(boolean(has_column(variant, child.column)));
    if (row.empty()) row.push_back("false");
    rows.push_back("{" + join(row, ", ") + "}");
  }
  return join(rows, ", ");
}

// variant_of(forest, node), of an array or of the columns that tell.
void print_variant(const Context& c, LineBuffer* out) {
  const auto telling = telling_columns(c.module.forest);
  if (telling.empty()) {
    out->line("int variant_of(const Forest& forest, std::int32_t node) {");
    out->line("  return forest.variant[node];");
  } else {
    out->line("// Fields tell variants apart: they are -1 where they are missing.");
    out->line("int variant_of(const Forest& forest, std::int32_t node) {");
    std::string other;
    for (std::size_t v = 0; v < telling.size(); v++) {
      if (telling[v] < 0) {
        other = c.names.variants[v];
        continue;
      }
      const std::string column = "forest." + c.names.columns[static_cast<std::size_t>(telling[v])];
      out->line("  if ({0} && {0}[node] != -1) return {1};", column, c.names.variants[v]);
    }
    out->line("  return {};", other);
  }
  out->line("}");
  out->line();
}

void print_shape(const Context& c, LineBuffer* out) {
  const Forest& forest = c.module.forest;
  const auto children = child_columns(forest);
  std::vector<std::string> fields, arrays;
  for (const ChildColumn& child : children) {
    const Field& column = forest.columns[static_cast<std::size_t>(child.column)];
    require(column.lists.size() <= 1, "a list of lists of children");
    const auto [low, count] = accepted(forest, column);
    fields.push_back(
        fmt::format("{{{}, {}, {}{}}}", boolean(child.list >= 0), low, count,
                    any_shared(forest) && !is_shared(forest, column.target) ? ", true" : ""));
    const std::string first = child.list < 0
                                  ? "nullptr"
                                  : "forest." + c.names.lists[static_cast<std::size_t>(child.list)];
    arrays.push_back(fmt::format("{{{}, forest.{}}}", first,
                                 c.names.columns[static_cast<std::size_t>(child.column)]));
  }
  if (fields.empty()) fields = {"{}"}, arrays = {"{}"};
  const std::size_t variants = forest.variants.size();
  out->line("// The forest as the linearizer sees it.");
  out->line("struct Shape {");
  out->line("  static constexpr int variants = {}, fields = {};", variants, children.size());
  out->line("  static constexpr bool shared = {}, parents = false;", boolean(any_shared(forest)));
  out->line("  static constexpr espalier::ChildField field[] = {{{}}};", join(fields, ", "));
  out->line("  static constexpr bool has[variants][{}] = {{{}}};",
            std::max<std::size_t>(children.size(), 1), has_rows(forest, children));
  if (variants > 1)
    out->line("  int variant_at(std::int32_t node) const { return variant_of(*forest, node); }");
  out->line("  std::int32_t nodes;");
  out->line("  const Forest* forest;");
  out->line("  espalier::Children children[{}];", arrays.size());
  out->line("};");
  out->line();
  out->line("Shape shape_of(const Forest& forest) {");
  out->line("  return {{forest.nodes, &forest, {{{}}}}};", join(arrays, ", "));
  out->line("}");
  out->line();
  out->line("Status status_of(const espalier::Fault& fault) {");
  out->line("  // in the order of Fault::Kind");
  out->line(
      "  constexpr Code codes[] = {ok, null_pointer, too_many_edges, bad_offsets, foreign_items, "
      "bad_variant, child_out_of_range, wrong_variant, shared_node, cycle};");
  out->line("  return {codes[fault.kind], fault.node, fault.detail};");
  out->line("}");
  out->line();
}

void print_list_check(const Context& c, int list, LineBuffer* out) {
  const std::string& first = c.names.lists[static_cast<std::size_t>(list)];
  out->line("Status check_list_{}(const Forest& forest) {{", first);
  out->line("  const auto has = {};", has_variant(c, "node", [&](const Variant& variant) {
              return has_list(c.module.forest, variant, list);
            }));
  out->line("  return status_of(espalier::check_offsets(forest.{}, forest.nodes, has));", first);
  out->line("}");
  out->line();
}

// Of an index column; one that is null is not read, or found missing by the entry.
void print_column_check(const Context& c, std::size_t index, LineBuffer* out) {
  const Field& column = c.module.forest.columns[index];
  const std::string& name = c.names.columns[index];
  const std::string& code = c.names.column_codes[index];
  out->line("Status check_column_{}(const Forest& forest) {{", name);
  out->line("  if (!forest.{}) return {{ok}};", name);
  if (!column.lists.empty()) {
    const std::string& first = c.names.lists[static_cast<std::size_t>(column.lists.back())];
    out->line("  const auto has = [](std::int32_t) { return true; };");
    out->line("  const std::int32_t item =");
    out->line("      espalier::first_outside(forest.{}, forest.{}[forest.nodes], {}, has);", name,
              first, column.bound);
    out->line("  if (item < 0) return {ok};");
    out->line("  return {{{}, espalier::row_of(forest.{}, forest.nodes, item), forest.{}[item]}};",
              code, first, name);
  } else {
    out->line("  const auto has = {};", has_variant(c, "node", [&](const Variant& variant) {
                return has_column(variant, static_cast<int>(index));
              }));
    out->line("  const std::int32_t node =");
    out->line("      espalier::first_outside(forest.{}, forest.nodes, {}, has);", name,
              column.bound);
    out->line("  if (node < 0) return {ok};");
    out->line("  return {{{}, node, forest.{}[node]}};", code, name);
  }
  out->line("}");
  out->line();
}

}  // namespace

std::string forest_checks(const Context& c) {
  const Forest& forest = c.module.forest;
  if (forest.variants.empty()) return "";
  LineBuffer out;
  if (forest.variants.size() > 1) print_variant(c, &out);
  print_shape(c, &out);
  std::vector<std::string> checks;
  for (std::size_t l = 0; l < forest.lists.size(); l++) {
    if (bounded_by_edges(forest, static_cast<int>(l))) continue;
    require(forest.lists[l].outer < 0, "a list of lists in a payload");
    print_list_check(c, static_cast<int>(l), &out);
    checks.push_back("check_list_" + c.names.lists[l]);
  }
  for (std::size_t i = 0; i < forest.columns.size(); i++) {
    if (c.names.column_codes[i].empty()) continue;
    print_column_check(c, i, &out);
    checks.push_back("check_column_" + c.names.columns[i]);
  }
  out.line(
      "// All that can be seen without memory. What is wrong with more nodes than one, two "
      "parents");
  out.line("// or a cycle, the linearizer finds.");
  out.line("Status check_forest(const Forest& forest) {");
  out.line("  if (forest.nodes < 0) return {negative_count, -1, forest.nodes};");
  out.line("  if (forest.nodes == 0) return {ok};");
  if (has_variant_array(forest)) out.line("  if (!forest.variant) return {null_pointer};");
  out.line("  if (const espalier::Fault fault = espalier::check(shape_of(forest)))");
  out.line("    return status_of(fault);");
  for (const std::string& check : checks)
    out.line("  if (const Status s = {}(forest); s.code != ok) return s;", check);
  out.line("  return {ok};");
  out.line("}");
  out.line();
  if (any_shared(forest)) {
    out.line("std::int32_t count_edges(const Forest& forest) {");
    out.line(
        "  const std::int64_t count = forest.nodes > 0 ? espalier::edge_bound(shape_of(forest)) : "
        "0;");
    out.line("  return count > INT32_MAX ? 0 : static_cast<std::int32_t>(count);  // refused");
    out.line("}");
    out.line();
  }
  return std::move(out).text();
}

}  // namespace espalier::emit

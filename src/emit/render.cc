#include "emit/render.h"

#include <algorithm>
#include <cctype>

#include "base/bug.h"
#include "emit/embedded.h"
#include "emit/text.h"

namespace espalier::emit {

std::string render(const std::string& name, const Data& data) {
  kainjow::mustache::mustache form(std::string(embedded_file("templates/" + name + ".mustache")));
  require(form.is_valid(), "a template does not parse");
  return wrap_lines(form.render(data));
}

Data list_of(const std::vector<std::string>& items) {
  Data list = Data::type::list;
  for (const std::string& item : items) list.push_back(item);
  return list;
}

Data package_data(const Context& c) {
  std::string guard;
  for (const char ch : c.names.package + "_" + c.version)
    guard += static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
  Data data;
  data.set("package", c.names.package);
  data.set("version", c.version);
  data.set("guard", guard);
  return data;
}

std::string column_shape(const Field& column, const std::vector<std::string>& list_names,
                         const std::vector<List>& lists, const std::string& rows) {
  std::string count = rows;
  if (!column.lists.empty()) {
    std::vector<int> chain;
    for (int l = column.lists.back(); l >= 0; l = lists[static_cast<std::size_t>(l)].outer)
      chain.insert(chain.begin(), l);
    for (const int l : chain) count = list_names[static_cast<std::size_t>(l)] + "[" + count + "]";
  }
  return "[" + count + "]" + brackets(column.shape);
}

namespace {

using Declarations = std::vector<std::pair<std::string, std::string>>;

void add_offsets(const std::vector<List>& lists, const std::vector<std::string>& names,
                 const std::string& rows, Declarations* out) {
  for (std::size_t l = 0; l < lists.size(); l++) {
    const int outer = lists[l].outer;
    const std::string count = outer < 0 ? rows : names[static_cast<std::size_t>(outer)] + "[..]";
    out->emplace_back("const std::int32_t* " + names[l] + ";",
                      "[" + count + " + 1] where each list begins, then their end");
  }
}

std::string index_note(const Field& column) {
  return column.bound > 0 && !column.child ? ", each in [0, " + std::to_string(column.bound) + ")"
                                           : "";
}

std::string column_type(const Field& column) {
  return column.child ? "std::int32_t" : memory_type(column.dtype);
}

}  // namespace

std::vector<std::string> weight_members(const Context& c) {
  Declarations out;
  for (std::size_t p = 0; p < c.module.parameters.size(); p++) {
    const Parameter& parameter = c.module.parameters[p];
    std::vector<std::string> axes = parameter.dims;
    if (axes.size() != parameter.shape.size()) {
      axes.clear();
      for (const std::int64_t n : parameter.shape) axes.push_back(std::to_string(n));
    }
    std::string shape = axes.empty() ? "a number" : "[" + join(axes, ", ") + "]";
    if (parameter.name != c.names.parameters[p]) shape += ", tensor " + parameter.name;
    out.emplace_back("const " + memory_type(parameter.dtype) + "* " + c.names.parameters[p] + ";",
                     shape);
  }
  return with_comments(out);
}

std::vector<std::string> forest_members(const Context& c) {
  const Forest& forest = c.module.forest;
  Declarations out = {{"std::int32_t nodes;", ""}};
  const auto telling = telling_columns(forest);
  if (has_variant_array(forest))
    out.emplace_back("const std::uint8_t* variant;", "[nodes] a Variant");
  add_offsets(forest.lists, c.names.lists, "nodes", &out);
  for (std::size_t i = 0; i < forest.columns.size(); i++) {
    const Field& column = forest.columns[i];
    std::vector<std::string> readers;
    for (std::size_t v = 0; v < forest.variants.size(); v++)
      if (has_column(forest.variants[v], static_cast<int>(i)))
        readers.push_back(c.names.variants[v]);
    std::string note =
        column_shape(column, c.names.lists, forest.lists, "nodes") + index_note(column);
    if (column.child) note += " a node";
    if (column.lists.empty() && readers.size() < forest.variants.size())
      note += ", read at " + join(readers, ", ");
    if (std::find(telling.begin(), telling.end(), static_cast<int>(i)) != telling.end())
      note += "; -1 elsewhere";
    out.emplace_back("const " + column_type(column) + "* " + c.names.columns[i] + ";", note);
  }
  return with_comments(out);
}

std::vector<std::string> call_members(const EntryContext& e) {
  Declarations out = {{"std::int32_t count;", ""}};
  add_offsets(e.entry.arguments.lists, e.names.lists, "count", &out);
  for (std::size_t i = 0; i < e.entry.arguments.columns.size(); i++) {
    const Field& column = e.entry.arguments.columns[i];
    std::string note =
        column_shape(column, e.names.lists, e.entry.arguments.lists, "count") + index_note(column);
    if (column.child) note += " root, a node";
    out.emplace_back("const " + column_type(column) + "* " + e.names.columns[i] + ";", note);
  }
  return with_comments(out);
}

std::vector<std::string> output_members(const EntryContext& e) {
  Declarations out;
  for (std::size_t i = 0; i < e.entry.outputs.size(); i++) {
    const loop::OutputCopy& output = e.entry.outputs[i];
    std::string rows = "calls";
    if (output.rows == loop::OutputCopy::Rows::nodes) rows = "nodes of " + output.type;
    if (output.rows == loop::OutputCopy::Rows::items) {
      rows = "items of all calls";
      for (const Limit& limit : limits(e))
        if (std::count(limit.pairs.begin(), limit.pairs.end(), output.list) > 0)
          rows = limit.name + " of " + e.names.limits_of + "()";
      out.emplace_back("std::int32_t* " + e.names.offsets[i] + ";",
                       "[calls + 1] where the rows of each call begin");
    }
    std::string layout = "[" + rows + "]";
    for (const std::string& axis : output.axes) layout += "[" + axis + "]";
    out.emplace_back(memory_type(output.dtype) + "* " + e.names.results[i] + ";", layout);
  }
  return with_comments(out);
}

std::vector<std::string> limit_members(const EntryContext& e) {
  Declarations out;
  for (const Limit& limit : limits(e))
    out.emplace_back("std::int32_t " + limit.name + ";", limit.comment);
  return with_comments(out);
}

}  // namespace espalier::emit

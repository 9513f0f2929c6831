#include "emit/input_arrays.h"

#include "emit/render.h"

namespace espalier::emit {

namespace {

Dtype in_memory(const Field& column) { return column.child ? Dtype::i32 : column.dtype; }

}  // namespace

std::vector<InputArray> forest_arrays(const Context& c, const ForestData& given) {
  const Forest& table = c.module.forest;
  ForestData data = given;
  mark_missing(table, &data);
  std::vector<InputArray> out;
  if (has_variant_array(table)) {
    Column variant;
    for (const int v : data.variant) variant.integer.push_back(v);
    out.push_back({"variant", Dtype::boolean, variant, "[nodes]"});
  }
  for (std::size_t l = 0; l < table.lists.size(); l++)
    out.push_back({"forest_" + c.names.lists[l], Dtype::i32, {{}, data.lists[l]}, ""});
  for (std::size_t i = 0; i < table.columns.size(); i++)
    out.push_back({"forest_" + c.names.columns[i], in_memory(table.columns[i]), data.columns[i],
                   column_shape(table.columns[i], c.names.lists, table.lists, "nodes")});
  return out;
}

std::vector<InputArray> call_arrays(const EntryContext& e, const CallsData& data) {
  const Arguments& table = e.entry.arguments;
  std::vector<InputArray> out;
  for (std::size_t l = 0; l < table.lists.size(); l++)
    out.push_back({"calls_" + e.names.lists[l], Dtype::i32, {{}, data.lists[l]}, ""});
  for (std::size_t i = 0; i < table.columns.size(); i++)
    out.push_back({"calls_" + e.names.columns[i], in_memory(table.columns[i]), data.columns[i],
                   column_shape(table.columns[i], e.names.lists, table.lists, "count")});
  return out;
}

}  // namespace espalier::emit

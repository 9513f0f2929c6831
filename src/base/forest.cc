#include "base/forest.h"

#include <algorithm>

namespace espalier {

namespace {

bool has_column(const Variant& variant, int column) {
  return std::any_of(variant.fields.begin(), variant.fields.end(),
                     [&](const Field& field) { return field.column == column; });
}

// A column that this variant alone has and that can be missing: a single child, or an index.
int own_column(const Forest& forest, const Variant& variant, bool child) {
  for (const Field& field : variant.fields) {
    const Field& column = forest.columns[static_cast<std::size_t>(field.column)];
    const bool can_miss =
        child ? column.child : !column.child && column.bound > 0 && column.shape.empty();
    if (!can_miss || !column.lists.empty()) continue;
    if (std::count_if(forest.variants.begin(), forest.variants.end(),
                      [&](const Variant& other) { return has_column(other, field.column); }) == 1)
      return field.column;
  }
  return -1;
}

}  // namespace

std::vector<int> telling_columns(const Forest& forest) {
  if (forest.types.size() != 1 || forest.variants.size() < 2) return {};
  std::vector<int> out;
  for (const Variant& variant : forest.variants) {
    const int child = own_column(forest, variant, true);
    out.push_back(child >= 0 ? child : own_column(forest, variant, false));
  }
  const auto untold = std::count(out.begin(), out.end(), -1);
  if (untold > 1) return {};
  if (untold == 1) return out;
  const auto leaf = std::find_if(out.begin(), out.end(), [&](int column) {
    return !forest.columns[static_cast<std::size_t>(column)].child;
  });
  (leaf == out.end() ? out.back() : *leaf) = -1;
  return out;
}

void mark_missing(const Forest& forest, ForestData* data) {
  const std::vector<int> telling = telling_columns(forest);
  for (std::size_t v = 0; v < telling.size(); v++) {
    if (telling[v] < 0) continue;
    auto& values = data->columns[static_cast<std::size_t>(telling[v])].integer;
    for (std::size_t n = 0; n < std::min(values.size(), data->variant.size()); n++)
      if (data->variant[n] != static_cast<int>(v)) values[n] = -1;
  }
}

}  // namespace espalier

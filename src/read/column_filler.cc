#include "read/column_filler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "base/numbers.h"
#include "read/numeric.h"

namespace espalier::read {

using fun::Type;

bool ColumnFiller::append(const Slot& slot, const Json* json) {
  return visit(*slot.type, json, slot.column, slot.list);
}

std::pair<int, int> ColumnFiller::width(const Type& type) {
  if (type.kind == Type::Kind::list) {
    const auto [leaves, lists] = width(*type.parts[0]);
    return {leaves, lists + 1};
  }
  if (type.kind != Type::Kind::tuple) return {1, 0};
  std::pair<int, int> sum;
  for (const fun::TypeRef& part : type.parts) {
    const auto [leaves, lists] = width(*part);
    sum.first += leaves;
    sum.second += lists;
  }
  return sum;
}

bool ColumnFiller::refuse(const Type& type, const Json& json) {
  reading_.error(Kind::bad_value, json,
                 fmt::format("expected {}, found {}", fun::show(type),
                             json.is(Json::Kind::number) ? std::string(reading_.file->raw(json))
                                                         : kind_words(json.kind())));
  return false;
}

bool ColumnFiller::visit(const Type& type, const Json* json, int number, int list) {
  switch (type.kind) {
    case Type::Kind::list: return visit_list(type, json, number, list);
    case Type::Kind::tuple: return visit_tuple(type, json, number, list);
    case Type::Kind::data:
      if (json) return element(type, *json, column(number));
      column(number)->integer.push_back(-1);
      return true;
    case Type::Kind::index:
    case Type::Kind::tensor: {
      if (json) return visit_tensor(type, *json, 0, column(number));
      Column* const out = column(number);
      const auto count = static_cast<std::size_t>(fun::elements(type));
      if (type.kind == Type::Kind::tensor && is_float(type.dtype))
        out->real.resize(out->real.size() + count);
      else
        out->integer.resize(out->integer.size() + count);
      return true;
    }
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("data of type " + fun::show(type));
}

bool ColumnFiller::visit_list(const Type& type, const Json* json, int number, int list) {
  if (json && !json->is(Json::Kind::array)) return refuse(type, *json);
  auto& offsets = (*lists_)[static_cast<std::size_t>(list)];
  const auto length = json ? static_cast<std::int64_t>(json->items().size()) : 0;
  offsets.push_back(offsets.back() + length);
  if (!json) return true;
  return std::all_of(json->items().begin(), json->items().end(), [&](const Json& item) {
    return visit(*type.parts[0], &item, number, list + 1);
  });
}

bool ColumnFiller::visit_tuple(const Type& type, const Json* json, int number, int list) {
  const bool named = json && json->is(Json::Kind::object) && !type.names.empty();
  if (json && !named && !json->is(Json::Kind::array)) return refuse(type, *json);
  if (json && json->items().size() != type.parts.size()) return refuse(type, *json);
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const Json* part = !json ? nullptr : named ? json->find(type.names[i]) : &json->items()[i];
    if (json && !part) return refuse(type, *json);
    if (!visit(*type.parts[i], part, number, list)) return false;
    const auto [leaves, lists] = width(*type.parts[i]);
    number += leaves;
    list += lists;
  }
  return true;
}

bool ColumnFiller::visit_tensor(const Type& type, const Json& json, std::size_t axis, Column* out) {
  const std::size_t axes = type.kind == Type::Kind::index ? 0 : type.shape.size();
  if (axis == axes) return element(type, json, out);
  if (!json.is(Json::Kind::array) ||
      static_cast<std::int64_t>(json.items().size()) != type.shape[axis].value()) {
    const std::string found = json.is(Json::Kind::array)
                                  ? fmt::format("a list of {}", json.items().size())
                                  : kind_words(json.kind());
    reading_.error(Kind::value_shape, json,
                   fmt::format("axis {} of {} is a list of {}, found {}", axis, fun::show(type),
                               type.shape[axis].value(), found));
    return false;
  }
  return std::all_of(json.items().begin(), json.items().end(),
                     [&](const Json& item) { return visit_tensor(type, item, axis + 1, out); });
}

// Indices and children may be out of range: that is the program's to find.
bool ColumnFiller::element(const Type& type, const Json& json, Column* out) {
  if (type.kind == Type::Kind::tensor && is_float(type.dtype)) {
    const auto value = real_element(json, type.dtype);
    if (value) out->real.push_back(*value);
    return value.has_value() || refuse(type, json);
  }
  if (type.kind == Type::Kind::tensor && type.dtype == Dtype::boolean) {
    if (!json.is(Json::Kind::boolean)) return refuse(type, json);
    out->integer.push_back(json.boolean());
    return true;
  }
  const Dtype dtype = type.kind == Type::Kind::tensor ? type.dtype : Dtype::i32;
  const auto value =
      json.is(Json::Kind::number) ? parse_int(reading_.file->raw(json)) : std::nullopt;
  if (!value || !fits_integer(*value, dtype)) return refuse(type, json);
  out->integer.push_back(*value);
  return true;
}

Slot slot_of(const fun::TypeRef& type, const std::vector<const Field*>& leaves) {
  require(!leaves.empty(), "a field without leaves");
  Slot out{type, leaves[0]->column, 0};
  int first = -1;
  for (const Field* leaf : leaves)
    for (const int list : leaf->lists)
      if (first < 0 || list < first) first = list;
  out.list = std::max(first, 0);
  return out;
}

}  // namespace espalier::read

// Constants of the model.
#include <fmt/format.h>

#include <cmath>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/model_reader.h"
#include "read/numeric.h"

namespace espalier::read {

using fun::Type;

namespace {

bool fits(std::int64_t value, const Type& type) {
  if (type.kind == Type::Kind::index) return value >= 0 && value < type.shape[0].value();
  return fits_integer(value, type.dtype);
}

}  // namespace

void ModelReader::constants() {
  const Json* all = section("constants");
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    const JsonText& name = all->keys()[i];
    const Json& json = all->items()[i];
    claim(name, "a constant");
    if (!expect(reading_, json, Json::Kind::object, "a constant")) continue;
    check_keys(reading_, json, {"type", "value"}, "a constant");
    const Json* type_of = need(reading_, json, "type", "a constant");
    const Json* value = need(reading_, json, "value", "a constant");
    fun::Constant constant{name.text, nullptr, {}, reading_.file->key_loc(name)};
    if (!type_of || !value) continue;
    constant.type = type(*type_of, scope_, "'type'");
    if (!constant.type) continue;
    if (constant.type->kind != Type::Kind::tensor && constant.type->kind != Type::Kind::index) {
      reading_.error(
          Kind::constant_type, *type_of,
          fmt::format("a constant is a tensor or an index, found {}", fun::show(*constant.type)));
      continue;
    }
    if (elements(*value, *constant.type, 0, &constant.values))
      module_.constants.push_back(std::move(constant));
  }
}

bool ModelReader::elements(const Json& json, const Type& type, std::size_t axis,
                           std::vector<double>* out) {
  const std::size_t axes = type.kind == Type::Kind::index ? 0 : type.shape.size();
  if (axis == axes) {
    if (json.is(Json::Kind::array)) {
      reading_.error(Kind::constant_shape, json,
                     fmt::format("a list inside an element of {}", fun::show(type)));
      return false;
    }
    const std::optional<double> value = element(json, type);
    if (value) out->push_back(*value);
    return value.has_value();
  }
  const fun::Dim& length = type.shape[axis];
  if (!json.is(Json::Kind::array) ||
      static_cast<std::int64_t>(json.items().size()) != length.value()) {
    const std::string found = json.is(Json::Kind::array)
                                  ? fmt::format("a list of {}", json.items().size())
                                  : kind_words(json.kind());
    reading_.error(Kind::constant_shape, json,
                   fmt::format("axis {} of {} is a list of {}, found {}", axis, fun::show(type),
                               length.value(), found));
    return false;
  }
  for (const Json& item : json.items())
    if (!elements(item, type, axis + 1, out)) return false;
  return true;
}

std::optional<double> ModelReader::element(const Json& json, const Type& type) {
  const bool integer = type.kind == Type::Kind::index || is_integer(type.dtype);
  if (integer && json.is(Json::Kind::number)) {
    const auto value = parse_int(reading_.file->raw(json));
    // Values are held as doubles.
    if (value && fits(*value, type) && std::abs(json.number()) <= 0x1p53) return json.number();
  } else if (!integer && type.dtype != Dtype::boolean) {
    if (const auto value = real_element(json, type.dtype)) return value;
  } else if (!integer && json.is(Json::Kind::boolean)) {
    return json.number();
  }
  reading_.error(Kind::constant_value, json,
                 fmt::format("{} is no element of {}", reading_.file->raw(json), fun::show(type)));
  return {};
}

}  // namespace espalier::read

#include "read/forest_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "fun/forest.h"

namespace espalier::read {

using fun::Type;

namespace {

bool is_child(const Type& type) { return type.kind == Type::Kind::data; }
bool is_child_list(const Type& type) {
  return type.kind == Type::Kind::list && is_child(*type.parts[0]);
}
bool is_integer_type(const Type& type) {
  return type.kind == Type::Kind::index ||
         (type.kind == Type::Kind::tensor && type.shape.empty() && is_integer(type.dtype));
}

bool lacks(const Json* json, const Type& type, bool minus_one_lacks) {
  if (!json) return true;
  const bool minus_one = json->is(Json::Kind::number) && json->number() == -1;
  return minus_one && minus_one_lacks && is_integer_type(type);
}

}  // namespace

ForestReader::ForestReader(const Reading& reading, const fun::Module& module, const Forest& forest)
    : reading_(reading), forest_(forest) {
  for (const espalier::Variant& variant : forest.variants) add(module, variant, forest);
}

void ForestReader::add(const fun::Module& module, const espalier::Variant& variant,
                       const Forest& forest) {
  Info info{&variant, {}};
  const fun::DataType* type = module.find_type(variant.type);
  require(type != nullptr, "a forest of a type that the module lacks");
  const auto declared = std::find_if(type->variants.begin(), type->variants.end(),
                                     [&](const fun::Variant& v) { return v.name == variant.name; });
  for (const fun::Named& field : declared->fields) {
    std::vector<const Field*> leaves;
    for (const int leaf : fun::leaves_of(variant, field.name))
      leaves.push_back(&forest.columns[static_cast<std::size_t>(
          variant.fields[static_cast<std::size_t>(leaf)].column)]);
    const Slot slot = slot_of(field.type, leaves);
    const auto known = std::find_if(slots_.begin(), slots_.end(),
                                    [&](const Slot& s) { return s.column == slot.column; });
    info.payload.push_back({&field, static_cast<std::size_t>(known - slots_.begin())});
    if (known == slots_.end()) slots_.push_back(slot);
  }
  infos_.push_back(std::move(info));
}

std::vector<std::string> ForestReader::fields() const {
  std::vector<std::string> out;
  for (const Info& info : infos_)
    for (const Payload& payload : info.payload)
      if (std::find(out.begin(), out.end(), payload.field->name) == out.end())
        out.push_back(payload.field->name);
  return out;
}

bool ForestReader::error(Kind kind, const NodeSource& source, std::size_t node,
                         const std::string& message) {
  reading_.error(kind, source.place(node), fmt::format("node {}: {}", node, message));
  return false;
}

bool ForestReader::read(const NodeSource& source, ForestData* out) {
  out->nodes = static_cast<std::int64_t>(source.count());
  out->variant.clear();
  out->columns.assign(forest_.columns.size(), {});
  out->lists.assign(forest_.lists.size(), {0});
  ColumnFiller filler(reading_, &out->columns, &out->lists);
  for (std::size_t node = 0; node < source.count(); ++node)
    if (!read_node(source, node, &filler, out)) return false;
  return true;
}

bool ForestReader::read_node(const NodeSource& source, std::size_t node, ColumnFiller* filler,
                             ForestData* out) {
  const int variant = variant_of(source, node);
  if (variant < 0) return false;
  out->variant.push_back(variant);
  const Info& info = infos_[static_cast<std::size_t>(variant)];
  if (!check_fields(source, node, info)) return false;
  const std::vector<const Json*> found = values(source, node, info);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if (!filler->append(slots_[slot], found[slot])) return false;
  return true;
}

// What the node has for each slot. Children in one list go to the child fields in their order.
std::vector<const Json*> ForestReader::values(const NodeSource& source, std::size_t node,
                                              const Info& info) const {
  std::vector<const Json*> out(slots_.size());
  const Json* children = source.children(node);
  std::size_t next = 0;
  for (const Payload& payload : info.payload) {
    const Json* value = source.field(node, payload.field->name);
    if (!value && children && is_child_list(*payload.field->type)) value = children;
    if (!value && children && is_child(*payload.field->type) && next < children->items().size())
      value = &children->items()[next++];
    out[payload.slot] = value;
  }
  return out;
}

bool ForestReader::check_fields(const NodeSource& source, std::size_t node, const Info& info) {
  const std::vector<const Json*> found = values(source, node, info);
  for (const Payload& payload : info.payload)
    if (!found[payload.slot])
      return error(Kind::missing_field, source, node,
                   fmt::format("variant '{}' has a field '{}', which is missing", info.flat->name,
                               payload.field->name));
  if (source.columnar()) return true;
  const Json& json = source.place(node);
  for (std::size_t i = 0; i < json.items().size(); ++i) {
    const std::string& key = json.keys()[i].text;
    const auto is_key = [&](const Payload& payload) { return payload.field->name == key; };
    if (key == "variant" || json.items()[i].is(Json::Kind::null) ||
        std::any_of(info.payload.begin(), info.payload.end(), is_key))
      continue;
    std::vector<std::string> known;
    for (const Payload& payload : info.payload) known.push_back(payload.field->name);
    reading_.error(Kind::unknown_node_field, json.keys()[i],
                   fmt::format("node {}: variant '{}' has no field '{}'{}", node, info.flat->name,
                               key, did_you_mean(key, known)));
    return false;
  }
  return true;
}

int ForestReader::variant_of(const NodeSource& source, std::size_t node) {
  if (const Json* name = source.field(node, "variant")) return named_variant(*name);
  if (infos_.size() == 1) return 0;
  return fitting_variant(source, node);
}

int ForestReader::named_variant(const Json& name) {
  if (!expect(reading_, name, Json::Kind::string, "'variant'")) return -1;
  int found = -1;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    const espalier::Variant& variant = *infos_[i].flat;
    const std::string qualified = variant.type + '.' + variant.name;
    known.push_back(variant.name);
    if (name.text() == qualified) return static_cast<int>(i);
    if (name.text() != variant.name) continue;
    if (found >= 0) {
      const std::string& other = infos_[static_cast<std::size_t>(found)].flat->type;
      reading_.error(Kind::ambiguous_variant, name,
                     fmt::format("types '{0}' and '{1}' have a variant '{2}': write '{0}.{2}'",
                                 other, variant.type, variant.name));
      return -1;
    }
    found = static_cast<int>(i);
  }
  if (found < 0)
    reading_.error(
        Kind::unknown_node_variant, name,
        fmt::format("there is no variant '{}'{}", name.text(), did_you_mean(name.text(), known)));
  return found;
}

// A field that was perhaps meant, or the variants that there are.
std::string ForestReader::what_fits(const NodeSource& source, std::size_t node) const {
  std::vector<std::string> fields{"variant"}, variants;
  for (const Info& info : infos_) {
    std::vector<std::string> own;
    for (const Payload& payload : info.payload) own.push_back(payload.field->name);
    variants.push_back(fmt::format("{}({})", info.flat->name, fmt::join(own, ", ")));
    fields.insert(fields.end(), own.begin(), own.end());
  }
  for (const JsonText& key :
       source.columnar() ? std::vector<JsonText>() : source.place(node).keys()) {
    const std::string near = did_you_mean(key.text, fields);
    const bool known = std::find(fields.begin(), fields.end(), key.text) != fields.end();
    if (!known) return fmt::format("; there is no field '{}'{}", key.text, near);
  }
  return fmt::format("; there are {}", fmt::join(variants, ", "));
}

int ForestReader::fitting_variant(const NodeSource& source, std::size_t node) {
  std::vector<int> found = fitting(source, node, source.columnar());
  if (found.empty() && source.columnar()) found = fitting(source, node, false);
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    error(Kind::no_variant_fits, source, node,
          "no variant has its payload and children" + what_fits(source, node));
    return -1;
  }
  const auto name = [&](int i) { return infos_[static_cast<std::size_t>(i)].flat->name; };
  error(Kind::two_variants_fit, source, node,
        fmt::format("both '{}' and '{}' have its payload and children; give its 'variant'",
                    name(found[0]), name(found[1])));
  return -1;
}

std::vector<int> ForestReader::fitting(const NodeSource& source, std::size_t node,
                                       bool minus_one_lacks) const {
  std::vector<int> out;
  for (std::size_t i = 0; i < infos_.size(); ++i)
    if (fits(source, node, infos_[i], minus_one_lacks)) out.push_back(static_cast<int>(i));
  return out;
}

bool ForestReader::fits(const NodeSource& source, std::size_t node, const Info& info,
                        bool minus_one_lacks) const {
  const Json* children = source.children(node);
  std::size_t single = 0, lists = 0;
  std::vector<bool> own(slots_.size());
  std::vector<std::string> names;
  for (const Payload& payload : info.payload) {
    const Type& type = *payload.field->type;
    own[payload.slot] = true;
    names.push_back(payload.field->name);
    const Json* value = source.field(node, payload.field->name);
    if (!value && children && is_child(type))
      ++single;
    else if (!value && children && is_child_list(type))
      ++lists;
    else if (lacks(value, type, minus_one_lacks))
      return false;
  }
  if (children) {
    const bool any = lists == 1 && single == 0;
    if (!children->is(Json::Kind::array) || (!any && lists > 0)) return false;
    if (!any && children->items().size() != single) return false;
  }
  for (const Info& other : infos_)
    for (const Payload& payload : other.payload)
      if (std::find(names.begin(), names.end(), payload.field->name) == names.end() &&
          !lacks(source.field(node, payload.field->name), *payload.field->type, minus_one_lacks))
        return false;
  return true;
}

}  // namespace espalier::read

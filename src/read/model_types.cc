// Dims, data types, their other names, and parameters.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/model_reader.h"

namespace espalier::read {

using fun::Dim;
using fun::TypeRef;

// ---- Dims ----

void ModelReader::dims() {
  const Json* all = section("dims");
  for (std::size_t i = 0; all && i < all->items().size(); ++i)
    dim_texts_.try_emplace(all->keys()[i].text, &all->items()[i]);
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    claim(all->keys()[i], "a dim");
    dim(all->keys()[i], all->items()[i]);
  }
}

void ModelReader::dim(const JsonText& name, const Json& json) {
  std::optional<Dim> value;
  if (json.is(Json::Kind::number)) {
    if (const auto number = parse_int(reading_.file->raw(json)))
      value = Dim(*number);
    else if (json.number() >= 0x1p63)
      reading_.error(Kind::dim_overflow, json, "the dim does not fit 64 bits");
    else
      reading_.error(Kind::not_a_dim, json, "a dim is an integer, or a string of dims");
  } else if (expect(reading_, json, Json::Kind::string, fmt::format("dim '{}'", name.text)) &&
             !uses_later_dim(name, json)) {
    const Result<Dim> parsed = parse_dim(snippet(json), scope_, reading_.diagnostics);
    if (parsed) value = *parsed;
  }
  if (value && value->value() < 1)
    reading_.error(Kind::dim_not_positive, json,
                   fmt::format("dim '{}' is {}; dims are at least 1", name.text, value->value()));
  module_.dims.emplace_back(name.text, value.value_or(Dim(1)));
  scope_.dims.emplace(name.text, Dim::named(name.text, module_.dims.back().second.value()));
}

// The names in a string, none where it cannot be read.
std::set<std::string> ModelReader::names_in(const Json& json) const {
  std::set<std::string> out;
  if (!json.is(Json::Kind::string)) return out;
  Diagnostics quiet;
  const Result<std::vector<Token>> tokens = lex(snippet(json), &quiet);
  if (tokens)
    for (const Token& token : *tokens)
      if (token.kind == Token::Kind::name) out.emplace(token.text);
  return out;
}

bool ModelReader::uses_later_dim(const JsonText& name, const Json& json) {
  std::string later;
  for (const std::string& used : names_in(json))
    if (!scope_.dims.count(used) && dim_texts_.count(used)) later = used;
  if (later.empty()) return false;
  // Whether the way through the names that are used leads back here.
  std::set<std::string> seen;
  std::vector<std::string> open = {later};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const auto value = dim_texts_.find(next);
    if (value == dim_texts_.end() || !seen.insert(next).second) continue;
    for (const std::string& used : names_in(*value->second)) open.push_back(used);
  }
  if (seen.count(name.text))
    reading_.error(Kind::cyclic_dim, json,
                   later == name.text ? fmt::format("dim '{}' is defined by itself", name.text)
                                      : fmt::format("dims '{}' and '{}' are defined by each other",
                                                    name.text, later));
  else
    reading_.error(Kind::later_dim, json,
                   fmt::format("dim '{}' is defined further down; dims use earlier ones", later));
  return true;
}

// ---- Types ----

void ModelReader::types() {
  const Json* all = section("types");
  if (!all) return;
  for (std::size_t i = 0; i < all->items().size(); ++i) declare(all->keys()[i], all->items()[i]);
  aliases();
  std::size_t next = 0;
  for (std::size_t i = 0; i < all->items().size(); ++i) {
    if (!all->items()[i].is(Json::Kind::object) || next == module_.types.size()) continue;
    if (module_.types[next].loc.offset != all->keys()[i].offset) continue;
    data_type(all->keys()[i], all->items()[i], &module_.types[next++]);
  }
}

void ModelReader::declare(const JsonText& name, const Json& json) {
  const Result<Declared> declared = parse_declared(key_snippet(name), reading_.diagnostics);
  if (!declared) return;
  if (is_type_word(declared->name)) {
    reading_.error(Kind::name_is_type, name, fmt::format("'{}' is a type already", declared->name));
    return;
  }
  if (alias_texts_.count(declared->name) || scope_.data_types.count(declared->name)) {
    reading_.error(Kind::duplicate_name, name,
                   fmt::format("there are two types '{}'", declared->name));
    return;
  }
  if (json.is(Json::Kind::string)) {
    if (!declared->params.empty())
      reading_.error(Kind::type_arguments, name, "another name of a type takes no type arguments");
    alias_texts_.emplace(declared->name, &json);
    alias_order_.push_back(declared->name);
    return;
  }
  if (!expect(reading_, json, Json::Kind::object, fmt::format("type '{}'", declared->name))) return;
  scope_.data_types.emplace(declared->name, declared->params.size());
  data_names_.push_back(declared->name);
  fun::DataType type;
  type.name = declared->name;
  type.params = declared->params;
  type.loc = reading_.file->key_loc(name);
  module_.types.push_back(std::move(type));
}

void ModelReader::aliases() {
  for (const std::string& name : alias_order_) expand_alias(name);
}

// Names that it uses come first; with a stack of its own, since chains may be long.
void ModelReader::expand_alias(const std::string& first) {
  if (scope_.aliases.count(first)) return;
  std::vector<std::string> open = {first};
  std::set<std::string> on_the_way = {first};
  while (!open.empty()) {
    const std::string name = open.back();
    const Json& json = *alias_texts_.at(name);
    std::string missing;
    for (const std::string& used : names_in(json))
      if (alias_texts_.count(used) && !scope_.aliases.count(used)) missing = used;
    if (on_the_way.count(missing)) {
      reading_.error(Kind::cyclic_type, json,
                     missing == name
                         ? fmt::format("type '{}' stands for itself", name)
                         : fmt::format("types '{}' and '{}' stand for each other", name, missing));
      scope_.aliases[name] = fun::scalar(Dtype::f32);
    } else if (!missing.empty()) {
      open.push_back(missing);
      on_the_way.insert(missing);
      continue;
    } else {
      const TypeRef expanded = type(json, scope_, fmt::format("type '{}'", name));
      scope_.aliases[name] = expanded ? expanded : fun::scalar(Dtype::f32);
    }
    module_.aliases.emplace_back(name, scope_.aliases[name]);
    on_the_way.erase(name);
    open.pop_back();
  }
}

TypeRef ModelReader::type(const Json& json, const TypeScope& scope, const std::string& what) {
  if (!expect(reading_, json, Json::Kind::string, what)) return nullptr;
  const Result<TypeRef> parsed = parse_type(snippet(json), scope, reading_.diagnostics);
  return parsed ? *parsed : nullptr;
}

void ModelReader::data_type(const JsonText& name, const Json& json, fun::DataType* out) {
  TypeScope scope = scope_;
  scope.open.insert(out->params.begin(), out->params.end());
  const Json* all = &json;
  const Json* long_form = json.find("variants");
  if (long_form) {
    check_keys(reading_, json, {"shared", "variants"}, fmt::format("type '{}'", out->name));
    all = long_form;
    const Json* shared = json.find("shared");
    if (shared && expect(reading_, *shared, Json::Kind::boolean, "'shared'"))
      out->shared = shared->boolean();
    if (!expect(reading_, *all, Json::Kind::object, "'variants'")) return;
  }
  if (all->items().empty())
    reading_.error(Kind::no_variants, name, fmt::format("type '{}' has no variants", out->name));
  variants(*all, scope, out);
}

void ModelReader::variants(const Json& all, const TypeScope& scope, fun::DataType* out) {
  for (std::size_t i = 0; i < all.items().size(); ++i) {
    const JsonText& name = all.keys()[i];
    const Json& fields = all.items()[i];
    check_name(reading_, name, "a variant");
    const std::string what = fmt::format("variant '{}'", name.text);
    if (!expect(reading_, fields, Json::Kind::object, what)) continue;
    fun::Variant variant{name.text, {}, reading_.file->key_loc(name)};
    for (std::size_t j = 0; j < fields.items().size(); ++j) {
      const JsonText& field = fields.keys()[j];
      check_name(reading_, field, "a payload field");
      TypeRef found = type(fields.items()[j], scope, fmt::format("field '{}'", field.text));
      if (found) holds_data(fields.items()[j], *found, "a payload field");
      variant.fields.push_back({field.text, std::move(found), reading_.file->key_loc(field)});
    }
    out->variants.push_back(std::move(variant));
  }
}

bool ModelReader::holds_data(const Json& at, const fun::Type& type, const std::string& what) {
  if (type.kind == fun::Type::Kind::function) {
    reading_.error(Kind::function_in_data, at,
                   fmt::format("{} holds no functions, found {}", what, fun::str(type)));
    return false;
  }
  return std::all_of(type.parts.begin(), type.parts.end(),
                     [&](const TypeRef& part) { return holds_data(at, *part, what); });
}

// ---- Parameters ----

namespace {

bool storable(const fun::Type& type) {
  if (type.kind == fun::Type::Kind::tuple)
    return std::all_of(type.parts.begin(), type.parts.end(),
                       [](const TypeRef& part) { return storable(*part); });
  return type.kind == fun::Type::Kind::tensor;
}

}  // namespace

void ModelReader::params() {
  const Json* all = section("params");
  for (std::size_t i = 0; all && i < all->items().size(); ++i) {
    const JsonText& name = all->keys()[i];
    const Json& json = all->items()[i];
    claim(name, "a parameter");
    const TypeRef found = type(json, scope_, fmt::format("parameter '{}'", name.text));
    if (!found) continue;
    if (!storable(*found))
      reading_.error(
          Kind::parameter_type, json,
          fmt::format("a parameter is a tensor or a tuple of tensors, found {}", fun::str(*found)));
    module_.params.push_back({name.text, found, reading_.file->key_loc(name)});
  }
}

}  // namespace espalier::read

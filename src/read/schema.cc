#include "read/schema.h"

#include <string_view>
#include <vector>

#include "fun/json_out.h"

namespace espalier::read {

using fun::json_list;
using fun::json_literal;
using fun::json_object;
using fun::json_string;
using fun::JsonOut;

namespace {

// A key of an object and the definition of its value: "expr", "expr*" for a list of them, "expr{}"
// for an object of them under any names.
struct Key {
  std::string_view name, value;
  bool needed;
};

struct Shape {
  std::string_view name;
  std::vector<Key> keys;
  std::string_view others = "";  // what other keys hold; "" if there are none
};

constexpr std::string_view name_pattern = R"(^[^\W\d]\w*$)";

const std::vector<Shape>& forms() {
  static const std::vector<Shape> table = {
      {"var", {{"var", "name", true}}},
      {"const", {{"const", "constant", true}, {"type", "dtype", false}}},
      {"op", {{"op", "string", true}, {"args", "body*", true}}, "option"},
      {"call", {{"call", "body", true}, {"args", "body*", true}}},
      {"construct", {{"construct", "string", true}, {"args", "body*", true}}},
      {"field", {{"field", "string", true}, {"of", "body", true}}},
      {"tuple", {{"tuple", "fields", true}}},
      {"list", {{"list", "body*", true}}},
      {"each", {{"each", "body", true}, {"for", "pattern", true}, {"in", "body", true}}},
      {"fun", {{"fun", "pattern*", true}, {"body", "body", true}}},
      {"index", {{"index", "body", true}, {"at", "place*", true}}},
      {"match", {{"match", "body", true}, {"cases", "body{}", true}}},
      {"if", {{"if", "body", true}, {"then", "body", true}, {"else", "body", true}}},
  };
  return table;
}

const std::vector<Shape>& objects() {
  static const std::vector<Shape> table = {
      {"let", {{"let", "pattern", true}, {"be", "body", true}}},
      {"slice", {{"slice", "bounds", true}}},
      {"typed_argument", {{"type", "nullable_type", true}, {"combine", "combine", false}}},
      {"constant_value", {{"type", "type", true}, {"value", "any", true}}},
      {"shared_type", {{"shared", "boolean", false}, {"variants", "type{}{}", true}}},
      {"weight_files", {{"files", "files", true}, {"tensors", "string{}", false}}},
      {"function",
       {{"doc", "string", false},
        {"forall", "name*", false},
        {"args", "argument{}", false},
        {"returns", "nullable_type", false},
        {"body", "body", true}}},
      {"entry",
       {{"doc", "string", false}, {"function", "name", false}, {"outputs", "outputs", false}}},
      {"gradient", {{"of", "name", true}, {"wrt", "string*", true}, {"keep", "string*", false}}},
  };
  return table;
}

const Shape& model() {
  static const Shape shape = {"model",
                              {{"espalier", "version", true},
                               {"name", "name", true},
                               {"doc", "string", false},
                               {"dims", "dim{}", false},
                               {"types", "declaration{}", false},
                               {"params", "type{}", false},
                               {"constants", "constant_value{}", false},
                               {"weights", "weights", false},
                               {"functions", "function{}", true},
                               {"entries", "entry{}", false},
                               {"gradients", "gradient{}", false}}};
  return shape;
}

JsonOut typed(const char* type) {
  JsonOut out = json_object();
  out.add("type", json_string(type));
  return out;
}

// The schema that a Key's value names.
JsonOut value_schema(std::string_view value) {
  if (value.ends_with("{}")) {
    JsonOut out = typed("object");
    out.add("additionalProperties", value_schema(value.substr(0, value.size() - 2)));
    return out;
  }
  if (value.ends_with('*')) {
    JsonOut out = typed("array");
    out.add("items", value_schema(value.substr(0, value.size() - 1)));
    return out;
  }
  if (value == "any") return json_object();
  if (value == "string" || value == "boolean")
    return typed(value == "string" ? "string" : "boolean");
  JsonOut out = json_object();
  out.add("$ref", json_string("#/$defs/" + std::string(value)));
  return out;
}

JsonOut shape_schema(const Shape& shape) {
  JsonOut out = typed("object"), properties = json_object(), required = json_list();
  for (const Key& key : shape.keys) {
    properties.add(std::string(key.name), value_schema(key.value));
    if (key.needed) required.items.push_back(json_string(std::string(key.name)));
  }
  out.add("properties", std::move(properties));
  out.add("required", std::move(required));
  out.add("additionalProperties",
          shape.others.empty() ? json_literal("false") : value_schema(shape.others));
  return out;
}

JsonOut any_of(const std::vector<std::string_view>& values) {
  JsonOut all = json_list(), out = json_object();
  for (const std::string_view value : values) all.items.push_back(value_schema(value));
  out.add("anyOf", std::move(all));
  return out;
}

JsonOut one_of_words(const std::vector<const char*>& words) {
  JsonOut all = json_list(), out = json_object();
  for (const char* word : words) all.items.push_back(json_string(word));
  out.add("enum", std::move(all));
  return out;
}

void add_words(JsonOut* definitions) {
  JsonOut name = typed("string"), version = json_object(), bounds = typed("array");
  name.add("pattern", json_string(std::string(name_pattern)));
  version.add("const", json_literal("1"));
  bounds.add("items", any_of({"body", "null"}));
  bounds.add("minItems", json_literal("2"));
  bounds.add("maxItems", json_literal("3"));
  definitions->add("name", std::move(name));
  definitions->add("version", std::move(version));
  definitions->add("bounds", std::move(bounds));
  definitions->add("null", typed("null"));
  definitions->add("number", typed("number"));
  definitions->add("integer", typed("integer"));
  definitions->add("pattern", typed("string"));
  definitions->add("type", typed("string"));
  definitions->add("dtype",
                   one_of_words({"f32", "f64", "f16", "bf16", "i8", "i32", "i64", "bool"}));
  definitions->add("combine", one_of_words({"sum", "mean", "prod", "max", "min"}));
  definitions->add("outputs", one_of_words({"roots", "nodes"}));
}

void add_unions(JsonOut* definitions) {
  definitions->add("dim", any_of({"integer", "string"}));
  definitions->add("constant", any_of({"number", "string", "boolean"}));
  definitions->add("nullable_type", any_of({"type", "null"}));
  definitions->add("argument", any_of({"nullable_type", "typed_argument"}));
  definitions->add("declaration", any_of({"type", "shared_type", "type{}{}"}));
  definitions->add("files", any_of({"string", "string*"}));
  definitions->add("weights", any_of({"files", "weight_files"}));
  definitions->add("fields", any_of({"body*", "body{}"}));
  definitions->add("place", any_of({"slice", "body"}));
  definitions->add("option", any_of({"body", "option*"}));
  definitions->add("statement", any_of({"string", "let", "body"}));
  std::vector<std::string_view> bodies = {"string", "number", "boolean", "statement*"};
  for (const Shape& form : forms()) bodies.push_back(form.name);
  definitions->add("body", any_of(bodies));
}

}  // namespace

std::string model_schema() {
  JsonOut definitions = json_object();
  add_words(&definitions);
  add_unions(&definitions);
  for (const Shape& form : forms()) definitions.add(std::string(form.name), shape_schema(form));
  for (const Shape& shape : objects())
    definitions.add(std::string(shape.name), shape_schema(shape));

  JsonOut out = json_object();
  out.add("$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
  out.add("title", json_string("Espalier model"));
  JsonOut root = shape_schema(model());
  for (std::size_t i = 0; i < root.items.size(); ++i)
    out.add(root.keys[i], std::move(root.items[i]));
  out.add("$defs", std::move(definitions));
  return fun::pretty(out);
}

}  // namespace espalier::read

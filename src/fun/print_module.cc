#include <algorithm>

#include "base/numbers.h"
#include "fun/structured_out.h"
#include "fun/text.h"

namespace espalier::fun {

namespace {

JsonOut strings(const std::vector<std::string>& all) {
  JsonOut out = json_list();
  for (const std::string& text : all) out.items.push_back(json_string(text));
  return out;
}

JsonOut type_json(const TypeRef& type) {
  return type ? json_string(str(*type)) : json_literal("null");
}

JsonOut fields_json(const std::vector<Named>& fields) {
  JsonOut out = json_object();
  for (const Named& field : fields) out.add(field.name, type_json(field.type));
  return out;
}

void add_unless_empty(const std::string& key, JsonOut value, JsonOut* out) {
  if (!value.items.empty()) out->add(key, std::move(value));
}

void add_doc(const std::string& doc, JsonOut* out) {
  if (!doc.empty()) out->add("doc", json_string(doc));
}

JsonOut dims_json(const Module& module) {
  JsonOut out = json_object();
  for (const auto& [name, dim] : module.dims)
    out.add(name, dim.is_literal() ? json_literal(dim.str()) : json_string(dim.str()));
  return out;
}

JsonOut data_type_json(const DataType& type) {
  JsonOut variants = json_object();
  for (const Variant& variant : type.variants)
    variants.add(variant.name, fields_json(variant.fields));
  // A variant of that name would be taken for the key.
  const bool plain =
      !type.shared && std::none_of(type.variants.begin(), type.variants.end(),
                                   [](const Variant& v) { return v.name == "variants"; });
  if (plain) return variants;
  JsonOut out = json_object();
  out.add("shared", json_literal(type.shared ? "true" : "false"));
  out.add("variants", std::move(variants));
  return out;
}

JsonOut types_json(const Module& module) {
  JsonOut out = json_object();
  for (const auto& [name, type] : module.aliases) out.add(name, type_json(type));
  for (const DataType& type : module.types) {
    std::string name = type.name;
    for (std::size_t i = 0; i < type.params.size(); ++i)
      name += (i == 0 ? "[" : ", ") + type.params[i];
    out.add(type.params.empty() ? name : name + ']', data_type_json(type));
  }
  return out;
}

JsonOut element_json(double value, const Type& type) {
  if (type.kind == Type::Kind::tensor && type.dtype == Dtype::boolean)
    return json_literal(value != 0 ? "true" : "false");
  if (type.kind == Type::Kind::index || is_integer(type.dtype))
    return json_literal(std::to_string(static_cast<std::int64_t>(value)));
  const auto narrow = static_cast<float>(value);
  const bool exact = static_cast<double>(narrow) == value && type.dtype != Dtype::f64;
  const std::string text = exact ? shortest(narrow) : shortest(value);
  return text.find('n') == std::string::npos ? json_literal(text) : json_string(text);
}

JsonOut value_json(const Constant& constant, std::size_t axis, std::size_t* next) {
  const Type& type = *constant.type;
  const std::size_t axes = type.kind == Type::Kind::index ? 0 : type.shape.size();
  if (axis == axes) return element_json(constant.values[(*next)++], type);
  JsonOut out = json_list();
  for (std::int64_t i = 0; i < type.shape[axis].value(); ++i)
    out.items.push_back(value_json(constant, axis + 1, next));
  return out;
}

JsonOut constants_json(const Module& module) {
  JsonOut out = json_object();
  for (const Constant& constant : module.constants) {
    JsonOut one = json_object();
    std::size_t next = 0;
    one.add("type", type_json(constant.type));
    one.add("value", value_json(constant, 0, &next));
    out.add(constant.name, std::move(one));
  }
  return out;
}

JsonOut weights_json(const WeightFiles& weights) {
  JsonOut files =
      weights.files.size() == 1 ? json_string(weights.files[0]) : strings(weights.files);
  if (weights.renamed.empty()) return files;
  JsonOut out = json_object(), tensors = json_object();
  for (const auto& [leaf, tensor] : weights.renamed) tensors.add(leaf, json_string(tensor));
  out.add("files", std::move(files));
  out.add("tensors", std::move(tensors));
  return out;
}

JsonOut function_json(const Function& function, const StructuredOptions& options) {
  JsonOut out = json_object(), args = json_object();
  add_doc(function.doc, &out);
  add_unless_empty("forall", strings(function.forall), &out);
  for (const Argument& argument : function.args) {
    JsonOut type = type_json(argument.named.type);
    if (!argument.combine.empty()) {
      JsonOut both = json_object();
      both.add("type", std::move(type));
      both.add("combine", json_string(argument.combine));
      type = std::move(both);
    }
    args.add(argument.named.name, std::move(type));
  }
  add_unless_empty("args", std::move(args), &out);
  if (function.returns) out.add("returns", type_json(function.returns));
  out.add("body", structured(function.body, options));
  return out;
}

JsonOut entries_json(const Module& module) {
  JsonOut out = json_object();
  for (const Entry& entry : module.entries) {
    JsonOut one = json_object();
    add_doc(entry.doc, &one);
    if (entry.function != entry.name) one.add("function", json_string(entry.function));
    one.add("outputs", json_string(entry.nodes ? "nodes" : "roots"));
    out.add(entry.name, std::move(one));
  }
  return out;
}

JsonOut gradients_json(const Module& module) {
  JsonOut out = json_object();
  for (const Gradient& gradient : module.gradients) {
    JsonOut one = json_object();
    one.add("of", json_string(gradient.of));
    one.add("wrt", strings(gradient.wrt));
    add_unless_empty("keep", strings(gradient.keep), &one);
    out.add(gradient.name, std::move(one));
  }
  return out;
}

std::string print_with(const Module& module, StructuredOptions options) {
  JsonOut out = json_object(), functions = json_object();
  options.checked = module.checked;
  out.add("espalier", json_literal("1"));
  out.add("name", json_string(module.name));
  add_doc(module.doc, &out);
  add_unless_empty("dims", dims_json(module), &out);
  add_unless_empty("types", types_json(module), &out);
  add_unless_empty("params", fields_json(module.params), &out);
  add_unless_empty("constants", constants_json(module), &out);
  if (module.weights.given) out.add("weights", weights_json(module.weights));
  for (const Function& function : module.functions)
    functions.add(function.name, function_json(function, options));
  out.add("functions", std::move(functions));
  add_unless_empty("entries", entries_json(module), &out);
  add_unless_empty("gradients", gradients_json(module), &out);
  return pretty(out);
}

}  // namespace

std::string print(const Module& module) { return print_with(module, {}); }

std::string print_expanded(const Module& module,
                           const std::function<bool(const std::string&)>& is_operator) {
  StructuredOptions options;
  options.expand = true;
  options.is_operator = [&](const std::string& name) {
    const auto is_dim = [&](const auto& dim) { return dim.first == name; };
    const bool global = module.find_function(name) || module.find_param(name) ||
                        module.find_constant(name) ||
                        std::any_of(module.dims.begin(), module.dims.end(), is_dim);
    return !global && is_operator(name);
  };
  return print_with(module, options);
}

std::string print(const Expr& expr) {
  if (has_notation(expr, {})) return notation(expr);
  // Only looked at: what shares the expression keeps nothing of it.
  const ExprRef body(std::shared_ptr<const void>(), &expr);
  std::string out = pretty(structured(body, {}));
  out.pop_back();
  return out;
}

std::string print(const Pattern& pattern) { return notation(pattern); }

}  // namespace espalier::fun

#include "fun_pass/checker/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bug.h"
#include "base/kinds.h"

namespace espalier::fun_pass {

namespace {

constexpr std::size_t max_instances = 1000;

// A type as part of a name: Pair_f32, Rose_index_vocab.
std::string mangle(const Type& type) {
  std::string text;
  for (const char c : str(type)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word = std::isalnum(byte) || byte >= 0x80 || c == '_';
    if (word)
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  return text;
}

Type canonical_type(const Type& type) {
  Type out = type;
  for (Dim& dim : out.shape)
    if (dim.bound()) dim = Dim(dim.value());
  for (TypeRef& part : out.parts) part = std::make_shared<Type>(canonical_type(*part));
  return out;
}

bool within(const Type& type, int* budget) {
  if (--*budget < 0) return false;
  return std::all_of(type.parts.begin(), type.parts.end(),
                     [&](const TypeRef& part) { return within(*part, budget); });
}

bool same_types(const TypeRef& a, const TypeRef& b) { return same(*a, *b); }

}  // namespace

std::string Bindings::canonical(const std::string& name) const {
  if (const auto dim = dims.find(name); dim != dims.end())
    return std::to_string(dim->second.value());
  return fun_pass::canonical(*types.at(name));
}

std::string canonical(const Type& type) { return str(canonical_type(type)); }

bool too_large(const Type& type) {
  int budget = 4000;
  return !within(type, &budget);
}

bool has_function(const Type& type) {
  return type.kind == Type::Kind::function ||
         std::any_of(type.parts.begin(), type.parts.end(),
                     [](const TypeRef& part) { return has_function(*part); });
}

bool is_scalar(const Type& type, Dtype dtype) {
  return type.kind == Type::Kind::tensor && type.shape.empty() && type.dtype == dtype;
}

bool is_integral(const Type& type) {
  return type.kind == Type::Kind::index ||
         (type.kind == Type::Kind::tensor && is_integer(type.dtype));
}

bool fits(const Type& found, const Type& expected) {
  if (same(found, expected)) return true;
  if (found.kind != expected.kind) return false;
  if (found.kind == Type::Kind::index)
    return found.shape[0].bound() && expected.shape[0].bound() &&
           found.shape[0].value() <= expected.shape[0].value();
  const bool container = found.kind == Type::Kind::list || found.kind == Type::Kind::tuple;
  if (!container || found.names != expected.names) return false;
  return std::equal(found.parts.begin(), found.parts.end(), expected.parts.begin(),
                    expected.parts.end(),
                    [](const TypeRef& f, const TypeRef& e) { return fits(*f, *e); });
}

TypeRef Types::resolve(const TypeRef& type, const Bindings& bindings, Loc loc) {
  if (type->kind == Type::Kind::name) return resolve_name(*type, bindings, loc);
  if (type->kind == Type::Kind::data) return resolve_data(*type, bindings, loc);
  auto out = std::make_shared<Type>(*type);
  for (Dim& dim : out->shape) {
    dim = dim.bind(bindings.dims);
    if (dim.bound()) continue;
    const auto names = dim.unbound_names();
    diagnostics_->error(
        Kind::unknown_dim, loc,
        fmt::format("unknown dim '{}' in type {}", names.empty() ? "?" : names[0], str(*type)));
    return nullptr;
  }
  for (TypeRef& part : out->parts)
    if (part = resolve(part, bindings, loc); !part) return nullptr;
  return out;
}

TypeRef Types::resolve_if_bound(const TypeRef& type, const Bindings& bindings) {
  Diagnostics quiet;
  Diagnostics* const loud = std::exchange(diagnostics_, &quiet);
  const TypeRef out = resolve(type, bindings, {});
  diagnostics_ = loud;
  return out;
}

TypeRef Types::resolve_name(const Type& type, const Bindings& bindings, Loc loc) {
  if (const auto it = bindings.types.find(type.name); it != bindings.types.end()) return it->second;
  if (declared(type.name)) return resolve_data(type, bindings, loc);
  std::vector<std::string> known;
  for (const fun::DataType& each : module_.types) known.push_back(each.name);
  for (const auto& alias : module_.aliases) known.push_back(alias.first);
  diagnostics_->error(
      Kind::unknown_type, loc,
      fmt::format("unknown type '{}'{}", type.name, did_you_mean(type.name, known)));
  return nullptr;
}

TypeRef Types::resolve_data(const Type& type, const Bindings& bindings, Loc loc) {
  if (instances_.count(type.name) && type.parts.empty()) return fun::data_type(type.name);
  const fun::DataType* declaration = declared(type.name);
  if (!declaration) return resolve_name(type, bindings, loc);
  if (declaration->params.size() != type.parts.size()) {
    diagnostics_
        ->error(Kind::type_arguments, loc,
                fmt::format("type '{}' takes {} type argument{}, found {}", type.name,
                            declaration->params.size(), declaration->params.size() == 1 ? "" : "s",
                            type.parts.size()))
        .notes.push_back({declaration->loc, fmt::format("'{}' is declared here", type.name)});
    return nullptr;
  }
  std::vector<TypeRef> arguments;
  for (const TypeRef& part : type.parts) {
    arguments.push_back(resolve(part, bindings, loc));
    if (!arguments.back()) return nullptr;
  }
  return fun::data_type(instance_name(type.name, arguments));
}

std::string Types::instance_name(const std::string& declared_name,
                                 const std::vector<TypeRef>& arguments) {
  for (const auto& [name, old] : instances_)
    if (old.origin == declared_name && std::equal(old.arguments.begin(), old.arguments.end(),
                                                  arguments.begin(), arguments.end(), same_types))
      return name;
  std::string wanted = declared_name;
  for (const TypeRef& argument : arguments) wanted += '_' + mangle(*argument);
  std::string name = wanted;
  for (int i = 2; instances_.count(name) || (!arguments.empty() && declared(name)); ++i)
    name = wanted + '_' + std::to_string(i);
  Instance instance;
  instance.origin = declared_name;
  instance.arguments = arguments;
  instances_.emplace(name, std::move(instance));
  order_.push_back(name);
  return name;
}

const fun::DataType& Types::instance(const std::string& name) {
  const auto it = instances_.find(name);
  require(it != instances_.end(), "no such instance of a data type");
  if (!it->second.expanded) expand(&it->second);
  return it->second.type;
}

void Types::expand(Instance* instance) {
  instance->expanded = true;
  const fun::DataType* declaration = declared(instance->origin);
  instance->type = *declaration;
  instance->type.params.clear();
  Bindings bindings;
  for (std::size_t i = 0; i < declaration->params.size(); ++i)
    bindings.types[declaration->params[i]] = instance->arguments[i];
  for (const auto& [name, each] : instances_)
    if (&each == instance) instance->type.name = name;
  for (fun::Variant& variant : instance->type.variants)
    for (fun::Named& field : variant.fields) {
      TypeRef type = resolve(field.type, bindings, field.loc);
      field.type = type ? type : fun::scalar(Dtype::f32);
    }
}

const std::string& Types::origin(const std::string& instance) const {
  return instances_.at(instance).origin;
}

const std::vector<TypeRef>& Types::arguments(const std::string& instance) const {
  return instances_.at(instance).arguments;
}

void Types::bind_dim(const Dim& pattern, const Dim& found, const std::set<std::string>& free,
                     Bindings* bindings, std::vector<Conflict>* conflicts) {
  const Dim rest = pattern.bind(bindings->dims);
  const auto names = rest.unbound_names();
  if (names.empty()) {
    const std::string name = pattern.str();
    if (free.count(name) && !(rest == found))
      conflicts->push_back({name, fun::show(rest), fun::show(found)});
    return;
  }
  if (names.size() != 1 || !free.count(names[0])) return;
  if (rest.str() == names[0]) {
    bindings->dims.emplace(names[0], found);
  } else if (const auto solution = rest.solve(names[0], found)) {
    bindings->dims.emplace(names[0], *solution);
  }
}

void Types::bind(const TypeRef& pattern, const TypeRef& found, const std::set<std::string>& free,
                 Bindings* bindings, std::vector<Conflict>* conflicts) {
  if (pattern->kind == Type::Kind::name && free.count(pattern->name)) {
    const auto [it, added] = bindings->types.emplace(pattern->name, found);
    if (!added && !fits(*found, *it->second)) {
      if (fits(*it->second, *found))
        it->second = found;  // index[3], then index[5]
      else
        conflicts->push_back({pattern->name, show(*it->second), show(*found)});
    }
    return;
  }
  if (pattern->kind != found->kind) return;
  if (pattern->kind == Type::Kind::data) {
    if (!instances_.count(found->name) || origin(found->name) != pattern->name) return;
    const auto& given = arguments(found->name);
    for (std::size_t i = 0; i < std::min(given.size(), pattern->parts.size()); ++i)
      bind(pattern->parts[i], given[i], free, bindings, conflicts);
    return;
  }
  for (std::size_t i = 0; i < std::min(pattern->shape.size(), found->shape.size()); ++i)
    bind_dim(pattern->shape[i], found->shape[i], free, bindings, conflicts);
  for (std::size_t i = 0; i < std::min(pattern->parts.size(), found->parts.size()); ++i)
    bind(pattern->parts[i], found->parts[i], free, bindings, conflicts);
}

bool Types::take(std::vector<fun::DataType>* out) {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (order_.size() > max_instances) return false;
    instance(order_[i]);
  }
  for (const fun::DataType& declaration : module_.types)
    for (const std::string& name : order_)
      if (instances_.at(name).origin == declaration.name) out->push_back(instances_.at(name).type);
  return true;
}

}  // namespace espalier::fun_pass

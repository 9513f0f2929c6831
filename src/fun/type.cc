#include "fun/type.h"

#include <algorithm>

#include "base/bug.h"

namespace espalier::fun {

namespace {

std::shared_ptr<Type> fresh(Type::Kind kind) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  return type;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

std::string join_dims(const std::vector<Dim>& dims, bool values) {
  std::vector<std::string> parts;
  for (const Dim& dim : dims) parts.push_back(values ? show(dim) : dim.str());
  return join(parts);
}

std::string spell(const Type&, bool values);

// The first `count` parts, with their names.
std::string join_parts(const Type& type, std::size_t count, bool values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back((type.names.empty() ? "" : type.names[i] + ": ") +
                    spell(*type.parts[i], values));
  return join(parts);
}

// As in language.md, or with the values of dims.
std::string spell(const Type& type, bool values) {
  const std::size_t count = type.parts.size();
  switch (type.kind) {
    case Type::Kind::tensor: {
      const std::string dtype(dtype_name(type.dtype));
      return type.shape.empty() ? dtype : dtype + '[' + join_dims(type.shape, values) + ']';
    }
    case Type::Kind::index: return "index[" + join_dims(type.shape, values) + ']';
    case Type::Kind::list: return '[' + spell(*type.parts[0], values) + ']';
    case Type::Kind::tuple:
      return '(' + join_parts(type, count, values) +
             (count == 1 && type.names.empty() ? ",)" : ")");
    case Type::Kind::data:
      return count == 0 ? type.name : type.name + '[' + join_parts(type, count, values) + ']';
    case Type::Kind::function:
      return '(' + join_parts(type, count - 1, values) + ") -> " +
             spell(*type.parts.back(), values);
    case Type::Kind::name: return type.name;
  }
  throw Bug("type of no kind");
}

}  // namespace

TypeRef tensor(Dtype dtype, std::vector<Dim> shape) {
  auto type = fresh(Type::Kind::tensor);
  type->dtype = dtype;
  type->shape = std::move(shape);
  return type;
}

TypeRef scalar(Dtype dtype) { return tensor(dtype); }

TypeRef index_type(Dim bound) {
  auto type = fresh(Type::Kind::index);
  type->dtype = Dtype::i64;
  type->shape = {std::move(bound)};
  return type;
}

TypeRef list_of(TypeRef item) {
  auto type = fresh(Type::Kind::list);
  type->parts = {std::move(item)};
  return type;
}

TypeRef tuple_of(std::vector<TypeRef> fields, std::vector<std::string> names) {
  require(names.empty() || names.size() == fields.size(), "tuple with a name for some fields only");
  auto type = fresh(Type::Kind::tuple);
  type->parts = std::move(fields);
  type->names = std::move(names);
  return type;
}

TypeRef data_type(std::string name, std::vector<TypeRef> args) {
  auto type = fresh(Type::Kind::data);
  type->name = std::move(name);
  type->parts = std::move(args);
  return type;
}

TypeRef function_type(std::vector<TypeRef> params, TypeRef result) {
  auto type = fresh(Type::Kind::function);
  type->parts = std::move(params);
  type->parts.push_back(std::move(result));
  return type;
}

TypeRef name_type(std::string name) {
  auto type = fresh(Type::Kind::name);
  type->name = std::move(name);
  return type;
}

bool same(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.names != b.names) return false;
  if (a.kind == Type::Kind::tensor && a.dtype != b.dtype) return false;
  return a.shape == b.shape &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const TypeRef& x, const TypeRef& y) { return same(*x, *y); });
}

std::string str(const Type& type) { return spell(type, false); }

std::string show(const Type& type) { return spell(type, true); }

std::string show(const Dim& dim) {
  if (!dim.bound()) return dim.str();
  const std::string value = std::to_string(dim.value());
  return dim.is_literal() ? value : dim.str() + " = " + value;
}

std::int64_t elements(const Type& type) {
  if (type.kind == Type::Kind::index) return 1;
  require(type.kind == Type::Kind::tensor, "elements of what is no tensor");
  Dim count = 1;
  for (const Dim& dim : type.shape) count = count * Dim(dim.value());
  return count.value();
}

std::vector<std::int64_t> extents(const Type& type) {
  std::vector<std::int64_t> out;
  if (type.kind == Type::Kind::tensor)
    for (const Dim& dim : type.shape) out.push_back(dim.value());
  return out;
}

}  // namespace espalier::fun

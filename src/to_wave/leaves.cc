// Between values of any type and the tensors that they are made of.
#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Type;

namespace {

Dtype dtype_of(const Type& t) { return t.kind == Type::Kind::tensor ? t.dtype : Dtype::i64; }

bool mentions(const Type& t, const std::string& data_type) {
  if (t.kind == Type::Kind::data && t.name == data_type) return true;
  for (const fun::TypeRef& p : t.parts)
    if (mentions(*p, data_type)) return true;
  return false;
}

}  // namespace

// Does a value of the type hold others of it? (Directly, or through other types.)
bool Lowerer::recursive(const std::string& name) const {
  std::vector<std::string> seen, todo = {name};
  while (!todo.empty()) {
    const fun::DataType* d = module_.find_type(todo.back());
    todo.pop_back();
    for (const fun::Variant& v : d->variants)
      for (const fun::Named& f : v.fields)
        for (const fun::DataType& other : module_.types)
          if (mentions(*f.type, other.name)) {
            if (other.name == name) return true;
            if (std::find(seen.begin(), seen.end(), other.name) == seen.end()) {
              seen.push_back(other.name);
              todo.push_back(other.name);
            }
          }
  }
  return false;
}

std::vector<ops::Term> Lowerer::flatten(const AbsRef& a, const fun::TypeRef& type, Loc loc) {
  std::vector<ops::Term> out;
  flatten(a, type, out, loc);
  return out;
}

void Lowerer::flatten(const AbsRef& a, const fun::TypeRef& type, std::vector<ops::Term>& out,
                      Loc loc) {
  switch (type->kind) {
    case Type::Kind::tensor:
    case Type::Kind::index: out.push_back(p_.move(*a)); return;
    case Type::Kind::tuple:
      for (std::size_t i = 0; i < type->parts.size(); i++)
        flatten(a->parts[i], type->parts[i], out, loc);
      return;
    case Type::Kind::data: {
      if (a->kind == Abs::Kind::node) {
        if (a->built)
          refuse(Kind::not_lowered_built_value, loc, "a built tree is passed on as a state");
        out.push_back(p_.move(*a));
        return;
      }
      out.push_back(p_.move(*a));
      const fun::DataType* d = module_.find_type(type->name);
      for (std::size_t v = 0; v < d->variants.size(); v++)
        for (std::size_t f = 0; f < d->variants[v].fields.size(); f++) {
          const fun::TypeRef& field = d->variants[v].fields[f].type;
          flatten(a->parts[v] ? a->parts[v]->parts[f] : zero_of(field, loc), field, out, loc);
        }
      return;
    }
    case Type::Kind::list:
      refuse(Kind::not_lowered_list_state, loc,
             "a list is the result or the state of a recursion, of a match on a node or an item of "
             "another list, which cannot be compiled yet; reduce it first, or give its items one "
             "by one");
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("a value of type " + fun::str(*type) + " in to_wave");
}

AbsRef Lowerer::unflatten(const fun::TypeRef& type, const Supply& next, Loc loc) {
  switch (type->kind) {
    case Type::Kind::tensor:
    case Type::Kind::index: return next(dtype_of(*type), extents(*type));
    case Type::Kind::tuple: {
      std::vector<AbsRef> parts;
      for (const fun::TypeRef& t : type->parts) parts.push_back(unflatten(t, next, loc));
      return tuple_abs(std::move(parts), type->names);
    }
    case Type::Kind::data: {
      const AbsRef number = next(Dtype::i64, {});
      const bool node = recursive(type->name);
      auto a = make_abs(node ? Abs::Kind::node : Abs::Kind::data);
      a->type = type->name;
      a->domain = number->domain;
      a->term = number->term;
      if (node) return a;
      const fun::DataType* d = module_.find_type(type->name);
      for (const fun::Variant& v : d->variants) {
        std::vector<AbsRef> fields;
        for (const fun::Named& f : v.fields) fields.push_back(unflatten(f.type, next, loc));
        a->parts.push_back(tuple_abs(std::move(fields), {}));
      }
      return a;
    }
    case Type::Kind::list:
      refuse(Kind::not_lowered_list_state, loc,
             "a list is the result or the state of a recursion, of a match on a node or an item of "
             "another list, which cannot be compiled yet; reduce it first, or give its items one "
             "by one");
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("a value of type " + fun::str(*type) + " in to_wave");
}

AbsRef Lowerer::zero_of(const fun::TypeRef& type, Loc loc) {
  const Supply zero = [](Dtype dtype, const std::vector<std::int64_t>& shape) {
    const ScalarRef z = is_float(dtype) ? wave::number(0, dtype) : wave::integer(0, dtype);
    return tensor_abs(wave::none, {dtype, shape, [z](const std::vector<ScalarRef>&) { return z; }});
  };
  return unflatten(type, zero, loc);
}

// Name, dtype and shape of every leaf, as tensor types, in the order of flatten().
std::vector<fun::Leaf> Lowerer::leaf_types(const fun::TypeRef& type, const std::string& name,
                                           Loc loc) {
  std::vector<fun::Leaf> out;
  switch (type->kind) {
    case Type::Kind::tensor: return {{name, type}};
    case Type::Kind::index: return {{name, fun::scalar(Dtype::i64)}};
    case Type::Kind::tuple:
      for (std::size_t i = 0; i < type->parts.size(); i++) {
        const std::string part = type->names.empty() ? std::to_string(i) : type->names[i];
        for (fun::Leaf& l :
             leaf_types(type->parts[i], name.empty() ? part : name + "." + part, loc))
          out.push_back(std::move(l));
      }
      return out;
    case Type::Kind::data: {
      out.push_back({name.empty() ? "variant" : name + ".variant", fun::scalar(Dtype::i64)});
      if (recursive(type->name)) return out;
      for (const fun::Variant& v : module_.find_type(type->name)->variants)
        for (const fun::Named& f : v.fields)
          for (fun::Leaf& l : leaf_types(f.type, name + "." + v.name + "." + f.name, loc))
            out.push_back(std::move(l));
      return out;
    }
    case Type::Kind::list: unflatten(type, {}, loc); break;
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("a value of type " + fun::str(*type) + " in to_wave");
}

AbsRef Lowerer::load_leaves(const fun::TypeRef& type, const std::vector<Id>& values,
                            const ScalarRef& at, Loc loc) {
  std::size_t i = 0;
  return unflatten(
      type, [&](Dtype, const std::vector<std::int64_t>&) { return p_.load(values[i++], at); }, loc);
}

}  // namespace espalier::to_wave

#include "fun/module.h"

#include <algorithm>

namespace espalier::fun {

namespace {

template <class T, class Name>
const T* find_in(const std::vector<T>& all, const std::string& name, Name name_of) {
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const T& each) { return name_of(each) == name; });
  return it == all.end() ? nullptr : &*it;
}

template <class T>
const T* find_named(const std::vector<T>& all, const std::string& name) {
  return find_in(all, name, [](const T& each) -> const std::string& { return each.name; });
}

void append_leaves(const std::string& prefix, const TypeRef& type, std::vector<Leaf>* out) {
  if (type->kind != Type::Kind::tuple) {
    out->push_back({prefix, type});
    return;
  }
  for (std::size_t i = 0; i < type->parts.size(); ++i) {
    const std::string field = type->names.empty() ? std::to_string(i) : type->names[i];
    append_leaves(prefix.empty() ? field : prefix + '.' + field, type->parts[i], out);
  }
}

}  // namespace

const DataType* Module::find_type(const std::string& type) const { return find_named(types, type); }

const Function* Module::find_function(const std::string& function) const {
  return find_named(functions, function);
}

const Named* Module::find_param(const std::string& param) const {
  return find_named(params, param);
}

const Constant* Module::find_constant(const std::string& constant) const {
  return find_named(constants, constant);
}

std::vector<Leaf> leaves(const Named& param) { return leaves(param.name, param.type); }

std::vector<Leaf> leaves(const std::string& prefix, const TypeRef& type) {
  std::vector<Leaf> out;
  append_leaves(prefix, type, &out);
  return out;
}

}  // namespace espalier::fun

// Patterns against values.
#include "base/bug.h"
#include "eval/interpreter.h"

namespace espalier::eval {

using fun::Pattern;

bool Interpreter::bind(const Pattern& p, const ValueRef& value, Env& env) {
  switch (p.kind) {
    case Pattern::Kind::wildcard: return true;
    case Pattern::Kind::variable: env.names.emplace_back(&p.name, value); return true;
    case Pattern::Kind::number:
      return value->tensor.real() ? value->tensor.f[0] == p.number
                                  : static_cast<double>(value->tensor.i[0]) == p.number;
    case Pattern::Kind::variant: return bind_variant(p, *value, env);
    case Pattern::Kind::tuple:
      for (std::size_t i = 0; i < p.parts.size(); ++i)
        if (!bind(*p.parts[i], value->parts[i], env)) return false;
      return true;
    case Pattern::Kind::list: return bind_list(p, value, env);
  }
  throw Bug("no such pattern");
}

bool Interpreter::bind_variant(const Pattern& p, const Value& value, Env& env) {
  if (value.kind == Value::Kind::data) {
    if (value.variant != p.name) return false;
    for (std::size_t i = 0; i < p.parts.size(); ++i)
      if (!bind(*p.parts[i], value.parts[i], env)) return false;
    return true;
  }
  require(value.kind == Value::Kind::node, "a variant's pattern on what is no data");
  const auto n = static_cast<std::size_t>(value.node);
  const Variant& variant = forest_.variants[static_cast<std::size_t>(data_.variant[n])];
  if (variant.name != p.name) return false;
  const fun::DataType* type = module_.find_type(variant.type);
  std::size_t number = 0, leaf = 0;
  while (type->variants[number].name != p.name) ++number;
  const Columns columns{data_.columns, data_.lists};
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    const fun::Type& field = *type->variants[number].fields[i].type;
    if (p.parts[i]->kind != Pattern::Kind::wildcard &&
        !bind(*p.parts[i], load(field, variant.fields, leaf, columns, value.node), env))
      return false;
    leaf += leaf_count(field);
  }
  return true;
}

bool Interpreter::bind_list(const Pattern& p, const ValueRef& value, Env& env) {
  const std::size_t fixed = p.parts.size() - (p.starred >= 0 ? 1 : 0), n = length(*value);
  if (p.starred < 0 ? n != fixed : n < fixed) return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    const bool star = static_cast<int>(i) == p.starred;
    const std::size_t taken = star ? n - fixed : 1;
    const ValueRef part = star ? part_of_list(value, next, next + taken) : item(*value, next);
    if (!bind(*p.parts[i], part, env)) return false;
    next += taken;
  }
  return true;
}

}  // namespace espalier::eval

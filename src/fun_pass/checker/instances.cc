// Instances of global functions.
#include <fmt/format.h>

#include "base/kinds.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

constexpr std::size_t max_instances = 500;

Value plain_variable(const std::string& name, TypeRef type, Loc loc) {
  auto variable = fun::make(Expr::Kind::variable, loc);
  variable->name = name;
  variable->binding = Expr::Binding::argument;
  variable->type = std::move(type);
  Value value;
  value.kind = Value::Kind::plain;
  value.expr = variable;
  value.loc = loc;
  return value;
}

}  // namespace

ScopeRef Checker::root_scope(const Bindings& bindings) const {
  ScopeRef scope;
  for (const auto& [name, dim] : bindings.dims) scope = extend(scope, name, {{}, dim, {}});
  return scope;
}

// What of a function argument decides the instance: which function it is, and the types (not the
// values) of what it holds.
std::string Checker::key_of(const Value& value) {
  const auto number = [&](const Expr* e) {
    return lambda_numbers_.emplace(e, static_cast<int>(lambda_numbers_.size())).first->second;
  };
  switch (value.kind) {
    case Value::Kind::error: return "?";
    case Value::Kind::plain: return canonical(*value.type());
    case Value::Kind::function:
    case Value::Kind::op: return value.name;
    case Value::Kind::tuple:
    case Value::Kind::gradient: {
      std::string key = value.name + '(';
      for (const Value& part : value.parts) key += key_of(part) + ',';
      return key + ')';
    }
    case Value::Kind::closure:
    case Value::Kind::choice: break;
  }
  std::string key = fmt::format("#{}[", number(value.expr.get()));
  for (const auto& [name, loc] : free_names(*value.expr))
    if (const Named* named = find(value.scope, name))
      key += fmt::format("{}={};", name,
                         named->dim ? std::to_string(named->dim->value()) : key_of(named->value));
  return key + ']';
}

// The function with what it holds taken out: `captured` gets the values, which the instance (if
// given) takes as further arguments and the function in it refers to.
Value Checker::specialize(const Value& value, std::vector<Value>* captured, Instance* instance) {
  Value out = value;
  if (value.plain()) {
    captured->push_back(value);
    if (!instance) return out;
    const std::string wanted =
        value.expr->kind == Expr::Kind::variable ? value.expr->name : "captured";
    fun::Argument argument;
    argument.named = {names_->unique(wanted), value.type(), value.loc};
    instance->core.push_back(argument);
    return plain_variable(argument.named.name, value.type(), value.loc);
  }
  for (Value& part : out.parts) part = specialize(part, captured, instance);
  if (value.kind != Value::Kind::closure && value.kind != Value::Kind::choice) return out;
  out.scope = nullptr;
  for (const auto& [name, loc] : free_names(*value.expr)) {
    const Named* named = find(value.scope, name);
    if (!named) continue;
    Named inner = *named;
    if (!named->dim) inner.value = specialize(named->value, captured, instance);
    out.scope = extend(out.scope, name, std::move(inner));
  }
  return out;
}

std::string Checker::instance_name(const fun::Function& f, const Bindings& bindings) {
  std::string wanted = f.name;
  for (const std::string& name : f.forall) {
    wanted += '_';
    const auto dim = bindings.dims.find(name);
    const std::string text = dim != bindings.dims.end() ? std::to_string(dim->second.value())
                                                        : str(*bindings.types.at(name));
    for (const char c : text)
      if (std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80)
        wanted += c;
      else if (wanted.back() != '_')
        wanted += '_';
    while (wanted.back() == '_') wanted.pop_back();
  }
  std::string name = wanted;
  const auto taken = [&](const std::string& each) {
    return instance_names_.count(each) || (each != f.name && global_names_.count(each));
  };
  for (int i = 2; taken(name); ++i) name = fmt::format("{}_{}", wanted, i);
  instance_names_.insert(name);
  return name;
}

Instance* Checker::instance_of(const fun::Function& f, const Bindings& bindings,
                               const std::vector<Value>& values, Loc loc) {
  std::string key = f.name;
  for (const std::string& name : f.forall) key += '|' + bindings.canonical(name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TypeRef& declared = f.args[i].named.type;
    if (!declared || !values[i].plain()) key += '|' + key_of(values[i]);
  }
  std::unique_ptr<Instance>& slot = instances_[key];
  if (slot) return slot.get();
  if (order_.size() >= max_instances) {
    if (!too_deep_)
      error(
          Kind::endless_elaboration, loc,
          fmt::format("'{}' needs another instance for each call within it, without end", f.name));
    too_deep_ = true;
    return nullptr;
  }
  slot = std::make_unique<Instance>();
  Instance* const instance = slot.get();
  instance->name = instance_name(f, bindings);
  instance->source = &f;
  instance->bindings = bindings;
  LocalNames names(global_names_);
  for (const fun::Argument& argument : f.args) names.unique(argument.named.name);
  LocalNames* const outer = std::exchange(names_, &names);
  std::vector<Value> captured;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const fun::Argument& declared = f.args[i];
    if (!values[i].plain()) continue;
    fun::Argument argument = declared;
    argument.named.type = declared.named.type
                              ? types_.resolve(declared.named.type, bindings, declared.named.loc)
                              : values[i].type();
    instance->core.push_back(argument);
  }
  std::size_t plain = 0;
  for (const Value& value : values) {
    if (!value.plain()) {
      instance->args.push_back(specialize(value, &captured, instance));
      continue;
    }
    const fun::Named& named = instance->core[plain++].named;
    instance->args.push_back(plain_variable(named.name, named.type, named.loc));
  }
  names_ = outer;
  if (f.returns && !has_function(*f.returns))
    instance->returns = types_.resolve(f.returns, bindings, f.loc);
  instance->function_valued = f.returns && has_function(*f.returns);
  order_.push_back(instance);
  // Where the result is stated, the body can wait for its turn.
  if (!f.returns) run_instance(instance);
  return instance;
}

void Checker::run_instance(Instance* instance) {
  if (instance->started || instance->function_valued) return;
  instance->started = true;
  const fun::Function& f = *instance->source;
  std::set<std::string> reserved = global_names_;
  for (const fun::Argument& argument : instance->core) reserved.insert(argument.named.name);
  LocalNames names(reserved);
  LocalNames* const outer_names = std::exchange(names_, &names);
  Diagnostics* const outer_diagnostics = std::exchange(diagnostics_, all_diagnostics_);
  auto outer_blocks = std::exchange(blocks_, {});
  auto outer_nonempty = std::exchange(nonempty_, {});
  const int outer_calls = std::exchange(calls_, 0);
  running_.push_back(instance);
  {
    Region region(this);
    ScopeRef scope = root_scope(instance->bindings);
    for (std::size_t i = 0; i < instance->args.size(); ++i) {
      Value value = instance->args[i];
      if (value.plain() && value.type()->kind == Type::Kind::list) value.lengths = {next_length_++};
      scope = extend(scope, f.args[i].named.name, {value, {}, f.args[i].named.loc});
    }
    Value value = elaborate(f.body, scope, Hint::exactly(instance->returns));
    if (instance->returns)
      value = expect(value, instance->returns, fmt::format("the result of '{}'", f.name).c_str());
    instance->failed = value.bad();
    instance->function_valued = !value.bad() && !value.plain();
    if (value.plain()) {
      instance->returns = instance->returns ? instance->returns : value.type();
      instance->body = region.close(value.expr);
    }
  }
  running_.pop_back();
  calls_ = outer_calls;
  nonempty_ = std::move(outer_nonempty);
  blocks_ = std::move(outer_blocks);
  diagnostics_ = outer_diagnostics;
  names_ = outer_names;
}

}  // namespace espalier::fun_pass

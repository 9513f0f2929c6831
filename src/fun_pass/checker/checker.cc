// The order of checking, and what holds for the whole model.
#include "fun_pass/checker/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "fun_pass/checker/foreign_names.h"

namespace espalier::fun_pass {

Checker::Checker(fun::Module* module, Diagnostics* diagnostics)
    : module_(module),
      all_diagnostics_(diagnostics),
      diagnostics_(diagnostics),
      types_(*module, diagnostics_) {}

Diagnostic& Checker::error(Kind kind, Loc loc, std::string message) {
  return diagnostics_->error(kind, loc, std::move(message));
}

bool Checker::run() {
  const std::size_t before = diagnostics_->all().size();
  check_globals();
  check_types();
  find_recursion();
  check_signatures();
  if (diagnostics_->all().size() == before) check_functions();
  check_entries();
  check_gradients();
  if (diagnostics_->all().size() != before) return false;
  finish();
  return diagnostics_->all().size() == before;
}

void Checker::check_globals() {
  std::map<std::string, Loc> seen;
  const auto add = [&](const std::string& name, Loc loc) {
    const auto [it, added] = seen.emplace(name, loc);
    global_names_.insert(name);
    if (added) return;
    error(Kind::duplicate_name, loc, fmt::format("'{}' is defined twice in this model", name))
        .notes.push_back({it->second, "the first one is here"});
  };
  for (const auto& [name, dim] : module_->dims) add(name, {});
  for (const fun::Named& param : module_->params) add(param.name, param.loc);
  for (const fun::Constant& constant : module_->constants) add(constant.name, constant.loc);
  for (const fun::Function& f : module_->functions) {
    add(f.name, f.loc);
    std::map<std::string, Loc> args;
    for (const fun::Argument& argument : f.args) {
      const auto [it, added] = args.emplace(argument.named.name, argument.named.loc);
      if (!added)
        error(Kind::duplicate_name, argument.named.loc,
              fmt::format("'{}' has two arguments '{}'", f.name, argument.named.name))
            .notes.push_back({it->second, "the first one is here"});
    }
  }
}

void Checker::check_types() {
  for (const fun::Named& param : module_->params) types_.resolve(param.type, {}, param.loc);
  for (const fun::Constant& constant : module_->constants)
    types_.resolve(constant.type, {}, constant.loc);
  for (const fun::DataType& type : module_->types) {
    for (const fun::Variant& variant : type.variants)
      for (const fun::Named& field : variant.fields)
        if (has_function(*field.type))
          error(Kind::function_in_data, field.loc,
                fmt::format("field '{}' of '{}.{}' holds a function: {}", field.name, type.name,
                            variant.name, str(*field.type)));
    if (type.params.empty()) types_.instance(types_.instance_name(type.name, {}));
  }
}

// A function is recursive if it can be reached from what it names.
void Checker::find_recursion() {
  std::map<std::string, std::set<std::string>> uses;
  for (const fun::Function& f : module_->functions) {
    std::set<std::string>& used = uses[f.name];
    for (const auto& [name, loc] : free_names(*f.body)) {
      const bool is_argument = std::any_of(f.args.begin(), f.args.end(), [&](const auto& argument) {
        return argument.named.name == name;
      });
      if (!is_argument && module_->find_function(name)) used.insert(name);
    }
  }
  for (const fun::Function& f : module_->functions) {
    std::set<std::string> reached;
    std::vector<std::string> todo(uses[f.name].begin(), uses[f.name].end());
    while (!todo.empty()) {
      const std::string name = todo.back();
      todo.pop_back();
      if (!reached.insert(name).second) continue;
      todo.insert(todo.end(), uses[name].begin(), uses[name].end());
    }
    Facts& facts = facts_[f.name];
    facts.recursive = reached.count(f.name) > 0;
    facts.typed = true;
    for (const fun::Argument& argument : f.args) {
      facts.typed = facts.typed && argument.named.type;
      facts.higher_order =
          facts.higher_order || (argument.named.type && has_function(*argument.named.type));
    }
    facts.higher_order = facts.higher_order || (f.returns && has_function(*f.returns));
  }
}

namespace {

// Whether `name` stands alone as an axis or a type in `type`.
bool binds(const Type& type, const std::string& name) {
  if (type.kind == Type::Kind::name && type.name == name) return true;
  for (const Dim& dim : type.shape)
    if (dim.str() == name) return true;
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [&](const TypeRef& part) { return binds(*part, name); });
}

}  // namespace

void Checker::check_signatures() {
  for (const fun::Function& f : module_->functions) {
    for (std::size_t i = 0; i < f.forall.size(); ++i) {
      const std::string& name = f.forall[i];
      const bool bound = std::any_of(f.args.begin(), f.args.end(), [&](const auto& argument) {
        return argument.named.type && binds(*argument.named.type, name);
      });
      if (!bound)
        error(Kind::forall_not_bound, i < f.forall_locs.size() ? f.forall_locs[i] : f.loc,
              fmt::format("'{}' of 'forall' stands alone as an axis or a type in no argument of "
                          "'{}'",
                          name, f.name));
    }
    const Facts& facts = facts_[f.name];
    if (facts.recursive && (!facts.typed || !f.returns))
      error(Kind::missing_signature, f.loc,
            fmt::format("'{}' is recursive and has to state the types of its {}", f.name,
                        !f.returns ? "result" : "arguments"));
    for (const fun::Argument& argument : f.args) {
      if (argument.combine.empty()) continue;
      const bool shared = std::any_of(f.args.begin(), f.args.end(), [&](const auto& other) {
        const TypeRef& type = other.named.type;
        const fun::DataType* data =
            type && type->kind == Type::Kind::data ? types_.declared(type->name) : nullptr;
        return data && data->shared;
      });
      if (!shared)
        error(Kind::combine_without_shared, argument.named.loc,
              fmt::format("argument '{}' of '{}' combines over parents, but no argument is of a "
                          "shared type",
                          argument.named.name, f.name));
    }
  }
}

void Checker::check_functions() {
  std::set<std::string> generic;
  for (const fun::Function& f : module_->functions) {
    const Facts& facts = facts_[f.name];
    if (!f.forall.empty() || facts.higher_order || !facts.typed) {
      generic.insert(f.name);
      continue;
    }
    std::vector<Value> args;
    for (const fun::Argument& argument : f.args) {
      Value value;
      value.kind = Value::Kind::plain;
      auto variable = fun::make(Expr::Kind::variable, argument.named.loc);
      variable->type = types_.resolve(argument.named.type, {}, argument.named.loc);
      if (!variable->type) break;
      value.expr = variable;
      args.push_back(std::move(value));
    }
    if (args.size() == f.args.size()) instance_of(f, {}, args, f.loc);
  }
  // Bodies ask for further instances.
  for (std::size_t i = 0; i < order_.size(); ++i) {
    run_instance(order_[i]);
    if (too_deep_) return;
  }
  for (const fun::Function& f : module_->functions)
    if (generic.count(f.name)) check_names(f);
}

// All that can be said of a generic function that nothing uses.
void Checker::check_names(const fun::Function& f) {
  ScopeRef scope;
  for (const std::string& name : f.forall) scope = extend(scope, name, {});
  for (const fun::Argument& argument : f.args) scope = extend(scope, argument.named.name, {});
  for (const auto& [name, loc] : free_names(*f.body)) {
    const bool dtype = name == "f32" || name == "f64" || name == "f16" || name == "bf16" ||
                       name == "i8" || name == "i32" || name == "i64" || name == "bool";
    const bool known = find(scope, name) || global_names_.count(name) || types_.declared(name) ||
                       is_builtin(name, scope) || dtype;
    if (!known) unknown_name(name, loc, scope);
  }
}

std::vector<std::string> Checker::all_names(const ScopeRef& scope) const {
  std::vector<std::string> names;
  for (const Scope* s = scope.get(); s != nullptr; s = s->outer.get())
    if (s->name[0] != '$') names.push_back(s->name);
  names.insert(names.end(), global_names_.begin(), global_names_.end());
  for (const ops::Operator* op : ops::all()) names.emplace_back(op->name);
  for (const char* name : {"fold", "scan", "reverse", "len", "enumerate", "zip"})
    names.emplace_back(name);
  return names;
}

const fun::DataType* Checker::type_with_variant(const std::string& name) const {
  for (const fun::DataType& type : module_->types)
    for (const fun::Variant& variant : type.variants)
      if (variant.name == name) return &type;
  return nullptr;
}

Value Checker::unknown_name(const std::string& name, Loc loc, const ScopeRef& scope) {
  const fun::DataType* type = type_with_variant(name);
  const std::string foreign = in_this_language(name);
  if (types_.declared(name))
    error(Kind::type_as_value, loc,
          fmt::format("'{}' is a type; its values are made by {}.{}(..)", name, name,
                      types_.declared(name)->variants.empty()
                          ? "Variant"
                          : types_.declared(name)->variants[0].name));
  else if (type)
    error(Kind::unqualified_variant, loc,
          fmt::format("'{0}' is a variant of '{1}'; to make one, write {1}.{0}(..)", name,
                      type->name));
  else
    error(Kind::unknown_name, loc,
          fmt::format("unknown name '{}'{}", name,
                      foreign.empty() ? did_you_mean(name, all_names(scope))
                                      : fmt::format("; write {}", foreign)));
  Value value;
  value.loc = loc;
  return value;
}

void Checker::finish() {
  std::vector<fun::DataType> types;
  if (!types_.take(&types)) {
    error(Kind::endless_elaboration, module_->types.empty() ? Loc{} : module_->types[0].loc,
          "the data types of this model have no end of instances");
    return;
  }
  for (fun::Named& param : module_->params) param.type = types_.resolve(param.type, {}, param.loc);
  for (fun::Constant& constant : module_->constants)
    constant.type = types_.resolve(constant.type, {}, constant.loc);
  std::vector<fun::Function> functions;
  for (const fun::Function& source : module_->functions)
    for (const Instance* instance : order_) {
      if (instance->source != &source || !instance->body) continue;
      fun::Function f;
      f.name = instance->name;
      f.doc = source.doc;
      f.args = instance->core;
      f.returns = instance->returns;
      f.body = instance->body;
      f.loc = source.loc;
      functions.push_back(std::move(f));
    }
  module_->functions = std::move(functions);
  module_->types = std::move(types);
  module_->checked = true;
}

}  // namespace espalier::fun_pass

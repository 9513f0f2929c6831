#include "fun/verify.h"

#include <algorithm>
#include <map>

#include "fun/text.h"

namespace espalier::fun {

namespace {

// Thrown within this file only.
struct Broken {
  std::string rule;
};

using Scope = std::map<std::string, TypeRef>;

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {}

  void run() {
    for (const DataType& type : module_.types) {
      demand(type.params.empty(), "data type '" + type.name + "' has type parameters");
      for (const Variant& variant : type.variants)
        for (const Named& field : variant.fields) typed(field.type, "field '" + field.name + "'");
    }
    for (const Named& param : module_.params) typed(param.type, "parameter '" + param.name + "'");
    for (const Function& function : module_.functions) {
      where_ = "function '" + function.name + "': ";
      check_function(function);
    }
    where_.clear();
    for (const Entry& entry : module_.entries)
      demand(module_.find_function(entry.function), "entry '" + entry.name + "' has no function");
  }

 private:
  void demand(bool holds, const std::string& rule) const {
    if (!holds) throw Broken{where_ + rule};
  }
  void demand(bool holds, const Expr& expr, const std::string& rule) const {
    if (!holds) throw Broken{where_ + rule + " in\n" + print(expr)};
  }
  void demand_same(const TypeRef& a, const TypeRef& b, const Expr& expr, const char* what) const {
    if (!same(*a, *b)) demand(false, expr, std::string(what) + ": " + str(*a) + " and " + str(*b));
  }

  void typed(const TypeRef& type, const std::string& what) const {
    demand(type != nullptr, what + " has no type");
    demand(type->kind != Type::Kind::name, what + " has an open type " + str(*type));
    for (const Dim& dim : type->shape)
      demand(dim.bound(), what + " has an unbound dim in " + str(*type));
    for (const TypeRef& part : type->parts) typed(part, what);
  }

  void check_function(const Function& function) {
    demand(function.forall.empty(), "it is generic");
    Scope scope;
    for (const Argument& argument : function.args) {
      typed(argument.named.type, "argument '" + argument.named.name + "'");
      scope[argument.named.name] = argument.named.type;
    }
    args_ = scope;
    typed(function.returns, "the result");
    demand(function.body != nullptr, "it has no body");
    check(*function.body, scope);
    demand_same(function.body->type, function.returns, *function.body, "result and body differ");
  }

  void check(const Expr& expr, const Scope& scope) {
    demand(expr.type != nullptr, expr, "an expression has no type");
    typed(expr.type, "an expression");
    switch (expr.kind) {
      case Expr::Kind::variable: return check_variable(expr, scope);
      case Expr::Kind::block: return check_block(expr, scope);
      case Expr::Kind::match: return check_match(expr, scope);
      case Expr::Kind::each: return check_each(expr, scope);
      case Expr::Kind::lambda:
        demand(false, expr, "a lambda that is no operand of an operator");
        return;
      case Expr::Kind::text: demand(false, expr, "a text that is no option"); return;
      case Expr::Kind::number:
        demand(expr.type->kind == Type::Kind::index ||
                   (expr.type->kind == Type::Kind::tensor && expr.type->shape.empty()),
               expr, "a number that is no scalar");
        return;
      case Expr::Kind::op: return check_op(expr, scope);
      case Expr::Kind::tuple:
      case Expr::Kind::field:
      case Expr::Kind::conditional:
      case Expr::Kind::call:
      case Expr::Kind::construct:
      case Expr::Kind::list:
      case Expr::Kind::index: break;
    }
    for (const ExprRef& part : expr.parts) check(*part, scope);
    for (const Index& index : expr.indices)
      if (index.at) check(*index.at, scope);
    check_parts(expr);
  }

  void check_variable(const Expr& expr, const Scope& scope) {
    TypeRef type;
    switch (expr.binding) {
      case Expr::Binding::local: {
        const auto found = scope.find(expr.name);
        if (found != scope.end()) type = found->second;
        break;
      }
      case Expr::Binding::argument: {
        const auto found = args_.find(expr.name);
        if (found != args_.end()) type = found->second;
        break;
      }
      case Expr::Binding::parameter:
        if (const Named* param = module_.find_param(expr.name)) type = param->type;
        break;
      case Expr::Binding::constant:
        if (const Constant* constant = module_.find_constant(expr.name)) type = constant->type;
        break;
      case Expr::Binding::function: break;
    }
    demand(type != nullptr, expr, "a variable is not in scope");
    demand_same(type, expr.type, expr, "a variable has another type than its definition");
  }

  void check_block(const Expr& expr, Scope scope) {
    for (const Statement& statement : expr.statements) {
      demand(!statement.function_form, expr, "a local function");
      check(*statement.value, scope);
      bind(*statement.pattern, *statement.value->type, &scope, expr);
    }
    check(*expr.parts[0], scope);
    demand_same(expr.parts[0]->type, expr.type, expr, "a block has another type than its value");
  }

  void check_match(const Expr& expr, const Scope& scope) {
    check(*expr.parts[0], scope);
    demand(!expr.cases.empty(), expr, "a match without cases");
    for (const Case& one : expr.cases) {
      Scope inner = scope;
      bind(*one.pattern, *expr.parts[0]->type, &inner, expr);
      check(*one.body, inner);
      demand_same(one.body->type, expr.type, expr, "a case has another type than its match");
    }
  }

  void check_each(const Expr& expr, const Scope& scope) {
    check(*expr.parts[1], scope);
    const Type& list = *expr.parts[1]->type;
    demand(list.kind == Type::Kind::list, expr, "a comprehension over no list");
    Scope inner = scope;
    bind(*expr.params[0], *list.parts[0], &inner, expr);
    check(*expr.parts[0], inner);
    demand(expr.type->kind == Type::Kind::list, expr, "a comprehension that is no list");
    demand_same(expr.type->parts[0], expr.parts[0]->type, expr, "items differ");
  }

  void check_op(const Expr& expr, const Scope& scope) {
    for (const ExprRef& part : expr.parts) {
      if (part->kind != Expr::Kind::lambda) {
        check(*part, scope);
        continue;
      }
      Scope inner = scope;
      for (const PatternRef& param : part->params) {
        demand(param->type != nullptr, *part, "an argument of a lambda has no type");
        bind(*param, *param->type, &inner, *part);
      }
      check(*part->parts[0], inner);
    }
  }

  void bind(const Pattern& pattern, const Type& type, Scope* scope, const Expr& at) {
    demand(pattern.type != nullptr, at, "pattern " + print(pattern) + " has no type");
    demand(same(*pattern.type, type), at,
           "pattern " + print(pattern) + " has type " + str(*pattern.type) + ", its value " +
               str(type));
    switch (pattern.kind) {
      case Pattern::Kind::variable: (*scope)[pattern.name] = pattern.type; return;
      case Pattern::Kind::wildcard:
      case Pattern::Kind::number: return;
      case Pattern::Kind::variant: return bind_variant(pattern, type, scope, at);
      case Pattern::Kind::tuple:
        demand(type.kind == Type::Kind::tuple && type.parts.size() == pattern.parts.size(), at,
               "pattern " + print(pattern) + " of " + str(type));
        for (std::size_t i = 0; i < pattern.parts.size(); ++i)
          bind(*pattern.parts[i], *type.parts[i], scope, at);
        return;
      case Pattern::Kind::list:
        demand(type.kind == Type::Kind::list, at, "pattern " + print(pattern) + " of " + str(type));
        for (std::size_t i = 0; i < pattern.parts.size(); ++i) {
          const bool rest = static_cast<int>(i) == pattern.starred;
          bind(*pattern.parts[i], rest ? type : *type.parts[0], scope, at);
        }
        return;
    }
  }

  const Variant* find_variant(const std::string& type, const std::string& name) const {
    const DataType* data = module_.find_type(type);
    if (!data) return nullptr;
    const auto found = std::find_if(data->variants.begin(), data->variants.end(),
                                    [&](const Variant& v) { return v.name == name; });
    return found == data->variants.end() ? nullptr : &*found;
  }

  void bind_variant(const Pattern& pattern, const Type& type, Scope* scope, const Expr& at) {
    const Variant* variant = find_variant(pattern.type_name, pattern.name);
    demand(type.kind == Type::Kind::data && type.name == pattern.type_name && variant &&
               variant->fields.size() == pattern.parts.size(),
           at, "pattern " + print(pattern) + " of " + str(type));
    for (std::size_t i = 0; i < pattern.parts.size(); ++i)
      bind(*pattern.parts[i], *variant->fields[i].type, scope, at);
  }

  // The rules of what has typed parts, and no names in it.
  void check_parts(const Expr& expr) {
    const Type& type = *expr.type;
    const auto part = [&](std::size_t i) { return expr.parts[i]->type; };
    switch (expr.kind) {
      case Expr::Kind::tuple:
        demand(type.kind == Type::Kind::tuple && type.parts.size() == expr.parts.size() &&
                   type.names == expr.names,
               expr, "a tuple of another type");
        for (std::size_t i = 0; i < expr.parts.size(); ++i)
          demand_same(part(i), type.parts[i], expr, "a field of a tuple");
        return;
      case Expr::Kind::field: return check_field(expr);
      case Expr::Kind::conditional:
        demand_same(part(0), scalar(Dtype::boolean), expr, "a condition");
        demand_same(part(1), expr.type, expr, "a branch");
        demand_same(part(2), expr.type, expr, "a branch");
        return;
      case Expr::Kind::call: {
        const Function* function = module_.find_function(expr.name);
        demand(function && function->args.size() == expr.parts.size(), expr,
               "a call of no function, or with another number of arguments");
        for (std::size_t i = 0; i < expr.parts.size(); ++i)
          demand_same(part(i), function->args[i].named.type, expr, "an argument");
        demand_same(expr.type, function->returns, expr, "the result of a call");
        return;
      }
      case Expr::Kind::construct: {
        const Variant* variant = find_variant(expr.type_name, expr.name);
        demand(variant && variant->fields.size() == expr.parts.size(), expr,
               "a construct of no variant, or with another number of fields");
        for (std::size_t i = 0; i < expr.parts.size(); ++i)
          demand_same(part(i), variant->fields[i].type, expr, "a payload field");
        return;
      }
      case Expr::Kind::list:
        demand(type.kind == Type::Kind::list, expr, "a list of another type");
        for (std::size_t i = 0; i < expr.parts.size(); ++i)
          demand_same(part(i), type.parts[0], expr, "an item of a list");
        return;
      case Expr::Kind::index:
        demand(part(0)->kind == Type::Kind::tensor && part(0)->shape.size() >= expr.indices.size(),
               expr, "an index with more places than axes");
        return;
      case Expr::Kind::variable:
      case Expr::Kind::number:
      case Expr::Kind::text:
      case Expr::Kind::block:
      case Expr::Kind::match:
      case Expr::Kind::lambda:
      case Expr::Kind::op:
      case Expr::Kind::each: return;
    }
  }

  void check_field(const Expr& expr) {
    const Type& of = *expr.parts[0]->type;
    demand(of.kind == Type::Kind::tuple, expr, "a field of no tuple");
    for (std::size_t i = 0; i < of.parts.size(); ++i) {
      const std::string name = of.names.empty() ? std::to_string(i) : of.names[i];
      if (name == expr.name) return demand_same(of.parts[i], expr.type, expr, "a field");
    }
    demand(false, expr, "a tuple without the field");
  }

  const Module& module_;
  std::string where_;
  Scope args_;
};

}  // namespace

std::string verify(const Module& module) {
  try {
    Verifier(module).run();
  } catch (const Broken& broken) {
    return broken.rule;
  }
  return "";
}

}  // namespace espalier::fun

// Calls: of closures, which are applied on the spot, and of global functions.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "fun/text.h"
#include "fun_pass/checker/checker.h"
#include "fun_pass/checker/foreign_names.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

constexpr int max_calls = 150;

bool is_filled(const std::string& name) {
  return name == "zeros" || name == "ones" || name == "iota";
}

}  // namespace

Value Checker::value_of(const Arg& arg, const Hint& hint) {
  return arg.value ? *arg.value : elaborate(arg.ast, arg.scope, hint);
}

Value Checker::call(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  const bool is_op = e->kind == Expr::Kind::op;
  std::vector<Arg> args;
  for (std::size_t i = is_op ? 0 : 1; i < e->parts.size(); ++i)
    args.push_back({e->parts[i], scope, {}, e->parts[i]->loc});
  if (is_op) {
    if (e->name == "zeros" || e->name == "ones" || e->name == "iota")
      return filled(e->name, args, e->loc, hint);
    const ops::Operator* op = ops::find(e->name);
    if (op) return apply_op(*op, std::move(args), e.get(), scope, e->loc, hint);
    if (is_builtin(e->name, nullptr)) return list_operator(e->name, std::move(args), e->loc, hint);
    return unknown_operator(*e, scope);
  }
  const ExprRef& callee = e->parts[0];
  const Expr* of = callee->kind == Expr::Kind::field ? callee->parts[0].get() : nullptr;
  if (of && of->kind == Expr::Kind::variable && !find(scope, of->name) &&
      !global_names_.count(of->name)) {
    std::vector<std::string> types;
    for (const fun::DataType& type : module_->types) types.push_back(type.name);
    if (types_.declared(of->name))
      return construct({of->name, callee->name, callee->name_loc}, std::move(args), e->loc, hint);
    if (!is_builtin(of->name, scope) && !nearest(of->name, types).empty()) {
      error(Kind::unknown_type, of->loc,
            fmt::format("there is no data type '{}'{}", of->name, did_you_mean(of->name, types)));
      return bad(e->loc);
    }
  }
  const bool by_name = callee->kind == Expr::Kind::variable && is_builtin(callee->name, scope);
  if (by_name && is_filled(callee->name)) {
    error(Kind::brackets_wanted, callee->loc,
          fmt::format("'{0}' takes its axes in brackets: {0}[{1}]", callee->name,
                      callee->name == "iota" ? "n" : "n, m"));
    return bad(e->loc);
  }
  if (by_name)
    if (const ops::Operator* op = ops::find(callee->name))
      return apply_op(*op, std::move(args), e.get(), scope, e->loc, hint);
  if (!e->options.empty()) {
    error(Kind::named_argument,
          e->option_locs.empty() ? e->options[0].second->loc : e->option_locs[0],
          fmt::format("named argument '{}': only operators take named arguments",
                      e->options[0].first));
    return bad(e->loc);
  }
  if (by_name) return list_operator(callee->name, std::move(args), e->loc, hint);
  return apply(elaborate(callee, scope, {}), std::move(args), e->loc, hint);
}

Value Checker::apply(const Value& f, std::vector<Arg> args, Loc loc, const Hint& hint) {
  if (calls_ >= max_calls || too_deep_) {
    if (!too_deep_)
      error(Kind::endless_elaboration, loc, "functions are applied within each other without end");
    too_deep_ = true;
    return bad(loc);
  }
  ++calls_;
  Value out = bad(loc);
  switch (f.kind) {
    case Value::Kind::error: break;
    case Value::Kind::closure: out = apply_closure(f, args, loc, hint); break;
    case Value::Kind::function: out = apply_function(f, args, loc, hint); break;
    case Value::Kind::op:
      if (const ops::Operator* op = ops::find(f.name))
        out = apply_op(*op, std::move(args), nullptr, nullptr, loc, hint);
      else
        out = list_operator(f.name, std::move(args), loc, hint);
      break;
    case Value::Kind::choice: out = apply_choice(f, args, loc, hint); break;
    case Value::Kind::gradient: out = apply_gradient(f, args, loc); break;
    case Value::Kind::plain:
    case Value::Kind::tuple:
      error(Kind::not_a_function, f.loc,
            fmt::format("this is called, but it is {}, no function",
                        f.plain() ? show(*f.type()) : std::string("a tuple")));
      break;
  }
  --calls_;
  return out;
}

bool Checker::count_matches(const std::vector<Arg>& args, const Signature& of) {
  const std::size_t expected = of.args.size();
  if (args.size() == expected) return true;
  Diagnostic& found =
      error(Kind::wrong_argument_count, args.size() > expected ? args[expected].loc : of.loc,
            fmt::format("{} takes {} argument{} ({}), found {}", of.callee, expected,
                        expected == 1 ? "" : "s", fmt::join(of.args, ", "), args.size()));
  if (of.declared.file >= 0) found.notes.push_back({of.declared, "it is defined here"});
  return false;
}

// {"op": NAME} of what is no operator.
Value Checker::unknown_operator(const Expr& e, const ScopeRef& scope) {
  std::vector<std::string> known;
  for (const ops::Operator* op : ops::all()) known.emplace_back(op->name);
  const std::string foreign = in_this_language(e.name);
  const bool function = find(scope, e.name) || module_->find_function(e.name);
  error(Kind::unknown_operator, e.name_loc.file < 0 ? e.loc : e.name_loc,
        function ? fmt::format("'{0}' is a function, not an operator: write {{\"call\": \"{0}\", "
                               "\"args\": [..]}}",
                               e.name)
                 : fmt::format("there is no operator '{}'{}", e.name,
                               foreign.empty() ? did_you_mean(e.name, known)
                                               : fmt::format("; write {}", foreign)));
  return bad(e.loc);
}

Value Checker::apply_closure(const Value& f, std::vector<Arg>& args, Loc loc, const Hint& hint) {
  const Expr& lambda = *f.expr;
  std::vector<std::string> params;
  for (const fun::PatternRef& param : lambda.params) params.push_back(fun::print(*param));
  if (!count_matches(args, {"this function", params, f.loc, lambda.loc})) return bad(loc);
  ScopeRef scope = f.scope;
  bool fine = true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Value value = value_of(args[i], {});
    fine = destructure(*lambda.params[i], value, &scope, false) && fine;
  }
  if (!fine) return bad(loc);
  return elaborate(lambda.parts[0], scope, hint);
}

// if c then f else g, applied to x: if c then f(x) else g(x).
Value Checker::apply_choice(const Value& f, const std::vector<Arg>& args, Loc loc,
                            const Hint& hint) {
  ScopeRef scope = f.scope;
  std::vector<ExprRef> names;
  for (const Arg& arg : args) {
    Value value = value_of(arg, {});
    if (value.bad()) return value;
    if (value.plain() && value.expr->kind != Expr::Kind::variable) value = let("x", value, loc);
    auto name = fun::make(Expr::Kind::variable, arg.loc);
    name->name = fmt::format("${}", lambda_numbers_.size());
    lambda_numbers_.emplace(name.get(), static_cast<int>(lambda_numbers_.size()));
    scope = extend(scope, name->name, {value, {}, {}});
    names.push_back(name);
    kept_.push_back(name);
  }
  const auto into = [&](const ExprRef& branch) {
    auto applied = fun::make(Expr::Kind::call, loc);
    applied->parts = {branch};
    applied->parts.insert(applied->parts.end(), names.begin(), names.end());
    return applied;
  };
  auto choice = std::make_shared<Expr>(*f.expr);
  for (std::size_t i = 1; i < choice->parts.size(); ++i) choice->parts[i] = into(choice->parts[i]);
  for (fun::Case& each : choice->cases) each.body = into(each.body);
  kept_.push_back(choice);
  return elaborate(choice, scope, hint);
}

Value Checker::apply_function(const Value& callee, std::vector<Arg>& args, Loc loc,
                              const Hint& hint) {
  const std::string& name = callee.name;
  const fun::Function& f = *module_->find_function(name);
  std::vector<std::string> params;
  for (const fun::Argument& argument : f.args)
    params.push_back(argument.named.name +
                     (argument.named.type ? ": " + show(*argument.named.type) : ""));
  if (!count_matches(args, {fmt::format("'{}'", name), params, callee.loc, f.loc})) return bad(loc);
  Bindings bindings;
  std::vector<Value> values;
  if (!bind_arguments(f, args, loc, hint, &bindings, &values)) return bad(loc);
  const Facts& facts = facts_[name];
  const bool functions =
      std::any_of(values.begin(), values.end(), [](const Value& value) { return !value.plain(); });
  const bool gives_function = f.returns && has_function(*f.returns);
  if (!facts.recursive && (functions || gives_function))
    return inline_function(f, bindings, values, hint);
  Instance* instance = instance_of(f, bindings, values, loc);
  if (!instance || instance->failed) return bad(loc);
  if (instance->function_valued) return inline_function(f, bindings, values, hint);
  if (!instance->returns) return bad(loc);
  auto out = fun::make(Expr::Kind::call, loc);
  out->name = instance->name;
  out->binding = Expr::Binding::function;
  std::vector<Value> captured;
  for (const Value& value : values) {
    if (value.plain())
      out->parts.push_back(value.expr);
    else
      specialize(value, &captured, nullptr);
  }
  for (const Value& value : captured) out->parts.push_back(value.expr);
  return literal(out, instance->returns);
}

// Finds what the names of `forall` stand for, first from arguments that are no functions, then from
// the place of the call, then from what functions give.
bool Checker::bind_arguments(const fun::Function& f, std::vector<Arg>& args, Loc loc,
                             const Hint& hint, Bindings* bindings, std::vector<Value>* values) {
  const std::set<std::string> free(f.forall.begin(), f.forall.end());
  values->assign(args.size(), bad(loc));
  std::map<std::string, Loc> bound_at;
  for (const bool functions : {false, true}) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const TypeRef& declared = f.args[i].named.type;
      if ((declared && has_function(*declared)) != functions) continue;
      if (!bind_argument(f, i, args[i], bindings, &(*values)[i], &bound_at)) return false;
    }
    if (functions) break;
    std::vector<Conflict> found_later;
    if (hint.type && f.returns) types_.bind(f.returns, hint.type, free, bindings, &found_later);
    // A call within its own recursion is of the same instance, where nothing says otherwise.
    for (const Instance* each : running_)
      if (each->source == &f) {
        for (const auto& [name, dim] : each->bindings.dims) bindings->dims.emplace(name, dim);
        for (const auto& [name, type] : each->bindings.types) bindings->types.emplace(name, type);
      }
  }
  return expect_arguments(f, args, loc, *bindings, values);
}

// The value of one argument, and what its type says of the names of `forall`.
bool Checker::bind_argument(const fun::Function& f, std::size_t i, const Arg& arg,
                            Bindings* bindings, Value* value,
                            std::map<std::string, Loc>* bound_at) {
  const std::set<std::string> free(f.forall.begin(), f.forall.end());
  const TypeRef& declared = f.args[i].named.type;
  Hint asked;
  if (declared && !has_function(*declared)) {
    asked = Hint::exactly(types_.resolve_if_bound(declared, *bindings));
    if (!asked.type && declared->kind == Type::Kind::tensor)
      asked = Hint::of_dtype(declared->dtype);
  }
  *value = value_of(arg, asked);
  value->loc = arg.loc;
  if (value->bad()) return false;
  if (!declared) return true;
  std::vector<Conflict> conflicts;
  if (value->plain())
    types_.bind(declared, value->type(), free, bindings, &conflicts);
  else
    bind_result_of(declared, *value, free, bindings, &conflicts);
  for (const Conflict& each : conflicts)
    error(Kind::generic_conflict, arg.loc,
          fmt::format("'{}' of '{}' is {} by this argument, but {} by an earlier one", each.name,
                      f.name, each.second, each.first))
        .notes.push_back({bound_at->count(each.name) ? (*bound_at)[each.name] : f.loc,
                          fmt::format("'{}' is bound here", each.name)});
  for (const std::string& name : f.forall)
    if (bindings->has(name)) bound_at->emplace(name, arg.loc);
  return conflicts.empty();
}

// All arguments against the types that they have to be of.
bool Checker::expect_arguments(const fun::Function& f, const std::vector<Arg>& args, Loc loc,
                               const Bindings& bindings, std::vector<Value>* values) {
  // What is inlined can do without the types of functions that nothing states.
  const Facts& facts = facts_[f.name];
  const bool lenient = !facts.recursive && facts.higher_order;
  for (const std::string& name : f.forall)
    if (!bindings.has(name) && !lenient) {
      error(Kind::cannot_infer, loc,
            fmt::format("the arguments do not say what '{}' of '{}' is", name, f.name))
          .notes.push_back({f.loc, fmt::format("'{}' is defined here", f.name)});
      return false;
    }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const TypeRef& declared = f.args[i].named.type;
    if (!declared) continue;
    TypeRef type = types_.resolve_if_bound(declared, bindings);
    if (!type && lenient && has_function(*declared)) type = declared;
    if (!type) type = types_.resolve(declared, bindings, f.args[i].named.loc);
    if (!type) return false;
    Value& value = (*values)[i];
    const std::string what = fmt::format("argument '{}' of '{}'", f.args[i].named.name, f.name);
    if (has_function(*type))
      value = function_argument(value, type, args[i].loc);
    else
      value = expect(value, type, what.c_str());
    if (value.bad()) return false;
  }
  return true;
}

// Applies functions to made-up arguments of the declared types, for the type of what they give.
void Checker::bind_result_of(const TypeRef& declared, const Value& value,
                             const std::set<std::string>& free, Bindings* bindings,
                             std::vector<Conflict>* conflicts) {
  if (value.kind == Value::Kind::tuple && declared->kind == Type::Kind::tuple) {
    for (std::size_t i = 0; i < std::min(value.parts.size(), declared->parts.size()); ++i) {
      const Value& part = value.parts[i];
      if (part.plain())
        types_.bind(declared->parts[i], part.type(), free, bindings, conflicts);
      else
        bind_result_of(declared->parts[i], part, free, bindings, conflicts);
    }
    return;
  }
  if (declared->kind != Type::Kind::function) return;
  const TypeRef& result = declared->parts.back();
  if (types_.resolve_if_bound(result, *bindings)) return;
  std::vector<Arg> args;
  for (std::size_t i = 0; i + 1 < declared->parts.size(); ++i) {
    const TypeRef type = types_.resolve_if_bound(declared->parts[i], *bindings);
    if (!type || has_function(*type)) return;
    auto variable = fun::make(Expr::Kind::variable, value.loc);
    variable->name = "x";
    Arg arg{nullptr, nullptr, literal(variable, type), value.loc};
    args.push_back(std::move(arg));
  }
  Quiet quiet(this);
  Region region(this);
  const Value out = apply(value, args, value.loc, {});
  if (out.plain()) types_.bind(result, out.type(), free, bindings, conflicts);
}

// A function passed as an argument: its number of arguments is looked at here, its types where it
// is applied.
Value Checker::function_argument(Value value, const TypeRef& type, Loc loc) {
  if (type->kind == Type::Kind::tuple && value.kind == Value::Kind::tuple &&
      value.parts.size() == type->parts.size()) {
    if (value.names.empty()) value.names = type->names;
    return value;
  }
  if (type->kind != Type::Kind::function || value.plain() || value.kind == Value::Kind::tuple) {
    error(Kind::type_mismatch, loc,
          fmt::format(
              "expected {}, found {}", show(*type),
              value.plain() ? show(*value.type()) : std::string("another function or tuple")));
    return bad(loc);
  }
  const std::size_t asked = type->parts.size() - 1;
  std::size_t found = asked;
  if (value.kind == Value::Kind::closure) found = value.expr->params.size();
  if (value.kind == Value::Kind::function) found = module_->find_function(value.name)->args.size();
  if (found == asked) return value;
  error(Kind::type_mismatch, loc,
        fmt::format("expected {}, found a function of {} argument{}", show(*type), found,
                    found == 1 ? "" : "s"));
  return bad(loc);
}

Value Checker::inline_function(const fun::Function& f, const Bindings& bindings,
                               const std::vector<Value>& values, const Hint& hint) {
  ScopeRef scope = root_scope(bindings);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Pattern pattern;
    pattern.kind = Pattern::Kind::variable;
    pattern.name = f.args[i].named.name;
    pattern.loc = values[i].loc;
    destructure(pattern, values[i], &scope, false);
  }
  const TypeRef stated = f.returns ? types_.resolve_if_bound(f.returns, bindings) : nullptr;
  if (!stated && (!f.returns || has_function(*f.returns))) return elaborate(f.body, scope, hint);
  const TypeRef returns = stated ? stated : types_.resolve(f.returns, bindings, f.loc);
  if (!returns) return bad(f.loc);
  const Value value = elaborate(f.body, scope, Hint::exactly(returns));
  if (has_function(*returns)) return value;
  return expect(value, returns, fmt::format("the result of '{}'", f.name).c_str());
}

Value Checker::apply_gradient(const Value& f, std::vector<Arg>& args, Loc loc) {
  // grad(f)(x) applies f to x; vjp(f, x)(seed) has applied it already and takes a seed like it.
  const bool is_grad = f.name == "grad";
  std::vector<Arg> to = args;
  if (!is_grad) {
    to.clear();
    for (std::size_t i = 1; i < f.parts.size(); ++i)
      to.push_back({nullptr, nullptr, f.parts[i], f.parts[i].loc});
  }
  Region region(this);
  const Value result = apply(f.parts[0], to, loc, {});
  if (result.bad()) return result;
  if (!is_grad) {
    if (!count_matches(args, {"a pull-back", {"seed"}, f.loc, {}})) return bad(loc);
    const Value seed = value_of(args[0], result.plain() ? Hint::exactly(result.type()) : Hint());
    if (seed.bad() || (result.plain() && expect(seed, result.type(), "the seed").bad()))
      return bad(loc);
  }
  if (is_grad && (!result.plain() || result.type()->kind != Type::Kind::tensor ||
                  !result.type()->shape.empty())) {
    error(Kind::gradient_of_no_scalar, loc, "grad takes a function whose result is a scalar");
    return bad(loc);
  }
  error(Kind::gradient_not_yet, loc,
        fmt::format("'{}' is not yet compiled: derivatives come with a later version", f.name));
  return bad(loc);
}

}  // namespace espalier::fun_pass

// Expressions other than calls, operators and branches.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/kinds.h"
#include "base/numbers.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

constexpr int max_depth = 1200;
constexpr int most_expressions = 1000000;

Value plain(ExprRef expr) {
  Value value;
  value.kind = Value::Kind::plain;
  value.loc = expr->loc;
  value.expr = std::move(expr);
  return value;
}

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

// Whether `value` can be a number of the dtype at all; its range is looked at later.
bool may_be(Dtype dtype, double value) {
  if (is_float(dtype)) return true;
  return is_integer(dtype) && std::isfinite(value) && value == std::floor(value);
}

bool in_range(Dtype dtype, double value) {
  switch (dtype) {
    case Dtype::i8: return value >= -128 && value <= 127;
    case Dtype::i32: return value >= -2147483648.0 && value <= 2147483647.0;
    case Dtype::i64: return value >= -9223372036854775808.0 && value < 9223372036854775808.0;
    default: return true;
  }
}

Dtype dtype_of(const Hint& hint) {
  if (hint.type && (hint.type->kind == Type::Kind::tensor || hint.type->kind == Type::Kind::index))
    return hint.type->dtype;
  return hint.dtype.value_or(Dtype::f32);
}

}  // namespace

Hint Hint::exactly(TypeRef type) { return {std::move(type), {}}; }

Hint Hint::part(std::size_t i) const {
  if (!type || i >= type->parts.size()) return {};
  if (type->kind != Type::Kind::tuple && type->kind != Type::Kind::list) return {};
  return exactly(type->parts[i]);
}

Value Checker::elaborate(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  if (too_deep_) return bad(e->loc);
  if (depth_ >= max_depth) {
    too_deep_ = true;
    error(Kind::endless_elaboration, e->loc,
          "functions are applied within each other without end here");
    return bad(e->loc);
  }
  if (++elaborated_ > most_expressions) {
    too_deep_ = true;
    error(Kind::expansion_too_large, e->loc,
          "with local functions put in place where they are called, the model has more than a "
          "million expressions; call them fewer times");
    return bad(e->loc);
  }
  ++depth_;
  Value value = dispatch(e, scope, hint);
  --depth_;
  return value;
}

Value Checker::dispatch(const ExprRef& e, const ScopeRef& scope, const Hint& hint) {
  switch (e->kind) {
    case Expr::Kind::variable: return variable(*e, scope, hint);
    case Expr::Kind::number: return number(*e, hint);
    case Expr::Kind::text:
      error(Kind::misplaced_text, e->loc, "a string stands only in einsum, as its first argument");
      return bad(e->loc);
    case Expr::Kind::block: return block(*e, scope, hint);
    case Expr::Kind::tuple: return tuple(*e, scope, hint);
    case Expr::Kind::field: return field(e, scope, hint);
    case Expr::Kind::conditional: return conditional(e, scope, hint);
    case Expr::Kind::match: return match(e, scope, hint);
    case Expr::Kind::lambda: {
      Value value = bad(e->loc);
      if (!once_each(e->params)) return value;
      value.kind = Value::Kind::closure;
      value.expr = e;
      value.scope = scope;
      return value;
    }
    case Expr::Kind::call:
    case Expr::Kind::op: return call(e, scope, hint);
    case Expr::Kind::construct: {
      std::vector<Arg> args;
      for (const ExprRef& part : e->parts) args.push_back({part, scope, {}, part->loc});
      const Loc at = e->name_loc.file < 0 ? e->loc : e->name_loc;
      return construct({e->type_name, e->name, at}, std::move(args), e->loc, hint);
    }
    case Expr::Kind::list: return list(*e, scope, hint);
    case Expr::Kind::each: return each(*e, scope, hint);
    case Expr::Kind::index: return index(e, scope, hint);
  }
  return bad(e->loc);
}

Value Checker::literal(std::shared_ptr<Expr> e, TypeRef type) {
  e->type = std::move(type);
  return plain(std::move(e));
}

Value Checker::variable(const Expr& e, const ScopeRef& scope, const Hint& hint) {
  const Named* named = find(scope, e.name);
  if (!named) return global(e, scope, hint);
  if (named->dim) return number(static_cast<double>(named->dim->value()), "", e.loc, hint);
  Value value = named->value;
  value.loc = e.loc;
  if (!value.plain() || value.expr->kind != Expr::Kind::variable) return value;
  auto here = std::make_shared<Expr>(*value.expr);
  here->loc = e.loc;
  value.expr = here;
  return value;
}

Value Checker::global(const Expr& e, const ScopeRef& scope, const Hint& hint) {
  auto out = fun::make(Expr::Kind::variable, e.loc);
  out->name = e.name;
  if (const fun::Named* param = module_->find_param(e.name)) {
    out->binding = Expr::Binding::parameter;
    return literal(out, types_.resolve(param->type, {}, param->loc));
  }
  if (const fun::Constant* constant = module_->find_constant(e.name)) {
    out->binding = Expr::Binding::constant;
    return literal(out, types_.resolve(constant->type, {}, constant->loc));
  }
  for (const auto& [name, dim] : module_->dims)
    if (name == e.name)
      return number(static_cast<double>(dim.bound() ? dim.value() : 0), "", e.loc, hint);
  Value value;
  value.loc = e.loc;
  value.name = e.name;
  if (module_->find_function(e.name)) {
    value.kind = Value::Kind::function;
    return value;
  }
  if (e.name == "true" || e.name == "false") {
    auto flag = fun::make(Expr::Kind::number, e.loc);
    flag->number = e.name == "true" ? 1 : 0;
    flag->number_text = e.name;
    return literal(flag, fun::scalar(Dtype::boolean));
  }
  if (e.name == "inf") return number(std::numeric_limits<double>::infinity(), "inf", e.loc, hint);
  if (e.name == "nan") return number(std::nan(""), "nan", e.loc, hint);
  if (is_builtin(e.name, scope)) {
    value.kind = Value::Kind::op;
    return value;
  }
  return unknown_name(e.name, e.loc, scope);
}

Value Checker::number(const Expr& e, const Hint& hint) {
  if (e.number_text == "true" || e.number_text == "false")
    return literal(std::make_shared<Expr>(e), fun::scalar(Dtype::boolean));
  if (e.type) return number(e.number, e.number_text, e.loc, Hint::exactly(e.type));
  return number(e.number, e.number_text, e.loc, hint);
}

Value Checker::number(double value, std::string text, Loc loc, const Hint& hint) {
  auto out = fun::make(Expr::Kind::number, loc);
  out->number = value;
  out->number_text = std::move(text);
  if (hint.type && hint.type->kind == Type::Kind::index && may_be(Dtype::i64, value)) {
    const Dim& bound = hint.type->shape[0];
    if (bound.bound() && (value < 0 || value >= static_cast<double>(bound.value()))) {
      error(Kind::number_out_of_range, loc,
            fmt::format("{} is not in {}, which is 0 to {}",
                        out->number_text.empty() ? shortest(value) : out->number_text,
                        show(*hint.type), bound.value() - 1));
      return bad(loc);
    }
    return literal(out, hint.type);
  }
  Dtype dtype = dtype_of(hint);
  if (!may_be(dtype, value)) dtype = Dtype::f32;
  if (!in_range(dtype, value)) {
    error(Kind::number_out_of_range, loc,
          fmt::format("{} does not fit {}",
                      out->number_text.empty() ? shortest(value) : out->number_text,
                      dtype_name(dtype)));
    return bad(loc);
  }
  return literal(out, fun::scalar(dtype));
}

Value Checker::tuple(const Expr& e, const ScopeRef& scope, const Hint& hint) {
  std::set<std::string> seen;
  for (const std::string& name : e.names)
    if (!seen.insert(name).second) {
      error(Kind::repeated_field, e.loc, fmt::format("field '{}' stands twice", name));
      return bad(e.loc);
    }
  std::vector<Value> parts;
  for (std::size_t i = 0; i < e.parts.size(); ++i)
    parts.push_back(elaborate(e.parts[i], scope, hint.part(i)));
  return tuple_value(std::move(parts), e.names, e.loc);
}

Value Checker::tuple_value(std::vector<Value> parts, const std::vector<std::string>& names,
                           Loc loc) {
  bool plain_all = true;
  for (const Value& part : parts) {
    if (part.bad()) return bad(loc);
    plain_all = plain_all && part.plain();
  }
  if (!plain_all) {
    Value value = bad(loc);
    value.kind = Value::Kind::tuple;
    value.parts = std::move(parts);
    value.names = names;
    return value;
  }
  auto out = fun::make(Expr::Kind::tuple, loc);
  std::vector<TypeRef> types;
  for (const Value& part : parts) {
    out->parts.push_back(part.expr);
    types.push_back(part.type());
  }
  out->names = names;
  const TypeRef type = fun::tuple_of(std::move(types), names);
  if (too_large(*type)) {
    error(Kind::type_size, loc, "the type of this tuple has thousands of parts");
    return bad(loc);
  }
  return literal(out, type);
}

Value Checker::field(const ExprRef& e, const ScopeRef& scope, const Hint&) {
  Value of = elaborate(e->parts[0], scope, {});
  if (of.kind != Value::Kind::choice)
    return field_of(std::move(of), e->name, e->loc, e->name_loc.file < 0 ? e->loc : e->name_loc);
  // The field of whichever tuple is chosen.
  auto choice = std::make_shared<Expr>(*of.expr);
  const auto into = [&](ExprRef branch) {
    auto taken = std::make_shared<Expr>(*e);
    taken->parts = {std::move(branch)};
    return taken;
  };
  for (std::size_t i = 1; i < choice->parts.size(); ++i) choice->parts[i] = into(choice->parts[i]);
  for (fun::Case& each : choice->cases) each.body = into(each.body);
  kept_.push_back(choice);
  return elaborate(choice, of.scope, {});
}

Value Checker::field_of(Value of, const std::string& name, Loc loc, Loc name_loc) {
  if (of.bad()) return of;
  const bool functions = of.kind == Value::Kind::tuple;
  const bool is_tuple = functions || (of.plain() && of.type()->kind == Type::Kind::tuple);
  if (!is_tuple) {
    const bool data = of.plain() && of.type()->kind == Type::Kind::data;
    error(Kind::not_a_tuple, name_loc,
          fmt::format("there is no field '{}' in {}, which is no tuple{}", name,
                      of.plain() ? show(*of.type()) : std::string("a function"),
                      data ? "; match takes its variants apart" : ""));
    return bad(loc);
  }
  std::vector<std::string> names = functions ? of.names : of.type()->names;
  const std::size_t count = functions ? of.parts.size() : of.type()->parts.size();
  if (names.empty())
    for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] != name) continue;
    if (functions) return of.parts[i];
    if (of.expr->kind == Expr::Kind::tuple) return plain(of.expr->parts[i]);
    auto out = fun::make(Expr::Kind::field, loc);
    out->name = name;
    out->parts = {of.expr};
    return literal(out, of.type()->parts[i]);
  }
  const std::string near = nearest(name, names);
  error(Kind::unknown_field, name_loc,
        fmt::format("no field '{}'{}; the tuple has {}", name,
                    near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                    fmt::join(names, ", ")));
  return bad(loc);
}

const fun::Variant* Checker::find_variant(const fun::DataType& type, const VariantName& named) {
  std::vector<std::string> names;
  for (const fun::Variant& each : type.variants) {
    if (each.name == named.variant) return &each;
    names.push_back(each.name);
  }
  error(Kind::unknown_variant, named.loc,
        fmt::format("type '{}' has no variant '{}'{}", type.name, named.variant,
                    did_you_mean(named.variant, names)))
      .notes.push_back({type.loc, fmt::format("its variants are {}", fmt::join(names, ", "))});
  return nullptr;
}

// The number of fields; `loc` is of the first one too many, or of the variant's name.
bool Checker::check_fields(const VariantName& named, const fun::Variant& variant, std::size_t found,
                           Loc loc) {
  const std::size_t expected = variant.fields.size();
  if (found == expected) return true;
  std::vector<std::string> fields;
  for (const fun::Named& field : variant.fields)
    fields.push_back(field.name + ": " + show(*field.type));
  error(Kind::wrong_variant_fields, loc,
        fmt::format("'{}.{}' has {} field{} ({}), found {}", named.type, named.variant, expected,
                    expected == 1 ? "" : "s", fmt::join(fields, ", "), found))
      .notes.push_back({variant.loc, "the variant is declared here"});
  return false;
}

Value Checker::construct(const VariantName& named, std::vector<Arg> args, Loc loc,
                         const Hint& hint) {
  const auto& [type, variant, name_loc] = named;
  const fun::DataType* declared = types_.declared(type);
  if (!declared) {
    types_.resolve(fun::name_type(type), {}, loc);  // says so
    return bad(loc);
  }
  const fun::Variant* found = find_variant(*declared, named);
  if (!found) return bad(loc);
  const std::size_t count = found->fields.size();
  if (!check_fields(named, *found, args.size(), args.size() > count ? args[count].loc : name_loc))
    return bad(loc);
  const std::set<std::string> free(declared->params.begin(), declared->params.end());
  Bindings bindings;
  if (hint.type && hint.type->kind == Type::Kind::data && types_.origin(hint.type->name) == type)
    for (std::size_t i = 0; i < declared->params.size(); ++i)
      bindings.types[declared->params[i]] = types_.arguments(hint.type->name)[i];
  std::vector<Value> values;
  std::vector<Conflict> conflicts;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const TypeRef expected = types_.resolve_if_bound(found->fields[i].type, bindings);
    Value value = expect_plain(value_of(args[i], Hint::exactly(expected)), "a payload field");
    if (value.bad()) return bad(loc);
    types_.bind(found->fields[i].type, value.type(), free, &bindings, &conflicts);
    values.push_back(std::move(value));
  }
  auto out = fun::make(Expr::Kind::construct, loc);
  out->name = variant;
  std::vector<TypeRef> arguments;
  for (const std::string& param : declared->params) {
    if (!bindings.has(param)) {
      error(Kind::cannot_infer, loc,
            fmt::format("nothing says what '{}' is in {}.{}", param, type, variant));
      return bad(loc);
    }
    arguments.push_back(bindings.types[param]);
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const TypeRef expected = types_.resolve(found->fields[i].type, bindings, found->loc);
    if (!expected) return bad(loc);
    const std::string what =
        fmt::format("field '{}' of '{}.{}'", found->fields[i].name, type, variant);
    Value value = expect(values[i], expected, what.c_str());
    if (value.bad()) return bad(loc);
    out->parts.push_back(value.expr);
  }
  out->type_name = types_.instance_name(type, arguments);
  return literal(out, fun::data_type(out->type_name));
}

Value Checker::each(const Expr& e, const ScopeRef& scope, const Hint& hint) {
  Value over = expect_plain(elaborate(e.parts[1], scope, {}), "what a list is made of");
  if (over.bad()) return over;
  if (over.type()->kind != Type::Kind::list) {
    error(Kind::not_a_list, e.parts[1]->loc,
          fmt::format("'for' goes through a list, found {}", show(*over.type())));
    return bad(e.loc);
  }
  if (!once_each(e.params)) return bad(e.loc);
  auto out = fun::make(Expr::Kind::each, e.loc);
  TypeRef item;
  {
    Region region(this);
    ScopeRef inner = scope;
    const PatternRef pattern = irrefutable(*e.params[0], over.type()->parts[0], &inner, "'for'");
    if (!pattern) return bad(e.loc);
    Value value = expect_plain(elaborate(e.parts[0], inner, hint.part(0)), "an item of a list");
    if (value.bad()) return bad(e.loc);
    item = value.type();
    out->params = {pattern};
    out->parts = {region.close(value.expr), over.expr};
  }
  out->type = fun::list_of(item);
  return list_like(out, over);
}

Value Checker::list(const Expr& e, const ScopeRef& scope, const Hint& hint) {
  auto out = fun::make(Expr::Kind::list, e.loc);
  if (e.parts.empty()) {
    if (!hint.type || hint.type->kind != Type::Kind::list) {
      error(Kind::cannot_infer, e.loc, "nothing says of what type the items of '[]' are");
      return bad(e.loc);
    }
    out->type = hint.type;
    return list_like(out, bad(e.loc));
  }
  std::vector<Branch> items;
  for (const ExprRef& part : e.parts)
    items.push_back({part, scope, [this, part, scope](const Hint& asked) {
                       return expect_plain(elaborate(part, scope, asked), "an item of a list");
                     }});
  const auto values = unite(items, hint.part(0), Kind::list_items_differ, "items of a list");
  if (values.empty()) return bad(e.loc);
  for (const Value& value : values) out->parts.push_back(value.expr);
  TypeRef item = values[0].type();
  for (const Value& value : values)
    if (!fits(*value.type(), *item)) item = value.type();  // the widest index
  out->type = fun::list_of(item);
  Value value = list_like(out, bad(e.loc));
  value.nonempty = true;
  return value;
}

Value Checker::expect_plain(Value value, const char* what) {
  if (value.bad() || value.plain()) return value;
  error(Kind::function_as_value, value.loc, fmt::format("{} cannot be a function", what));
  return bad(value.loc);
}

Value Checker::expect(Value value, const TypeRef& type, const char* what) {
  value = expect_plain(std::move(value), what);
  if (value.bad() || fits(*value.type(), *type)) return value;
  if (is_scalar(*type, Dtype::i64) && value.type()->kind == Type::Kind::index) {
    auto cast = fun::make(Expr::Kind::op, value.loc);
    cast->name = "cast";
    cast->parts = {value.expr};
    auto dtype = fun::make(Expr::Kind::text, value.loc);
    dtype->name = "i64";
    dtype->type = fun::scalar(Dtype::i64);
    cast->options = {{"dtype", dtype}};
    return literal(cast, type);
  }
  error(Kind::type_mismatch, value.loc,
        fmt::format("{}: expected {}, found {}", what, show(*type), show(*value.type())));
  return bad(value.loc);
}

}  // namespace espalier::fun_pass

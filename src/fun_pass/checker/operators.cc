// Operators of ops/, and what is constant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/kinds.h"
#include "base/numbers.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

// Operators whose result has not the dtype of their operands.
bool own_dtype(const std::string& name) {
  return is_one_of(name,
                   {"==",   "!=",   "<",      "<=",      ">",       ">=",   "isnan", "and",
                    "or",   "not",  "argmax", "argmin",  "one_hot", "cast", "len",   "enumerate",
                    "fold", "scan", "zip",    "reverse", "vjp",     "grad"});
}

// The dtype of an operand that stands apart from the others.
std::optional<Dtype> operand_dtype(std::string_view op, std::size_t operand) {
  const std::string name(op);
  if (is_one_of(name, {"and", "or", "not"}) || (name == "select" && operand == 0))
    return Dtype::boolean;
  if ((name == "one_hot" && operand == 0) ||
      (is_one_of(name, {"take", "cross_entropy"}) && operand == 1))
    return Dtype::i64;
  return std::nullopt;
}

std::optional<Dtype> dtype_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Dtype::boolean); ++i)
    if (dtype_name(static_cast<Dtype>(i)) == name) return static_cast<Dtype>(i);
  return std::nullopt;
}

std::optional<Dtype> element_dtype(const Type& type) {
  if (type.kind == Type::Kind::list) return element_dtype(*type.parts[0]);
  if (type.kind == Type::Kind::tensor || type.kind == Type::Kind::index) return type.dtype;
  return std::nullopt;
}

// Where the operator or the function called is named.
Loc name_of(const Expr& e) {
  if (e.kind == Expr::Kind::call) return e.parts[0]->loc;
  return e.name_loc.file < 0 ? e.loc : e.name_loc;
}

std::string dtype_hint(const std::string& name) {
  const std::string meant = dtype_meant(name);
  if (!meant.empty()) return fmt::format("; write {}", meant);
  return did_you_mean(name, {"f32", "f64", "f16", "bf16", "i8", "i32", "i64", "bool"});
}

ops::Option integer_option(const Dim& dim, Loc loc) {
  ops::Option out;
  out.integral = true;
  out.dim = dim;
  out.number = static_cast<double>(dim.value());
  out.loc = loc;
  return out;
}

ops::Option number_option(double number, Loc loc) {
  const bool whole = std::isfinite(number) && number == std::floor(number) &&
                     std::fabs(number) < 9007199254740992.0;
  if (whole) return integer_option(Dim(static_cast<std::int64_t>(number)), loc);
  ops::Option out;
  out.number = number;
  out.loc = loc;
  return out;
}

std::optional<ops::Option> arithmetic(const std::string& op, const ops::Option& a,
                                      const ops::Option& b, Loc loc) {
  if (a.is_list || b.is_list || !a.text.empty() || !b.text.empty()) return std::nullopt;
  const bool zero = b.number == 0;
  if (a.integral && b.integral && is_one_of(op, {"+", "-", "*", "//"})) {
    if (op == "//" && zero) return std::nullopt;
    const Dim dim = op == "+"   ? a.dim + b.dim
                    : op == "-" ? a.dim - b.dim
                    : op == "*" ? a.dim * b.dim
                                : floor_div(a.dim, b.dim);
    if (dim.overflowed() || !dim.bound()) return std::nullopt;
    return integer_option(dim, loc);
  }
  if (op == "+") return number_option(a.number + b.number, loc);
  if (op == "-") return number_option(a.number - b.number, loc);
  if (op == "*") return number_option(a.number * b.number, loc);
  if (op == "/" && !zero) return number_option(a.number / b.number, loc);
  if (op == "//" && !zero) return number_option(std::floor(a.number / b.number), loc);
  if (op == "**") return number_option(std::pow(a.number, b.number), loc);
  return std::nullopt;
}

}  // namespace

bool Checker::is_builtin(const std::string& name, const ScopeRef& scope) const {
  if (find(scope, name) || global_names_.count(name)) return false;
  return ops::find(name) != nullptr ||
         is_one_of(name, {"fold", "scan", "reverse", "len", "enumerate", "zip", "zeros", "ones",
                          "iota", "vjp", "grad"});
}

bool Checker::adaptable(const Expr& e, const ScopeRef& scope) const {
  const auto all = [&](std::size_t from) {
    for (std::size_t i = from; i < e.parts.size(); ++i)
      if (!adaptable(*e.parts[i], scope)) return false;
    return e.parts.size() > from;
  };
  switch (e.kind) {
    case Expr::Kind::number: return !e.type && e.number_text != "true" && e.number_text != "false";
    case Expr::Kind::variable: {
      if (const Named* named = find(scope, e.name)) return named->dim.has_value();
      for (const auto& dim : module_->dims)
        if (dim.first == e.name) return true;
      return !global_names_.count(e.name) && (e.name == "inf" || e.name == "nan");
    }
    case Expr::Kind::op:
      return is_one_of(e.name, {"zeros", "ones", "iota"}) || (!own_dtype(e.name) && all(0));
    case Expr::Kind::call: {
      const Expr& callee = *e.parts[0];
      if (callee.kind != Expr::Kind::variable || !is_builtin(callee.name, scope)) return false;
      const ops::Operator* op = ops::find(callee.name);
      if (!op || own_dtype(callee.name)) return false;
      const std::size_t count =
          std::min(e.parts.size(), static_cast<std::size_t>(std::max(op->max_args, 1)) + 1);
      for (std::size_t i = 1; i < count; ++i)
        if (e.parts[i]->kind != Expr::Kind::text && !adaptable(*e.parts[i], scope)) return false;
      return count > 1;
    }
    case Expr::Kind::index:
      return e.parts[0]->kind == Expr::Kind::variable &&
             is_one_of(e.parts[0]->name, {"zeros", "ones", "iota"}) &&
             is_builtin(e.parts[0]->name, scope);
    case Expr::Kind::conditional: return all(1);
    case Expr::Kind::block: return all(0);
    default: return false;
  }
}

bool Checker::needs_hint(const Expr& e) const {
  if (e.kind == Expr::Kind::list && e.parts.empty()) return true;
  const bool inside =
      e.kind == Expr::Kind::block || e.kind == Expr::Kind::tuple || e.kind == Expr::Kind::list;
  return inside && std::any_of(e.parts.begin(), e.parts.end(),
                               [this](const ExprRef& part) { return needs_hint(*part); });
}

std::optional<ops::Option> Checker::constant(const Expr& e, const ScopeRef& scope) const {
  switch (e.kind) {
    case Expr::Kind::number: return number_option(e.number, e.loc);
    case Expr::Kind::text: {
      ops::Option out;
      out.text = e.name;
      out.loc = e.loc;
      return out;
    }
    case Expr::Kind::variable: {
      if (const Named* named = find(scope, e.name)) {
        if (named->dim) return integer_option(*named->dim, e.loc);
        const Value& value = named->value;
        if (value.plain() && value.expr->kind == Expr::Kind::number)
          return number_option(value.expr->number, e.loc);
        return std::nullopt;
      }
      for (const auto& [name, dim] : module_->dims)
        if (name == e.name && dim.bound())
          return integer_option(Dim::named(name, dim.value()), e.loc);
      if (global_names_.count(e.name)) return std::nullopt;
      if (e.name == "true" || e.name == "false")
        return integer_option(Dim(e.name == "true" ? 1 : 0), e.loc);
      if (e.name == "inf") return number_option(std::numeric_limits<double>::infinity(), e.loc);
      if (e.name == "nan") return number_option(std::nan(""), e.loc);
      if (!dtype_named(e.name)) return std::nullopt;
      ops::Option out;
      out.text = e.name;
      out.loc = e.loc;
      return out;
    }
    case Expr::Kind::list:
    case Expr::Kind::tuple: {
      ops::Option out;
      out.is_list = true;
      out.loc = e.loc;
      for (const ExprRef& part : e.parts) {
        auto item = constant(*part, scope);
        if (!item) return std::nullopt;
        out.list.push_back(std::move(*item));
      }
      return out;
    }
    case Expr::Kind::op: {
      if (e.parts.empty() || e.parts.size() > 2) return std::nullopt;
      const auto first = constant(*e.parts[0], scope);
      if (!first) return std::nullopt;
      if (e.parts.size() == 1)
        return e.name == "-" ? arithmetic("-", integer_option(Dim(0), e.loc), *first, e.loc)
                             : std::nullopt;
      const auto second = constant(*e.parts[1], scope);
      return second ? arithmetic(e.name, *first, *second, e.loc) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<Dim> Checker::constant_dim(const Expr& e, const ScopeRef& scope) const {
  const auto option = constant(e, scope);
  if (!option || !option->integral) return std::nullopt;
  return option->dim;
}

ExprRef Checker::option_expr(const ops::Option& option) const {
  if (option.is_list) {
    auto out = fun::make(Expr::Kind::list, option.loc);
    TypeRef item = fun::scalar(Dtype::i64);
    for (const ops::Option& each : option.list) {
      out->parts.push_back(option_expr(each));
      item = out->parts.back()->type;
    }
    out->type = fun::list_of(item);
    return out;
  }
  if (!option.text.empty()) {
    auto out = fun::make(Expr::Kind::text, option.loc);
    out->name = option.text;
    out->type = fun::scalar(Dtype::i64);
    return out;
  }
  auto out = fun::make(Expr::Kind::number, option.loc);
  out->number = option.number;
  if (option.integral) out->number_text = std::to_string(option.dim.value());
  out->type = fun::scalar(option.integral ? Dtype::i64 : Dtype::f64);
  return out;
}

// Positional arguments beyond the operands are literals; named ones are options or literals.
bool Checker::split_arguments(const ops::Operator& op, std::vector<Arg>* args, const Expr* named,
                              const ScopeRef& scope, Expr* core, ops::Options* options) {
  const auto set = [&](const std::string& name, const Arg& arg, Loc name_loc) {
    auto value = arg.ast ? constant(*arg.ast, arg.scope) : std::nullopt;
    if (!value && name == "dtype" && arg.ast && arg.ast->kind == Expr::Kind::variable) {
      error(
          Kind::unknown_dtype, arg.loc,
          fmt::format("there is no element type '{}'{}", arg.ast->name, dtype_hint(arg.ast->name)));
      return false;
    }
    if (!value) {
      error(Kind::option_not_constant, arg.loc,
            fmt::format("'{}' of '{}' has to be a literal (numbers, dims, and arithmetic of them)",
                        name, op.name));
      return false;
    }
    value->name_loc = name_loc;
    if (!options->emplace(name, *value).second) {
      error(Kind::duplicate_argument, arg.loc,
            fmt::format("'{}' of '{}' is given twice", name, op.name));
      return false;
    }
    core->options.emplace_back(name, option_expr(*value));
    return true;
  };
  bool fine = true;
  std::vector<Arg> operands;
  std::size_t literal = 0;
  for (const Arg& arg : *args) {
    const bool text = arg.ast && arg.ast->kind == Expr::Kind::text;
    if (!text && operands.size() < static_cast<std::size_t>(op.max_args)) {
      operands.push_back(arg);
    } else if (literal < op.literals.size()) {
      fine = set(std::string(op.literals[literal++]), arg, {}) && fine;
    } else {
      operands.push_back(arg);
    }
  }
  for (std::size_t i = 0; named && i < named->options.size(); ++i) {
    const auto& [name, value] = named->options[i];
    const Loc at = i < named->option_locs.size() ? named->option_locs[i] : Loc{};
    fine = set(name, {value, scope, {}, value->loc}, at) && fine;
  }
  *args = std::move(operands);
  return fine;
}

// Operands without a dtype of their own take that of the others, else the one asked of the result.
std::vector<Value> Checker::operands(const ops::Operator& op, const std::vector<Arg>& args,
                                     const Hint& hint) {
  std::vector<Value> values(args.size());
  bool known = false;
  Dtype common = Dtype::f32;
  const auto soft = [&](std::size_t i) {
    return !args[i].value && adaptable(*args[i].ast, args[i].scope);
  };
  const auto learn = [&](const Type& type) {
    const auto dtype = element_dtype(type);
    if (known || !dtype || *dtype == Dtype::boolean) return;
    known = true;
    common = *dtype;
  };
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (soft(i)) continue;
    values[i] = expect_plain(value_of(args[i], {}), "an operand");
    if (!values[i].bad() && !operand_dtype(op.name, i)) learn(*values[i].type());
  }
  if (!own_dtype(std::string(op.name))) {
    if (hint.type) learn(*hint.type);
    if (hint.dtype) learn(*fun::scalar(*hint.dtype));
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!soft(i)) continue;
    const Dtype dtype = operand_dtype(op.name, i).value_or(common);
    values[i] = expect_plain(value_of(args[i], Hint::of_dtype(dtype)), "an operand");
  }
  return values;
}

bool Checker::list_allowed(const ops::Operator& op, const std::vector<Value>& values, Loc loc) {
  for (const Value& value : values) {
    const Type& type = *value.type();
    if (type.kind != Type::Kind::list || !op.over_lists) continue;
    const bool needs_item =
        is_one_of(std::string(op.name), {"max", "min", "mean", "logsumexp", "argmax", "argmin"});
    if (needs_item && !is_nonempty(value)) {
      error(Kind::empty_list_reduction, loc,
            fmt::format("'{}' of a list that may be empty: put a case for '[]' before, or match "
                        "[x, *rest]",
                        op.name));
      return false;
    }
  }
  return true;
}

Value Checker::apply_op(const ops::Operator& op, std::vector<Arg> args, const Expr* named,
                        const ScopeRef& scope, Loc loc, const Hint& hint) {
  const std::string name(op.name);
  const bool arithmetic_only = named && named->kind == Expr::Kind::op && named->options.empty();
  if (arithmetic_only && adaptable(*named, scope))
    if (const auto value = constant(*named, scope); value && value->integral)
      return number(value->number, std::to_string(value->dim.value()), loc, hint);
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = name;
  ops::Use use;
  use.op = &op;
  use.loc = named ? name_of(*named) : loc;
  if (!split_arguments(op, &args, named, scope, out.get(), &use.options)) return bad(loc);
  const std::vector<Value> values = operands(op, args, hint);
  for (const Value& value : values)
    if (value.bad()) return bad(loc);
  if (!list_allowed(op, values, loc)) return bad(loc);
  const TypeRef first = values.empty() ? nullptr : values[0].type();
  if (op.over_lists && first && first->kind == Type::Kind::list &&
      first->parts[0]->kind == Type::Kind::tuple)
    return over_components(op, values[0], loc);
  const Value* list = nullptr;
  for (const Value& value : values) {
    if (value.type()->kind == Type::Kind::list) list = &value;
    use.types.push_back(value.type());
    use.locs.push_back(value.loc);
    out->parts.push_back(value.expr);
  }
  const Result<TypeRef> type = ops::infer(use, *diagnostics_);
  if (!type) return bad(loc);
  out->type = *type;
  if (list && out->type->kind == Type::Kind::list) return list_like(out, *list);
  return literal(out, out->type);
}

Value Checker::filled(const std::string& name, const std::vector<Arg>& shape, Loc loc,
                      const Hint& hint) {
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = name;
  std::vector<Dim> dims;
  ops::Option option;
  option.is_list = true;
  option.loc = loc;
  for (const Arg& arg : shape) {
    const auto dim = arg.ast ? constant_dim(*arg.ast, arg.scope) : std::nullopt;
    if (!dim) {
      error(Kind::option_not_constant, arg.loc,
            fmt::format("an axis of '{}' has to be a dim or a literal integer", name));
      return bad(loc);
    }
    if (dim->value() < 0) {
      error(Kind::negative_size, arg.loc,
            fmt::format("an axis of '{}' is {}, which cannot be negative", name, fun::show(*dim)));
      return bad(loc);
    }
    dims.push_back(*dim);
    option.list.push_back(integer_option(*dim, arg.loc));
  }
  if (name == "iota" && dims.size() != 1) {
    error(Kind::wrong_argument_count, shape[dims.empty() ? 0 : 1].loc,
          fmt::format("'iota' has 1 axis, found {}: iota[n]", dims.size()));
    return bad(loc);
  }
  out->options.emplace_back("shape", option_expr(option));
  Dtype dtype = hint.dtype.value_or(Dtype::f32);
  if (hint.type) dtype = element_dtype(*hint.type).value_or(Dtype::f32);
  if (dtype == Dtype::boolean) dtype = Dtype::f32;
  return literal(out, fun::tensor(dtype, std::move(dims)));
}

}  // namespace espalier::fun_pass

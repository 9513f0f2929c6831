// Operators on lists, and functions on functions that wait for their derivatives.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

Value bad(Loc loc) {
  Value value;
  value.loc = loc;
  return value;
}

}  // namespace

bool Checker::is_nonempty(const Value& value) const {
  if (value.nonempty) return true;
  return std::any_of(value.lengths.begin(), value.lengths.end(), [this](int token) {
    return std::find(nonempty_.begin(), nonempty_.end(), token) != nonempty_.end();
  });
}

Value Checker::list_like(std::shared_ptr<Expr> e, const Value& model) {
  const TypeRef type = e->type;
  Value value = literal(std::move(e), type);
  value.nonempty = model.nonempty;
  value.lengths = model.lengths;
  if (value.lengths.empty()) value.lengths = {next_length_++};
  return value;
}

Value Checker::list_operator(const std::string& name, std::vector<Arg> args, Loc loc,
                             const Hint& hint) {
  if (name == "fold" || name == "scan") return fold(name, args, loc, hint);
  if (name == "zip") return zip(args, loc);
  if (name == "vjp" || name == "grad") {
    Value value = bad(loc);
    if (args.empty() || (name == "grad" && args.size() != 1)) {
      error(Kind::wrong_argument_count, args.empty() ? loc : args[1].loc,
            fmt::format("'{}' takes a function{}, found {} arguments: {}", name,
                        name == "vjp" ? " and its arguments" : "", args.size(),
                        name == "vjp" ? "vjp(f, x)(seed)" : "grad(f)(x)"));
      return value;
    }
    for (const Arg& arg : args) {
      value.parts.push_back(value_of(arg, {}));
      if (value.parts.back().bad()) return bad(loc);
    }
    value.kind = Value::Kind::gradient;
    value.name = name;
    return value;
  }
  if (!count_matches(args, {fmt::format("'{}'", name), {"xs"}, loc, {}})) return bad(loc);
  const Value list = expect_plain(value_of(args[0], name == "reverse" ? hint : Hint()), "a list");
  if (list.bad()) return list;
  if (name == "enumerate") return enumerate(list, loc);
  if (list.type()->kind != Type::Kind::list) {
    error(Kind::not_a_list, args[0].loc,
          fmt::format("'{}' takes a list, found {}", name, show(*list.type())));
    return bad(loc);
  }
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = name;
  out->parts = {list.expr};
  if (name == "len") return literal(out, fun::scalar(Dtype::i64));
  out->type = list.type();
  return list_like(out, list);
}

Value Checker::enumerate(const Value& list, Loc loc) {
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = "enumerate";
  out->parts = {list.expr};
  const Type& type = *list.type();
  if (type.kind == Type::Kind::list) {
    out->type = fun::list_of(fun::tuple_of({fun::scalar(Dtype::i64), type.parts[0]}));
    return list_like(out, list);
  }
  if (type.kind != Type::Kind::tensor || type.shape.empty()) {
    error(Kind::not_a_list, list.loc,
          fmt::format("'enumerate' takes a list or a tensor with an axis, found {}", show(type)));
    return bad(loc);
  }
  const std::vector<Dim> rest(type.shape.begin() + 1, type.shape.end());
  out->type =
      fun::list_of(fun::tuple_of({fun::index_type(type.shape[0]), fun::tensor(type.dtype, rest)}));
  Value value = list_like(out, bad(loc));
  value.nonempty = type.shape[0].value() > 0;
  return value;
}

Value Checker::zip(std::vector<Arg>& args, Loc loc) {
  if (args.size() < 2) {
    error(Kind::wrong_argument_count, loc,
          fmt::format("'zip' takes at least 2 lists (xs, ys, ..), found {}", args.size()));
    return bad(loc);
  }
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = "zip";
  std::vector<TypeRef> items;
  Value all = bad(loc);
  for (const Arg& arg : args) {
    const Value list = expect_plain(value_of(arg, {}), "a list");
    if (list.bad()) return list;
    if (list.type()->kind != Type::Kind::list) {
      error(Kind::not_a_list, arg.loc,
            fmt::format("'zip' takes lists, found {}", show(*list.type())));
      return bad(loc);
    }
    out->parts.push_back(list.expr);
    items.push_back(list.type()->parts[0]);
    // All are of one length where the call goes on.
    all.nonempty = all.nonempty || list.nonempty;
    all.lengths.insert(all.lengths.end(), list.lengths.begin(), list.lengths.end());
  }
  out->type = fun::list_of(fun::tuple_of(std::move(items)));
  return list_like(out, all);
}

// sum(xs) of tuples: (h = sum(x.h for x in xs), c = sum(x.c for x in xs)).
Value Checker::over_components(const ops::Operator& op, Value list, Loc loc) {
  const TypeRef item = list.type()->parts[0];
  if (list.expr->kind != Expr::Kind::variable) list = let("items", list, loc);
  std::vector<Value> results;
  for (std::size_t i = 0; i < item->parts.size(); ++i) {
    auto each = fun::make(Expr::Kind::each, loc);
    {
      Region region(this);
      ScopeRef scope;
      Pattern variable;
      variable.kind = Pattern::Kind::variable;
      variable.name = "item";
      variable.loc = loc;
      each->params = {pattern(variable, item, &scope)};
      const Value part =
          field_of(find(scope, "item")->value,
                   item->names.empty() ? std::to_string(i) : item->names[i], loc, loc);
      each->parts = {region.close(part.expr), list.expr};
      each->type = fun::list_of(part.type());
    }
    const Value column = list_like(each, list);
    results.push_back(apply_op(op, {{nullptr, nullptr, column, loc}}, nullptr, nullptr, loc, {}));
    if (results.back().bad()) return bad(loc);
  }
  if (results[0].type()->kind != Type::Kind::list) return tuple_value(results, item->names, loc);
  std::vector<Arg> columns;
  for (const Value& result : results) columns.push_back({nullptr, nullptr, result, loc});
  if (columns.size() == 1) columns.push_back(columns[0]);
  const Value rows = zip(columns, loc);
  auto out = fun::make(Expr::Kind::each, loc);
  {
    Region region(this);
    Pattern variable;
    variable.kind = Pattern::Kind::variable;
    variable.name = "item";
    variable.loc = loc;
    ScopeRef scope;
    out->params = {pattern(variable, rows.type()->parts[0], &scope)};
    std::vector<Value> parts;
    for (std::size_t i = 0; i < item->parts.size(); ++i)
      parts.push_back(field_of(find(scope, "item")->value, std::to_string(i), loc, loc));
    const Value row = tuple_value(std::move(parts), item->names, loc);
    out->parts = {region.close(row.expr), rows.expr};
    out->type = fun::list_of(row.type());
  }
  return list_like(out, list);
}

// f as a lambda of a state and an item.
std::optional<Checker::Step> Checker::step(const Value& f, const TypeRef& state,
                                           const TypeRef& item) {
  auto lambda = fun::make(Expr::Kind::lambda, f.loc);
  Region region(this);
  const TypeRef types[] = {state, item};
  std::string names[] = {"state", "item"};
  if (f.kind == Value::Kind::closure && f.expr->params.size() == 2)
    for (std::size_t i = 0; i < 2; ++i)
      if (f.expr->params[i]->kind == Pattern::Kind::variable) names[i] = f.expr->params[i]->name;
  if (f.kind == Value::Kind::function)
    if (const auto& params = module_->find_function(f.name)->args; params.size() == 2)
      for (std::size_t i = 0; i < 2; ++i) names[i] = params[i].named.name;
  std::vector<Arg> args;
  for (std::size_t i = 0; i < 2; ++i) {
    Pattern variable;
    variable.kind = Pattern::Kind::variable;
    variable.name = names[i];
    variable.loc = f.loc;
    ScopeRef scope;
    lambda->params.push_back(pattern(variable, types[i], &scope));
    args.push_back({nullptr, nullptr, find(scope, names[i])->value, f.loc});
  }
  const Value result =
      expect_plain(apply(f, args, f.loc, Hint::exactly(state)), "the state of a fold");
  if (result.bad()) return std::nullopt;
  const ExprRef body = region.close(result.expr);
  lambda->parts = {body};
  lambda->type = fun::function_type({state, item}, body->type);
  return Step{lambda, body->type};
}

// A start without a dtype of its own (zeros, 0) takes that of the states. Where none makes the step
// well-typed, it stays as it is: what the step then says is the mistake.
Value Checker::start(const Value& f, Arg& written, const Value& init, const TypeRef& item) {
  Quiet quiet(this);
  const auto tried = step(f, init.type(), item);
  TypeRef wanted = tried ? tried->result : item;
  if (tried && fits(*wanted, *init.type())) return init;
  for (int tries = 0; tries < 2; ++tries) {
    const Value again = value_of(written, Hint::exactly(wanted));
    if (!again.plain() || same(*again.type(), *init.type())) return init;
    const auto next = step(f, again.type(), item);
    if (!next) return init;
    if (fits(*next->result, *again.type())) return again;
    wanted = next->result;
  }
  return init;
}

// Whether a function of a fold or scan can be called with a state and an item.
bool Checker::takes_two(const Value& f, const std::string& fold) {
  int least = 2, most = 2;
  if (f.kind == Value::Kind::closure) least = most = static_cast<int>(f.expr->params.size());
  if (f.kind == Value::Kind::function)
    least = most = static_cast<int>(module_->find_function(f.name)->args.size());
  if (const ops::Operator* op = f.kind == Value::Kind::op ? ops::find(f.name) : nullptr) {
    least = op->min_args;
    most = op->max_args;
  }
  if (least <= 2 && most >= 2) return true;
  error(Kind::fold_function, f.loc,
        fmt::format("'{}' calls its function with a state and an item, but this one takes {} "
                    "argument{}",
                    fold, least, least == 1 ? "" : "s"));
  return false;
}

Value Checker::fold(const std::string& name, std::vector<Arg>& args, Loc loc, const Hint& hint) {
  if (!count_matches(args, {fmt::format("'{}'", name), {"f", "init", "xs"}, loc, {}}))
    return bad(loc);
  const Value f = value_of(args[0], {});
  if (!takes_two(f, name)) return bad(loc);
  const Value list = expect_plain(value_of(args[2], {}), "a list");
  const Hint state_hint = name == "fold" ? hint : hint.part(0);
  Value init = expect_plain(value_of(args[1], state_hint), "the state of a fold");
  if (f.bad() || init.bad() || list.bad()) return bad(loc);
  if (list.type()->kind != Type::Kind::list) {
    error(Kind::not_a_list, args[2].loc,
          fmt::format("'{}' goes through a list, found {}", name, show(*list.type())));
    return bad(loc);
  }
  const TypeRef item = list.type()->parts[0];
  if (!args[1].value) init = start(f, args[1], init, item);
  const auto made = step(f, init.type(), item);
  if (!made) return bad(loc);
  if (!fits(*made->result, *init.type())) {
    error(Kind::fold_state, args[0].loc,
          fmt::format("'{}' starts with {}, but its function gives {}", name, show(*init.type()),
                      show(*made->result)))
        .notes.push_back({args[1].loc, "the start is here"});
    return bad(loc);
  }
  auto out = fun::make(Expr::Kind::op, loc);
  out->name = name;
  out->parts = {made->lambda, init.expr, list.expr};
  if (name == "fold") return literal(out, init.type());
  out->type = fun::list_of(init.type());
  return list_like(out, list);
}

}  // namespace espalier::fun_pass

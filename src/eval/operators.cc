// Operators: those of ops/ on tensors, and the ones that take lists.
#include "base/bug.h"
#include "eval/interpreter.h"
#include "ops/use.h"

namespace espalier::eval {
namespace {

using fun::Expr;
using fun::Type;

ops::Tensor zeros_of(const Type& type) {
  std::vector<std::int64_t> shape;
  if (type.kind == Type::Kind::tensor)
    for (const fun::Dim& dim : type.shape) shape.push_back(dim.value());
  return ops::zeros(type.kind == Type::Kind::index ? Dtype::i64 : type.dtype, shape);
}

Value::Items rows_of(const ops::Tensor& tensor) {
  Value::Items out;
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i)
    out.push_back(make_tensor(ops::row(tensor, i)));
  return out;
}

// The items of a list, or the rows of a tensor.
Value::Items items_of(const Value& value) {
  if (value.kind == Value::Kind::tensor) return rows_of(value.tensor);
  return {value.items->begin() + static_cast<std::ptrdiff_t>(value.begin),
          value.items->begin() + static_cast<std::ptrdiff_t>(value.end)};
}

}  // namespace

const ops::Use& Interpreter::use_of(const Expr& e) {
  const auto it = uses_.find(&e);
  if (it != uses_.end()) return it->second;
  return uses_.emplace(&e, ops::use_of(e)).first->second;
}

ValueRef Interpreter::eval_op(const Expr& e, Env& env) {
  if (e.name == "fold" || e.name == "scan") return eval_fold(e, env, e.name == "scan");
  const Value::Items operands = eval_all(e.parts, env);
  if (e.name == "len")
    return make_integer(static_cast<std::int64_t>(items_of(*operands[0]).size()));
  if (e.name == "reverse") {
    const Value::Items items = items_of(*operands[0]);
    return make_list({items.rbegin(), items.rend()});
  }
  if (e.name == "enumerate") {
    Value::Items out;
    for (const ValueRef& i : items_of(*operands[0]))
      out.push_back(make_tuple({make_integer(static_cast<std::int64_t>(out.size())), i}, {}));
    return make_list(std::move(out));
  }
  if (e.name == "zip") return zip(operands, env);
  const ops::Use& use = use_of(e);
  if (!operands.empty() && e.parts[0]->type->kind == Type::Kind::list)
    return reduce_list(use, operands, e.type, env);
  std::vector<ops::Tensor> tensors;
  for (const ValueRef& operand : operands) tensors.push_back(operand->tensor);
  return apply(use, tensors, *e.type, env);
}

ValueRef Interpreter::apply(const ops::Use& use, const std::vector<ops::Tensor>& tensors,
                            const Type& result, const Env& env) {
  std::vector<ops::Tensor> out = use.op->evaluate(use, tensors);
  if (out.empty()) throw Failure{{"index_out_of_range", env.node, ops::wrong_index(use, tensors)}};
  if (result.kind == Type::Kind::list) return make_list(rows_of(out[0]));
  if (result.kind != Type::Kind::tuple) return make_tensor(std::move(out[0]));
  Value::Items parts;
  for (ops::Tensor& tensor : out) parts.push_back(make_tensor(std::move(tensor)));
  return make_tuple(std::move(parts), result.names);
}

// Of a list of tuples component by component; else stacked along a new first axis.
ValueRef Interpreter::reduce_list(const ops::Use& use, const Value::Items& operands,
                                  const fun::TypeRef& result, const Env& env) {
  const Type& item_type = *use.types[0]->parts[0];
  const Value::Items items = items_of(*operands[0]);
  if (item_type.kind != Type::Kind::tuple) {
    std::vector<ops::Tensor> tensors;
    for (const ValueRef& i : items) tensors.push_back(i->tensor);
    std::vector<ops::Tensor> arguments{ops::stack(tensors, zeros_of(item_type))};
    for (std::size_t i = 1; i < operands.size(); ++i) arguments.push_back(operands[i]->tensor);
    return apply(use, arguments, *result, env);
  }
  const bool to_list = result->kind == Type::Kind::list;
  const Type& result_item = to_list ? *result->parts[0] : *result;
  Value::Items parts;
  for (std::size_t c = 0; c < item_type.parts.size(); ++c) {
    ops::Use component = use;
    component.types[0] = fun::list_of(item_type.parts[c]);
    component.result = to_list ? fun::list_of(result_item.parts[c]) : result_item.parts[c];
    Value::Items column;
    for (const ValueRef& i : items) column.push_back(i->parts[c]);
    parts.push_back(reduce_list(component, {make_list(std::move(column))}, component.result, env));
  }
  if (!to_list) return make_tuple(std::move(parts), item_type.names);
  Value::Items out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Value::Items row;
    for (const ValueRef& part : parts) row.push_back(item(*part, i));
    out.push_back(make_tuple(std::move(row), item_type.names));
  }
  return make_list(std::move(out));
}

ValueRef Interpreter::eval_fold(const Expr& e, Env& env, bool scan) {
  ValueRef state = eval(e.parts[1], env);
  Value::Items states;
  for (const ValueRef& i : items_of(*eval(e.parts[2], env))) {
    state = apply_lambda(*e.parts[0], {state, i}, env);
    if (scan) states.push_back(state);
  }
  return scan ? make_list(std::move(states)) : state;
}

ValueRef Interpreter::apply_lambda(const Expr& lambda, const Value::Items& args, Env& env) {
  require(lambda.kind == Expr::Kind::lambda, "a function that is no lambda");
  const std::size_t outer = env.names.size();
  for (std::size_t i = 0; i < args.size(); ++i)
    require(bind(*lambda.params[i], args[i], env), "an argument does not match its pattern");
  ValueRef result = eval(lambda.parts[0], env);
  env.names.resize(outer);
  return result;
}

ValueRef Interpreter::zip(const Value::Items& lists, const Env& env) {
  std::vector<Value::Items> columns;
  for (const ValueRef& list : lists) {
    columns.push_back(items_of(*list));
    const std::size_t n = columns.back().size();
    if (n != columns[0].size())
      throw Failure{{"unequal_lengths", env.node, static_cast<std::int64_t>(n)}};
  }
  Value::Items out;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    Value::Items row;
    for (const Value::Items& column : columns) row.push_back(column[i]);
    out.push_back(make_tuple(std::move(row), {}));
  }
  return make_list(std::move(out));
}

}  // namespace espalier::eval

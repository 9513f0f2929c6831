#include "eval/interpreter.h"

#include <charconv>

#include "base/bug.h"
#include "base/numbers.h"

namespace espalier::eval {
namespace {

using fun::Expr;
using fun::Type;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The number of component `name` of a tuple of type `type`.
std::size_t component(const Type& type, const std::string& name) {
  for (std::size_t i = 0; i < type.names.size(); ++i)
    if (type.names[i] == name) return i;
  const auto number = parse_int(name);
  require(number && *number >= 0 && at(*number) < type.parts.size(), "no such field");
  return at(*number);
}

std::int64_t literal(const fun::ExprRef& e) { return static_cast<std::int64_t>(e->number); }

}  // namespace

Interpreter::Interpreter(const fun::Module& module, const Weights& weights, const Forest& forest,
                         const ForestData& data)
    : module_(module), weights_(weights), forest_(forest), data_(data), graph_(call_graph(module)) {
  for (const auto& [name, group] : graph_.together)
    for (const std::string& member : group)
      partners_[name].push_back(module_.find_function(member));
}

ValueRef Interpreter::eval(const fun::ExprRef& e, Env& env) {
  switch (e->kind) {
    case Expr::Kind::variable: return eval_variable(*e, env);
    case Expr::Kind::number: return eval_number(*e);
    case Expr::Kind::block: return eval_block(*e, env);
    case Expr::Kind::tuple: return make_tuple(eval_all(e->parts, env), e->type->names);
    case Expr::Kind::field: return eval_field(*e, env);
    case Expr::Kind::conditional:
      return eval(e->parts[integer_of(*eval(e->parts[0], env)) != 0 ? 1 : 2], env);
    case Expr::Kind::match: return eval_match(*e, env);
    case Expr::Kind::call: return eval_call(*e, env);
    case Expr::Kind::op: return eval_op(*e, env);
    case Expr::Kind::construct: return make_data(e->type_name, e->name, eval_all(e->parts, env));
    case Expr::Kind::list: return make_list(eval_all(e->parts, env));
    case Expr::Kind::each: return eval_each(*e, env);
    case Expr::Kind::index: return eval_index(*e, env);
    case Expr::Kind::text:
    case Expr::Kind::lambda: break;
  }
  throw Bug("an expression that has no value of its own is evaluated");
}

Value::Items Interpreter::eval_all(const std::vector<fun::ExprRef>& parts, Env& env) {
  Value::Items out;
  for (const fun::ExprRef& part : parts) out.push_back(eval(part, env));
  return out;
}

ValueRef Interpreter::eval_variable(const Expr& e, const Env& env) {
  if (e.binding == Expr::Binding::parameter) return parameter(e.name);
  if (e.binding == Expr::Binding::constant) return constant(e.name);
  for (auto it = env.names.rbegin(); it != env.names.rend(); ++it)
    if (*it->first == e.name) return it->second;
  throw Bug("the evaluator does not know the variable");
}

ValueRef Interpreter::parameter(const std::string& name) {
  ValueRef& value = globals_[name];
  if (value) return value;
  const fun::Named* param = module_.find_param(name);
  require(param != nullptr, "an unknown parameter");
  const auto tensor = [&](const std::string& leaf) {
    const auto it = weights_.find(leaf);
    require(it != weights_.end(), "a parameter without a value");
    return make_tensor(it->second);
  };
  const std::function<ValueRef(const std::string&, const Type&)> build =
      [&](const std::string& prefix, const Type& type) {
        if (type.kind != Type::Kind::tuple) return tensor(prefix);
        Value::Items parts;
        for (std::size_t i = 0; i < type.parts.size(); ++i)
          parts.push_back(
              build(prefix + '.' + (type.names.empty() ? std::to_string(i) : type.names[i]),
                    *type.parts[i]));
        return make_tuple(std::move(parts), type.names);
      };
  return value = build(name, *param->type);
}

ValueRef Interpreter::constant(const std::string& name) {
  ValueRef& value = globals_[name];
  if (value) return value;
  const fun::Constant* c = module_.find_constant(name);
  require(c != nullptr, "an unknown constant");
  ops::Tensor tensor;
  tensor.dtype = Dtype::f64;
  for (const fun::Dim& dim : c->type->shape) tensor.shape.push_back(dim.value());
  tensor.f = c->values;
  return value = make_tensor(ops::convert(tensor, c->type->dtype));
}

ValueRef Interpreter::eval_number(const Expr& e) const {
  const Type& type = *e.type;
  if (type.kind == Type::Kind::index) return make_integer(literal(std::make_shared<Expr>(e)));
  if (!is_float(type.dtype)) {
    const auto exact = parse_int(e.number_text);
    const std::int64_t value = exact ? *exact : static_cast<std::int64_t>(e.number);
    return make_tensor(ops::integer(value, type.dtype));
  }
  return make_tensor(ops::convert(ops::scalar(e.number), type.dtype));
}

ValueRef Interpreter::eval_block(const Expr& e, Env& env) {
  const std::size_t outer = env.names.size();
  for (const fun::Statement& s : e.statements)
    require(bind(*s.pattern, eval(s.value, env), env), "a statement's pattern does not match");
  ValueRef result = eval(e.parts[0], env);
  env.names.resize(outer);
  return result;
}

ValueRef Interpreter::eval_field(const Expr& e, Env& env) {
  const ValueRef of = eval(e.parts[0], env);
  return of->parts[component(*e.parts[0]->type, e.name)];
}

ValueRef Interpreter::eval_match(const Expr& e, Env& env) {
  const ValueRef value = eval(e.parts[0], env);
  const std::size_t outer = env.names.size();
  for (const fun::Case& c : e.cases) {
    if (bind(*c.pattern, value, env)) {
      ValueRef result = eval(c.body, env);
      env.names.resize(outer);
      return result;
    }
    env.names.resize(outer);
  }
  throw Bug("no case of a match fits");
}

ValueRef Interpreter::eval_call(const Expr& e, Env& env) {
  const fun::Function* f = module_.find_function(e.name);
  require(f != nullptr, "a call of an unknown function");
  return call(*f, eval_all(e.parts, env));
}

ValueRef Interpreter::eval_each(const Expr& e, Env& env) {
  const ValueRef list = eval(e.parts[1], env);
  const std::size_t outer = env.names.size();
  Value::Items out;
  for (std::size_t i = 0; i < length(*list); ++i) {
    require(bind(*e.params[0], item(*list, i), env), "an item does not match its pattern");
    out.push_back(eval(e.parts[0], env));
    env.names.resize(outer);
  }
  return make_list(std::move(out));
}

namespace {

// What an index takes of one axis.
struct Taken {
  std::vector<std::int64_t> places;
  bool keeps_axis = true;
};

ops::Tensor take(const ops::Tensor& from, const std::vector<Taken>& taken) {
  ops::Tensor out;
  out.dtype = from.dtype;
  for (const Taken& t : taken)
    if (t.keeps_axis) out.shape.push_back(static_cast<std::int64_t>(t.places.size()));
  const std::function<void(std::size_t, std::int64_t)> copy = [&](std::size_t axis,
                                                                  std::int64_t flat) {
    if (axis == taken.size()) {
      if (from.real())
        out.f.push_back(from.f[at(flat)]);
      else
        out.i.push_back(from.i[at(flat)]);
      return;
    }
    for (const std::int64_t place : taken[axis].places)
      copy(axis + 1, flat * from.shape[axis] + place);
  };
  copy(0, 0);
  return out;
}

}  // namespace

ValueRef Interpreter::eval_index(const Expr& e, Env& env) {
  const ValueRef of = eval(e.parts[0], env);
  std::vector<Taken> taken;
  for (std::size_t axis = 0; axis < of->tensor.shape.size(); ++axis) {
    const std::int64_t extent = of->tensor.shape[axis];
    Taken t;
    std::int64_t begin = 0, end = extent, step = 1;
    if (axis < e.indices.size()) {
      const fun::Index& index = e.indices[axis];
      if (index.slice) {
        if (index.begin) begin = literal(index.begin);
        if (index.end) end = literal(index.end);
        if (index.step) step = literal(index.step);
      } else {
        begin = integer_of(*eval(index.at, env));
        if (begin < 0 || begin >= extent) throw Failure{{"index_out_of_range", env.node, begin}};
        end = begin + 1;
        t.keeps_axis = false;
      }
    }
    for (std::int64_t i = begin; i < end; i += step) t.places.push_back(i);
    taken.push_back(std::move(t));
  }
  return make_tensor(take(of->tensor, taken));
}

}  // namespace espalier::eval

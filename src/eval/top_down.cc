#include "eval/top_down.h"

#include <algorithm>

#include "base/bug.h"
#include "eval/validate.h"

namespace espalier::eval {
namespace {

std::int64_t node_of(const Value::Items& args) {
  for (const ValueRef& arg : args)
    if (arg->kind == Value::Kind::node) return arg->node;
  throw Bug("a top-down call on no node");
}

ValueRef zero(const fun::Type& type) {
  using Kind = fun::Type::Kind;
  if (type.kind == Kind::tuple) {
    Value::Items parts;
    for (const fun::TypeRef& part : type.parts) parts.push_back(zero(*part));
    return make_tuple(std::move(parts), type.names);
  }
  if (type.kind == Kind::list) return make_list({});
  if (type.kind == Kind::data) return make_data(type.name, "", {});
  std::vector<std::int64_t> shape;
  if (type.kind == Kind::tensor)
    for (const fun::Dim& dim : type.shape) shape.push_back(dim.value());
  return make_tensor(ops::zeros(type.kind == Kind::index ? Dtype::i64 : type.dtype, shape));
}

template <class T>
T combine(const std::string& how, T a, T b) {
  if (how == "sum") return a + b;
  if (how == "prod") return a * b;
  if (how == "max") return !(b > a) && b == b ? a : b;
  if (how == "min") return !(b < a) && b == b ? a : b;
  throw Bug("an unknown way to combine arguments");
}

ValueRef combine(const std::string& how, const Value& a, const Value& b) {
  Value out = a;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    out.parts[i] = combine(how, *a.parts[i], *b.parts[i]);
  for (std::size_t i = 0; i < a.tensor.f.size(); ++i)
    out.tensor.f[i] = combine(how, a.tensor.f[i], b.tensor.f[i]);
  for (std::size_t i = 0; i < a.tensor.i.size(); ++i)
    out.tensor.i[i] = combine(how, a.tensor.i[i], b.tensor.i[i]);
  return std::make_shared<const Value>(std::move(out));
}

}  // namespace

TopDown::TopDown(Interpreter& interpreter, const fun::Function& outer)
    : interpreter_(interpreter), outer_(outer), around_(interpreter.top_down_) {
  interpreter_.top_down_ = this;
}

TopDown::~TopDown() { interpreter_.top_down_ = around_; }

bool TopDown::handles(const fun::Function& f) const {
  const auto& group = interpreter_.graph_.together.at(outer_.name);
  return std::find(group.begin(), group.end(), f.name) != group.end();
}

ValueRef TopDown::outer_call(const Value::Items& args) {
  const std::int64_t root = node_of(args);
  passed_[{outer_.name, root}].push_back(args);
  const std::vector<std::int64_t> nodes = below(root);
  const auto sweep = [&](std::int64_t n) {
    for (const fun::Function* f : interpreter_.partners_[outer_.name]) {
      const Place place{f->name, n};
      if (passed_.count(place) == 0) continue;
      Env env;
      env.node = n;
      const Value::Items all = combined(*f, place);
      for (std::size_t i = 0; i < all.size(); ++i)
        env.names.emplace_back(&f->args[i].named.name, all[i]);
      try {
        ValueRef result = interpreter_.eval(f->body, env);
        if (collecting_) continue;
        if (result->kind == Value::Kind::data && result->node < 0) {
          auto placed = std::make_shared<Value>(*result);
          placed->node = n;
          result = placed;
        }
        results_[place] = result;
      } catch (const Failure&) {
        if (!collecting_) throw;
      }
    }
  };
  std::for_each(nodes.begin(), nodes.end(), sweep);
  collecting_ = false;
  std::for_each(nodes.rbegin(), nodes.rend(), sweep);
  return results_.at({outer_.name, root});
}

ValueRef TopDown::inner_call(const fun::Function& f, const Value::Items& args) {
  const Place place{f.name, node_of(args)};
  if (!collecting_) return results_.at(place);
  passed_[place].push_back(args);
  return zero(*f.returns);
}

Value::Items TopDown::combined(const fun::Function& f, const Place& place) const {
  const std::vector<Value::Items>& sets = passed_.at(place);
  Value::Items out = sets[0];
  for (std::size_t s = 1; s < sets.size(); ++s)
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!f.args[i].combine.empty()) out[i] = combine(f.args[i].combine, *out[i], *sets[s][i]);
  return out;
}

std::vector<std::int64_t> TopDown::below(std::int64_t root) const {
  std::vector<std::int64_t> order;  // children before parents, then turned round
  std::vector<bool> seen(static_cast<std::size_t>(interpreter_.data_.nodes), false);
  std::vector<std::pair<std::int64_t, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [n, below_done] = stack.back();
    stack.pop_back();
    if (below_done) {
      order.push_back(n);
      continue;
    }
    if (seen[static_cast<std::size_t>(n)]) continue;
    seen[static_cast<std::size_t>(n)] = true;
    stack.emplace_back(n, true);
    for (const std::int64_t k : children_of(interpreter_.forest_, interpreter_.data_, n))
      stack.emplace_back(k, false);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace espalier::eval

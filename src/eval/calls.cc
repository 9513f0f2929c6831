// Calls of functions: each is evaluated once for equal arguments, children before parents where
// nothing but a node is passed, so that depth does not count.
#include <algorithm>

#include "base/bug.h"
#include "eval/deep_stack.h"
#include "eval/interpreter.h"
#include "eval/top_down.h"
#include "eval/validate.h"

namespace espalier::eval {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The first argument that is a node or built data, or null.
const Value* structure(const Value::Items& args) {
  for (const ValueRef& arg : args)
    if (arg->kind == Value::Kind::node || arg->kind == Value::Kind::data) return arg.get();
  return nullptr;
}

bool is_structure(const fun::Argument& arg) {
  return arg.named.type->kind == fun::Type::Kind::data;
}

// Data that a function built belongs to the node that the function was called on.
ValueRef at_node(const ValueRef& result, const Value* of) {
  if (result->kind != Value::Kind::data || result->node >= 0 || of == nullptr) return result;
  auto placed = std::make_shared<Value>(*result);
  placed->node = of->node;
  return placed;
}

}  // namespace

std::size_t Interpreter::KeyHash::operator()(const Key& key) const {
  std::size_t hash = key.size();
  for (const std::uintptr_t word : key) hash = (hash ^ word) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

const std::string& Interpreter::type_of(std::int64_t node) const {
  return forest_.variants[at(data_.variant[at(node)])].type;
}

bool Interpreter::combines(const fun::Function& f) const {
  return std::any_of(f.args.begin(), f.args.end(),
                     [](const fun::Argument& arg) { return !arg.combine.empty(); });
}

ValueRef Interpreter::call(const fun::Function& f, const Value::Items& args) {
  if (top_down_ != nullptr && top_down_->handles(f)) return top_down_->inner_call(f, args);
  const bool down = graph_.top_down[f.name];
  const bool anew = down || graph_.calls_down[f.name];  // in each call of the entry
  Key key{reinterpret_cast<std::uintptr_t>(&f),
          static_cast<std::uintptr_t>(anew ? entry_call_ : 0)};
  for (const ValueRef& arg : args)
    key.push_back(arg->kind == Value::Kind::node ? static_cast<std::uintptr_t>(arg->node)
                                                 : reinterpret_cast<std::uintptr_t>(arg.get()));
  if (const auto it = memory_.find(key); it != memory_.end()) return it->second.result;

  const Value* on = structure(args);
  if (on != nullptr && on->kind == Value::Kind::node && down) note_visit(on->node);
  if (on != nullptr && on->kind == Value::Kind::node && args.size() == 1 &&
      graph_.recursive.at(f.name)) {
    prepare(f, on->node);
    if (const auto it = memory_.find(key); it != memory_.end()) return it->second.result;
  }
  ValueRef result = call_now(f, args);
  memory_[key] = {args, result};
  return result;
}

ValueRef Interpreter::call_now(const fun::Function& f, const Value::Items& args) {
  const Value* on = structure(args);
  if (combines(f) && on != nullptr && on->kind == Value::Kind::node) {
    TopDown sweep(*this, f);
    return sweep.outer_call(args);
  }
  if (!stack_left()) throw Failure{{"too_deep", on != nullptr ? on->node : -1, 0}};
  Env env;
  env.node = on != nullptr ? on->node : -1;
  for (std::size_t i = 0; i < args.size(); ++i)
    env.names.emplace_back(&f.args[i].named.name, args[i]);
  return at_node(eval(f.body, env), on);
}

// Calls the functions of f's group that take nothing but a node, below `node` and on it. One that
// fails is left for whoever needs it.
void Interpreter::prepare(const fun::Function& f, std::int64_t node) {
  std::vector<bool>& seen = prepared_[graph_.together.at(f.name)[0]];
  seen.resize(at(data_.nodes), false);
  if (seen[at(node)]) return;
  std::vector<std::pair<std::int64_t, bool>> stack{{node, false}};
  while (!stack.empty()) {
    const auto [n, below_done] = stack.back();
    stack.pop_back();
    if (!below_done) {
      if (seen[at(n)]) continue;
      seen[at(n)] = true;
      stack.emplace_back(n, true);
      for (const std::int64_t k : children_of(forest_, data_, n)) stack.emplace_back(k, false);
      continue;
    }
    for (const fun::Function* g : partners_[f.name]) {
      if (g->args.size() != 1 || !is_structure(g->args[0])) continue;
      if (g->args[0].named.type->name != type_of(n)) continue;
      try {
        call(*g, {make_node(n)});
      } catch (const Failure&) {
      }
    }
  }
}

bool Interpreter::is_shared(std::int64_t node) const {
  return std::any_of(forest_.types.begin(), forest_.types.end(), [&](const DataType& type) {
    return type.name == type_of(node) && type.shared;
  });
}

// Two calls of an entry may not pass different things down one tree. Nodes of shared types belong
// to it where its root is of one.
void Interpreter::note_visit(std::int64_t root) {
  visits_.resize(at(data_.nodes));
  const bool through_shared = is_shared(root);
  std::vector<std::int64_t> stack{root};
  while (!stack.empty()) {
    const std::int64_t n = stack.back();
    stack.pop_back();
    Visits& visits = visits_[at(n)];
    if (visits.last == entry_call_) continue;
    if (visits.first < 0)
      visits.first = entry_call_;
    else if (overlap_.ok() || n < overlap_.node)
      overlap_ = {"overlapping_calls", n, entry_call_};
    visits.last = entry_call_;
    for (const std::int64_t k : children_of(forest_, data_, n))
      if (through_shared || !is_shared(k)) stack.push_back(k);
  }
}

}  // namespace espalier::eval

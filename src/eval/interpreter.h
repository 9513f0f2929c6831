// Expressions of core fun, evaluated one by one in double precision.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "eval/outcome.h"
#include "eval/payload.h"
#include "eval/recursion.h"
#include "eval/value.h"
#include "fun/forest.h"
#include "fun/module.h"
#include "ops/op.h"

namespace espalier::eval {

// A run-time error; thrown where it is found, caught where an entry is called.
struct Failure {
  Status status;
};

// What names stand for, innermost last, and the node that the function at work was called on.
struct Env {
  std::vector<std::pair<const std::string*, ValueRef>> names;
  std::int64_t node = -1;
};

class Interpreter {
 public:
  // All must outlive the interpreter. `data` has passed validate().
  Interpreter(const fun::Module&, const Weights&, const Forest&, const ForestData& data);

  // `f` of `args`; remembered, so that each function is evaluated once for equal arguments.
  ValueRef call(const fun::Function& f, const Value::Items& args);
  ValueRef eval(const fun::ExprRef&, Env&);

  // What follows belongs to call `number` of the entry. Where an argument changes on the way down,
  // the trees of two calls may not overlap; overlap() is the lowest node where they did.
  void begin_call(int number) { entry_call_ = number; }
  const Status& overlap() const { return overlap_; }

 private:
  friend class TopDown;

  // interpreter.cc
  ValueRef eval_variable(const fun::Expr&, const Env&);
  ValueRef eval_number(const fun::Expr&) const;
  ValueRef eval_block(const fun::Expr&, Env&);
  ValueRef eval_field(const fun::Expr&, Env&);
  ValueRef eval_match(const fun::Expr&, Env&);
  ValueRef eval_call(const fun::Expr&, Env&);
  ValueRef eval_each(const fun::Expr&, Env&);
  ValueRef eval_index(const fun::Expr&, Env&);
  Value::Items eval_all(const std::vector<fun::ExprRef>&, Env&);
  ValueRef parameter(const std::string& name);
  ValueRef constant(const std::string& name);

  // patterns.cc
  bool bind(const fun::Pattern&, const ValueRef&, Env&);
  bool bind_variant(const fun::Pattern&, const Value&, Env&);
  bool bind_list(const fun::Pattern&, const ValueRef&, Env&);

  // operators.cc
  ValueRef eval_op(const fun::Expr&, Env&);
  ValueRef apply(const ops::Use&, const std::vector<ops::Tensor>&, const fun::Type& result,
                 const Env&);
  ValueRef reduce_list(const ops::Use&, const Value::Items& operands, const fun::TypeRef& result,
                       const Env&);
  ValueRef eval_fold(const fun::Expr&, Env&, bool scan);
  ValueRef apply_lambda(const fun::Expr& lambda, const Value::Items& args, Env&);
  static ValueRef zip(const Value::Items& lists, const Env&);
  const ops::Use& use_of(const fun::Expr&);

  // calls.cc
  using Key = std::vector<std::uintptr_t>;
  struct KeyHash {
    std::size_t operator()(const Key&) const;
  };
  struct Remembered {
    Value::Items args;  // kept alive, as the key holds their addresses
    ValueRef result;
  };
  ValueRef call_now(const fun::Function&, const Value::Items& args);
  void prepare(const fun::Function&, std::int64_t node);
  void note_visit(std::int64_t node);
  bool is_shared(std::int64_t node) const;
  bool combines(const fun::Function&) const;
  const std::string& type_of(std::int64_t node) const;

  const fun::Module& module_;
  const Weights& weights_;
  const Forest& forest_;
  const ForestData& data_;
  CallGraph graph_;
  std::map<std::string, ValueRef> globals_;
  std::map<const fun::Expr*, ops::Use> uses_;
  std::unordered_map<Key, Remembered, KeyHash> memory_;
  std::map<std::string, std::vector<bool>> prepared_;  // function -> by node
  struct Visits {
    int first = -1, last = -1;
  };
  std::vector<Visits> visits_;  // node -> calls that something is passed down to it in
  std::map<std::string, std::vector<const fun::Function*>> partners_;  // function -> its group
  class TopDown* top_down_ = nullptr;                                  // at work
  int entry_call_ = 0;
  Status overlap_;
};

}  // namespace espalier::eval

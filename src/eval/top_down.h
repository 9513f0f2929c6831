// Functions on shared types whose arguments combine over the parents of a node.
#pragma once

#include <map>
#include <vector>

#include "eval/interpreter.h"

namespace espalier::eval {

// One call, from outside, of a recursion with combined arguments. First parents before children:
// the body of each node is evaluated for the arguments that it passes on alone (results count as
// zero, since they may not matter there). Then children before parents, with all arguments known.
class TopDown {
 public:
  TopDown(Interpreter&, const fun::Function& outer);
  ~TopDown();
  TopDown(const TopDown&) = delete;
  TopDown& operator=(const TopDown&) = delete;

  ValueRef outer_call(const Value::Items& args);
  bool handles(const fun::Function&) const;
  ValueRef inner_call(const fun::Function&, const Value::Items& args);

 private:
  using Place = std::pair<std::string, std::int64_t>;        // function, node
  std::vector<std::int64_t> below(std::int64_t root) const;  // parents before children
  Value::Items combined(const fun::Function&, const Place&) const;

  Interpreter& interpreter_;
  const fun::Function& outer_;
  class TopDown* around_;
  bool collecting_ = true;
  std::map<Place, std::vector<Value::Items>> passed_;  // arguments, a set for each call
  std::map<Place, ValueRef> results_;
};

}  // namespace espalier::eval

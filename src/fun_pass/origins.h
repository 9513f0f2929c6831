// Where values within a recursive function come from.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::fun_pass {

// What is known of a value, without looking at it.
struct Origin {
  int argument = -1;        // it is this argument, or (`depth` > 0) was bound by matching it
  int depth = 0;            // how often it was matched on the way
  bool of_results = false;  // depends on results of the recursion
  std::string path;         // of a part of an argument: equal where it is the same child
  std::vector<std::shared_ptr<const Origin>> parts;  // tuple: fields; list: an item

  bool whole() const { return argument >= 0 && depth == 0; }
};
using OriginRef = std::shared_ptr<const Origin>;

// A call within the recursion, with the origins of its arguments.
struct InnerCall {
  std::string caller;
  const fun::Expr* call = nullptr;
  std::vector<OriginRef> args;
};

// All calls in `f` of the functions `group`, in the order of the text.
std::vector<InnerCall> inner_calls(const fun::Function& f, const std::set<std::string>& group);

}  // namespace espalier::fun_pass

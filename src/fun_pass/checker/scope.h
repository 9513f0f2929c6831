// What names stand for while a model is checked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::fun_pass {

using fun::Dim;
using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;
using fun::Type;
using fun::TypeRef;

struct Scope;
using ScopeRef = std::shared_ptr<const Scope>;

// What an expression comes to. Functions are values of the checker alone: they are applied where
// they are called and never reach core fun.
struct Value {
  enum class Kind : std::uint8_t {
    error,     // a mistake was reported; whatever is made of it is quiet
    plain,     // core expression `expr`
    closure,   // the lambda `expr` as written, in `scope`
    function,  // a global function
    op,        // an operator or list operator
    tuple,     // a tuple with functions in it: `parts`, `names`
    choice,    // a conditional or match `expr` as written, in `scope`, whose branches are functions
    gradient,  // vjp(parts..) or grad(parts..)
  };
  Kind kind = Kind::error;
  ExprRef expr;
  ScopeRef scope;
  std::string name;
  std::vector<Value> parts;
  std::vector<std::string> names;
  Loc loc;
  // Of a list: it has an item; the tokens of lists of the same length (see Checker::nonempty).
  bool nonempty = false;
  std::vector<int> lengths;

  bool plain() const { return kind == Kind::plain; }
  bool bad() const { return kind == Kind::error; }
  const TypeRef& type() const { return expr->type; }  // of a plain one
};

struct Named {
  Value value;
  std::optional<Dim> dim;  // instead of a value: a name of `forall`
  Loc loc;
};

// A chain of bindings that grows at its end; what a closure holds never changes.
struct Scope {
  ScopeRef outer;
  std::string name;
  Named named;
};

inline ScopeRef extend(const ScopeRef& scope, const std::string& name, Named named) {
  return std::make_shared<const Scope>(Scope{scope, name, std::move(named)});
}

inline const Named* find(const ScopeRef& scope, const std::string& name) {
  for (const Scope* s = scope.get(); s != nullptr; s = s->outer.get())
    if (s->name == name) return &s->named;
  return nullptr;
}

// Names of core locals: each once along any path from the function's start, so that nothing hides
// anything; the same name may stand in two branches.
class LocalNames {
 public:
  explicit LocalNames(std::set<std::string> reserved) : levels_{std::move(reserved)}, next_(1) {}
  void push() {
    levels_.emplace_back();
    next_.emplace_back();
  }
  void pop() {
    levels_.pop_back();
    next_.pop_back();
  }
  std::string unique(const std::string& wanted);

 private:
  bool taken(const std::string& name) const;
  std::vector<std::set<std::string>> levels_;
  std::vector<std::map<std::string, int>> next_;  // by level: numbers below are taken
};

// The names that an expression as written uses and does not bind, each with its first place.
std::map<std::string, Loc> free_names(const Expr&);
// All variables of a pattern, in order.
std::vector<const Pattern*> variables(const Pattern&);

}  // namespace espalier::fun_pass

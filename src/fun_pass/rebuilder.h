// What the passes that write functions anew share: each expression is rebuilt bottom-up, statements
// of nested blocks move to the block of the region around them (a function, a branch, the body of a
// comprehension or lambda), and names stay unique along every path.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::fun_pass {

bool trivial(const fun::Expr&);  // a variable, a number, a field of a variable: free to repeat
fun::ExprRef variable(const std::string& name, const fun::TypeRef&, Loc);

class Rebuilder {
 public:
  // `reserved`: names that no local may take.
  explicit Rebuilder(std::set<std::string> reserved) : reserved_(std::move(reserved)) {}
  virtual ~Rebuilder() = default;
  Rebuilder(const Rebuilder&) = delete;
  Rebuilder& operator=(const Rebuilder&) = delete;

  fun::ExprRef function_body(const fun::Function&);

 protected:
  using Env = std::map<std::string, fun::ExprRef>;  // what locals and arguments stand for

  virtual fun::ExprRef rebuild(const fun::ExprRef&);
  fun::ExprRef rebuild_parts(const fun::ExprRef&);
  virtual fun::ExprRef rebuild_block(const fun::Expr&);
  virtual fun::ExprRef rebuild_match(const fun::Expr&);
  virtual fun::ExprRef rebuild_each(const fun::Expr&);
  virtual fun::ExprRef rebuild_lambda(const fun::Expr&);
  fun::ExprRef rebuild_conditional(const fun::Expr&);

  // What `make` gives, behind the statements that it emits; its names are free again afterwards.
  fun::ExprRef region(const std::function<fun::ExprRef()>& make);
  void emit(const fun::PatternRef&, const fun::ExprRef& value);
  virtual void region_begins() {}
  virtual void region_ends() {}
  // The value, under a name unless it is trivial.
  fun::ExprRef let(const std::string& name, const fun::ExprRef& value);
  fun::PatternRef bind(const fun::PatternRef&);  // with names that are free here
  // The name, or one like it that is free here. Names of a pass's own begin with $, which is
  // dropped.
  std::string fresh(const std::string& name);

  Env env_;
  // Names of the function that keep their spelling; code from elsewhere (where `foreign_`) avoids
  // them.
  std::set<std::string> own_;
  bool foreign_ = false;

 private:
  std::set<std::string> reserved_;
  std::vector<std::set<std::string>> path_;  // names taken, a set a region
  std::vector<std::vector<fun::Statement>*> blocks_;
};

// Of all patterns within the expression.
void collect_bound(const fun::Expr&, std::set<std::string>*);
void visit(const fun::ExprRef&, const std::function<void(const fun::Expr&)>&);  // pre-order
bool same_expr(const fun::Expr&, const fun::Expr&);  // but for locations and spellings of numbers
std::set<std::string> global_names(const fun::Module&);

}  // namespace espalier::fun_pass

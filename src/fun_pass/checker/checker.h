// The checker: an interpreter that runs a model with types for values, and writes down what it did
// as core fun. Its methods stand in the files named above them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fun_pass/checker/scope.h"
#include "fun_pass/checker/types.h"
#include "ops/index.h"
#include "ops/op.h"

namespace espalier::fun_pass {

// What the place of an expression says of its type: all of it, or the dtype of what has none of its
// own.
struct Hint {
  TypeRef type;
  std::optional<Dtype> dtype;

  static Hint exactly(TypeRef type);
  static Hint of_dtype(Dtype dtype) { return {nullptr, dtype}; }
  bool none() const { return !type && !dtype; }
  Hint part(std::size_t i) const;  // of a tuple; 0 of a list
};

// An argument as written, or already a value.
struct Arg {
  ExprRef ast;
  ScopeRef scope;
  std::optional<Value> value;
  Loc loc;
};

// A function for one choice of types and of functions as arguments.
struct Instance {
  std::string name;
  const fun::Function* source = nullptr;
  Bindings bindings;
  std::vector<Value> args;          // what the names of the arguments stand for in its body
  std::vector<fun::Argument> core;  // the arguments that it has in core fun
  TypeRef returns;
  ExprRef body;
  bool function_valued = false;  // gives a function: has to be applied where it is called
  bool started = false, failed = false;
};

class Checker {
 public:
  Checker(fun::Module*, Diagnostics*);
  bool run();

 private:
  // ---- checker.cc: what holds for all
  struct Facts {  // of a global function
    bool recursive = false, higher_order = false, typed = false;
  };
  void check_globals();
  void check_types();
  void check_signatures();
  void find_recursion();
  void check_functions();
  void check_names(const fun::Function&);
  void finish();
  std::vector<std::string> all_names(const ScopeRef&) const;
  const fun::DataType* type_with_variant(const std::string&) const;
  Value unknown_name(const std::string&, Loc, const ScopeRef&);
  Diagnostic& error(Kind, Loc, std::string);

  // ---- entries.cc
  void check_entries();
  void check_entry(const fun::Entry&);
  void check_gradients();
  void check_gradient(const fun::Gradient&);
  bool wrt_known(const fun::Function&, const std::string&);

  // ---- expr.cc
  struct VariantName {
    std::string type, variant;
    Loc loc;  // of the variant's name
  };
  Value elaborate(const ExprRef&, const ScopeRef&, const Hint&);
  Value dispatch(const ExprRef&, const ScopeRef&, const Hint&);
  Value variable(const Expr&, const ScopeRef&, const Hint&);
  Value global(const Expr&, const ScopeRef&, const Hint&);
  Value number(const Expr&, const Hint&);
  Value number(double, std::string text, Loc, const Hint&);
  Value tuple(const Expr&, const ScopeRef&, const Hint&);
  Value tuple_value(std::vector<Value>, const std::vector<std::string>&, Loc);
  Value field(const ExprRef&, const ScopeRef&, const Hint&);
  Value field_of(Value, const std::string&, Loc, Loc name_loc);
  // `named`: type and variant, and where these are written.
  Value construct(const VariantName& named, std::vector<Arg>, Loc, const Hint&);
  const fun::Variant* find_variant(const fun::DataType&, const VariantName&);
  Value each(const Expr&, const ScopeRef&, const Hint&);
  Value list(const Expr&, const ScopeRef&, const Hint&);
  bool check_fields(const VariantName&, const fun::Variant&, std::size_t found, Loc);
  Value literal(std::shared_ptr<Expr>, TypeRef);
  // A plain value of the type asked for, or an error.
  Value expect(Value, const TypeRef&, const char* what);
  Value expect_plain(Value, const char* what);
  bool adaptable(const Expr&, const ScopeRef&) const;  // has no dtype of its own
  bool needs_hint(const Expr&) const;                  // holds a `[]`

  // ---- blocks.cc: statements and branches
  class Region;
  class Quiet;
  Value block(const Expr&, const ScopeRef&, const Hint&);
  Value conditional(const ExprRef&, const ScopeRef&, const Hint&);
  Value match(const ExprRef&, const ScopeRef&, const Hint&);
  struct Branch {
    ExprRef ast;
    ScopeRef scope;
    std::function<Value(const Hint&)> run;  // in a region of its own
  };
  // Values of one type, for the branches in their order; empty if a mistake was reported.
  std::vector<Value> unite(const std::vector<Branch>&, Hint, Kind, const char* what);
  Value deferred(const ExprRef&, const ScopeRef&, const Value& chosen_by);
  Value let(const std::string& name, Value, Loc);
  void emit(fun::Statement);

  // ---- patterns.cc
  PatternRef pattern(const Pattern&, const TypeRef&, ScopeRef*);
  PatternRef variant_pattern(const Pattern&, const TypeRef&, ScopeRef*);
  PatternRef list_pattern(const Pattern&, const TypeRef&, ScopeRef*);
  PatternRef tuple_pattern(const Pattern&, const TypeRef&, ScopeRef*);
  PatternRef number_pattern(const Pattern&, const TypeRef&);
  // Binds what must always match; with `keep`, under a statement even where it is no more than a
  // name.
  bool destructure(const Pattern&, const Value&, ScopeRef*, bool keep);
  PatternRef irrefutable(const Pattern&, const TypeRef&, ScopeRef*, const char* where);
  bool once_each(const std::vector<PatternRef>&);
  struct MatchCases {
    TypeRef type;
    std::vector<PatternRef> rows;
    ExprRef scrutinee;  // as written
  };
  std::vector<int> nonempty_in(const MatchCases&, const PatternRef&, const ScopeRef& inner,
                               const Value& scrutinee);
  bool check_cover(const MatchCases&, Loc);

  // ---- calls.cc
  Value call(const ExprRef&, const ScopeRef&, const Hint&);
  Value apply(const Value&, std::vector<Arg>, Loc, const Hint&);
  Value apply_closure(const Value&, std::vector<Arg>&, Loc, const Hint&);
  Value apply_choice(const Value&, const std::vector<Arg>&, Loc, const Hint&);
  Value apply_function(const Value&, std::vector<Arg>&, Loc, const Hint&);
  Value unknown_operator(const Expr&, const ScopeRef&);
  Value apply_gradient(const Value&, std::vector<Arg>&, Loc);
  Value value_of(const Arg&, const Hint&);
  // What is called, for messages: "'g'", "x: f32, y: f32", where it is called and where declared.
  struct Signature {
    std::string callee;
    std::vector<std::string> args;
    Loc loc, declared;
  };
  bool count_matches(const std::vector<Arg>&, const Signature&);
  bool bind_arguments(const fun::Function&, std::vector<Arg>&, Loc, const Hint&, Bindings*,
                      std::vector<Value>*);
  bool bind_argument(const fun::Function&, std::size_t, const Arg&, Bindings*, Value*,
                     std::map<std::string, Loc>* bound_at);
  bool expect_arguments(const fun::Function&, const std::vector<Arg>&, Loc, const Bindings&,
                        std::vector<Value>*);
  void bind_result_of(const TypeRef& declared, const Value&, const std::set<std::string>& free,
                      Bindings*, std::vector<Conflict>*);
  Value inline_function(const fun::Function&, const Bindings&, const std::vector<Value>&,
                        const Hint&);
  Value function_argument(Value, const TypeRef&, Loc);

  // ---- instances.cc
  Instance* instance_of(const fun::Function&, const Bindings&, const std::vector<Value>&, Loc);
  void run_instance(Instance*);
  std::string key_of(const Value&);
  Value specialize(const Value&, std::vector<Value>* captured, Instance*);
  std::string instance_name(const fun::Function&, const Bindings&);
  ScopeRef root_scope(const Bindings&) const;

  // ---- operators.cc
  Value apply_op(const ops::Operator&, std::vector<Arg>, const Expr* named, const ScopeRef&, Loc,
                 const Hint&);
  bool split_arguments(const ops::Operator&, std::vector<Arg>*, const Expr* named, const ScopeRef&,
                       Expr* core, ops::Options*);
  std::vector<Value> operands(const ops::Operator&, const std::vector<Arg>&, const Hint&);
  bool list_allowed(const ops::Operator&, const std::vector<Value>&, Loc);
  Value filled(const std::string& name, const std::vector<Arg>& shape, Loc, const Hint&);
  std::optional<ops::Option> constant(const Expr&, const ScopeRef&) const;
  std::optional<Dim> constant_dim(const Expr&, const ScopeRef&) const;
  ExprRef option_expr(const ops::Option&) const;
  bool is_builtin(const std::string&, const ScopeRef&) const;

  // ---- lists.cc
  Value list_operator(const std::string&, std::vector<Arg>, Loc, const Hint&);
  bool takes_two(const Value& f, const std::string& fold);
  Value fold(const std::string&, std::vector<Arg>&, Loc, const Hint&);
  Value enumerate(const Value&, Loc);
  Value zip(std::vector<Arg>&, Loc);
  Value over_components(const ops::Operator&, Value list, Loc);
  struct Step {
    ExprRef lambda;
    TypeRef result;
  };
  std::optional<Step> step(const Value& f, const TypeRef& state, const TypeRef& item);
  Value start(const Value& f, Arg& written, const Value& init, const TypeRef& item);
  bool is_nonempty(const Value&) const;
  Value list_like(std::shared_ptr<Expr>, const Value& model);  // of the model's length

  // ---- index.cc
  Value index(const ExprRef&, const ScopeRef&, const Hint&);
  Value gather(const Value& base, const ExprRef& at, Loc);
  bool one_index(const fun::Index&, const ScopeRef&, Loc, ops::Subscript*, ExprRef* computed);
  bool index_fits(const Expr& at, const Dim& axis);

  fun::Module* module_;
  Diagnostics* all_diagnostics_;
  Diagnostics* diagnostics_;  // those, or such as do not count
  Types types_;
  std::set<std::string> global_names_;
  std::map<std::string, Facts> facts_;
  std::map<std::string, std::unique_ptr<Instance>> instances_;
  std::vector<Instance*> order_;    // as they were asked for
  std::vector<Instance*> running_;  // the innermost last
  std::set<std::string> instance_names_;
  std::map<const Expr*, int> lambda_numbers_;
  std::vector<ExprRef> kept_;                         // expressions of the checker's own making
  LocalNames* names_ = nullptr;                       // of the function at work
  std::vector<std::vector<fun::Statement>*> blocks_;  // the innermost last
  std::vector<int> nonempty_;  // tokens of lists that have an item on this path
  int next_length_ = 1;
  int depth_ = 0, calls_ = 0;
  int elaborated_ = 0;  // expressions, those of functions that are put in place each time
  bool too_deep_ = false;
};

// A place of its own for statements and names, closed into one expression.
class Checker::Region {
 public:
  explicit Region(Checker* checker) : checker_(checker), facts_(checker->nonempty_.size()) {
    checker_->blocks_.push_back(&statements_);
    checker_->names_->push();
  }
  ~Region() {
    checker_->nonempty_.resize(facts_);
    checker_->names_->pop();
    checker_->blocks_.pop_back();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ExprRef close(const ExprRef& value);  // with the statements so far before it

 private:
  Checker* checker_;
  std::size_t facts_;
  std::vector<fun::Statement> statements_;
};

// Mistakes made in its lifetime are found later, or do not count.
class Checker::Quiet {
 public:
  explicit Quiet(Checker* checker)
      : checker_(checker), loud_(std::exchange(checker->diagnostics_, &quiet_)) {}
  ~Quiet() { checker_->diagnostics_ = loud_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  bool ok() const { return quiet_.ok(); }

 private:
  Checker* checker_;
  Diagnostics quiet_;
  Diagnostics* loud_;
};

}  // namespace espalier::fun_pass

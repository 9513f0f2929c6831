// One function under construction: scopes, names, pointers to rows, and scalars as expressions.
#pragma once

#include "to_loop/context.h"

namespace espalier::to_loop {

// What a scalar's leaves mean where it is translated.
struct Env {
  Id domain = wave::none;  // of the element
  ExprRef element;         // null: once
  Id list = wave::none;    // reduced over
  ExprRef item;
  std::vector<ExprRef> axes, bounds;
  bool guarded = false;  // inside a branch of a select: rows may not exist
};

struct Work;

// What kernels take from the runtime, and what their parameters are called: no value's name.
const std::vector<std::string>& kernel_words();

class Code {
 public:
  // `domain`: whose elements the function is about. `level`: its elements are those of one level.
  Code(Context& context, Id domain, bool level);

  Context& context;
  Id domain;
  bool level;
  std::map<Id, ExprRef> locals;            // values of the element (and axes) at hand in variables
  std::map<std::int64_t, ExprRef> starts;  // where the parts of axes at hand begin, by name
  bool preparing = false;                  // parameters are the user's tensors

  // Names that loops must not take: values that the function is about.
  void reserve_name(const std::string& name) { names_.reserve(name); }  // of a parameter
  void reserve_values(const std::vector<Id>& values);
  std::string name(const std::string& wanted) { return names_.unique(wanted); }
  std::string value_name(Id value);  // of the value's variable
  // The same, or another where a variable of that name is in scope: an axis that is cut gives each
  // piece a variable, and a piece of one index has no loop around it.
  std::string variable_name(Id value);
  std::string loop_name(std::initializer_list<const char*> wanted);

  // Scopes.
  void open(const std::string& variable = {});
  // A branch: rows that exist in it alone get no names outside of it.
  void open_branch() {
    open();
    scopes_.back().branch = true;
  }
  std::vector<Stmt> close();
  void add(Stmt);
  void declare(const std::string& variable) { scopes_.back().variables.insert(variable); }
  void open_loop(const std::string& variable, ExprRef begin, ExprRef end);
  void close_loop();
  bool empty() const { return scopes_.back().body.empty(); }

  // Translation.
  ExprRef scalar(const ScalarRef&, const Env&);
  ExprRef condition(const ScalarRef& s, const Env& env) { return scalar(s, env); }
  // Row of the value's buffer at an element of its domain, given as an expression; null for `one`.
  ExprRef row_of(Id value, const ExprRef& element, const Env&);
  ExprRef row_at(const Place&, Id domain, const ExprRef& element, const Env&);
  ExprRef extent(Id value, std::size_t axis);
  // The pointer through which the value's row is read or written, and the index of an element of
  // it.
  ExprRef pointer_to(Id value, const ExprRef& element, bool writes, const Env&,
                     const std::string& wanted = {});
  ExprRef pointer_at(const Place&, Id value, const ExprRef& row, bool writes, const Env&,
                     const std::string& wanted = {});
  ExprRef index_of(Id value, const std::vector<ExprRef>& indices);
  Stmt store_to(const Work&, const ExprRef& element, const std::vector<ExprRef>& indices,
                ExprRef stored, const Env&);
  ExprRef first_of(Id list, const ExprRef& owner);  // the first item
  ExprRef end_of(Id list, const ExprRef& owner);
  // The first item of what `list` holds within element `at` of `root`, a domain around it.
  ExprRef first_within(Id list, Id root, const ExprRef& at);
  ExprRef original_of(const ExprRef& element, Id domain);  // the user's number, for a status
  ExprRef stride(int buffer, Id value);
  ExprRef table_stride(Id value);  // of a once value: elements from row to row

 private:
  struct Scope {
    std::vector<Stmt> body;
    std::set<std::string> variables;
    std::map<std::string, ExprRef> pointers;
    Stmt loop;
    bool branch = false;
  };

  ExprRef load(const wave::Scalar&, const Env&);
  ExprRef apply(const wave::Scalar&, const Env&);
  ExprRef integer_apply(const wave::Scalar&, const Env&);
  ExprRef float_apply(const wave::Scalar&, const Env&);
  ExprRef cast(const wave::Scalar&, const Env&);
  ExprRef owner_of(Id list, const ExprRef& item);
  ExprRef place_of(Id nodes, const ExprRef& element);
  ExprRef previous(Id value, const ExprRef& element, const Env&);
  ExprRef base_of(Id domain);  // the first element of the level
  ExprRef hoist(const std::string& wanted, const ExprRef& pointer, const Env&);
  bool is_local(const wave::Scalar&) const;
  static std::string key_of(const ExprRef&);

  Names names_;
  std::map<Id, std::string> value_names_;
  std::vector<Scope> scopes_;
};

// The row number without a cast to i64, which addresses do themselves.
ExprRef unwidened(const ExprRef& row);

}  // namespace espalier::to_loop

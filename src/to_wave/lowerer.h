// Lowers the expressions of one entry by abstract interpretation over Program.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "to_wave/program.h"

namespace espalier::to_wave {

// Thrown after a diagnostic was reported; caught in lower_to_wave().
struct Refused {};

using Env = std::map<std::string, AbsRef>;

// One recursion on one carrier (the forest, a built tree, or a list), lowered.
struct Group {
  const fun::Recursion* recursion = nullptr;
  BuiltRef carrier;                   // null: the forest
  Id list = wave::none;               // of a recursion over lists
  int skip_first = 0, skip_last = 0;  // items of it that are left out
  std::string outer;                  // the function that was called from outside
  std::map<std::string, std::vector<AbsRef>>
      bound;  // function -> argument, null where it is top-down
  // function -> its top-down arguments at the nodes of a variant (-1: at items; -2: after the last)
  std::map<std::string, std::map<int, std::vector<AbsRef>>> arguments;
  std::map<std::string, std::map<int, AbsRef>> reached;  // on the nodes of a variant
  std::map<std::string, std::vector<Id>> results;        // carries on all, or on the list
  std::map<std::string, std::vector<Id>> previous;       // of a list
  std::map<std::string, std::vector<AbsRef>> at_end;     // of a list: results for []
  std::map<std::string, std::shared_ptr<Built>> built;
  std::map<std::string, std::vector<Id>> edge_arguments;  // carries on edges, or on the list
  std::map<std::string, Id> edge_reached;
  bool down = false;     // has top-down arguments (or builds trees)
  bool forward = false;  // a list: the recursion goes on with what stands before
  enum class Phase : std::uint8_t { arguments, results, done } phase = Phase::arguments;
  // What calls on a child (or on the rest of a list) pass down, in branches that exclude each other
  // or with one value.
  struct Sent {
    ScalarRef condition;     // on the child's slot: the call is made; null: always
    std::vector<Id> values;  // an edge argument each
    Loc loc;
  };
  struct Calls {
    std::vector<Sent> calls;
    bool delivered = false;
  };
  std::map<std::pair<Id, int>, std::map<std::string, Calls>> sent;  // child -> function
  AbsRef caller_reached;  // of the function and variant at work
};

// Names of the variables in it that are no parameters or constants; bound ones too.
void free_variables(const fun::ExprRef&, std::set<std::string>& out);

class Lowerer {
 public:
  Lowerer(const fun::Module&, wave::Module&, wave::Entry&, Diagnostics&);
  bool try_entry(const fun::Entry&);  // false where it was refused

 private:
  // lower_expr.cc
  AbsRef lower(const fun::ExprRef&, const Env&);
  AbsRef lower_kind(const fun::ExprRef&, const Env&);
  [[noreturn]] void refuse_pairs(Loc);
  AbsRef lower_block(const fun::Expr&, Env);
  AbsRef lower_variable(const fun::Expr&, const Env&);
  AbsRef lower_field(const fun::Expr&, const Env&);
  AbsRef lower_conditional(const fun::Expr&, const Env&);
  AbsRef lower_operator(const fun::Expr&, const Env&);
  AbsRef lower_index(const fun::Expr&, const Env&);
  AbsRef lower_construct(const fun::Expr&, const Env&);
  AbsRef settle(const AbsRef&, const std::string& name, Loc);
  void bind(const fun::PatternRef&, const AbsRef&, Env&);
  AbsRef merge(const ScalarRef& condition, const AbsRef&, const AbsRef&, Loc);
  AbsRef merge_fields(const ScalarRef& condition, const AbsRef&, const AbsRef&, const fun::Variant&,
                      Loc);

  // lower_match.cc
  AbsRef lower_match(const fun::Expr&, const Env&);
  AbsRef match_node(const fun::Expr&, const AbsRef&, const Env&);
  AbsRef match_element(const fun::Expr&, const AbsRef&, const Env&);
  AbsRef field_at(const AbsRef& field, const AbsRef& on, const ScalarRef& local, Id of, Loc);
  AbsRef merge_cases(const ScalarRef& is, const AbsRef&, const AbsRef&, Loc);
  AbsRef match_here(const fun::Expr&, const AbsRef&, const Env&);
  AbsRef match_data(const fun::Expr&, const AbsRef&, const Env&);
  AbsRef match_list(const fun::Expr&, const AbsRef&, const Env&);
  AbsRef case_of(const fun::Case&, const std::vector<AbsRef>& fields, const AbsRef& whole, Env);
  // `body` for the nodes of every variant of `type`, as a value at `node`.
  AbsRef lift(const AbsRef& node, const fun::TypeRef& result, Loc,
              const std::function<AbsRef(const AbsRef& self)>& body);
  std::vector<AbsRef> node_fields(const AbsRef& self);
  AbsRef payload(const fun::TypeRef&, Id domain, int& leaf, std::size_t depth);
  AbsRef self_node(const std::string& type, const BuiltRef&, int variant);
  std::vector<int> source_variants(const std::string& type, const BuiltRef&) const;

  // lower_list.cc
  AbsRef lower_list_operator(const fun::Expr&, const Env&);
  AbsRef lower_each(const fun::Expr&, const Env&);
  AbsRef lower_list_literal(const fun::Expr&, const Env&);
  AbsRef lower_fold(const fun::Expr&, const Env&, bool scan);
  std::vector<AbsRef> beside_each_other(std::vector<AbsRef> lists);
  AbsRef lower_zip(const fun::Expr&, const Env&);
  AbsRef lower_reverse(const AbsRef& list, Loc);
  AbsRef reduce_items(const fun::Expr&, const AbsRef& list);
  AbsRef fold_items(const fun::Expr&, const AbsRef& list, const Env&, bool scan);
  ops::Term reduce_over(wave::Reduce, const Abs& list, const ops::Term&);
  AbsRef softmax_items(const AbsRef& list, bool logarithm);

  // lower_view.cc
  struct Span {
    ScalarRef start, stop;  // items of a list
  };
  AbsRef list_abs(Id list, AbsRef item);
  AbsRef like(const AbsRef& list,
              AbsRef item);  // the same items of the same list, of another value
  AbsRef item_at(const AbsRef& item, const ScalarRef& index, Id of, Loc);
  Span span(const Abs& list) const;
  ScalarRef length(const Abs& list) const;
  ScalarRef inside(const Abs& list) const;
  ScalarRef position(const Abs& list) const;
  AbsRef whole_list(const AbsRef&, Loc);
  AbsRef pairs(const AbsRef& list);
  AbsRef meeting(const AbsRef& list, const std::vector<AbsRef>& others);
  AbsRef meeting(const AbsRef& list, const std::vector<fun::ExprRef>& bodies, const Env&);
  void keep_apart(const Abs& list, const std::vector<fun::ExprRef>& bodies, const Env&, Loc);
  bool varies(const Abs&, Id owner) const;
  AbsRef kept(const AbsRef&, Loc);
  AbsRef at_owner(const AbsRef& list, const std::function<AbsRef(const AbsRef&)>& f, Loc);

  // lower_recursion.cc
  AbsRef lower_call(const fun::Expr&, const Env&);
  bool gathering() const;
  AbsRef inner_call(Group&, const fun::Expr&, const std::vector<AbsRef>& args);
  AbsRef outer_call(const fun::Recursion&, const fun::Expr&, const std::vector<AbsRef>& args);
  void bind_unchanging(Group&, const fun::Function& outer, const std::vector<AbsRef>& args);
  void bind_others(Group&, const std::vector<std::string>& functions);
  void propagate(Group&, const fun::Function& from, const fun::Expr&);
  void send_arguments(Group&, const fun::Expr& call, const AbsRef& node,
                      const std::vector<AbsRef>& args);
  void lower_down(Group&, const std::vector<AbsRef>& args);
  void receive_arguments(Group&, const fun::Function&, int variant,
                         const std::vector<AbsRef>& args);
  struct Arrival;
  Arrival arrival(Group&, const fun::Function&, const AbsRef& root);
  ops::Term arriving(const Arrival&, Id edge_carry, const ops::Term& start,
                     const std::string& combine);
  void deliver(Group&);
  Id chosen(const std::vector<Group::Sent>&, std::size_t argument);
  void send_nothing(Group&);
  void lower_up(Group&);
  Env group_env(const Group&, const fun::Function&, const AbsRef& self, int variant) const;
  void build(Group&, const std::string& function, int variant, const AbsRef& result, Loc);
  AbsRef result_at(const Group&, const std::string& function, const AbsRef& node);
  const fun::Recursion* recursion_of(const std::string& function) const;
  Group* active(const fun::Recursion&);

  // lower_list_recursion.cc
  AbsRef outer_list_call(Group&, const fun::Function&, const std::vector<AbsRef>& args, Loc);
  AbsRef inner_list_call(Group&, const fun::Expr&, const std::vector<AbsRef>& args);
  void bind_list_arguments(Group&, const fun::Function& outer, const std::vector<AbsRef>& args,
                           Loc);
  struct Steps;
  void receive_along(Steps&, const fun::Function&, const std::vector<AbsRef>& args);
  void lower_along(Steps&, const fun::Function&);
  AbsRef result_at_end(Steps&, const std::string& function);
  void lower_back(Steps&);
  Env list_env(const Steps&, const fun::Function&, int variant,
               const std::vector<AbsRef>& values) const;

  // leaves.cc
  std::vector<ops::Term> flatten(const AbsRef&, const fun::TypeRef&, Loc);
  void flatten(const AbsRef&, const fun::TypeRef&, std::vector<ops::Term>&, Loc);
  using Supply = std::function<AbsRef(Dtype, const std::vector<std::int64_t>&)>;
  AbsRef unflatten(const fun::TypeRef&, const Supply&, Loc);
  AbsRef zero_of(const fun::TypeRef&, Loc);
  std::vector<fun::Leaf> leaf_types(const fun::TypeRef&, const std::string& name, Loc);
  AbsRef load_leaves(const fun::TypeRef&, const std::vector<Id>&, const ScalarRef& at, Loc);
  bool recursive(const std::string& data_type) const;

  // lower_entry.cc
  void lower_entry(const fun::Entry&);
  AbsRef argument(const fun::TypeRef&, Id domain, int& leaf, std::size_t depth);
  void outputs(const std::string& name, const AbsRef&, const fun::TypeRef&, Loc);
  void built_outputs(const AbsRef&, Loc);
  void lower_nodes_entry(const fun::Function&);
  AbsRef call_function(const fun::Function&, const std::vector<AbsRef>& args, Loc);

  [[noreturn]] void refuse(Kind, Loc, std::string message);

  const fun::Module& module_;
  wave::Module& out_;
  wave::Entry& entry_;
  Diagnostics& diagnostics_;
  Program p_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Group*> active_;
  Loc last_;            // of the expression that gave the last block's, or function's, value
  bool quiet_ = false;  // lowering for arguments only: checks are left to the results
};

}  // namespace espalier::to_wave

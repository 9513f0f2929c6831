// Seeded random models: data types, functions and entries, as JSON text in the model language.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/expressions.h"

namespace espalier::fuzz {

struct FieldSpec {
  enum class Kind : unsigned char {
    index,
    real,
    vector,
    integer,
    half,
    boolean,
    tuple,
    indices,
    vectors,
    child,
    children,
    edges
  };
  std::string name;
  Kind kind = Kind::index;
  std::string type;    // as written
  int size = 0;        // index, indices: bound; vector, vectors: width
  std::string target;  // child, children, edges: [(label: index[..], weight: f32, kid: Target)]
};

struct VariantSpec {
  std::string name;
  std::vector<FieldSpec> fields;
};

struct TypeSpec {
  std::string name;
  bool shared = false;
  std::vector<VariantSpec> variants;
};

// What a function gives: leaves ".h" of a tuple (or "" for one alone; or, unnamed, "0", "1").
struct State {
  std::vector<Var> leaves;  // text: the path
  std::string type;
  std::string make;  // with a {} a leaf: "(h = {}, c = {})"
  bool unnamed = false;
};

struct EntryText {
  std::string name, function;
  bool nodes = false;
  bool disjoint = false;                                       // calls may not share nodes
  std::vector<std::pair<std::string, std::string>> functions;  // name -> JSON, its own
};

struct Model {
  std::uint64_t seed = 0;
  Globals globals;
  std::vector<TypeSpec> types;
  std::vector<std::string> more_types;  // as JSON members
  std::vector<EntryText> entries;
  std::set<std::string> features;  // that it has
  std::string given;               // the whole text, if it was not generated

  // The whole model, or one entry of it with what that needs.
  std::string text(int only = -1) const;
};

// Features that a model may have, which the coverage has to show.
const std::vector<std::string>& all_features();

class Generator {
 public:
  // `used` counts the rows of the expressions' tables, so that rare ones are chosen.
  Generator(std::uint64_t seed, int entries, std::map<std::string, int>* used);
  Model take() { return std::move(model_); }

 private:
  struct Case {
    std::string pattern;
    Scope scope;
    std::vector<std::string> statements;
    std::vector<Var> children;   // results of single children
    std::vector<ListVar> lists;  // results of child lists
  };
  // Functions over the types of one family that call each other.
  struct Sweep {
    std::vector<const TypeSpec*> family;
    std::string stem;  // function for type T: stem_T
    State state;
    std::string passed;    // further arguments of calls: ", q"
    std::string declared;  // of definitions: ", \"q\": \"f32[3]\""
    Scope outer;           // what they give
    bool plain = false;    // one case a variant
    // Statements and values known before the children are: (up results in a down sweep).
    std::function<void(const TypeSpec&, Case*)> before;
  };

  // types.cc
  void make_types();
  TypeSpec make_type(const std::string& name, bool shared, const std::vector<std::string>& targets);
  FieldSpec make_field(FieldSpec::Kind, const std::string& target);
  void make_helpers();

  // cases.cc
  State make_state(bool plain);
  void payload(const FieldSpec&, const std::string& name, Scope*);
  std::string result(Case*, const State&);
  Case open_case(const Sweep&, const TypeSpec&, const VariantSpec&);
  void child_results(const Sweep&, const FieldSpec&, Case*);
  std::string leaf_value(Case*, const Var& leaf);
  std::vector<Var> leaves_of(const State&, const std::string& value);
  std::string body(const std::vector<std::string>& statements, const std::string& value);
  std::vector<std::string> cases_of(const Sweep&, const TypeSpec&, const VariantSpec&);
  void add_sweep(const Sweep&);
  void add_function(const std::string& name, const std::string& args, const std::string& returns,
                    const std::string& body);
  void add_entry(const std::string& function, bool nodes, bool disjoint);
  void feature(const std::string& name) { model_.features.insert(name); }
  Scope block(std::vector<std::string>* statements, Scope scope = {});
  std::string value_of(const State&, const Scope&, int depth);

  // templates.cc: each adds an entry
  using Template = void (Generator::*)();
  static const std::vector<Template>& templates();
  Sweep up_sweep(bool with_arguments);
  void up();
  void up_nodes();
  void up_with_arguments();
  void up_twice();
  void up_data_state();
  void up_conditional();
  void down_builds();
  void down_returns();
  void up_down_up();
  void two_trees();
  void over_nodes();
  void ragged_children();
  std::vector<const TypeSpec*> family(bool trees_only = false);
  std::string combine(const Sweep&, const std::string& type) const;
  Sweep down_sweep(const Sweep& up, bool builds);
  std::string built_type(const std::vector<const TypeSpec*>&, const State&,
                         const std::string& stem);
  void add_down(const Sweep&, const Sweep* up, const std::string& built, const State& state);

  // list_templates.cc
  ListVar list_argument(std::string* type);
  void list_entry();
  void list_ragged();
  void list_recursion();
  void list_recursion_down();
  void payload_list_recursion();
  void local_data();
  void generic_data();
  void tensors();

  Random random_;
  Model model_;
  Expressions expressions_;
  EntryText entry_;  // under construction
};

}  // namespace espalier::fuzz

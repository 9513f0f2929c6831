// Abstract values: what an expression of fun stands for while it is lowered.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fun/module.h"
#include "ops/op.h"
#include "wave/wave.h"

namespace espalier::to_wave {

struct Abs;
using AbsRef = std::shared_ptr<const Abs>;

// What a payload field of a built tree is: a value a node (or a list), or the child in the same
// place.
struct BuiltField {
  AbsRef value;       // on the nodes of the source variant; null if it is
  std::string child;  // the source's child field of this name
};

// A tree made by a function in the shape of its argument: node for node the source's, with other
// variants and payload.
struct Built {
  struct Class {
    int target = -1;                 // number among the variants of the built type
    std::vector<BuiltField> fields;  // as declared there
  };
  std::string type;                     // the built data type
  std::map<int, Class> classes;         // by source variant (of the forest)
  std::shared_ptr<const Built> source;  // null: the forest itself
  // What the functions of one recursion build belongs together: the children of one are of others.
  // By the type that is built, if only one function builds it.
  std::map<std::string, std::weak_ptr<const Built>> together;
};
using BuiltRef = std::shared_ptr<const Built>;

// Where nodes of built type `type` in the same tree were built; null if that is not known.
inline BuiltRef built_as(const BuiltRef& built, const std::string& type) {
  if (!built || built->type == type) return built;
  const auto found = built->together.find(type);
  return found == built->together.end() ? nullptr : found->second.lock();
}
inline bool same_tree(const BuiltRef& a, const BuiltRef& b) {
  return a == b || (a && b && built_as(a, b->type) == b);
}

struct Abs {
  enum class Kind : std::uint8_t {
    tensor,  // `term`
    tuple,   // `parts`, `names`
    list,    // items of domain `list`; `parts[0]` is the item, on that domain
    node,    // `term`: its number among all nodes
    data,    // made in the program: `term` is the number of its variant (or `variant` if known);
             // parts[v] is a tuple of the fields of variant v, null where it cannot be that
    hole,    // the result of the recursion while only arguments are wanted
  };
  Kind kind = Kind::tensor;
  wave::Id domain = wave::none;  // what `element` in the scalars of `term` means; none: any (once)
  ops::Term term;
  std::vector<AbsRef> parts;
  std::vector<std::string> names;
  wave::Id list = wave::none;
  // list: without so many items at its ends
  int skip_first = 0, skip_last = 0;
  // list: that of another element than the context's: of this one of the owner, in terms of
  // `domain`
  wave::ScalarRef of_owner;
  // list, in a recursion over it: what begins, or ends, with the context's element; nothing
  enum class Part : std::uint8_t { whole, from_item, to_item, nothing } part = Part::whole;
  std::string type;    // node, data
  int variant = -1;    // data: if known; node: it is the element of nodes domain `domain`
  BuiltRef built;      // node: of a built tree
  bool below = false;  // node, list: of a descendant of the node at hand, if there is one
  // node: the child in leaf `slot_field` of the element of `slot` (a nodes domain or a list over
  // one); or the root in argument leaf `slot_field` of calls
  wave::Id slot = wave::none;
  int slot_field = -1;
};

inline std::shared_ptr<Abs> make_abs(Abs::Kind kind) {
  auto a = std::make_shared<Abs>();
  a->kind = kind;
  return a;
}

AbsRef tensor_abs(wave::Id domain, ops::Term term);
AbsRef tuple_abs(std::vector<AbsRef> parts, std::vector<std::string> names);
AbsRef scalar_abs(wave::Id domain, wave::ScalarRef);  // a term without axes
ops::Term scalar_term(Dtype, wave::ScalarRef);
wave::ScalarRef value_of(const ops::Term&);  // of a term without axes

// The result of a term whose every scalar is passed through `f`.
ops::Term map_term(const ops::Term&, std::function<wave::ScalarRef(const wave::ScalarRef&)> f);
// With `to` in place of the element; indices are left alone, as they are of the new context.
ops::Term at_element(const ops::Term&, const wave::ScalarRef& to);

}  // namespace espalier::to_wave

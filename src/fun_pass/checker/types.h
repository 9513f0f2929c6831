// Types while a model is checked: instances of data types with parameters, and the binding of the
// names of `forall` by the types of arguments.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "fun_pass/checker/scope.h"

namespace espalier::fun_pass {

// What the names of a `forall` (or the parameters of a data type) stand for.
struct Bindings {
  std::map<std::string, Dim> dims;
  std::map<std::string, TypeRef> types;

  bool has(const std::string& name) const { return dims.count(name) || types.count(name); }
  std::string canonical(const std::string& name) const;
};

// A name that two arguments bind differently.
struct Conflict {
  std::string name, first, second;
};

using fun::show;
std::string canonical(const Type&);  // with the axes' values alone, the same for same types
bool too_large(const Type&);         // to be compared and printed: thousands of parts
bool has_function(const Type&);
bool is_scalar(const Type&, Dtype);
bool is_integral(const Type&);  // an integer tensor or an index

// Whether a value of type `found` may stand where `expected` is asked for: equal types, or index[m]
// for index[n] with m <= n.
bool fits(const Type& found, const Type& expected);

class Types {
 public:
  Types(const fun::Module& module, Diagnostics*& diagnostics)
      : module_(module), diagnostics_(diagnostics) {}

  // The type with all names bound and data types replaced by their instances ("Pair[f32]" becomes
  // Pair_f32); null if a mistake was reported.
  TypeRef resolve(const TypeRef&, const Bindings&, Loc);
  // The same where some names may stay unbound: null if they keep the type from being resolved.
  TypeRef resolve_if_bound(const TypeRef&, const Bindings&);

  // An instance by its name; its fields' types are resolved.
  const fun::DataType& instance(const std::string& name);
  const fun::DataType* declared(const std::string& name) const { return module_.find_type(name); }
  // The declaration's name and the type arguments of an instance.
  const std::string& origin(const std::string& instance) const;
  const std::vector<TypeRef>& arguments(const std::string& instance) const;
  std::string instance_name(const std::string& declared, const std::vector<TypeRef>& arguments);

  // Binds the names of `pattern` where `found` has an axis or a type in their place. Names in
  // `free` are those to be bound. What does not fit otherwise is left to a later comparison.
  void bind(const TypeRef& pattern, const TypeRef& found, const std::set<std::string>& free,
            Bindings*, std::vector<Conflict>*);

  // All instances that were asked for, in the order of the declarations. False if there is no end
  // of them.
  bool take(std::vector<fun::DataType>* out);

 private:
  struct Instance {
    std::string origin;
    std::vector<TypeRef> arguments;
    fun::DataType type;
    bool expanded = false;
  };
  TypeRef resolve_data(const Type&, const Bindings&, Loc);
  TypeRef resolve_name(const Type&, const Bindings&, Loc);
  void expand(Instance*);
  void bind_dim(const Dim& pattern, const Dim& found, const std::set<std::string>& free, Bindings*,
                std::vector<Conflict>*);

  const fun::Module& module_;
  Diagnostics*& diagnostics_;  // of the checker, at the moment
  std::map<std::string, Instance> instances_;
  std::vector<std::string> order_;
};

}  // namespace espalier::fun_pass

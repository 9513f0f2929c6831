// Types of the functional IR.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "fun/dim.h"

namespace espalier::fun {

using espalier::Dtype;

struct Type;
using TypeRef = std::shared_ptr<const Type>;

// One struct for all kinds; dims are unbound only in functions with `forall`, before they are
// instantiated. A field is meaningful for the kinds named beside it.
struct Type {
  enum class Kind : std::uint8_t { tensor, index, list, tuple, data, function, name };

  Kind kind = Kind::tensor;
  Dtype dtype = Dtype::f32;    // tensor
  std::vector<Dim> shape;      // tensor: axes, none for a scalar; index: {n}, an integer in [0, n)
  std::vector<TypeRef> parts;  // list: {item}; tuple: fields; function: parameters, then result;
                               // data: type arguments
  std::vector<std::string> names;  // tuple: field names, or empty if unnamed
  std::string name;                // data: its name; name (before checking only): one of `forall`
};

TypeRef tensor(Dtype, std::vector<Dim> shape = {});
TypeRef scalar(Dtype);
TypeRef index_type(Dim bound);
TypeRef list_of(TypeRef item);
TypeRef tuple_of(std::vector<TypeRef> fields, std::vector<std::string> names = {});
TypeRef data_type(std::string name, std::vector<TypeRef> args = {});
TypeRef function_type(std::vector<TypeRef> params, TypeRef result);
TypeRef name_type(std::string name);

bool same(const Type&, const Type&);  // structural; dims by value, tuples also by field names
std::string str(const Type&);         // as in language.md: "(h: f32[hidden], c: f32[hidden])"
std::string show(const Type&);        // for messages, with the values of dims: "f32[hidden = 48]"
std::string show(const Dim&);         // "hidden = 48", "3"

// Number of scalar elements of a tensor (1 for an index); not for other kinds.
std::int64_t elements(const Type&);
// The axes of a tensor, of an index none.
std::vector<std::int64_t> extents(const Type&);

}  // namespace espalier::fun

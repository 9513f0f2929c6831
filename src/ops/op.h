// The operators of the language. Each is one row of a table: its type rule, its evaluation in
// double and its lowering to wave. (Adjoints join them as another column.)
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/bug.h"
#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/expr.h"
#include "ops/tensor.h"
#include "wave/scalar.h"

namespace espalier::ops {

// Named arguments (axis=, keepdims=, eps=, ..) and literal arguments (the 3 of split(x, 3), the [n,
// m] of reshape, the text of einsum) after constant evaluation: numbers, nested in lists.
struct Option {
  bool is_list = false;
  std::vector<Option> list;
  bool integral = false;
  fun::Dim dim;       // an integer
  double number = 0;  // any number; a bool is 0 or 1
  std::string text;   // einsum
  Loc loc;
  Loc name_loc;  // of a named one: where its name is written
};
using Options = std::map<std::string, Option>;

struct Operator;

// One use of an operator: operand types (lists only where the operator takes them), options by
// name.
struct Use {
  const Operator* op = nullptr;
  std::vector<fun::TypeRef> types;
  Options options;
  // Set once the type rule has given it; a tuple for split. Before that, a tensor type says which
  // dtype the context asks of `zeros`, `ones` and `iota` (its shape does not count).
  fun::TypeRef result;
  Loc loc;
  std::vector<Loc> locs;  // of the operands
};

// In the shape of a term: the items of the list that is reduced over, always the first axis. So a
// lowering of a reduction or a softmax also serves for lists.
inline constexpr std::int64_t list_extent = -1;

// A tensor as a function of its indices, for an element of a wave domain: what operators are
// lowered to. Nothing is computed before a term is materialized.
struct Term {
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::function<wave::ScalarRef(const std::vector<wave::ScalarRef>&)> at;  // indices are i64
};

// What a lowering may ask of the program under construction.
class Lowering {
 public:
  using Indices = std::vector<wave::ScalarRef>;
  using Body = std::function<wave::ScalarRef(const Indices& axes, const Indices& reduced)>;

  virtual ~Lowering() = default;
  // sum (prod, max, ..) of body over reduction axes of the given extents, for each index of
  // `shape`. argmax and argmin give i64: the first flat position over the extents.
  virtual Term reduce(wave::Reduce, Dtype, std::vector<std::int64_t> shape,
                      std::vector<std::int64_t> extents, const Body&) = 0;
  // The term as a value of its own, so that what is dear is computed once; cheap ones come back as
  // they are.
  virtual Term materialize(const Term&) = 0;
  // The call returns status `code`, with `detail`, where the scalar condition is false.
  virtual void check(const Term& condition, const std::string& code, const Term& detail) = 0;
  // The number of items (i64) behind list_extent; asked for only where a term has such an axis.
  virtual wave::ScalarRef list_length() { throw Bug("this lowering has no list"); }
};

inline constexpr int any_number = std::numeric_limits<int>::max();  // of operands

struct Operator {
  std::string_view name;                   // as in the language: "sigmoid", "+", "@", "split"
  int min_args = 1, max_args = 1;          // operands
  std::vector<std::string_view> literals;  // positional parameters after the operands:
                                           // {"sections"}; the text of einsum stands before them
  bool optional_literals = false;          // they have defaults
  std::vector<std::string_view> options;   // named arguments; literals may be named too
  bool over_lists = false;  // applied to a list, works across its items, component by component
  bool elementwise = false;
  wave::Opcode opcode{};  // elementwise; see also opcode_of()
  // The operand, if any, whose values are indices, and what they must be less than, given the
  // extents of the operands.
  int index_operand = -1;
  std::int64_t (*index_bound)(const Use&, const std::vector<std::vector<std::int64_t>>&) = nullptr;
  // For tensors and indices; infer() below is the whole rule.
  Result<fun::TypeRef> (*type)(const Use&, Diagnostics&) = nullptr;
  // Several tensors only for split; none where an index is out of range (then wrong_index() tells
  // it). A list operand arrives stacked along a new first axis, with option "axis" 0.
  std::vector<Tensor> (*evaluate)(const Use&, const std::vector<Tensor>&) = nullptr;
  std::vector<Term> (*lower)(const Use&, const std::vector<Term>&, Lowering&) = nullptr;
};

const Operator* find(std::string_view name);  // "-" is found with 1 or 2 operands: min 1, max 2
const std::vector<const Operator*>& all();    // in the order of the table

// The type of a use: number of operands, names of options, then the operator's rule. A list operand
// of an operator that is `over_lists` counts as stacked along axis 0 (without a bound for argmax).
Result<fun::TypeRef> infer(const Use&, Diagnostics&);

// Of an elementwise operator applied to so many operands: `-` is sub or neg.
wave::Opcode opcode_of(const Operator&, std::size_t operands);

// The first index that is out of range, where evaluate() gave nothing.
std::int64_t wrong_index(const Use&, const std::vector<Tensor>&);

}  // namespace espalier::ops

// What the type rules share: operands, options and axes with their diagnostics, broadcasting.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fun/type.h"
#include "ops/op.h"

namespace espalier::ops {

using Shape = std::vector<fun::Dim>;

// A tensor operand; an index counts as an i64 scalar.
struct Operand {
  Dtype dtype = Dtype::f32;
  Shape shape;
  int rank() const { return static_cast<int>(shape.size()); }
};

Loc loc_of(const Use&, std::size_t operand);
std::string type_text(const Use&, std::size_t operand);  // "f32[hidden, embed]"
std::string dim_text(const fun::Dim&);                   // "hidden = 48", "3"

// All operands; anything but tensors and indices is reported.
Result<std::vector<Operand>> operands_of(const Use&, Diagnostics&);
Result<Operand> operand_of(const Use&, std::size_t which, Diagnostics&);
// The same, where all are of one dtype: floats alone, or (else) integers too, never bools.
enum class Accept { floats, numbers };
Result<std::vector<Operand>> operands_of(const Use&, Accept, Diagnostics&);

bool check_same_dtype(const Use&, const std::vector<Operand>&, Diagnostics&);
bool check_floats(const Use&, const std::vector<Operand>&, Diagnostics&);
bool check_numbers(const Use&, const std::vector<Operand>&, Diagnostics&);
bool check_rank(const Use&, std::size_t operand, const Operand&, int rank, Diagnostics&);
// Of all operands alike; reported with both types.
bool check_same_shape(const Use&, const std::vector<Operand>&, Diagnostics&);

// numpy's; of equal dims the one with a name in it.
Result<Shape> broadcast(const Use&, const std::vector<Shape>&, Diagnostics&);
const fun::Dim& named_one(const fun::Dim&, const fun::Dim&);

// ---- Options

const Option* option(const Use&, std::string_view name);  // null where left out
double number_or(const Use&, std::string_view name, double fallback);
// Rounded, as every literal is where it enters.
double rounded_option(const Use&, std::string_view name, double fallback, Dtype);
bool flag(const Use&, std::string_view name);

// Reports anything but an integer (or a list of integers); an integer is a list of one.
Result<Shape> integers_option(const Use&, std::string_view name, Diagnostics&);
// Reports negative lengths too.
Result<Shape> shape_option(const Use&, std::string_view name, Diagnostics&);
bool check_number(const Use&, std::string_view name, Diagnostics&);

// Option "axis" of something with `rank` axes, counted from the front.
Result<int> axis_option(const Use&, int rank, int fallback, Diagnostics&);
// One or several, sorted; all where left out.
Result<std::vector<int>> axes_option(const Use&, int rank, Diagnostics&);

// The same of a use that was checked. A list operand is reduced along axis 0.
int axis_of(const Use&, int rank, int fallback);
std::vector<int> axes_of(const Use&, int rank);
std::vector<std::int64_t> integers_of(const Use&, std::string_view name);
// The dtype and extents of result number `which` (of a tuple), or of the only one.
Dtype result_dtype(const Use&);
std::vector<std::int64_t> result_extents(const Use&);
std::vector<std::int64_t> extents_of(const Shape&);

}  // namespace espalier::ops

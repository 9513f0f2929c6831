// Scalar expressions of the wavefront IR: what a compute evaluates for an element and its axes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/dtype.h"

namespace espalier::wave {

using Id = std::int32_t;  // of a domain or a value: its place in the entry's table

enum class Opcode : std::uint8_t {
#define OPCODE(name, arity) name,
#include "wave/opcodes.def"
#undef OPCODE
};

// map: no reduction.
enum class Reduce : std::uint8_t { map, sum, prod, max, min, argmax, argmin };
const char* reduce_name(Reduce);  // "sum"
inline constexpr Id none = -1;    // after Reduce: gcc would call its none a shadow

struct Scalar;
using ScalarRef = std::shared_ptr<const Scalar>;

// An immutable tree. Where it stands inside a compute on domain D:
struct Scalar {
  enum class Kind : std::uint8_t {
    number,   // `number` of dtype
    axis,     // i0, i1, ..: axis `which` of the result
    bound,    // r0, r1, ..: reduction axis `which`
    element,  // d: the element of D
    item,     // e: the item of the list reduced over
    owner,    // args[0] is an item of list `domain`: the element that it belongs to
    first,    // args[0] is an element of the owner of list `domain`: its first item
    end,      // .. one past its last item; so its length is end - first
    load,  // `value` at element args[0] (args[0] is null iff its domain is once), indices args[1..]
    apply,  // `op` of args; `select` evaluates only the branch that it takes
  };
  Kind kind = Kind::number;
  Dtype dtype = Dtype::f32;  // elements and indices are i64
  double number = 0;
  std::int64_t integer = 0;  // number of an integer dtype
  int which = 0;
  std::int64_t extent = 0;  // axis, bound: its length where that is known, for simplification only
  Id domain = none;
  Id value = none;
  Opcode op{};
  std::vector<ScalarRef> args;
};

ScalarRef number(double, Dtype);
ScalarRef integer(std::int64_t, Dtype = Dtype::i64);
ScalarRef axis(int which, std::int64_t extent = 0);
ScalarRef bound(int which, std::int64_t extent = 0);
ScalarRef element();
ScalarRef item();
ScalarRef owner(Id list, ScalarRef item);
ScalarRef first(Id list, ScalarRef element);
ScalarRef end(Id list, ScalarRef element);
ScalarRef load(Id value, Dtype, ScalarRef element_or_null, std::vector<ScalarRef> indices = {});
// The result's dtype follows from the operands: comparisons, logic and isnan give bool, the rest
// the dtype of the last operand. Integer arithmetic comes back simplified: constants are folded,
// sums are collected, quotients and remainders split where ranges prove it, so that composed
// reshapes and slices stay readable. Arithmetic on floats stays as it is.
ScalarRef apply(Opcode, std::vector<ScalarRef> args);
ScalarRef cast(Dtype, ScalarRef);  // itself if it has the dtype

bool equal(const ScalarRef&, const ScalarRef&);  // of the same form; extents do not count
// A copy in which every node for which `replace` gives something is that instead (children first).
ScalarRef rewrite(const ScalarRef&, const std::function<ScalarRef(const ScalarRef&)>& replace);
void visit(const ScalarRef&, const std::function<void(const Scalar&)>&);

const char* opcode_name(Opcode);
int opcode_arity(Opcode);  // -1: any number
std::optional<Opcode> find_opcode(std::string_view name);

}  // namespace espalier::wave

// Building terms, the form that operators are lowered to.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/op.h"

namespace espalier::ops {

using Indices = std::vector<wave::ScalarRef>;
using wave::Opcode;

Term constant(double, Dtype);
// Elementwise, broadcasting as numpy does.
Term pointwise(Opcode, const std::vector<Term>&);
Term cast(Dtype, const Term&);
// `x` as part of a larger shape.
Term broadcast_to(const Term& x, std::vector<std::int64_t> shape);
// With axes of length 1 where `axes` (sorted, of the result) say.
Term insert_axes(const Term& x, const std::vector<int>& axes);

// Over `axes` (sorted), which vanish. argmax and argmin number the positions along them, row-major.
Term reduce(Lowering&, wave::Reduce, const Term& x, const std::vector<int>& axes);
// The same, the axes staying with length 1.
Term reduce_keeping(Lowering&, wave::Reduce, const Term& x, const std::vector<int>& axes);
// Without overflow, also of infinities; `x` is used several times.
Term log_sum_exp(Lowering&, const Term& x, const std::vector<int>& axes);
// How many elements the axes have together, as a scalar of the dtype.
Term extent_of(Lowering&, const Term& x, const std::vector<int>& axes, Dtype);

wave::ScalarRef is_less(const wave::ScalarRef&, std::int64_t);

}  // namespace espalier::ops

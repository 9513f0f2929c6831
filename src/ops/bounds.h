// Indices that may be out of range.
#pragma once

#include <optional>

#include "ops/op.h"

namespace espalier::ops {

inline constexpr const char* index_out_of_range = "index_out_of_range";  // the code of the status

// Whether nothing in the type says that an index lies in [0, bound).
bool may_exceed(const fun::Type&, std::int64_t bound);
// The first element outside [0, bound).
std::optional<std::int64_t> first_beyond(const Tensor& indices, std::int64_t bound);

// An index operand as i64, ready to be used in [0, bound): where it may exceed, with a check, and
// held within bounds so that nothing is read outside whatever the check finds.
Term bounded(const fun::Type&, const Term& indices, std::int64_t bound, Lowering&);

// The same for the operator's own index operand.
bool indices_fit(const Use&, const std::vector<Tensor>&);
Term bounded_operand(const Use&, const std::vector<Term>&, Lowering&);
bool check_integers(const Use&, std::size_t operand, Dtype, Diagnostics&);

}  // namespace espalier::ops

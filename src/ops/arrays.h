// Plain loops over tensors, for evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ops/scalar_eval.h"
#include "ops/tensor.h"

namespace espalier::ops {

using Extents = std::vector<std::int64_t>;

std::int64_t count(const Extents&);
// The place of `index` in a row-major array of `shape`.
std::int64_t flatten(const Extents& index, const Extents& shape);
Extents unflatten(std::int64_t place, const Extents& shape);
// Calls `visit` for every index of `shape`, in order.
void for_each_index(const Extents& shape, const std::function<void(const Extents&)>& visit);

Number get(const Tensor&, std::int64_t place);
Number at(const Tensor&, const Extents& index);
// The element that numpy's broadcasting puts at `index` of a larger shape.
Number broadcast_at(const Tensor&, const Extents& index);
void put(Tensor&, std::int64_t place, Number);

// The tensor whose elements `element` gives.
Tensor tabulate(Dtype, const Extents& shape, const std::function<Number(const Extents&)>& element);

// The shape that numpy's broadcasting gives; the shapes must fit.
Extents broadcast_extents(const std::vector<Tensor>&);

}  // namespace espalier::ops

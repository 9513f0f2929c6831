// A dense tensor on the host, for evaluation and folding: floats in double, integers in int64.
#pragma once

#include <cstdint>
#include <vector>

#include "base/dtype.h"

namespace espalier::ops {

// Row-major. Floats of every dtype are held (and computed with) in `f`; integers, indices and bools
// in `i`. The other vector is empty.
struct Tensor {
  Dtype dtype = Dtype::f64;
  std::vector<std::int64_t> shape;
  std::vector<double> f;
  std::vector<std::int64_t> i;

  bool real() const { return is_float(dtype); }
  std::int64_t size() const;
};

Tensor zeros(Dtype, std::vector<std::int64_t> shape);
Tensor scalar(double);
Tensor integer(std::int64_t, Dtype = Dtype::i64);

// Rounds to `dtype` what enters a program (round-to-nearest-even); float to int saturates, NaN
// gives 0; int to a narrower int wraps.
Tensor convert(const Tensor&, Dtype);

// Stacks equal tensors along a new first axis; of nothing: {0, shape..}.
Tensor stack(const std::vector<Tensor>&, const Tensor& like);
Tensor row(const Tensor&, std::int64_t);  // t[i] along the first axis

}  // namespace espalier::ops

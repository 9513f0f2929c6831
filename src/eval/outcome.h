// What an evaluator gives for one entry on one forest: a run-time status, or rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ops/tensor.h"

namespace espalier::eval {

// Tensors of the parameters' leaves ("W", "cell.W"), rounded to their dtypes.
using Weights = std::map<std::string, ops::Tensor>;

// As the emitted code's Status, with the code's name. `node`: the lowest offender, -1 where it is
// no node; `detail`: the value that is wrong.
struct Status {
  std::string code = "ok";
  std::int64_t node = -1;
  std::int64_t detail = 0;

  bool ok() const { return code == "ok"; }
};

// One result. `data` is [rows, shape..]: a row per call, per node of the argument's type, or, where
// `ragged`, per item, those of call (or node) r being offsets[r] .. offsets[r + 1] - 1.
struct Rows {
  std::string name;
  ops::Tensor data;
  bool ragged = false;
  std::vector<std::int64_t> offsets;
};

struct Outcome {
  Status status;
  std::vector<Rows> results;  // empty unless the status is ok
};

}  // namespace espalier::eval

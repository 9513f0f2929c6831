#include "ops/scalar_eval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/bug.h"
#include "base/float16.h"
#include "ops/elementwise.h"
#include "wave/integer.h"

namespace espalier::ops {
namespace {

std::int64_t saturated(double x, Dtype dtype) {
  if (dtype == Dtype::boolean) return x != 0;
  if (std::isnan(x)) return 0;
  const double bound = std::ldexp(1.0, 8 * bytes(dtype) - 1);  // one past the largest
  if (x >= bound) return static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - 8 * bytes(dtype)));
  if (x <= -bound)
    return dtype == Dtype::i64 ? std::numeric_limits<std::int64_t>::min()
                               : static_cast<std::int64_t>(-bound);
  return static_cast<std::int64_t>(x);
}

// One row for each opcode, found by its number.
const Elementwise& row_of(wave::Opcode op) {
  static const auto table = [] {
    std::array<const Elementwise*, 256> found{};
    for (const Elementwise& row : elementwise_rows())
      found[static_cast<std::size_t>(row.opcode)] = &row;
    return found;
  }();
  const Elementwise* row = table[static_cast<std::size_t>(op)];
  require(row != nullptr, "no evaluation of this scalar operation");
  return *row;
}

}  // namespace

Number evaluate(wave::Opcode op, Dtype result, std::span<const Number> args) {
  if (op == wave::Opcode::select) return args[0].i != 0 ? args[1] : args[2];
  require(args.size() <= 3, "scalar operation of too many arguments");
  const Elementwise& row = row_of(op);
  if (is_float(args[0].dtype)) {
    std::array<double, 3> values{};
    for (std::size_t k = 0; k < args.size(); ++k) values[k] = args[k].f;
    require(row.real != nullptr, "scalar operation that takes no floats");
    const double value = row.real(values.data());
    return is_float(result) ? real(value, result) : whole(value != 0, result);
  }
  std::array<std::int64_t, 3> values{};
  for (std::size_t k = 0; k < args.size(); ++k) values[k] = args[k].i;
  require(row.whole != nullptr, "scalar operation that takes no integers");
  return whole(wave::wrap(row.whole(values.data()), result), result);
}

Number convert(Number x, Dtype dtype) {
  const bool from_real = is_float(x.dtype);
  if (is_float(dtype)) {
    if (!from_real && dtype == Dtype::f32)
      return real(static_cast<double>(static_cast<float>(x.i)), dtype);
    return real(rounded(from_real ? x.f : static_cast<double>(x.i), dtype), dtype);
  }
  return whole(from_real ? saturated(x.f, dtype) : wave::wrap(x.i, dtype), dtype);
}

bool wins(Number candidate, Number best, bool max) {
  if (!is_float(candidate.dtype)) return max ? candidate.i > best.i : candidate.i < best.i;
  if (std::isnan(best.f)) return false;
  return std::isnan(candidate.f) || (max ? candidate.f > best.f : candidate.f < best.f);
}

}  // namespace espalier::ops

// Evaluation of single scalar operations, for the operators and for the wave evaluator.
#pragma once

#include <cstdint>
#include <span>

#include "base/dtype.h"
#include "wave/scalar.h"

namespace espalier::ops {

// A float of any dtype stands in `f`, in double and not rounded; an integer or bool in `i`.
struct Number {
  Dtype dtype = Dtype::f64;
  double f = 0;
  std::int64_t i = 0;
};

inline Number real(double value, Dtype dtype = Dtype::f64) { return {dtype, value, 0}; }
inline Number whole(std::int64_t value, Dtype dtype = Dtype::i64) { return {dtype, 0, value}; }

// `op` of as many arguments as it takes, with the result dtype that wave::apply gives. Floats are
// computed in double; integers wrap at the width of the result. Not for casts: those are convert().
Number evaluate(wave::Opcode op, Dtype result, std::span<const Number> args);

// What cast() does: floats round to nearest, ties to even; float to int cuts the fraction off and
// saturates, NaN gives 0; ints wrap; to bool is "not zero".
Number convert(Number, Dtype);

// Whether `candidate` takes the place of `best` in a max (min): larger, or the first NaN.
bool wins(Number candidate, Number best, bool max);

}  // namespace espalier::ops

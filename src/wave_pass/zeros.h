// What fold needs to know of zeros.
#pragma once

#include <vector>

#include "wave/wave.h"

namespace espalier::wave_pass {

class Zeros {
 public:
  explicit Zeros(const wave::Entry&);

  // Zero of either sign, given that parameters and constants are finite and that sigmoid and its
  // kind are within their bounds, which they are but for NaN.
  bool is_zero(const wave::ScalarRef&) const;
  // Does something in the entry tell -0.0 from +0.0?
  bool told_apart() const { return told_apart_; }
  // May x + 0.0 become x? Where x is never -0.0, or nobody tells.
  bool may_drop(const wave::ScalarRef& x) const { return !told_apart_ || never_negative(x); }
  // Learns of what the operator computes.
  void note(const wave::Op&);

 private:
  bool never_negative(const wave::ScalarRef&) const;
  bool finite(const wave::ScalarRef&) const;
  bool tells_apart(const wave::Scalar&) const;

  const wave::Entry& entry_;
  std::vector<bool> never_negative_;  // by value: no element is -0.0
  std::vector<bool> finite_;          // by value
  bool told_apart_ = false;
};

}  // namespace espalier::wave_pass

// What fold needs to know of zeros.
#pragma once

#include <vector>

#include "wave/wave.h"

namespace espalier::wave_pass {

class Zeros {
 public:
  explicit Zeros(const wave::Entry&);

  // Zero, whatever finite numbers parameters and constants hold.
  bool is_zero(const wave::ScalarRef&) const;
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
  bool told_apart_ = false;
};

}  // namespace espalier::wave_pass

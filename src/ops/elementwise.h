// The table of elementwise operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/op.h"

namespace espalier::ops {

enum Takes : unsigned { reals = 1, integers = 2, bools = 4, numbers = 3, anything = 7 };

struct Elementwise {
  std::string_view name;
  wave::Opcode opcode;
  int arity;                      // of the operator; the opcode's arity also counts the option
  unsigned takes;                 // classes of dtype
  double (*real)(const double*);  // comparisons give 0 or 1
  std::int64_t (*whole)(const std::int64_t*);  // null where it takes no integers or bools
  std::string_view option = "";                // the opcode's last argument, with its default
  double fallback = 0;
};

std::span<const Elementwise> elementwise_rows();
const Elementwise& elementwise_row(wave::Opcode);

// One operator a name.
std::vector<Operator> elementwise_operators();

}  // namespace espalier::ops

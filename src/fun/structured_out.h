// Bodies as JSON: strings where the notation carries them, else the structured form of language.md
// section 6; or the structured form throughout.
#pragma once

#include <functional>
#include <string>

#include "fun/expr.h"
#include "fun/json_out.h"
#include "fun/notation.h"

namespace espalier::fun {

struct StructuredOptions {
  bool checked = false;
  bool expand = false;  // no strings but where JSON would nest too deep
  // With `expand`: whether a name that nothing binds is an operator.
  std::function<bool(const std::string&)> is_operator = [](const std::string&) { return false; };
};

JsonOut structured(const ExprRef& body, const StructuredOptions&);

}  // namespace espalier::fun

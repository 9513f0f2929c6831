// The text form of fun: a model file with expressions in the notation of language.md section 3,
// printed after and between passes and read back in like any other model.
#pragma once

#include <functional>
#include <string>

#include "fun/module.h"

namespace espalier::fun {

// Keys in the order of language.md section 1. Of a checked module: what is read back and checked
// again is the same module.
std::string print(const Module&);
// The same with every body in the structured form (language.md section 6).
std::string print_expanded(const Module&,
                           const std::function<bool(const std::string&)>& is_operator);

std::string print(const Expr&);  // on as many lines as it takes, no final newline
std::string print(const Pattern&);

}  // namespace espalier::fun

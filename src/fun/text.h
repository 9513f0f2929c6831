// The text form of fun: the language of language.md section 3 in a file of its own, printed after and
// between passes and read back in.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/module.h"

namespace espalier::fun {

std::string print(const Module&);
std::string print(const Expr&);     // on as many lines as it takes, no final newline
std::string print(const Pattern&);

}  // namespace espalier::fun

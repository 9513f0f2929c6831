// Bodies and expressions in JSON: strings, lists of statements, and the structured form of
// language.md section 6.
#pragma once

#include "fun/expr.h"
#include "read/object.h"
#include "read/parser.h"

namespace espalier::read {

// The expression that `json` stands for. A list is a block of statements with its value, or, if it
// holds numbers alone, a list of these.
Result<fun::ExprRef> read_body(const Reading&, const Json&, const ParseContext&);

}  // namespace espalier::read

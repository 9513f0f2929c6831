// Numbers and booleans of JSON as expressions.
#pragma once

#include <memory>

#include "fun/expr.h"
#include "read/object.h"

namespace espalier::read {

// Of a number or a boolean.
std::shared_ptr<fun::Expr> json_number(const Reading&, const Json&);
// Whether a list holds numbers, booleans and such lists alone, and at least one.
bool numbers_only(const Json&);

}  // namespace espalier::read

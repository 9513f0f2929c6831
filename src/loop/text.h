// The text form of loop modules (.loop): printed after and between passes, and read back in.
//
//   (loop (name "encode") ...
//     (buffer (name "h") (space workspace) (rows (kind nodes)) (shape 48) ...)
//     (function (name "sweep_up") ...
//       (body
//         (loop (name "level") (type i32) (begin (integer i32 0)) ...
//
// A struct is a list of its members that are not at their defaults; an expression is its kind, its
// type (f32; v for a vector, p for a pointer, w for one that writes), name, #buffer, =integer and
// ~number where it has them, then its arguments.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "loop/loop.h"

namespace espalier::loop {

std::string print(const Module&);
// The module that the text of `file` says, verified. What was printed prints the same again.
Result<Module> parse(const Sources&, std::int32_t file, Diagnostics&);

}  // namespace espalier::loop

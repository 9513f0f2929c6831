// Functions of the kernels' file: what they take, and calls of them.
#pragma once

#include "to_loop/code.h"

namespace espalier::to_loop {

// Appends the function with the parameters that its body turns out to use, and `more`, under the
// name that it has, made unique; returns its number. One that is there already, and writes nothing
// that is prepared, is that one.
int finish_function(Context&, loop::Function, const std::map<int, std::string>& outputs = {},
                    const std::vector<loop::Param>& more = {});

// A call that passes its parameters by name, but for those in `other`.
Stmt call_of(const Context&, int function, const std::map<std::string, ExprRef>& other = {},
             const std::string& tile = {});

}  // namespace espalier::to_loop

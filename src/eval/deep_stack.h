// Recursion as deep as the data is, without overflowing the stack.
#pragma once

#include <functional>

namespace espalier::eval {

// Runs `work` on a thread whose stack has room for some 10^6 nested calls; what it throws is thrown
// here. Within it, such calls run in place.
void on_deep_stack(const std::function<void()>& work);

// Whether the calling function may go deeper; true outside on_deep_stack.
bool stack_left();

}  // namespace espalier::eval

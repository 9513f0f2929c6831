// Loops whose every step is a lane of a vector.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loop/loop.h"

namespace espalier::loop {

// Of a loop over j from a multiple of 16 to `end`, whose last index rows of buffers go along.
struct LaneLoop {
  std::string j;
  std::int64_t end = 0;
  std::string end_name;  // of the constant, or ""
};

struct Lanes {
  std::vector<Stmt> body;
  ExprRef row_end;  // where `end` is no multiple of 16: the padded end of the rows stored to
  int stores = 0;
};

// The loop's body for `lanes` values of j at once: loads and stores of rows along j become those of
// vectors, and what is made of them is a vector. Nothing where something has no such form.
// Statements `around` the loop define its pointers, and local arrays of vectors, whose items are
// read as numbers.
std::optional<Lanes> lanes_of(const Module&, const std::vector<Stmt>& around, const LaneLoop&,
                              const std::vector<Stmt>& body);

bool has_vector_form(const std::string& function);  // of the runtime

}  // namespace espalier::loop

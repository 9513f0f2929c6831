// Text spoiled at random, for what must take any input without harm.
#pragma once

#include <string>

#include "tests/fuzz/random.h"

namespace espalier::fuzz {

// A few bytes changed, removed, doubled or moved.
std::string mutate_bytes(std::string text, Random&);

// Words, numbers and signs, inside of quotes too, replaced by others of the text or by awkward
// ones, removed or doubled.
std::string mutate_tokens(const std::string& text, Random&);

// Values, keys and members of a JSON text replaced, removed, wrapped or swapped; it stays JSON. A
// text that is none is returned as it is.
std::string mutate_json(const std::string& text, Random&);

}  // namespace espalier::fuzz

// Names that other libraries and languages give to what this language has.
#pragma once

#include <string>

namespace espalier::fun_pass {

// What to write in place of an unknown `name`: "concat(a, b)" for "cat"; "" where nothing is known.
std::string in_this_language(const std::string& name);

}  // namespace espalier::fun_pass

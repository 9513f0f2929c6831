// Files of the repository that are part of the compiler: templates, runtime headers, Makefile.gen.
#pragma once

#include <string_view>

namespace espalier::emit {

// "templates/api.h.mustache", "runtime/lanes.h", "Makefile.gen". Throws Bug where there is none.
std::string_view embedded_file(std::string_view path);

}  // namespace espalier::emit

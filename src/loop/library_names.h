#pragma once

#include <string_view>

namespace espalier::loop {

// Whether C's or POSIX's headers may declare `name` as a function or variable of the global
// namespace, where a package's namespace stands as well.
bool is_library_name(std::string_view name);

}  // namespace espalier::loop

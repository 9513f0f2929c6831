#pragma once

#include <string_view>

namespace espalier {

// The tool's version as CMakeLists.txt states it, "0.1.0": in --version, manifests and the inline
// namespace of packages.
std::string_view version();

}  // namespace espalier

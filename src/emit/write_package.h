#pragma once

#include <filesystem>

#include "base/diagnostic.h"
#include "emit/package.h"

namespace espalier::emit {

// Writes the package to a new folder beside `folder`, which then takes its place. What stands there
// must be an Espalier package, or empty; without `force` none of its files may have been edited.
// What else lies in it (its build folder, files of the user's) is moved along. False, and nothing
// changed, where diagnostics were reported.
bool write_package(const Package&, const std::filesystem::path& folder, bool force, Diagnostics&);

}  // namespace espalier::emit

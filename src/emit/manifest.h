#pragma once

#include <map>
#include <optional>
#include <string>

#include "emit/host.h"
#include "emit/package.h"

namespace espalier::emit {

// manifest.json of a package whose other files are `package`.
std::string manifest(const Context&, const Inputs&, const Package& package);

// The files that a manifest lists, with their hashes; nothing where the text is no such manifest.
std::optional<std::map<std::string, std::string>> manifest_files(const std::string& text);

}  // namespace espalier::emit

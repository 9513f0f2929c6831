// What kernels cost, for the manifest.
#pragma once

#include <nlohmann/json.hpp>

#include "loop/loop.h"

namespace espalier::emit {

// {ENTRY: {"each": {ELEMENT: FLOPs and bytes}, "kernels": {KERNEL: {"barriers_per_level", ..}}}},
// where ELEMENT is a variant, a part of one, an item of one of its lists, or a call.
nlohmann::json costs(const loop::Module&);

}  // namespace espalier::emit

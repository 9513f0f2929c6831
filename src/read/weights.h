// The weights of a model, from its files.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/module.h"
#include "ops/tensor.h"

namespace espalier::read {

// A tensor for every leaf of every parameter ("cell.W"), converted to the declared dtype (to
// nearest, ties to even). Files are relative to `folder`: the model's, or the user's for weights.
Result<std::map<std::string, ops::Tensor>> load_weights(const fun::Module&,
                                                        const std::filesystem::path& folder,
                                                        Sources*, Diagnostics*);

}  // namespace espalier::read

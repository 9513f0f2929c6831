// A model file, from JSON to an unchecked fun::Module.
#pragma once

#include <filesystem>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fun/module.h"

namespace espalier::read {

// Reads the keys of language.md section 1, whose types and dims come back resolved, and whose
// bodies as described in fun/expr.h. Reports every mistake that it finds; nothing if there was one.
Result<fun::Module> read_model(Sources*, const std::filesystem::path&, Diagnostics*);
// The same of a text, which diagnostics call `name`.
Result<fun::Module> read_model_text(Sources*, std::string name, std::string text, Diagnostics*);

}  // namespace espalier::read

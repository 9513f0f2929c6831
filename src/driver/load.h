// The program that a run begins with, and its weights.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "driver/pipeline.h"
#include "eval/outcome.h"

namespace espalier::driver {

// Of the file named on the command line: a model, unchecked, or IR text at the stage that its
// ending names.
Result<Program> load_program(Session&);

// --weights-dir, or the model's folder.
std::filesystem::path weights_folder(const Session&);

// From the files that the model names, in --weights-dir or beside the model.
Result<eval::Weights> load_weights(const fun::Module&, Session&);

}  // namespace espalier::driver

#pragma once

#include <string>

namespace espalier::read {

// A JSON Schema (draft 2020-12) of model files with the structured form of language.md section 6,
// for editors and for programs that write models. It knows forms and keys, not names and types.
std::string model_schema();

}  // namespace espalier::read

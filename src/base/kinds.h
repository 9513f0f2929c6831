// The kinds of diagnostics. Apart from diagnostic.h, so that a new row of the table is not news to
// all that merely passes diagnostics on.
#pragma once

#include "base/diagnostic.h"

namespace espalier {

// One enumerator a row of diagnostics.def, e.g. Kind::unknown_name for "E101 unknown-name".
enum class Kind : std::uint16_t {
#define DIAGNOSTIC(id, name, text) name,
#include "base/diagnostics.def"
#undef DIAGNOSTIC
};

}  // namespace espalier

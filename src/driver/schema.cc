// espalier schema
#include "read/schema.h"

#include <fmt/format.h>

#include "base/kinds.h"
#include "driver/verbs.h"

namespace espalier::driver {

bool schema(Session& session) {
  if (session.options.schema != "model") {
    session.diagnostics.error(
        Kind::not_available, {},
        "the schema of a " + session.options.schema + " is not available in this version");
    return false;
  }
  fmt::print("{}", read::model_schema());
  return true;
}

}  // namespace espalier::driver

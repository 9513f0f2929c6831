#include "base/version.h"

namespace espalier {

std::string_view version() { return ESPALIER_VERSION; }

}  // namespace espalier

// The flat tables of a checked module's data types and arguments.
#pragma once

#include "base/forest.h"
#include "fun/module.h"

namespace espalier::fun {

// Of the data types that the entries' arguments reach (in the order of module.types).
Forest forest_of(const Module&);
Arguments arguments_of(const Function&);

// The leaves of payload field `field`, as positions in Variant::fields.
std::vector<int> leaves_of(const espalier::Variant&, const std::string& field);

}  // namespace espalier::fun

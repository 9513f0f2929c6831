// Names of values. What follows a prime only tells values of one label apart: "h", "h'2", "h'leaf".
#pragma once

#include <string>

#include "wave/wave.h"

namespace espalier::wave {

std::string label(const std::string& name);  // "h'2": "h"
std::string unique_value_name(const Entry&, const std::string& wanted);

}  // namespace espalier::wave

// Numbers of JSON as elements of a dtype.
#pragma once

#include <cstdint>
#include <optional>

#include "base/dtype.h"
#include "read/json.h"

namespace espalier::read {

bool fits_integer(std::int64_t, Dtype);  // within the dtype's range
// A number, or "inf", "-inf" or "nan", rounded to the float dtype.
std::optional<double> real_element(const Json&, Dtype);

}  // namespace espalier::read

// Data as C++ text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/forest.h"

namespace espalier::emit {

// "const float NAME[3] = {..};\n" in lines of at most 100 columns; 16-bit floats as their bits.
// Nothing for an empty column: C++ has no such arrays.
std::string array_text(const std::string& name, Dtype, const Column&);
std::string array_text(const std::string& name, const std::vector<std::int64_t>& int32s);

// The elements alone: "1", "0.5f".
std::vector<std::string> element_texts(Dtype, const Column&);

// As a C++ string literal, any bytes.
std::string string_literal(std::string_view);

}  // namespace espalier::emit

// UTF-8, and which characters make names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::read {

// The byte at which `text` stops being UTF-8 (no overlong forms, no surrogates), or npos.
std::size_t first_invalid_utf8(std::string_view text);

// The character at the start of well-formed `text`, and its bytes.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
};
Character first_character(std::string_view text);

// Letters and combining marks of any script (Unicode 14, general categories L and M), and '_'.
bool is_letter(std::uint32_t code);

// Whether `text` is a name: letters, digits and '_', no digit first.
bool is_name(std::string_view text);

}  // namespace espalier::read

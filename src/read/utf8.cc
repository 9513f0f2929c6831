#include "read/utf8.h"

#include <algorithm>
#include <iterator>

namespace espalier::read {

namespace {

struct Range {
  std::uint32_t first, last;
};

constexpr Range letters[] = {
#include "read/letters.def"
};

std::uint32_t byte(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Bytes of the well-formed character at the start of `text`; 0 if it is none.
std::size_t valid_length(std::string_view text) {
  const std::uint32_t lead = byte(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(text, i) & 0xc0) != 0x80) return 0;
  const std::uint32_t second = byte(text, 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool outside = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = valid_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

Character first_character(std::string_view text) {
  const std::uint32_t lead = byte(text, 0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(text, i) & 0x3f);
  return {code, length};
}

bool is_letter(std::uint32_t code) {
  if (code < 0x80) {
    const std::uint32_t lower = code | 0x20;
    return code == '_' || (lower >= 'a' && lower <= 'z');
  }
  const auto next = std::upper_bound(std::begin(letters), std::end(letters), code,
                                     [](std::uint32_t c, const Range& r) { return c < r.first; });
  return next != std::begin(letters) && code <= next[-1].last;
}

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!is_letter(c.code) && !(c.code >= '0' && c.code <= '9')) return false;
    text.remove_prefix(c.length);
  }
  return true;
}

}  // namespace espalier::read

// Numbers as text and back, exact and the same in every locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// How the caller's language spells what has no literal.
struct Specials {
  std::string_view infinity, nan;
};

// The shortest text that reads back as the same number of its type, with a point or an exponent:
// "0.1", "1e-30", "-0.0", "100.0"; for IR text "inf", "-inf" and "nan".
std::string shortest(double, Specials = {"inf", "nan"});
std::string shortest(float, Specials = {"inf", "nan"});
// Of the values of f16 and bf16: also reads back when it is read as a float and then rounded.
std::string shortest_f16(double, Specials = {"inf", "nan"});
std::string shortest_bf16(double, Specials = {"inf", "nan"});

// C++ literals. Those of the types up to float have the suffix f; a negative one begins with '-'.
std::string literal(double, Specials);
std::string literal(float, Specials);
std::string literal_f16(double, Specials);
std::string literal_bf16(double, Specials);
// The least integers, which have no literal of their own, as "(-2147483647 - 1)".
std::string literal(std::int32_t);
std::string literal(std::int64_t);
std::string literal(std::uint32_t);  // "7u"
std::string literal(std::uint64_t);

// The whole of `text` as a number, correctly rounded: decimal digits with an optional sign, point
// and exponent, or "inf", "-inf", "nan". Too large gives infinity, too small gives zero. Nothing
// where the text is no number.
std::optional<double> parse_double(std::string_view text);
std::optional<float> parse_float(std::string_view text);
// Nothing as well where the number does not fit.
std::optional<std::int64_t> parse_int(std::string_view text);

}  // namespace espalier

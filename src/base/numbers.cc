#include "base/numbers.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/bug.h"
#include "base/float16.h"

namespace espalier {

namespace {

std::string special(bool negative, bool infinite, Specials specials) {
  if (!infinite) return std::string(specials.nan);
  return (negative ? "-" : "") + std::string(specials.infinity);
}

std::string with_point(std::string text) {
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <class T, class... How>
std::string chars(T value, How... how) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, how...);
  require(error == std::errc(), "a number longer than its buffer");
  return {buffer, end};
}

template <class T>
std::string shortest_of(T value, Specials specials) {
  if (!std::isfinite(value)) return special(std::signbit(value), std::isinf(value), specials);
  return with_point(chars(value));
}

// The fewest digits that `round` takes back to `value`.
std::string shortest_rounded(double value, double (*round)(double), Specials specials) {
  require(std::isnan(value) || round(value) == value, "value of a 16-bit type out of its range");
  if (!std::isfinite(value)) return special(std::signbit(value), std::isinf(value), specials);
  for (int digits = 0; digits < 9; ++digits) {
    const auto read = parse_float(chars(value, std::chars_format::scientific, digits));
    if (round(static_cast<double>(*read)) == value) return with_point(chars(*read));
  }
  return with_point(chars(static_cast<float>(value)));
}

bool decimal(std::string_view text) {
  std::size_t i = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  std::size_t count = digits();
  if (i < text.size() && text[i] == '.') ++i, count += digits();
  if (count == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

// Whether a decimal number that no finite value of the type is near is a large one.
bool large(std::string_view text) {
  long long exponent = 0;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec != std::errc()) return !digits.starts_with('-');
  }
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  return exponent + static_cast<long long>(point) - static_cast<long long>(first) > 0;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  if (text == "inf") return std::numeric_limits<T>::infinity();
  if (text == "-inf") return -std::numeric_limits<T>::infinity();
  if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
  if (!decimal(text)) return std::nullopt;
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = large(text) ? std::numeric_limits<T>::infinity() : T{0};
    return text.starts_with('-') ? -value : value;
  }
  require(error == std::errc() && end == text.data() + text.size(), "a decimal number not read");
  return value;
}

}  // namespace

std::string shortest(double value, Specials specials) { return shortest_of(value, specials); }
std::string shortest(float value, Specials specials) { return shortest_of(value, specials); }
std::string shortest_f16(double value, Specials specials) {
  return shortest_rounded(value, round_to_f16, specials);
}
std::string shortest_bf16(double value, Specials specials) {
  return shortest_rounded(value, round_to_bf16, specials);
}

std::string literal(double value, Specials specials) { return shortest(value, specials); }
std::string literal(float value, Specials specials) {
  return shortest(value, specials) + (std::isfinite(value) ? "f" : "");
}
std::string literal_f16(double value, Specials specials) {
  return shortest_f16(value, specials) + (std::isfinite(value) ? "f" : "");
}
std::string literal_bf16(double value, Specials specials) {
  return shortest_bf16(value, specials) + (std::isfinite(value) ? "f" : "");
}

std::string literal(std::int32_t value) {
  return value == INT32_MIN ? "(-2147483647 - 1)" : chars(value);
}
std::string literal(std::int64_t value) {
  return value == INT64_MIN ? "(-9223372036854775807 - 1)" : chars(value);
}
std::string literal(std::uint32_t value) { return chars(value) + 'u'; }
std::string literal(std::uint64_t value) { return chars(value) + 'u'; }

std::optional<double> parse_double(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_float(std::string_view text) { return parse<float>(text); }

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace espalier

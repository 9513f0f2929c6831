#include "base/names.h"

#include <algorithm>

#include "base/sha256.h"

namespace espalier {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

std::string with_suffix(std::string_view name, int suffix) {
  std::string out(name);
  if (!out.ends_with('_')) out += '_';  // two in a row are reserved
  return out + std::to_string(suffix);
}

}  // namespace

std::string legal_identifier(std::string_view wanted) {
  constexpr std::size_t longest = 60;
  std::string name;
  for (const char c : wanted) {
    if (is_identifier_char(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  if (name.empty()) return "unnamed";
  if (is_digit(name[0])) name.insert(0, 1, 'v');
  if (name.size() > longest) {
    name.resize(longest - 9);
    if (name.back() != '_') name += '_';
    name += sha256(wanted).substr(0, 8);
  }
  if (is_reserved_word(name)) name += '_';
  return name;
}

bool Names::taken(std::string_view name) const {
  return std::any_of(levels_.begin(), levels_.end(),
                     [&](const Level& level) { return level.names.contains(name); });
}

bool Names::reserve(std::string_view name) {
  if (taken(name)) return false;
  levels_.back().names.emplace(name);
  return true;
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> out;
  for (const Level& level : levels_) out.insert(out.end(), level.names.begin(), level.names.end());
  return out;
}

std::string Names::unique(std::string_view wanted) {
  std::string name = legal_identifier(wanted);
  if (reserve(name)) return name;
  int suffix = 1;
  for (const Level& level : levels_)
    if (const auto it = level.last_suffix.find(name); it != level.last_suffix.end())
      suffix = std::max(suffix, it->second);
  std::string candidate;
  do {
    candidate = with_suffix(name, ++suffix);
  } while (is_reserved_word(candidate) || !reserve(candidate));
  levels_.back().last_suffix[name] = suffix;
  return candidate;
}

}  // namespace espalier

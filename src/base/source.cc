#include "base/source.h"

#include <algorithm>

#include "base/bug.h"

namespace espalier {

std::int32_t Sources::add(std::string name, std::string text) {
  require(text.size() < UINT32_MAX, "source text of 4 GiB");
  File file{std::move(name), std::move(text), {0}};
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  files_.push_back(std::move(file));
  return static_cast<std::int32_t>(files_.size() - 1);
}

std::int32_t Sources::intern_pointer(std::string_view json_pointer) {
  const auto [it, fresh] = pointer_ids_.try_emplace(std::string(json_pointer),
                                                    static_cast<std::int32_t>(pointers_.size()));
  if (fresh) pointers_.push_back(it->first);
  return it->second;
}

LineColumn Sources::line_column(const Loc& loc) const {
  if (loc.file < 0) return {};
  const auto& starts = files_[index(loc.file)].line_starts;
  const auto next = std::upper_bound(starts.begin(), starts.end(), loc.offset);
  return {static_cast<int>(next - starts.begin()), static_cast<int>(loc.offset - next[-1]) + 1};
}

std::string_view Sources::line_text(const Loc& loc) const {
  if (loc.file < 0) return {};
  const File& file = files_[index(loc.file)];
  const auto next = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), loc.offset);
  std::string_view line = std::string_view(file.text).substr(next[-1]);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace espalier

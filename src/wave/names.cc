#include "wave/names.h"

#include <algorithm>

namespace espalier::wave {

std::string label(const std::string& name) { return name.substr(0, name.find('\'')); }

std::string unique_value_name(const Entry& entry, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(entry.values.begin(), entry.values.end(),
                       [&](const Value& v) { return v.name == name; });
  };
  std::string name = wanted;
  for (int i = 2; taken(name); i++) name = label(wanted) + "'" + std::to_string(i);
  return name;
}

}  // namespace espalier::wave

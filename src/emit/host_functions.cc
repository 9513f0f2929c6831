#include "emit/host_functions.h"

#include <algorithm>

namespace espalier::emit {

HostFunctions::HostFunctions(const loop::ApiNames& names) {
  for (const std::string& name : names.global) names_.reserve(name);
}

std::string HostFunctions::add(const std::string& name, const std::string& entry,
                               const std::function<std::string(const std::string&)>& text) {
  bool taken = false;
  for (const Function& f : functions_) {
    if (f.wanted != name) continue;
    taken = true;
    if (text(f.name) == f.text) return f.name;
  }
  const std::string chosen = names_.unique(taken ? name + "_" + entry : name);
  functions_.push_back({name, chosen, text(chosen)});
  return chosen;
}

std::string HostFunctions::take_text() {
  std::string out;
  for (; taken_ < functions_.size(); taken_++) out += functions_[taken_].text;
  return out;
}

}  // namespace espalier::emit

// espalier lint
#include "inspect/lint.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/kinds.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

// What manifest.json promises; nothing where it is none of ours.
std::optional<inspect::Promises> promises_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("promises")) return std::nullopt;
  const auto list = [&](const char* key) {
    std::vector<std::string> out;
    for (const auto& item : json["promises"].value(key, nlohmann::json::array()))
      if (item.is_string()) out.push_back(item.get<std::string>());
    return out;
  };
  return inspect::Promises{list("includes"), list("calls"), list("names")};
}

}  // namespace

bool lint(Session& session) {
  const std::filesystem::path folder = session.options.model;
  if (!inspect::lint_available()) {
    session.diagnostics.error(Kind::not_available, {},
                              "this build has no Clang (libclang-14-dev), which 'lint' needs");
    return false;
  }
  std::string why;
  const auto text = read_file(folder / "manifest.json", &why);
  if (!text) {
    session.diagnostics.error(Kind::cannot_read, {},
                              (folder / "manifest.json").string() + ": " + why);
    return false;
  }
  const auto promises = promises_of(*text);
  if (!promises) {
    session.diagnostics.error(Kind::not_a_package, {},
                              folder.string() + " is no package of Espalier's");
    return false;
  }
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".cpp") files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  inspect::lint(folder.string(), files, *promises, {}, session.sources, session.diagnostics);
  return session.diagnostics.ok();
}

}  // namespace espalier::driver

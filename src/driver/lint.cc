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

std::vector<std::string> strings(const nlohmann::json& list) {
  std::vector<std::string> out;
  if (!list.is_array()) return out;
  for (const nlohmann::json& s : list)
    if (s.is_string()) out.push_back(s.get<std::string>());
  return out;
}

}  // namespace

bool lint(Session& session) {
  namespace fs = std::filesystem;
  if (!inspect::lint_available()) {
    session.diagnostics.error(Kind::not_available, {},
                              "this build has no Clang; install libclang-14-dev and llvm-14-dev "
                              "and build again");
    return false;
  }
  const fs::path folder = session.options.model;
  std::string why;
  const std::optional<std::string> text = read_file(folder / "manifest.json", &why);
  const nlohmann::json manifest =
      text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!manifest.is_object() || !manifest.contains("promises") ||
      !manifest["promises"].is_object()) {
    session.diagnostics.error(
        Kind::lint_no_package, {},
        "'" + folder.string() + "' is no emitted package: its manifest.json " +
            (text ? "does not say what the source may use" : "cannot be read, " + why));
    return false;
  }
  const nlohmann::json& said = manifest["promises"];
  const inspect::Promises promises = {strings(said.value("includes", nlohmann::json())),
                                      strings(said.value("calls", nlohmann::json())),
                                      strings(said.value("names", nlohmann::json()))};
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& f : fs::directory_iterator(folder, error))
    if (f.path().extension() == ".cpp" && f.path().filename() != "check.cpp")
      files.push_back(fs::absolute(f.path()).string());
  std::sort(files.begin(), files.end());
  inspect::lint(fs::absolute(folder).string(), files, promises, {}, session.sources,
                session.diagnostics);
  if (session.diagnostics.ok()) say(session, session.options.model + ": no findings");
  return session.diagnostics.ok();
}

}  // namespace espalier::driver

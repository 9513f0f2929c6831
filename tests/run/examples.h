// The examples, and packages of models without a folder for them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "driver/lowering.h"
#include "driver/package.h"

namespace espalier::test {

inline const std::filesystem::path examples_root =
    std::filesystem::path(ESPALIER_ROOT) / "examples";

inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(examples_root))
    if (exists(folder.path() / "model.json")) names.push_back(folder.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline driver::Options example_options(const std::string& name) {
  driver::Options options;
  const std::filesystem::path folder = examples_root / name;
  options.model = (folder / "model.json").string();
  options.weights_dir = folder.string();
  options.no_weights = !exists(folder / "weights.safetensors");  // some come with other data
  return options;
}

inline std::string messages(const driver::Session& session) {
  std::string out;
  for (const Diagnostic& d : session.diagnostics.all()) out += format(d, session.sources, false);
  return out;
}

// What `compile` would write, or an empty package where it reports something; `said` gets that.
inline emit::Package emitted(const driver::Options& options, std::string* said = nullptr) {
  driver::Session session;
  session.options = options;
  Result<driver::Lowered> lowered = driver::lower(driver::Stage::fun, session);
  Result<emit::Package> package = Failed{};
  if (lowered) package = driver::make_package(lowered->program, lowered->weights, session);
  if (said != nullptr) *said = messages(session);
  if (!package && said == nullptr) FAIL(messages(session));
  return package ? std::move(*package) : emit::Package();
}

inline std::map<std::string, std::string> files_of(const emit::Package& package) {
  std::map<std::string, std::string> files;
  for (const emit::PackageFile& file : package.files) files[file.path] = file.bytes;
  return files;
}

}  // namespace espalier::test

// What a test needs from outside the repository, and how it says that it was skipped.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace espalier::test {

// Prints the line that .ci/run counts.
inline void skipped(const std::string& reason) {
  std::printf("SKIPPED: %s\n", reason.c_str());
  std::fflush(stdout);
}

// The path of `name` in the shared data (ESPALIER_SHARED, else ../shared beside the sources); says
// so and returns nothing where it is absent:
//   const auto file = shared("cases/treernn/inputs.json");
//   if (!file) return;
inline std::optional<std::filesystem::path> shared(const std::string& name) {
  const char* set = std::getenv("ESPALIER_SHARED");
  const std::filesystem::path root =
      set ? std::filesystem::path(set)
          : std::filesystem::path(ESPALIER_ROOT).parent_path() / "shared";
  if (std::filesystem::exists(root / name)) return root / name;
  skipped("no shared data (" + name + ")");
  return std::nullopt;
}

// Whether the program `name` can be run; says so where it cannot.
inline bool have_program(const std::string& name) {
  if (std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0) return true;
  skipped("no " + name);
  return false;
}

}  // namespace espalier::test

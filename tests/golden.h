// Expected texts that stand in files. ESPALIER_UPDATE=1, or --update to one test executable, writes
// the texts found in place of those expected.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace espalier::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline bool updating() { return std::getenv("ESPALIER_UPDATE") != nullptr; }

// Checks that `found` is the text of the file at `path`, relative to tests/.
inline void check_golden(const std::string& path, const std::string& found) {
  const std::filesystem::path file = std::filesystem::path(ESPALIER_ROOT) / "tests" / path;
  if (updating()) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << found;
    return;
  }
  INFO("golden file tests/", path, "; run with --update to accept");
  CHECK(found == read_text(file));
}

}  // namespace espalier::test

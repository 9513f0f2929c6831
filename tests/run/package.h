// Packages written to a folder, compiled with the system compilers, and run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "emit/package.h"
#include "tests/command.h"

namespace espalier::test {

inline const char* const strict_warnings =
    " -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wvla -Werror"
    " -fno-exceptions -fno-rtti ";

inline bool has_compiler(const std::string& name) {
  return run_command("command -v " + name).status == 0;
}

inline void write_files(const emit::Package& package, const std::filesystem::path& folder) {
  for (const emit::PackageFile& file : package.files) {
    std::filesystem::create_directories((folder / file.path).parent_path());
    write_file(folder / file.path, file.bytes);
  }
}

// Compiles all .cpp files of the folder to `program` there, and runs it.
inline Finished build_and_run(const std::filesystem::path& folder,
                              const std::string& compiler_and_flags,
                              const std::string& program = "check_program") {
  const Finished built = run_command("cd " + folder.string() + " && " + compiler_and_flags +
                                     " *.cpp -o " + program + " -lm");
  if (built.status != 0) return built;
  return run_command("cd " + folder.string() + " && ./" + program);
}

}  // namespace espalier::test

// Packages written to a folder, compiled with the system compilers, and run.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "emit/package.h"

namespace espalier::test {

inline const char* const strict_warnings =
    " -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Wshadow -Wvla -Werror"
    " -fno-exceptions -fno-rtti ";

struct Ran {
  int status = 0;  // exit status; 128 and more: a signal
  std::string text;
};

inline Ran run_command(const std::string& command) {
  Ran ran;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) ran.text.append(part, n);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

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
inline Ran build_and_run(const std::filesystem::path& folder, const std::string& compiler_and_flags,
                         const std::string& program = "check_program") {
  const Ran built = run_command("cd " + folder.string() + " && " + compiler_and_flags +
                                " *.cpp -o " + program + " -lm");
  if (built.status != 0) return built;
  return run_command("cd " + folder.string() + " && ./" + program);
}

}  // namespace espalier::test

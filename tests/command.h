// Programs that tests run.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace espalier::test {

struct Finished {
  int status = -1;     // the exit status; 128 + the signal's number where one ended it
  std::string output;  // of both streams, unless the command redirects them
};

// Runs `command` with sh.
inline Finished run_command(const std::string& command) {
  std::FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return {};
  Finished finished;
  std::array<char, 4096> block{};
  for (std::size_t read; (read = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    finished.output.append(block.data(), read);
  const int status = pclose(pipe);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

}  // namespace espalier::test

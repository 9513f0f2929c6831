#include "tests/fuzz/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/file.h"
#include "driver/session.h"

namespace espalier::fuzz {
namespace {

void redirect(int stream, const std::string& file) {
  const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(to, stream);
  close(to);
}

[[noreturn]] void run_child(const std::vector<std::string>& arguments, const std::string& folder,
                            int seconds) {
  redirect(STDOUT_FILENO, folder + "/stdout");
  redirect(STDERR_FILENO, folder + "/stderr");
  const rlimit limit{static_cast<rlim_t>(seconds), static_cast<rlim_t>(seconds)};
  setrlimit(RLIMIT_CPU, &limit);
  std::vector<const char*> argv = {"espalier"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const int status = driver::run(static_cast<int>(argv.size()), argv.data());
  std::fflush(nullptr);
  _exit(status);
}

// "FILE:LINE:COLUMN: error: ..", or "espalier: error: .." of kinds that no place in a file has.
bool is_error(const std::string& line) {
  static const std::regex placed(R"(.+:\d+:\d+: error: .* \[E\d\d\d [a-z0-9-]+\])");
  static const std::regex unplaced(
      R"(espalier: error: .* \[E(009|330|4\d\d|5\d\d|6\d\d) [a-z0-9-]+\])");
  return std::regex_match(line, placed) || std::regex_match(line, unplaced);
}

bool is_json(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  return json.is_object() && json.contains("id") && json.contains("message");
}

}  // namespace

Trial run_trial(const std::vector<std::string>& arguments, const std::string& folder, int seconds) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) run_child(arguments, folder, seconds);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Trial trial;
  trial.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  trial.output = read_file(folder + "/stdout").value_or("");
  trial.messages = read_file(folder + "/stderr").value_or("");
  trial.peak_mib = usage.ru_maxrss >> 10;
  return trial;
}

std::string fault(const Trial& trial) {
  if (trial.status != 0 && trial.status != 1) return fmt::format("exit status {}", trial.status);
  if (trial.peak_mib > 2048) return fmt::format("{} MiB of memory", trial.peak_mib);
  if (trial.status == 0)  // a line may say what was done
    return trial.messages.find("error: ") == std::string::npos ? "" : "success with an error";
  if (trial.messages.empty()) return "failure without a message";
  std::istringstream lines(trial.messages);
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false) {
    const bool fine = trial.messages[0] == '{' ? is_json(line) : !first || is_error(line);
    if (!fine) return "no diagnostic, or one without its place: " + line;
  }
  return "";
}

}  // namespace espalier::fuzz

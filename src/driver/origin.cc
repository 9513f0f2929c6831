#include "driver/origin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "driver/pipeline.h"
#include "fun/text.h"
#include "read/model.h"

namespace espalier::driver {
namespace {

constexpr std::string_view start = "\n# passes ", hash = "# model ", comment = "# ";

// The value of a line "# KEY value"; "" where the line is another one.
std::string value_of(const std::string& line, std::string_view key) {
  return line.compare(0, key.size(), key) == 0 ? line.substr(key.size()) : "";
}

// The model is checked again, as a run from the start checks it: by all passes, in silence.
std::optional<fun::Module> checked(fun::Module model, Session& session) {
  const Options options = session.options;
  session.options.disable.clear();
  session.options.print_after.clear();
  session.options.stop_after.clear();
  session.options.time_passes = false;
  Program program;
  program.fun = std::move(model);
  const bool done = run_pipeline(program, Stage::fun, session);
  session.options = options;
  return done ? std::move(program.fun) : std::nullopt;
}

}  // namespace

std::string print(const Origin& origin) {
  std::string out =
      fmt::format("{}{}\n{}{}\n", start, fmt::join(origin.passes, " "), hash, origin.model_sha256);
  std::istringstream lines(fun::print(origin.core));
  for (std::string line; std::getline(lines, line);) out += fmt::format("{}{}\n", comment, line);
  return out;
}

std::optional<Origin> take_origin(std::string* text, Session& session) {
  const std::size_t at = text->find(start);
  if (at == std::string::npos) return std::nullopt;
  Origin origin;
  std::istringstream lines(text->substr(at + 1));
  text->resize(at + 1);
  std::string line, model;
  std::getline(lines, line);
  std::istringstream passes(value_of(line, start.substr(1)));
  for (std::string pass; passes >> pass;) origin.passes.push_back(pass);
  std::getline(lines, line);
  origin.model_sha256 = value_of(line, hash);
  while (std::getline(lines, line)) model += value_of(line, comment) + "\n";
  auto read = read::read_model_text(&session.sources, "the model in " + session.options.model,
                                    model, &session.diagnostics);
  if (!read) return std::nullopt;
  std::optional<fun::Module> core = checked(std::move(*read), session);
  if (!core) return std::nullopt;
  origin.core = std::move(*core);
  return origin;
}

}  // namespace espalier::driver

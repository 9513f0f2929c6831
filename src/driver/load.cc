#include "driver/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/kinds.h"
#include "loop/text.h"
#include "read/model.h"
#include "read/weights.h"
#include "wave/text.h"

namespace espalier::driver {
namespace {

// The first line of IR text that print() wrote: which pass came last.
std::string pass_named_in(const std::string& text) {
  const std::string prefix = std::string(done_mark);
  if (text.compare(0, prefix.size(), prefix) != 0) return "";
  return text.substr(prefix.size(), text.find('\n') - prefix.size());
}

// Makes the choices again that were made before the program was printed.
void repeat_choices(Program& program, Session& session) {
  const std::vector<std::string>& disabled = session.options.disable;
  if (program.done.empty()) return;
  for (const Pass& pass : pipeline()) {
    if (pass.choice && std::find(disabled.begin(), disabled.end(), pass.name) == disabled.end())
      pass.run(program, session);
    if (pass.name == program.done) return;
  }
}

template <class Module>
bool set(std::optional<Module>* to, Result<Module> module) {
  if (module) *to = std::move(*module);
  return to->has_value();
}

}  // namespace

std::filesystem::path weights_folder(const Session& session) {
  if (!session.options.weights_dir.empty()) return session.options.weights_dir;
  return std::filesystem::path(session.options.model).parent_path();
}

Result<Program> load_program(Session& session) {
  if (!check_pass_names(session)) return Failed{};
  const std::filesystem::path file = session.options.model;
  const std::string ending = file.extension().string();
  Program program;
  bool loaded = false;
  if (ending != ".wave" && ending != ".loop") {
    loaded = set(&program.fun, read::read_model(&session.sources, file, &session.diagnostics));
  } else {
    std::string why;
    auto text = read_file(file, &why);
    if (!text) {
      session.diagnostics.error(Kind::cannot_read, {}, fmt::format("{}: {}", file.string(), why));
      return Failed{};
    }
    program.done = pass_named_in(*text);
    repeat_choices(program, session);
    if (!program.done.empty()) text->replace(0, text->find('\n'), text->find('\n'), ' ');
    const std::int32_t source = session.sources.add(file.string(), *text);
    program.stage = ending == ".wave" ? Stage::wave : Stage::loop;
    loaded = program.stage == Stage::wave
                 ? set(&program.wave, wave::parse(session.sources, source, session.diagnostics))
                 : set(&program.loop, loop::parse(session.sources, source, session.diagnostics));
  }
  if (!loaded) return Failed{};
  return program;
}

Result<eval::Weights> load_weights(const fun::Module& module, Session& session) {
  return read::load_weights(module, weights_folder(session), &session.sources,
                            &session.diagnostics);
}

}  // namespace espalier::driver

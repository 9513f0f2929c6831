#include "driver/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/kinds.h"
#include "base/sha256.h"
#include "driver/interface.h"
#include "loop/text.h"
#include "read/model.h"
#include "read/weights.h"
#include "to_wave/to_wave.h"
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
  const auto among = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (program.done.empty()) return;
  for (const Pass& pass : pipeline()) {
    const bool made = !program.has_model || among(program.origin.passes, pass.name);
    if (pass.choice && made && !among(session.options.disable, pass.name))
      pass.run(program, session);
    if (pass.name == program.done) return;
  }
}

template <class Module>
bool set(std::optional<Module>* to, Result<Module> module) {
  if (module) *to = std::move(*module);
  return to->has_value();
}

// The entries of text that somebody edited are still the model's; those taken out are gone from it.
template <class Entries>
bool keep_entries(const Entries& entries, fun::Module* core, Session& session) {
  std::vector<fun::Entry> kept;
  for (const auto& entry : entries) {
    const auto same = [&](const fun::Entry& e) { return e.name == entry.name; };
    const auto it = std::find_if(core->entries.begin(), core->entries.end(), same);
    if (it != core->entries.end())
      kept.push_back(*it);
    else
      session.diagnostics.error(
          Kind::no_model_in_text, {},
          fmt::format("entry '{}' is none of the model that the text holds", entry.name));
  }
  core->entries = std::move(kept);
  return session.diagnostics.ok();
}

// Text that somebody edited is run on the model's inputs and weights, and held against its answers.
template <class Module>
bool fits_model(const Module& module, fun::Module* core, Session& session) {
  if (!keep_entries(module.entries, core, session)) return false;
  const Result<wave::Module> lowered = lower_to_wave(*core, session.diagnostics);
  if (!lowered) return false;
  if (interface_of(module) == interface_of(*lowered)) return true;
  session.diagnostics.error(Kind::no_model_in_text, {},
                            "the text and the model that it holds have different types, "
                            "parameters, arguments or results");
  return false;
}

// IR text: a comment on top says which pass came last, comments below hold the origin.
Result<Program> load_text(const std::filesystem::path& file, Session& session) {
  std::string why;
  auto text = read_file(file, &why);
  if (!text) {
    session.diagnostics.error(Kind::cannot_read, {}, fmt::format("{}: {}", file.string(), why));
    return Failed{};
  }
  Program program;
  auto origin = take_origin(&*text, session);
  program.has_model = origin.has_value();
  if (origin) program.origin = std::move(*origin);
  program.done = pass_named_in(*text);
  repeat_choices(program, session);
  if (!program.done.empty()) text->replace(0, text->find('\n'), text->find('\n'), ' ');
  const std::int32_t source = session.sources.add(file.string(), *text);
  program.stage = file.extension() == ".wave" ? Stage::wave : Stage::loop;
  const bool loaded =
      program.stage == Stage::wave
          ? set(&program.wave, wave::parse(session.sources, source, session.diagnostics))
          : set(&program.loop, loop::parse(session.sources, source, session.diagnostics));
  if (!loaded || !session.diagnostics.ok()) return Failed{};
  fun::Module& core = program.origin.core;
  if (program.has_model && !(program.wave ? fits_model(*program.wave, &core, session)
                                          : fits_model(*program.loop, &core, session)))
    return Failed{};
  return program;
}

// Where the folder is a guess, the user is told how to name it.
bool weights_exist(const fun::WeightFiles& weights, Session& session) {
  if (!session.options.weights.empty() || !session.options.weights_dir.empty()) return true;
  for (const std::string& name : weights.files) {
    const std::filesystem::path file = weights_folder(session) / name;
    if (!exists(file))
      session.diagnostics.error(Kind::weights_unreadable, weights.loc,
                                fmt::format("there are no weights '{}'; --weights-dir says in "
                                            "which folder '{}' is",
                                            file.string(), name));
  }
  return session.diagnostics.ok();
}

}  // namespace

std::filesystem::path weights_folder(const Session& session) {
  if (!session.options.weights.empty()) return {};
  if (!session.options.weights_dir.empty()) return session.options.weights_dir;
  return std::filesystem::path(session.options.model).parent_path();
}

Result<Program> load_program(Session& session) {
  if (!check_pass_names(session)) return Failed{};
  const std::filesystem::path file = session.options.model;
  const std::string ending = file.extension().string();
  if (ending == ".wave" || ending == ".loop") return load_text(file, session);
  Program program;
  if (!set(&program.fun, read::read_model(&session.sources, file, &session.diagnostics)))
    return Failed{};
  if (const auto bytes = read_file(file)) program.origin.model_sha256 = sha256(*bytes);
  return program;
}

Result<eval::Weights> load_weights(const fun::Module& module, Session& session) {
  if (!weights_exist(module.weights, session)) return Failed{};
  return read::load_weights(module, weights_folder(session), &session.sources,
                            &session.diagnostics);
}

}  // namespace espalier::driver

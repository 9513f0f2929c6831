// espalier run
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "base/kinds.h"
#include "driver/load.h"
#include "driver/results.h"
#include "driver/verbs.h"
#include "eval/fun_eval.h"
#include "read/input.h"
#include "read/safetensors.h"

namespace espalier::driver {
namespace {

// Those named on the command line; else all whose arguments the input has.
std::vector<fun::Entry> choose_entries(const fun::Module& module, const read::InputFile& input,
                                       Session& session) {
  std::vector<fun::Entry> chosen;
  std::vector<std::string> names;
  for (const fun::Entry& entry : module.entries) {
    names.push_back(entry.name);
    const auto& wanted = session.options.entries;
    const bool named = std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end();
    const bool fits = entry.nodes || input.has_arguments(*module.find_function(entry.function));
    if (wanted.empty() ? fits : named) chosen.push_back(entry);
  }
  for (const std::string& wanted : session.options.entries) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    const std::string near = nearest(wanted, names);
    session.diagnostics.error(
        Kind::unknown_entry, {},
        fmt::format("the model has no entry '{}'{}", wanted,
                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
  if (chosen.empty() && session.diagnostics.ok())
    session.diagnostics.error(Kind::no_entry_fits, {},
                              "the input has the arguments of no entry of the model");
  return chosen;
}

read::InputOptions input_options(const Options& options, const fun::Entry& entry) {
  read::InputOptions out;
  for (const std::string& column : options.columns)
    out.columns[column.substr(0, column.find('='))] = column.substr(column.find('=') + 1);
  out.calls_optional = entry.nodes;
  return out;
}

void report_status(const eval::Status& status, const EntryResults& at, Session& session) {
  const std::string where = at.structure.empty() ? "" : fmt::format(" on '{}'", at.structure);
  const std::string node = status.node < 0 ? "" : fmt::format(" at node {}", status.node);
  session.diagnostics.error(Kind::run_status, {},
                            fmt::format("entry '{}'{}: {}{} (detail {})", at.entry, where,
                                        status.code, node, status.detail));
}

bool write(const std::vector<EntryResults>& results, Session& session) {
  const std::string& file = session.options.output_file;
  if (file.empty()) {
    fmt::print("{}", results_json(results));
    return true;
  }
  std::string why;
  if (write_file(file, read::safetensors_bytes(results_tensors(results)), &why)) return true;
  session.diagnostics.error(Kind::cannot_write, {}, fmt::format("{}: {}", file, why));
  return false;
}

}  // namespace

bool run(Session& session) {
  if (session.options.emitted) {
    session.diagnostics.error(Kind::not_available, {}, "'--emitted' is not available yet");
    return false;
  }
  if (session.options.input.empty()) {
    session.diagnostics.error(Kind::missing_option, {}, "'run' needs --input FILE");
    return false;
  }
  Result<Program> program = load_program(session);
  if (!program || !run_pipeline(*program, Stage::fun, session)) return false;
  const fun::Module& module = *program->fun;
  const Result<eval::Weights> weights = load_weights(module, session);
  const auto input =
      read::InputFile::open(&session.sources, session.options.input, &session.diagnostics);
  if (!weights || !input) return false;
  std::vector<EntryResults> results;
  const std::vector<fun::Entry> entries = choose_entries(module, *input, session);
  for (const std::string& structure : input->structures())
    for (const fun::Entry& entry : entries) {
      const auto data = input->read(structure, module, *module.find_function(entry.function),
                                    input_options(session.options, entry), &session.diagnostics);
      if (!data) return false;
      EntryResults one{structure, entry.name, {}};
      eval::Outcome outcome = eval::evaluate(module, *weights, entry, data->forest, data->calls);
      if (!outcome.status.ok()) report_status(outcome.status, one, session);
      one.results = std::move(outcome.results);
      results.push_back(std::move(one));
    }
  return session.diagnostics.ok() && write(results, session);
}

}  // namespace espalier::driver

#include "driver/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/bug.h"
#include "base/kinds.h"
#include "read/brackets.h"
#include "read/input.h"

namespace espalier::driver {
namespace {

// The shape of inputs that fit: {"nodes": [...], "args": {"t": [...], "by": [...]}}.
std::string form(const fun::Function& function) {
  const auto is_data = [](const fun::Argument& a) {
    return a.named.type->kind == fun::Type::Kind::data;
  };
  const auto& args = function.args;
  const bool nodes = std::any_of(args.begin(), args.end(), is_data);
  if (nodes && args.size() == 1) return R"({"nodes": [...], "roots": [...]})";
  std::vector<std::string> columns;
  for (const fun::Argument& a : args) columns.push_back(fmt::format("\"{}\": [...]", a.named.name));
  return fmt::format("{{{}\"args\": {{{}}}}}", nodes ? "\"nodes\": [...], " : "",
                     fmt::join(columns, ", "));
}

// What some of the entries take.
std::string forms(const fun::Module& module) {
  constexpr std::size_t most = 3;
  std::vector<std::string> out;
  for (const fun::Entry& entry : module.entries)
    if (out.size() < most)
      out.push_back(fmt::format("entry '{}' takes {}", entry.name,
                                form(*module.find_function(entry.function))));
  return fmt::format("{}", fmt::join(out, ", "));
}

// Those named on the command line; else all whose arguments the input has.
std::vector<fun::Entry> choose_entries(
    const fun::Module& module, const std::function<bool(const fun::Function&)>& has_arguments,
    Session& session) {
  std::vector<fun::Entry> chosen;
  std::vector<std::string> names;
  for (const fun::Entry& entry : module.entries) {
    names.push_back(entry.name);
    const auto& wanted = session.options.entries;
    const bool named = std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end();
    const bool fits = has_arguments(*module.find_function(entry.function)) || entry.nodes;
    if (wanted.empty() ? fits : named) chosen.push_back(entry);
  }
  for (const std::string& wanted : session.options.entries) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    session.diagnostics.error(
        Kind::unknown_entry, {},
        fmt::format("the model has no entry '{}'{}", wanted, did_you_mean(wanted, names)));
  }
  if (chosen.empty() && session.diagnostics.ok())
    session.diagnostics.error(
        Kind::no_entry_fits, {},
        fmt::format("the input has the arguments of no entry of the model; {}", forms(module)));
  return chosen;
}

read::InputOptions input_options(const Options& options, const fun::Entry& entry) {
  read::InputOptions out;
  for (const std::string& column : options.columns)
    out.columns[column.substr(0, column.find('='))] = column.substr(column.find('=') + 1);
  out.calls_optional = entry.nodes;
  return out;
}

// A column that --columns renames has to be there, in some structure.
bool columns_exist(const read::InputFile& input, Session& session) {
  const std::vector<std::string> known = input.keys();
  for (const std::string& renaming : session.options.columns) {
    const std::string column = renaming.substr(0, renaming.find('='));
    if (std::find(known.begin(), known.end(), column) != known.end()) continue;
    const std::string near = nearest(column, known);
    session.diagnostics.error(
        Kind::unknown_column, {},
        fmt::format("--columns {}: the input has no column '{}'{}", renaming, column,
                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
  return session.diagnostics.ok();
}

// Entries on one tree that were asked for, or all of them; each tree is a call.
Result<std::vector<RunCase>> read_trees(const fun::Module& core, Session& session) {
  Diagnostics* const diagnostics = &session.diagnostics;
  const Options& options = session.options;
  if (!options.columns.empty())
    diagnostics->error(Kind::unknown_column, {}, "--columns: bracketed trees have no columns");
  if (options.vocab.empty()) {
    diagnostics->error(Kind::missing_option, {}, "bracketed trees need --vocab FILE");
    return Failed{};
  }
  const auto vocabulary = read::Vocabulary::read(options.vocab, diagnostics);
  const auto trees = read::read_brackets(&session.sources, options.input, diagnostics);
  if (!vocabulary || !trees) return Failed{};
  const auto takes_tree = [](const fun::Function& f) {
    return f.args.size() == 1 && f.args[0].named.type->kind == fun::Type::Kind::data;
  };
  std::vector<RunCase> cases;
  for (const fun::Entry& entry : choose_entries(core, takes_tree, session)) {
    const fun::Function& function = *core.find_function(entry.function);
    if (!takes_tree(function)) {
      diagnostics->error(Kind::no_entry_fits, {},
                         fmt::format("entry '{}' is not on one tree", entry.name));
      return Failed{};
    }
    auto forest = read::to_forest(*trees, *vocabulary, {options.lower_case}, core,
                                  function.args[0].named.type->name, diagnostics);
    if (!forest) return Failed{};
    CallsData calls;
    if (!entry.nodes) {
      calls.count = static_cast<std::int64_t>(trees->roots.size());
      calls.columns = {{{}, {trees->roots.begin(), trees->roots.end()}}};
    }
    cases.push_back({"", entry, std::move(*forest), std::move(calls)});
  }
  if (!diagnostics->ok()) return Failed{};
  return cases;
}

}  // namespace

Result<std::vector<RunCase>> read_cases(const fun::Module& core, Session& session) {
  if (!session.options.vocab.empty() || session.options.input.ends_with(".txt"))
    return read_trees(core, session);
  auto opened =
      read::InputFile::open(&session.sources, session.options.input, &session.diagnostics);
  if (!opened) return Failed{};
  const auto input = std::make_shared<const read::InputFile>(std::move(*opened));
  if (!columns_exist(*input, session)) return Failed{};
  const std::vector<fun::Entry> entries = choose_entries(
      core, [&](const fun::Function& f) { return input->has_arguments(f); }, session);
  std::vector<RunCase> cases;
  for (const std::string& structure : input->structures())
    for (const fun::Entry& entry : entries) {
      auto data = input->read(structure, core, *core.find_function(entry.function),
                              input_options(session.options, entry), &session.diagnostics);
      if (!data) return Failed{};
      cases.push_back({structure, entry, std::move(data->forest), std::move(data->calls), input});
    }
  if (!session.diagnostics.ok()) return Failed{};
  return cases;
}

std::vector<EmittedProgram::Case> emitted_cases(const loop::Module& module,
                                                const std::vector<RunCase>& cases) {
  std::vector<EmittedProgram::Case> out;
  for (const RunCase& c : cases) {
    const auto entry = std::find_if(module.entries.begin(), module.entries.end(),
                                    [&](const loop::Entry& e) { return e.name == c.entry.name; });
    require(entry != module.entries.end(), "an entry that was not lowered");
    out.push_back({static_cast<int>(entry - module.entries.begin()), c.forest, c.calls});
  }
  return out;
}

}  // namespace espalier::driver

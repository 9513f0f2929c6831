// espalier run
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/kinds.h"
#include "driver/inputs.h"
#include "driver/lowering.h"
#include "driver/results.h"
#include "driver/verbs.h"
#include "eval/fun_eval.h"
#include "eval/wave_eval.h"
#include "read/safetensors.h"

namespace espalier::driver {
namespace {

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

// A program that was read as wave text is evaluated as it stands there, a model as fun.
Result<std::vector<eval::Outcome>> evaluate_all(const Lowered& lowered,
                                                const std::vector<RunCase>& cases) {
  std::vector<eval::Outcome> outcomes;
  const auto& wave = lowered.program.wave;
  for (const RunCase& c : cases) {
    const auto of_wave = [&](const wave::Entry& e) { return e.name == c.entry.name; };
    outcomes.push_back(
        wave ? eval::evaluate(*wave, lowered.weights,
                              *std::find_if(wave->entries.begin(), wave->entries.end(), of_wave),
                              c.forest, c.calls)
             : eval::evaluate(lowered.core, lowered.weights, c.entry, c.forest, c.calls));
  }
  return outcomes;
}

Result<std::vector<eval::Outcome>> run_emitted(const Lowered& lowered,
                                               const std::vector<RunCase>& cases,
                                               Session& session) {
  const loop::Module& module = *lowered.program.loop;
  const auto program = EmittedProgram::build(module, session);
  if (!program) return Failed{};
  return (*program)->run(lowered.weights, emitted_cases(module, cases), session.options.threads,
                         session);
}

bool can_run(const Lowered& lowered, Session& session) {
  const auto error = [&](Kind kind, const char* text) {
    session.diagnostics.error(kind, {}, text);
  };
  if (!lowered.program.has_model)
    error(Kind::no_model_in_text,
          "the text does not say which model it came from, so there are no entries to run");
  else if (lowered.program.loop && !session.options.emitted)
    error(Kind::not_evaluated, "a .loop program has no evaluator; --emitted compiles and runs it");
  else if (!lowered.core.params.empty() && lowered.weights.empty())
    error(Kind::no_weights_given,
          "the model names no weight files: give them by --weights FILE, or add \"weights\": "
          "\"FILE\" to the model");
  return session.diagnostics.ok();
}

}  // namespace

bool run(Session& session) {
  if (session.options.input.empty()) {
    session.diagnostics.error(Kind::missing_option, {}, "'run' needs --input FILE");
    return false;
  }
  const bool emitted = session.options.emitted;
  const Result<Lowered> lowered = lower(emitted ? Stage::loop : Stage::fun, session);
  if (!lowered || !can_run(*lowered, session)) return false;
  const Result<std::vector<RunCase>> cases = read_cases(lowered->core, session);
  if (!cases) return false;
  auto outcomes = emitted ? run_emitted(*lowered, *cases, session) : evaluate_all(*lowered, *cases);
  if (!outcomes) return false;
  std::vector<EntryResults> results;
  for (std::size_t i = 0; i < cases->size(); ++i) {
    eval::Outcome& outcome = (*outcomes)[i];
    results.push_back({(*cases)[i].title, (*cases)[i].entry.name, std::move(outcome.results)});
    if (!outcome.status.ok()) report_status(outcome.status, (*cases)[i], lowered->core, session);
  }
  return session.diagnostics.ok() && write(results, session);
}

}  // namespace espalier::driver

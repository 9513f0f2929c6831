// Every model of tests/errors with its diagnostics: NAME.json and NAME.expected.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "fun_pass/check.h"
#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/recognize.h"
#include "read/model.h"
#include "tests/golden.h"
#include "to_wave/to_wave.h"

namespace espalier {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> out;
  const auto folder = std::filesystem::path(ESPALIER_ROOT) / "tests/errors";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

// As the pipeline does, as far as the last pass that refuses models.
void lower(fun::Module& module, Diagnostics& diagnostics) {
  if (!fun_pass::check(module, diagnostics)) return;
  if (!fun_pass::inline_calls(module, diagnostics)) return;
  if (!fun_pass::flatten_match(module, diagnostics)) return;
  if (!fun_pass::recognize(module, diagnostics)) return;
  static_cast<void>(lower_to_wave(module, diagnostics));
}

// The diagnostics of a model, as users see them.
std::string diagnostics_of(const std::string& name, std::set<std::string>* seen) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string text =
      test::read_text(std::filesystem::path(ESPALIER_ROOT) / "tests/errors" / (name + ".json"));
  Result<fun::Module> module = read::read_model_text(&sources, name + ".json", text, &diagnostics);
  try {
    if (module) lower(*module, diagnostics);
  } catch (const std::exception& bug) {
    FAIL_CHECK(bug.what());
  }
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    out += format(diagnostic, sources, false);
    seen->insert(std::string(kind_id(diagnostic.kind)));
  }
  return out;
}

TEST_CASE("every model of tests/errors has the diagnostics expected") {
  std::set<std::string> seen;
  for (const std::string& name : names()) {
    CAPTURE(name);
    const std::string found = diagnostics_of(name, &seen);
    CHECK(found != "");
    test::check_golden("errors/" + name + ".expected", found);
  }

  // Every kind that reading, checking or lowering a model can give; the operators' own, E120 to
  // E159, have unit tests.
  const auto of_models = [](const std::string& id) {
    return id < "E120" || (id >= "E160" && id < "E240");
  };
  for (const std::string& id : {
#define DIAGNOSTIC(id, name, text) std::string(id),
#include "base/diagnostics.def"
#undef DIAGNOSTIC
       }) {
    CAPTURE(id);
    if (of_models(id) && id != "E009") CHECK(seen.count(id) == 1);
  }
}

}  // namespace
}  // namespace espalier

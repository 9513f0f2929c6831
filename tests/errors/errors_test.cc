// Every model of tests/errors with its diagnostics: NAME.json and NAME.expected.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "fun_pass/check.h"
#include "read/model.h"
#include "tests/golden.h"

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

// The diagnostics of a model, as users see them.
std::string diagnostics_of(const std::string& name, std::set<std::string>* seen) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string text =
      test::read_text(std::filesystem::path(ESPALIER_ROOT) / "tests/errors" / (name + ".json"));
  Result<fun::Module> module = read::read_model_text(&sources, name + ".json", text, &diagnostics);
  if (module) fun_pass::check(*module, diagnostics);
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

  // Every kind that reading a model can give: E0xx and E160 to E180.
  const auto of_reading = [](const std::string& id) {
    return id < "E100" || (id >= "E160" && id <= "E180");
  };
  for (const std::string& id : {
#define DIAGNOSTIC(id, name, text) std::string(id),
#include "base/diagnostics.def"
#undef DIAGNOSTIC
       }) {
    CAPTURE(id);
    if (of_reading(id) && id != "E009") CHECK(seen.count(id) == 1);
  }
}

}  // namespace
}  // namespace espalier

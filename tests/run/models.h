// Models through the compiler, for tests that run them.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "base/diagnostic.h"
#include "base/file.h"
#include "driver/pipeline.h"
#include "eval/fun_eval.h"
#include "read/input.h"
#include "read/model.h"
#include "read/weights.h"

namespace espalier::test {

inline const std::filesystem::path source_root = ESPALIER_ROOT;

// A model as far as core fun, with its weights. Mistakes fail the test and are printed.
struct Model {
  driver::Session session;
  fun::Module module;
  eval::Weights weights;

  explicit Model(const std::filesystem::path& file, std::filesystem::path weights_folder = {},
                 bool with_weights = true) {
    auto read = read::read_model(&session.sources, file, &session.diagnostics);
    REQUIRE_MESSAGE(read, messages());
    driver::Program program;
    program.fun = std::move(*read);
    REQUIRE_MESSAGE(driver::run_pipeline(program, driver::Stage::fun, session), messages());
    module = std::move(*program.fun);
    if (!with_weights) return;
    if (weights_folder.empty()) weights_folder = file.parent_path();
    auto loaded =
        read::load_weights(module, weights_folder, &session.sources, &session.diagnostics);
    REQUIRE_MESSAGE(loaded, messages());
    weights = std::move(*loaded);
  }

  const fun::Entry& entry(const std::string& name) const {
    for (const fun::Entry& e : module.entries)
      if (e.name == name) return e;
    FAIL("no entry " << name);
    return module.entries[0];
  }
  const fun::Function& function(const fun::Entry& e) const {
    return *module.find_function(e.function);
  }

  std::string messages() const {
    std::string out;
    for (const Diagnostic& d : session.diagnostics.all()) out += format(d, session.sources, false);
    return out;
  }
};

inline Model example(const std::string& name, const std::filesystem::path& weights_folder = {},
                     bool with_weights = true) {
  return Model(source_root / "examples" / name / "model.json", weights_folder, with_weights);
}

// The same with `pattern` replaced in its text.
inline Model changed_example(const std::string& name, const std::string& pattern,
                             const std::string& replacement, bool with_weights) {
  const auto folder = source_root / "examples" / name;
  const auto text = read_file(folder / "model.json");
  REQUIRE(text);
  const TempFolder changed;
  const auto file = changed.path() / "model.json";
  REQUIRE(write_file(file, std::regex_replace(*text, std::regex(pattern), replacement)));
  return Model(file, folder, with_weights);
}

}  // namespace espalier::test

// The language, sentence by sentence: small models whose emitted code is held against the
// evaluator.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/command.h"
#include "tests/golden.h"
#include "tests/run/package.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

using Path = std::filesystem::path;

std::vector<Path> models(const Path& folder) {
  std::vector<Path> out;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.path().extension() == ".json" && file.path().stem() != "schedule" &&
        (file.path().parent_path() == folder || file.path().filename() == "model.json"))
      out.push_back(file.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Path> language() { return models(Path(ESPALIER_ROOT) / "tests/run/language"); }

void verify(const std::string& options) {
  // The answers are the point, not the speed.
  const Finished done = run_command("CXXFLAGS='-O0" + std::string(strict_warnings) +
                                    "' " ESPALIER_BINARY " verify " + options);
  INFO(options);
  INFO(done.output);
  CHECK(done.status == 0);
}

// But for the hash of the model and the lines of it that comments name.
std::string program_of(const std::string& text) {
  static const std::regex lines("\\(lines [0-9 ]*\\)\\s*");
  return std::regex_replace(text.substr(0, text.find("\n# model ")), lines, "From the model");
}

TEST_CASE("models of every sentence of the language: emitted code agrees with the evaluator") {
  for (const Path& model : language()) verify(model.string());
}

TEST_CASE("pairs of items are made step by step where nothing is hoisted") {
  verify((Path(ESPALIER_ROOT) / "tests/run/language/meaning_pairs.json").string() +
         " --disable hoist");
}

TEST_CASE("names that the code around them has, with both compilers") {
  for (const Path& model : language())
    if (model.stem().string().starts_with("names_"))
      for (const char* compiler : {"g++", "clang++"})
        if (have_program(compiler)) {
          setenv("CXX", compiler, 1);
          verify(model.string());
          unsetenv("CXX");
        }
}

TEST_CASE("the structured form prints itself, and gives the same program") {
  const TempFolder folder;
  const std::string compiler = ESPALIER_BINARY;
  std::vector<Path> all = language();
  for (const Path& model : models(Path(ESPALIER_ROOT) / "examples")) all.push_back(model);
  for (const Path& model : all) {
    CAPTURE(model.string());
    const Path once = folder.path() / "once.json", twice = folder.path() / "twice.json";
    const auto expand = [&](const Path& from, const Path& to) {
      return run_command(compiler + " check --expand " + from.string() + " > " + to.string());
    };
    REQUIRE(expand(model, once).status == 0);
    REQUIRE(expand(once, twice).status == 0);
    CHECK(read_text(once) == read_text(twice));
    const Finished from_strings = run_command(compiler + " print --stage loop " + model.string());
    const Finished from_objects = run_command(compiler + " print --stage loop " + once.string());
    CHECK(from_strings.status == 0);
    CHECK(program_of(from_strings.output) == program_of(from_objects.output));
  }
}

TEST_SUITE("slow") {
  TEST_CASE("models of the language with each pass off alone") {
    for (const Path& model : language())
      for (const char* pass :
           {"fun_fold", "fun_cse", "fun_dce", "wave_fold", "wave_cse", "specialize", "uniform",
            "hoist", "inline_values", "wave_dce", "fuse", "panels", "merge", "epilogues",
            "vectorize", "round_products", "memory_plan"})
        verify(model.string() + " --disable " + pass);
  }
}

}  // namespace
}  // namespace espalier::test

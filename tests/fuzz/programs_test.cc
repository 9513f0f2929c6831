// Random well-typed programs: every stage of the compiler gives the evaluator's answers.
#include "tests/fuzz/programs.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/golden.h"

namespace espalier::fuzz {
namespace {

constexpr int entries = 20;  // of a model: programs

// From ESPALIER_FUZZ_SEED and ESPALIER_FUZZ: where to begin, how many programs (entries of models).
long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atol(text) : otherwise;
}

Size random_size(Random& random) {
  return {random.pick(std::vector<int>{0, 1, 6, 12, 25, 40}), random.between(1, 7),
          random.chance(0.25)};
}

// Each entry as a model of its own, a line for each that fails: for finding out what there is.
void survey(const Model& model, Run run) {
  run.sizes = {{25, 4, false}};
  for (int e = 0; e < entries; ++e) {
    run.only = e;
    Data data;
    const Failure f = run_program(model, run, nullptr, &data);
    if (f.none()) continue;
    fmt::print("{}/{} after {}: {}\n", model.seed, e, f.where, f.text.substr(0, 1500));
    if (setting("ESPALIER_FUZZ_ENTRY", -1) == e) fmt::print("{}", report(model, f, run));
  }
}

// A model in a file, on random data.
void try_file(const std::string& file, bool emitted) {
  Model model;
  model.given = test::read_text(file);
  for (std::uint64_t seed = 1; seed <= (emitted ? 2U : 20U); ++seed) {
    Run run;
    run.seed = seed;
    run.emitted = emitted;
    for (int nodes = 0; nodes < 20; nodes += 3) run.sizes.push_back({nodes, 3, false});
    Data data;
    const Failure f = run_program(model, run, nullptr, &data);
    if (f.none()) continue;
    FAIL_CHECK(report(model, f, run));
    return;
  }
}

// Quick to compile, but for some; unless the environment says otherwise.
void choose_flags(std::uint64_t seed) {
  static const bool given = std::getenv("CXXFLAGS") != nullptr;
  if (!given) setenv("CXXFLAGS", seed % 4 == 0 ? "-O1" : "-O0", 1);
}

// Every `emitted`th model is compiled and run as well.
void fuzz(long programs, long emitted) {
  emitted = setting("ESPALIER_FUZZ_EMITTED", emitted);
  if (const char* file = std::getenv("ESPALIER_FUZZ_MODEL")) return try_file(file, emitted > 0);
  const long first = setting("ESPALIER_FUZZ_SEED", 1), count = setting("ESPALIER_FUZZ", programs);
  Coverage coverage;
  int failures = 0;
  long done = 0;
  for (auto seed = static_cast<std::uint64_t>(first); done < count && failures < 5; ++seed) {
    // Each model is a function of its seed alone.
    std::map<std::string, int> used;
    const Model model = Generator(seed, entries, &used).take();
    for (const std::string& f : model.features) coverage.count_feature(f);
    Random random(seed);
    Run run;
    run.seed = seed;
    run.sizes = {random_size(random), random_size(random), {30, 4, false}};
    run.emitted = emitted > 0 && done / entries % emitted == 0;
    run.threads = static_cast<int>(1 + seed % 3);
    if (run.emitted) choose_flags(seed);
    done += entries;
    if (std::getenv("ESPALIER_FUZZ_SURVEY")) {
      survey(model, run);
      continue;
    }
    Data data;
    const Failure f = run_program(model, run, &coverage, &data);
    if (f.none()) continue;
    ++failures;
    FAIL_CHECK(report(model, f, run));
  }
  fmt::print("{} programs, from seed {}; coverage:\n{}", done, first, coverage.table());
  if (done >= 500 && !std::getenv("ESPALIER_FUZZ_SURVEY"))
    for (const std::string& m : coverage.missing()) FAIL_CHECK("not covered: " << m);
}

TEST_CASE("random programs") { fuzz(500, 1); }

TEST_CASE("many random programs" * doctest::test_suite("slow")) { fuzz(100000, 10); }

}  // namespace
}  // namespace espalier::fuzz

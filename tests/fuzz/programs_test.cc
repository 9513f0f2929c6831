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
void survey(long first, long programs) {
  for (long seed = first; seed < first + programs / 20; ++seed) {
    std::map<std::string, int> used;
    const Model model = Generator(static_cast<std::uint64_t>(seed), 20, &used).take();
    for (int e = 0; e < 20; ++e) {
      Data data;
      const Failure f =
          run_program(model, e, {25, 4, false}, static_cast<std::uint64_t>(seed), nullptr, &data);
      if (!f.none()) fmt::print("{}/{} after {}: {}\n", seed, e, f.where, f.text.substr(0, 300));
      if (!f.none() && std::getenv("ESPALIER_FUZZ_ENTRY") && setting("ESPALIER_FUZZ_ENTRY", 0) == e)
        fmt::print("{}", report(model, f, {25, 4, false}, static_cast<std::uint64_t>(seed)));
    }
  }
}

// A model in a file, on random data.
void try_file(const std::string& file) {
  Model model;
  model.given = test::read_text(file);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Data data;
    const Size size{static_cast<int>(seed), 3, false};
    const Failure f = run_program(model, -1, size, seed, nullptr, &data);
    if (f.none()) continue;
    FAIL_CHECK(report(model, f, size, seed));
    return;
  }
}

void fuzz(long programs) {
  if (const char* file = std::getenv("ESPALIER_FUZZ_MODEL")) return try_file(file);
  if (std::getenv("ESPALIER_FUZZ_SURVEY")) {
    survey(setting("ESPALIER_FUZZ_SEED", 1), setting("ESPALIER_FUZZ", programs));
    return;
  }
  constexpr int entries = 20;
  const long first = setting("ESPALIER_FUZZ_SEED", 1), count = setting("ESPALIER_FUZZ", programs);
  Coverage coverage;
  int failures = 0;
  long done = 0;
  for (auto seed = static_cast<std::uint64_t>(first); done < count && failures < 5; ++seed) {
    // Each model is a function of its seed alone.
    std::map<std::string, int> used;
    const Model model = Generator(seed, entries, &used).take();
    for (const std::string& f : model.features) coverage.count_feature(f);
    done += entries;
    Random random(seed);
    for (int forest = 0; forest < 2; ++forest) {
      const Size size = random_size(random);
      Data data;
      const Failure f = run_program(model, -1, size, seed + static_cast<std::uint64_t>(forest),
                                    forest ? nullptr : &coverage, &data);
      if (f.none()) continue;
      ++failures;
      FAIL_CHECK(report(model, f, size, seed + static_cast<std::uint64_t>(forest)));
      break;
    }
  }
  fmt::print("{} programs, from seed {}; coverage:\n{}", done, first, coverage.table());
  if (count >= 500)
    for (const std::string& m : coverage.missing()) FAIL_CHECK("not covered: " << m);
}

TEST_CASE("random programs") { fuzz(500); }

TEST_CASE("many random programs" * doctest::test_suite("slow")) { fuzz(100000); }

}  // namespace
}  // namespace espalier::fuzz

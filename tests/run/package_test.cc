// A package from a loop module written by hand: every compiler, standard and option gives its
// answers.
#include "emit/package.h"

#include <doctest/doctest.h>

#include <functional>

#include "emit/small_inputs.h"
#include "tests/run/package.h"
#include "tests/unit/emit/sum_module.h"

using namespace espalier;

namespace {

// total(t) = scale[word] * value + the children's totals, in double.
std::vector<double> totals(const ForestData& forest, const std::vector<double>& scale) {
  std::vector<double> total(static_cast<std::size_t>(forest.nodes));
  std::function<double(std::size_t)> at = [&](std::size_t n) {
    double sum =
        scale[static_cast<std::size_t>(forest.columns[1].integer[n])] * forest.columns[0].real[n];
    for (auto i = forest.lists[0][n]; i < forest.lists[0][n + 1]; i++)
      sum += at(static_cast<std::size_t>(forest.columns[2].integer[static_cast<std::size_t>(i)]));
    return sum;
  };
  for (std::size_t n = 0; n < total.size(); n++) total[n] = at(n);
  return total;
}

emit::Inputs sum_inputs(const loop::Module& module, bool with_weights) {
  emit::Inputs inputs;
  std::vector<double> scale;
  for (unsigned i = 0; i < 10; i++)
    scale.push_back(with_weights ? static_cast<double>(static_cast<float>(i * 0.1))
                                 : emit::check_weight(0, i));
  if (with_weights) inputs.weights = {Column{scale, {}}};
  emit::CheckEntry entry;
  for (const emit::SmallInput& input :
       emit::small_inputs(module.forest, module.entries[0].arguments, false)) {
    const auto total = totals(input.forest, scale);
    emit::CheckCase check = {input.title, input.forest, input.calls, {}};
    emit::CheckResult result;
    for (const auto root : input.calls.columns[0].integer)
      result.rows.real.push_back(total[static_cast<std::size_t>(root)]);
    check.results.push_back(result);
    entry.cases.push_back(check);
  }
  inputs.check.entries.push_back(entry);
  return inputs;
}

}  // namespace

TEST_CASE("a package proves itself with every compiler and option") {
  const loop::Module module = emit::sum_module();
  const TempFolder folder;
  test::write_files(emit::emit_package(module, sum_inputs(module, true), emit::sum_kernels()),
                    folder.path());
  for (const char* compiler : {"g++", "clang++"}) {
    if (!test::has_compiler(compiler)) continue;
    for (const char* options :
         {"-std=c++17 -O0", "-std=c++20 -O2 -fopenmp", "-std=c++17 -O3 -DESPALIER_PLAIN_LANES",
          "-std=c++17 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"}) {
      const std::string command = std::string(compiler) + test::strict_warnings + options;
      CAPTURE(command);
      const test::Finished ran = test::build_and_run(folder.path(), command);
      CHECK_MESSAGE(ran.status == 0, ran.output);
      CHECK(ran.output.find("total: 14 calls") != std::string::npos);
    }
  }
}

TEST_CASE("weights that come at run time are made up by the check") {
  const loop::Module module = emit::sum_module();
  const TempFolder folder;
  test::write_files(emit::emit_package(module, sum_inputs(module, false), emit::sum_kernels()),
                    folder.path());
  const test::Finished ran =
      test::run_command("make -C " + folder.path().string() +
                        " -f Makefile.gen check CXXFLAGS='-O1 -Wall -Wextra -Werror'");
  CHECK_MESSAGE(ran.status == 0, ran.output);
  CHECK(ran.output.find(": ok") != std::string::npos);
}

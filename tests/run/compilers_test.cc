// Emitted packages with every compiler, standard, option and form of vectors: no warning, and the
// recorded answers.
#include "tests/run/examples.h"
#include "tests/run/package.h"

namespace espalier::test {
namespace {

const std::vector<std::string> compilers = {"g++", "clang++"};

void check_package(const std::string& example, const std::vector<std::string>& commands) {
  const TempFolder folder;
  write_files(emitted(example_options(example)), folder.path());
  for (const std::string& command : commands) {
    INFO(example << ": " << command);
    const Finished ran = build_and_run(folder.path(), command + strict_warnings);
    CHECK_MESSAGE(ran.status == 0, ran.output.substr(0, 3000));
  }
}

// Each setting at least once; all of their products are slow.
TEST_CASE("compilers, standards and options") {
  check_package("treernn", {"g++ -std=c++20 -O0 -fopenmp", "clang++ -std=c++17 -O2",
                            "g++ -std=c++17 -O3 -march=native -DESPALIER_PLAIN_LANES",
                            "clang++ -std=c++20 -O1 -DESPALIER_PLAIN_LANES -fopenmp"});
  check_package("tree_attention", {"clang++ -std=c++20 -O0 -march=native -fopenmp"});
}

TEST_SUITE("slow") {
  TEST_CASE("all compilers, standards and options on all examples") {
    std::vector<std::string> commands;
    for (const std::string& compiler : compilers)
      for (const char* standard : {"17", "20"})
        for (const char* level : {"-O0", "-O1", "-O2", "-O3 -march=native"})
          for (const char* more : {"", "-fopenmp", "-DESPALIER_PLAIN_LANES"})
            commands.push_back(compiler + " -std=c++" + standard + " " + level + " " + more);
    for (const std::string& name : example_names()) check_package(name, commands);
  }
}

}  // namespace
}  // namespace espalier::test

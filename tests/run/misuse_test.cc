// Packages called by programs of their own (drivers/): misuse that no file of inputs can say, and
// many threads at once.
#include "tests/run/emitted_model.h"
#include "tests/run/package.h"
#include "tests/run/structure_models.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

void check_driver(const StructureModel& model, const std::string& driver,
                  const std::string& command) {
  INFO(model.name << ": " << command);
  const TempFolder folder;
  write_files(linked_package(model.text), folder.path());
  const auto drivers = source_root / "tests/run/drivers";
  std::filesystem::copy_file(drivers / driver, folder.path() / "main.cpp");
  std::filesystem::copy_file(drivers / "races.h", folder.path() / "races.h");
  const Finished ran = build_and_run(folder.path(), command + " -std=c++17 -Wall -Wextra -Werror");
  CHECK_MESSAGE(ran.status == 0, ran.output);
}

TEST_CASE("null arrays, counts, workspaces and buffers") {
  for (const char* compiler : {"g++ ", "clang++ "})
    if (have_program(compiler))
      check_driver(structure_model("catalogue"), "misuse.cpp", compiler + sanitizers);
}

TEST_CASE("static buffers whose sizes are constant expressions") {
  for (const char* compiler : {"g++ ", "clang++ "})
    if (have_program(compiler))
      check_driver(structure_model("dag"), "no_heap.cpp",
                   compiler + sanitizers + " -DESPALIER_DEBUG");
}

const std::string races = "-O1 -g1 -fsanitize=thread -DESPALIER_STD_THREADS -pthread";

TEST_CASE("eight threads call one model under ThreadSanitizer") {
  if (!have_program("g++")) return;
  check_driver(structure_model("up and down"), "races_updown.cpp", "g++ " + races);
  check_driver(structure_model("dag"), "races_dag.cpp", "g++ " + races);
}

TEST_CASE("teams of eight under ThreadSanitizer") {
  if (!have_program("make")) return;
  for (const char* name : {"up and down", "dag"}) {
    INFO(name);
    EmittedModel model(structure_model(name).text, {"g++", races, ""});
    std::vector<driver::RunCase> cases;
    for (const loop::Entry& entry : model.loop().entries)
      for (driver::RunCase& c : model.small_cases(entry.name, 1)) cases.push_back(std::move(c));
    model.check(cases, 8);
  }
}

// Behind `a`, `b` begins at no multiple of a vector; p has the rows that kernels read.
TEST_CASE("arrays of the user's may begin anywhere") {
  if (!have_program("make")) return;
  EmittedModel model(R"json({"espalier": 1, "name": "loose",
    "params": {"a": "f32[1]", "b": "f32[16]"},
    "functions": {"f": {"args": {"p": "f32[16]"}, "returns": "f32[16]",
                        "body": "p * tanh(b) + a"}},
    "entries": {"f": {}}})json",
                     {"", sanitizers, ""});
  model.check(model.small_cases("f", 1));
}

}  // namespace
}  // namespace espalier::test

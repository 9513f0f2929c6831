// Diagnostics of the command line and of runs, as users see them.
#include <string>
#include <vector>

#include "base/file.h"
#include "base/kinds.h"
#include "driver/verbs.h"
#include "tests/command.h"
#include "tests/golden.h"

namespace espalier {
namespace {

TEST_CASE("commands that are refused say why") {
  const TempFolder out;
  const std::string folder = std::string(ESPALIER_ROOT) + "/tests/errors/commands";
  std::string found;
  for (const char* arguments : {
           "",
           "cmpile model.json",
           "sing",
           "check",
           "check none.json",
           "check model.json other.json",
           "check model.json --expnd",
           "check model.json --diagnostics=xml",
           "check ../wrong_argument_count.json --diagnostics=json",
           "print model.json --stop-after fusse",
           "compile model.json",
           "compile model.json -o $OUT --disable fusse",
           "compile model.json -o $OUT --disable to_loop",
           "compile model.json -o $OUT --stop-after fuse",
           "bench model.json",
           "tune model.json --schedule fast.json",
           "run model.json --input cycle.json --schedule fast.json",
           "verify model.json --target cuda",
           "print model.json --target cuda --schedule fast.json",
           "explain model.json --target avx.json",
           "compile model.json -o $OUT --target cuda",
           "print model.json --stage wav",
           "explain model.json --stop-after hoist",
           "verify model.json --stop-after hoist",
           "compile no_entries.json -o $OUT",
           "compile no_file.json -o $OUT",
           "run no_weights.json --input cycle.json",
           "run no_weights.json --input cycle.json --weights w.safetensors",
           "run model.json --input bad.json --columns factor=by --columns xs=x",
           "run model.json --input trees.txt --columns words=word",
           "run model.json",
           "run model.json --input cycle.json --threads 0",
           "run model.json --input cycle.json --columns words",
           "run model.json --input cycle.json --entry scald",
           "run model.json --input no_factor.json",
           "run model.json --input cycle.json",
           "run model.json --input bad.json",
           "run bare.wave --input cycle.json",
           "compile bare.wave -o $OUT",
       }) {
    const test::Finished finished =
        test::run_command("cd '" + folder + "' && OUT='" + out.path().string() + "' && '" +
                          ESPALIER_BINARY "' " + arguments);
    CAPTURE(arguments);
    CHECK(finished.status == 1);
    found += "$ espalier " + std::string(arguments) + "\n" + finished.output;
  }
  test::check_golden("errors/commands.expected", found);
}

TEST_CASE("output that cannot be written") {
  const std::string model = std::string(ESPALIER_ROOT) + "/examples/demo/model.json";
  for (const std::string& verb :
       std::vector<std::string>{"print '" + model + "'", "check --expand '" + model + "'",
                                "explain '" + model + "'", "schema", "--help"}) {
    CAPTURE(verb);
    const test::Finished full = test::run_command("'" ESPALIER_BINARY "' " + verb + " >/dev/full");
    CHECK(full.status == 1);
    CHECK(full.output ==
          "espalier: error: the output cannot be written: no space left on device [E509 "
          "cannot-write]\n");
  }
}

TEST_CASE("sizes beyond any memory") {
  const TempFolder folder;
  REQUIRE(write_file(folder.path() / "input.json", R"({"args": {"x": [1]}})"));
  REQUIRE(write_file(folder.path() / "model.json", R"json({"espalier": 1, "name": "vast",
    "functions": {"f": {"args": {"x": "f32"}, "returns": "f32",
                        "body": "sum(full(x, [1099511627776]))"}}, "entries": {"f": {}}})json"));
  const test::Finished ran =
      test::run_command("cd '" + folder.path().string() +
                        "' && '" ESPALIER_BINARY "' run model.json --input input.json");
  CHECK(ran.status == 1);
  CHECK(ran.output ==
        "espalier: error: there is not enough memory for sizes like these [E531 out-of-memory]\n");
}

TEST_CASE("text of a stage without an evaluator, or of another model") {
  const TempFolder folder;
  const std::string model = std::string(ESPALIER_ROOT) + "/tests/errors/commands/model.json";
  const std::string input = std::string(ESPALIER_ROOT) + "/tests/errors/commands/cycle.json";
  const auto espalier = [&](const std::string& arguments) {
    return test::run_command("cd '" + folder.path().string() + "' && '" ESPALIER_BINARY "' " +
                             arguments);
  };
  REQUIRE(espalier("print '" + model + "' --stage loop >total.loop").status == 0);
  const test::Finished evaluated = espalier("run total.loop --input '" + input + "'");
  CHECK(evaluated.status == 1);
  CHECK(evaluated.output ==
        "espalier: error: a .loop program has no evaluator; --emitted compiles and runs it [E529 "
        "not-evaluated]\n");
  REQUIRE(espalier("print '" + model +
                   "' --stage wave | sed 's/^entry scaled/entry other/' "
                   ">other.wave")
              .status == 0);
  const test::Finished other = espalier("compile other.wave -o out");
  CHECK(other.status == 1);
  CHECK(other.output ==
        "espalier: error: entry 'other' is none of the model that the text holds [E528 "
        "no-model-in-text]\n");
  CHECK(!exists(folder.path() / "out"));
  REQUIRE(
      espalier("print '" + model + "' --stage wave | sed '/^#/s/\\<by\\>/factor/g' >renamed.wave")
          .status == 0);
  const test::Finished renamed = espalier("compile renamed.wave -o out");
  CHECK(renamed.status == 1);
  CHECK(renamed.output ==
        "espalier: error: the text and the model that it holds have different types, parameters, "
        "arguments or results [E528 no-model-in-text]\n");
}

TEST_CASE("emitted code refuses inputs as the evaluator does") {
  const std::string folder = std::string(ESPALIER_ROOT) + "/tests/errors/commands";
  const std::string command =
      "cd '" + folder + "' && CXXFLAGS=-O0 '" ESPALIER_BINARY "' run model.json --input bad.json";
  const test::Finished evaluated = test::run_command(command);
  const test::Finished emitted = test::run_command(command + " --emitted");
  CHECK(emitted.status == 1);
  CHECK(emitted.output == evaluated.output);
}

// Without Clang there is no lint, so this stands in no list of outputs.
TEST_CASE("what is linted is a package") {
  const TempFolder empty;
  driver::Session session;
  session.options.model = empty.path().string();
  CHECK_FALSE(driver::lint(session));
  REQUIRE(session.diagnostics.all().size() == 1);
  const Diagnostic& found = session.diagnostics.all()[0];
  if (found.kind == Kind::not_available) return;
  CHECK(found.kind == Kind::lint_no_package);
  CHECK(found.message == "'" + session.options.model +
                             "' is no emitted package: its manifest.json cannot be read, no such "
                             "file or directory");
}

}  // namespace
}  // namespace espalier

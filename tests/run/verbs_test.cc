// The verbs as a user runs them: exit status, what goes where, and the diagnostics of the driver.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "base/file.h"
#include "tests/command.h"

namespace espalier::test {
namespace {

const std::string models = std::string(ESPALIER_ROOT) + "/examples/";
const std::string treernn = models + "treernn/model.json";
const std::string data = std::string(ESPALIER_ROOT) + "/tests/data/cases/treernn/inputs.json";

Finished espalier(const std::string& arguments, const std::string& environment = "") {
  return run_command(environment + " " + ESPALIER_BINARY + " " + arguments);
}

// A user's mistake: status 1 and this diagnostic.
void refused(const std::string& arguments, const std::string& id,
             const std::string& environment = "") {
  INFO(arguments);
  const Finished finished = espalier(arguments, environment);
  INFO(finished.output);
  CHECK(finished.status == 1);
  CHECK(finished.output.find('[' + id + ' ') != std::string::npos);
}

std::string file(const TempFolder& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path path = folder.path() / name;
  REQUIRE(write_file(path, text));
  return path.string();
}

TEST_CASE("what the command line may not ask for") {
  const TempFolder folder;
  refused("print " + treernn + " --disable no_pass", "E506");
  refused("run " + treernn + " --disable to_wave --input " + data, "E507");
  refused("bench " + treernn, "E508");
  refused("run " + treernn + " --input " + data + " --columns words=word --entry encod", "E520");
  refused("print " + treernn + " --stage waves", "E522");
  refused("compile " + treernn + " --stop-after to_wave -o " + (folder.path() / "out").string(),
          "E523");
  CHECK_FALSE(exists(folder.path() / "out"));
}

TEST_CASE("what run is given") {
  const TempFolder folder;
  const std::string leaf = R"({"nodes": [{"variant": "Leaf", "word": 3}]})";
  refused("run " + models + "sick_childsum/model.json --no-such", "E503");
  refused("run " + models + "sst_treegru_childsum/model.json --input " +
              file(folder, "leaf.json", leaf),
          "E527");
  const std::string lists = R"({"nodes": [], "args": {"other": []}})";
  refused("run " + models + "fold_lstm/model.json --input " + file(folder, "lists.json", lists),
          "E521");
  const std::string own_child =
      R"({"nodes": [{"variant": "Node", "left": 0, "right": 1}, {"variant": "Leaf", "word": 3}],
          "roots": [0]})";
  refused("run " + treernn + " --input " + file(folder, "cycle.json", own_child), "E330");
}

TEST_CASE("bracketed trees need their vocabulary") {
  const TempFolder folder;
  const std::string trees = file(folder, "trees.txt", "(3 (2 good) (1 film))\n(2 film)\n");
  refused("run " + treernn + " --input " + trees, "E504");
  const std::string vocabulary = file(folder, "vocab.txt", "<unk>\ngood\nfilm\n");
  const Finished ran = espalier("run " + treernn + " --input " + trees + " --vocab " + vocabulary);
  CHECK(ran.status == 0);
  CHECK(ran.output.find("\"value\": {\"shape\": [2, 12]") != std::string::npos);
  CHECK(ran.output.find("\"value\": {\"shape\": [4, 12]") != std::string::npos);

  const std::string loud = file(folder, "loud.txt", "(3 (2 GOOD) (1 Film))\n(2 film)\n");
  const std::string loud_run = "run " + treernn + " --input " + loud + " --vocab " + vocabulary;
  CHECK(espalier(loud_run).output != ran.output);
  CHECK(espalier(loud_run + " --lower-case").output == ran.output);
}

TEST_CASE("a place that cannot be written") {
  refused("run " + treernn + " --input " + data + " --columns words=word --output /no/such/file",
          "E509");
}

// The system's compiler, as a script that spoils something.
std::string compiler(const TempFolder& folder, const std::string& body) {
  const std::string path = file(folder, "cxx", "#!/bin/sh\n" + body);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return "CXX=" + path;
}

TEST_CASE("verify") {
  const TempFolder folder;
  const Finished good = espalier("verify " + treernn + " --threads 2");
  INFO(good.output);
  CHECK(good.status == 0);
  refused("verify " + treernn, "E524", compiler(folder, "echo no; exit 1\n"));
  // Links a program that ends with 7 at once.
  const std::string useless =
      "for a; do [ \"$b\" = -o ] && printf '#!/bin/sh\\nexit 7\\n' >$a && chmod +x $a; b=$a; "
      "done\n";
  refused("verify " + treernn, "E525", compiler(folder, useless));
  // Compiles a program that changes each first result.
  const std::string wrong = std::string("sed -i 's/^  put(room_0/  *room_0.as<float>() += 1; ") +
                            "put(room_0/' check.cpp\nexec " + ESPALIER_CXX + " \"$@\"\n";
  refused("verify " + treernn, "E526", compiler(folder, wrong));
}

TEST_CASE("results go to standard output, or to a file") {
  const TempFolder folder;
  const std::string run = "run " + treernn + " --columns words=word --input " + data;
  const Finished json = espalier(run + " --entry encode");
  CHECK(json.status == 0);
  CHECK(json.output.find(
            "\"perfect5\": {\n    \"encode\": {\n      \"value\": {\"shape\": [1, 12]") !=
        std::string::npos);
  const std::string out = (folder.path() / "out.safetensors").string();
  const Finished tensors = espalier(run + " --output " + out);
  CHECK(tensors.status == 0);
  CHECK(tensors.output.empty());
  const auto bytes = read_file(out);
  REQUIRE(bytes);
  CHECK(bytes->find("perfect5/encode_nodes/value") != std::string::npos);
}

TEST_CASE("a printed program is read back and goes on") {
  const TempFolder folder;
  for (const std::string stage : {"wave", "loop", "to_wave", "flatten_match"}) {
    INFO(stage);
    const Finished printed = espalier("print " + treernn + " --stage " + stage);
    REQUIRE(printed.status == 0);
    const std::string ending = stage == "loop"            ? ".loop"
                               : stage == "flatten_match" ? ".fun"
                                                          : ".wave";
    const std::string text = file(folder, stage + ending, printed.output);
    const Finished direct = espalier("print " + treernn + " --stage loop");
    const Finished on = espalier("print " + text + " --stage loop");
    CHECK(on.status == 0);
    // A .fun text is a model of its own, with its own hash and lines.
    const std::regex own("# model [0-9a-f]+\n|\\(lines [0-9 ]*\\)\\s*");
    CHECK(std::regex_replace(on.output, own, "") == std::regex_replace(direct.output, own, ""));
  }
}

TEST_CASE("check --expand is a model again, and its own expansion") {
  const TempFolder folder;
  const Finished once = espalier("check --expand " + models + "tree_attention/model.json");
  REQUIRE(once.status == 0);
  const Finished twice = espalier("check --expand " + file(folder, "expanded.json", once.output));
  CHECK(twice.status == 0);
  CHECK(twice.output == once.output);
}

TEST_CASE("a package is written and explained") {
  const TempFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(espalier("compile " + treernn + " -o " + out).status == 0);
  CHECK(exists(folder.path() / "out/manifest.json"));
  CHECK(espalier("explain " + treernn).status == 0);
  CHECK(espalier("schema").status == 0);
}

}  // namespace
}  // namespace espalier::test

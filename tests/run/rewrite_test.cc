// `compile` over what lies there already, and where it cannot write: never a part of a package.
#include <algorithm>

#include "tests/run/examples.h"
#include "tests/run/package.h"

namespace espalier::test {
namespace {

namespace fs = std::filesystem;

const std::string model = (examples_root / "treernn/model.json").string();

Finished compile(const fs::path& to, const std::string& options = "",
                 const std::string& before = "") {
  return run_command(before + " '" ESPALIER_BINARY "' compile " + model + " -o '" + to.string() +
                     "' " + options);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_CASE("a hand-edited file is named, and stays until --force") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(compile(out).status == 0);
  CHECK(compile(out).status == 0);  // nothing was edited
  for (const char* file : {"treernn_kernels.cpp", "runtime/team.h", "Makefile.gen"}) {
    const std::string edited = *read_file(out / file) + "// mine\n";
    REQUIRE(write_file(out / file, edited));
    const Finished refused = compile(out);
    CHECK(refused.status == 1);
    CHECK(refused.output == "espalier: error: '" + (out / file).string() +
                                "' was edited since Espalier wrote it; --force writes over it "
                                "[E510 edited-file]\n");
    CHECK(*read_file(out / file) == edited);
    CHECK(compile(out, "--force").status == 0);
    CHECK(*read_file(out / file) != edited);
  }
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("files of the user's own in the folder stay") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(compile(out).status == 0);
  REQUIRE(write_file(out / "notes.txt", "mine"));
  CHECK(compile(out).status == 0);
  CHECK(read_file(out / "notes.txt") == "mine");
}

TEST_CASE("a folder that is no package is left alone") {
  const TempFolder folder;
  REQUIRE(write_file(folder.path() / "thesis.tex", "x"));
  const Finished refused = compile(folder.path());
  CHECK(refused.status == 1);
  CHECK(refused.output.find("[E511 not-a-package]") != std::string::npos);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"thesis.tex"});
}

TEST_CASE("where the folder cannot be written, a diagnostic and nothing else") {
  const TempFolder folder;
  REQUIRE(write_file(folder.path() / "file", ""));
  const Finished under_file = compile(folder.path() / "file/out");
  CHECK(under_file.status == 1);
  CHECK(under_file.output.find("[E509 cannot-write]") != std::string::npos);
  const Finished on_file = compile(folder.path() / "file");
  CHECK(on_file.status == 1);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"file"});
}

// A limit on the size of a file stands in for a full disk: a write fails half-way through.
TEST_CASE("a write that fails half-way leaves nothing behind") {
  const TempFolder folder;
  for (const char* blocks : {"0", "2", "10"}) {
    const Finished full =
        compile(folder.path() / "out", "", std::string("trap '' XFSZ; ulimit -f ") + blocks + ";");
    INFO(full.output);
    CHECK(full.status == 1);
    CHECK(full.output.find("[E509 cannot-write]") != std::string::npos);
    CHECK(names_in(folder.path()).empty());
  }
  REQUIRE(compile(folder.path() / "out").status == 0);
  const std::vector<std::string> before = names_in(folder.path() / "out");
  CHECK(compile(folder.path() / "out", "", "trap '' XFSZ; ulimit -f 2;").status == 1);
  CHECK(names_in(folder.path() / "out") == before);
}

TEST_CASE("a compiler that is killed leaves no part of a package under the name") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  int whole = 0;
  for (int turn = 0; turn < 40; turn++) {
    std::error_code ignored;
    fs::remove_all(out, ignored);
    const int milliseconds = turn * 6;
    const std::string seconds = "0." +
                                std::string(milliseconds < 10    ? "00"
                                            : milliseconds < 100 ? "0"
                                                                 : "") +
                                std::to_string(milliseconds);
    run_command("timeout -s KILL " + seconds + " '" ESPALIER_BINARY "' compile " + model + " -o '" +
                out.string() + "'");
    if (!exists(out)) continue;
    whole++;
    const std::optional<std::string> manifest = read_file(out / "manifest.json");
    REQUIRE(manifest);
    CHECK(compile(out).status == 0);  // all files are there, with their hashes
    CHECK(exists(out / "treernn_kernels.cpp"));
  }
  MESSAGE(whole << " of 40 were done before they were killed");
}

}  // namespace
}  // namespace espalier::test

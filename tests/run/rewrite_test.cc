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

TEST_CASE("files of the user's own in folders of the package stay") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(compile(out).status == 0);
  fs::create_directories(out / "runtime/mine");
  REQUIRE(write_file(out / "runtime/mine/notes.txt", "mine"));
  REQUIRE(write_file(out / "runtime/arm.h", "mine"));
  CHECK(compile(out).status == 0);
  CHECK(read_file(out / "runtime/mine/notes.txt") == "mine");
  CHECK(read_file(out / "runtime/arm.h") == "mine");
  CHECK(exists(out / "runtime/lanes.h"));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("a file of the user's gives way to one of the package only by --force") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(compile(out, "--no-check").status == 0);
  REQUIRE(write_file(out / "check.cpp", "mine"));
  const Finished refused = compile(out);
  CHECK(refused.status == 1);
  CHECK(refused.output == "espalier: error: '" + (out / "check.cpp").string() +
                              "' was not written by Espalier; --force writes over it [E510 "
                              "edited-file]\n");
  CHECK(read_file(out / "check.cpp") == "mine");
  CHECK(compile(out, "--force").status == 0);
  CHECK(read_file(out / "check.cpp") != "mine");
}

TEST_CASE("a link to a folder stays a link") {
  const TempFolder folder;
  fs::create_directory(folder.path() / "real");
  fs::create_directory_symlink("real", folder.path() / "link");
  for (int turn = 0; turn < 2; turn++) {
    CHECK(compile(folder.path() / "link").status == 0);
    CHECK(fs::is_symlink(folder.path() / "link"));
    CHECK(exists(folder.path() / "real/manifest.json"));
  }
  CHECK(names_in(folder.path()) == std::vector<std::string>{"link", "real"});
}

TEST_CASE("the working folder is not replaced") {
  const TempFolder folder;
  const Finished refused = compile(".", "", "cd '" + folder.path().string() + "' &&");
  CHECK(refused.status == 1);
  CHECK(refused.output ==
        "espalier: error: '.' cannot be written: it is the working folder, and is replaced as a "
        "whole [E509 cannot-write]\n");
  CHECK(names_in(folder.path()).empty());
  CHECK(compile("", "").status == 1);
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

const char* const signals[] = {"KILL", "INT", "TERM"};

TEST_CASE("a compiler that is ended leaves no part of a package") {
  const TempFolder folder;
  const fs::path out = folder.path() / "out";
  int whole = 0;
  for (int turn = 0; turn < 60; turn++) {
    std::error_code ignored;
    fs::remove_all(out, ignored);
    const std::string signal = signals[turn % 3];
    std::string seconds = std::to_string(1000 + turn / 3 * 12);
    seconds[0] = '.';
    run_command("timeout -s " + signal + " " + seconds + " '" ESPALIER_BINARY "' compile " + model +
                " -o '" + out.string() + "'");
    // What is killed outright cannot clean up behind itself.
    if (signal != "KILL")
      CHECK(names_in(folder.path()).size() == (exists(out) ? 1U : 0U));
    else
      for (const std::string& name : names_in(folder.path()))
        if (name != "out") fs::remove_all(folder.path() / name, ignored);
    if (!exists(out)) continue;
    whole++;
    REQUIRE(exists(out / "manifest.json"));
    CHECK(compile(out).status == 0);  // all files are there, with their hashes
    CHECK(exists(out / "treernn_kernels.cpp"));
  }
  MESSAGE(whole << " of 60 were done before they were ended");
}

}  // namespace
}  // namespace espalier::test

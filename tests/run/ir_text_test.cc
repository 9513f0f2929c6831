// Every example at every stage: printed, read back, and taken to the end, it gives the same
// package.
#include <regex>

#include "base/file.h"
#include "driver/verbs.h"
#include "tests/command.h"
#include "tests/run/examples.h"

namespace espalier::test {
namespace {

using driver::Stage;
using Files = std::map<std::string, std::string>;

// The program behind `pass`, as `print --stage` gives it.
std::string text_after(driver::Options options, const std::string& pass, Stage* stage) {
  driver::Session session;
  options.stop_after = pass;
  session.options = options;
  Result<driver::Program> program = driver::load_program(session);
  REQUIRE_MESSAGE(program, messages(session));
  REQUIRE_MESSAGE(driver::run_pipeline(*program, Stage::loop, session), messages(session));
  *stage = program->stage;
  return driver::print(*program) + (*stage == Stage::fun ? "" : driver::print(program->origin));
}

Files package_from_text(driver::Options options, const std::string& pass) {
  const TempFolder folder;
  Stage stage = Stage::fun;
  const std::string text = text_after(options, pass, &stage);
  options.model = (folder.path() / ("model." + std::string(driver::stage_name(stage)))).string();
  REQUIRE(write_file(options.model, text));
  return files_of(emitted(options));
}

// A .fun text is a model of its own, and so has lines and hashes of its own.
std::string without_origin(const std::string& text) {
  static const std::regex lines(
      "// From lines? [^.]* of\\s+(?://\\s+)?the\\s+(?://\\s+)?model\\.\n");
  static const std::regex hashes("\"[0-9a-f]{64}\"");
  return std::regex_replace(std::regex_replace(text, lines, ""), hashes, "");
}

void check_same(const Files& direct, Files from_text, bool from_fun) {
  CHECK(from_text.size() == direct.size());
  for (const auto& [path, bytes] : direct) {
    INFO(path);
    CHECK((from_fun ? without_origin(from_text[path]) == without_origin(bytes)
                    : from_text[path] == bytes));
  }
}

TEST_CASE("every example goes on from the text of every stage") {
  for (const std::string& name : example_names()) {
    const driver::Options options = example_options(name);
    const Files direct = files_of(emitted(options));
    for (const std::string last : {"recognize", "wave_dce", "memory_plan"}) {
      INFO(name << " from the text behind " << last);
      check_same(direct, package_from_text(options, last), last == "recognize");
    }
  }
}

TEST_CASE("a program goes on from the text behind each pass") {
  for (const char* name : {"four_variants_updown"}) {
    const driver::Options options = example_options(name);
    const Files direct = files_of(emitted(options));
    for (const driver::Pass& pass : driver::pipeline()) {
      INFO(name << " from the text behind " << pass.name);
      check_same(direct, package_from_text(options, std::string(pass.name)), pass.to == Stage::fun);
    }
  }
}

TEST_CASE("what was disabled stays so when the text is read back") {
  driver::Options options = example_options("treernn");
  options.disable = {"fuse", "hoist"};
  const Files direct = files_of(emitted(options));
  Stage stage = Stage::fun;
  const std::string text = text_after(options, "epilogues", &stage);
  const TempFolder folder;
  options.model = (folder.path() / "model.wave").string();
  options.disable.clear();
  REQUIRE(write_file(options.model, text));
  check_same(direct, files_of(emitted(options)), false);
}

// ---- The verbs

const std::string treernn = (examples_root / "treernn/model.json").string();

Finished espalier(const std::string& arguments) {
  return run_command("'" ESPALIER_BINARY "' " + arguments);
}

struct Texts {
  TempFolder folder;
  std::string wave = (folder.path() / "treernn.wave").string();
  std::string loop = (folder.path() / "treernn.loop").string();
  Texts() {
    REQUIRE(espalier("print " + treernn + " --stage wave >" + wave).status == 0);
    REQUIRE(espalier("print " + treernn + " --stage loop >" + loop).status == 0);
  }
};

TEST_CASE("run takes text of each stage in place of a model") {
  const Texts texts;
  const std::string input = (texts.folder.path() / "input.json").string();
  REQUIRE(write_file(input,
                     "{\"nodes\": [{\"word\": 3}, {\"word\": 4}, {\"left\": 0, \"right\": 1}], "
                     "\"roots\": [2, 0]}"));
  const std::string rest =
      " --entry encode --input " + input + " --weights-dir " + (examples_root / "treernn").string();
  const Finished model = espalier("run " + treernn + rest);
  REQUIRE_MESSAGE(model.status == 0, model.output);
  const Finished wave = espalier("run " + texts.wave + rest);
  CHECK_MESSAGE(wave.status == 0, wave.output);
  CHECK(wave.output == model.output);
  const Finished emitted_model = espalier("run --emitted " + treernn + rest);
  REQUIRE_MESSAGE(emitted_model.status == 0, emitted_model.output);
  for (const std::string& text : {texts.wave, texts.loop}) {
    const Finished emitted_text = espalier("run --emitted " + text + rest);
    CHECK(emitted_text.output == emitted_model.output);
  }
}

TEST_CASE("text that somebody edited runs as it stands") {
  const Texts texts;
  const std::string text = *read_file(texts.wave);
  const std::string edited = (texts.folder.path() / "edited.wave").string();
  const std::size_t at = text.find("tanh(");
  REQUIRE(at != std::string::npos);
  REQUIRE(
      write_file(edited, std::regex_replace(text, std::regex("= map: tanh\\("), "= map: abs(")));
  const std::string input = (texts.folder.path() / "input.json").string();
  REQUIRE(write_file(input,
                     "{\"nodes\": [{\"word\": 3}, {\"word\": 4}, {\"left\": 0, \"right\": 1}], "
                     "\"roots\": [2]}"));
  const std::string rest =
      " --entry encode --input " + input + " --weights-dir " + (examples_root / "treernn").string();
  const Finished before = espalier("run " + texts.wave + rest);
  const Finished after = espalier("run " + edited + rest);
  CHECK(after.status == 0);
  CHECK(after.output != before.output);
}

}  // namespace
}  // namespace espalier::test

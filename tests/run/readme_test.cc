// What examples/README.md shows is so.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/command.h"
#include "tests/golden.h"

namespace espalier::test {
namespace {

// The blocks of JSON between a heading and the next.
std::vector<std::string> blocks(const std::string& text, const std::string& heading) {
  std::vector<std::string> out;
  const std::string open = "\n```json\n", close = "\n```\n";
  const std::size_t start = text.find("\n## " + heading);
  const std::size_t end = text.find("\n## ", start + 1);
  for (std::size_t at = text.find(open, start); at < end; at = text.find(open, at)) {
    at += open.size();
    out.push_back(text.substr(at, text.find(close, at) - at));
  }
  return out;
}

TEST_CASE("the inputs in examples/README.md are inputs of the models that it names") {
  const std::filesystem::path root = ESPALIER_ROOT;
  const TempFolder folder;
  const std::string page = read_text(root / "examples/README.md");
  const std::vector<std::string> inputs = blocks(page, "Inputs of `run` and `verify`");
  const std::vector<std::string> models = {"treefc", "fold_lstm", "dag_updown", "dag_updown"};
  REQUIRE(inputs.size() == models.size());
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string input = (folder.path() / "input.json").string();
    std::ofstream(input) << inputs[i];
    const Finished done =
        run_command("'" ESPALIER_BINARY "' run '" +
                    (root / "examples" / models[i] / "model.json").string() + "' --input " + input);
    INFO(done.output);
    CHECK(done.status == 0);
    answers.push_back(done.output);
  }
  CHECK(answers[2] == answers[3]);
}

TEST_CASE("the model in examples/README.md is the example") {
  const std::filesystem::path root = ESPALIER_ROOT;
  CHECK(blocks(read_text(root / "examples/README.md"), "A tree network")[0] + "\n" ==
        read_text(root / "examples/treefc/model.json"));
}

}  // namespace
}  // namespace espalier::test

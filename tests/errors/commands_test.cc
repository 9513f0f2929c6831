// Diagnostics of the command line and of runs, as users see them.
#include <string>

#include "base/file.h"
#include "tests/command.h"
#include "tests/golden.h"

namespace espalier {
namespace {

TEST_CASE("commands that are refused say why") {
  const TempFolder out;
  const std::string folder = std::string(ESPALIER_ROOT) + "/tests/errors/commands";
  std::string found;
  for (const char* arguments : {
           "compile model.json -o $OUT --disable to_loop",
           "compile model.json -o $OUT --stop-after fuse",
           "bench model.json",
           "print model.json --stage wav",
           "run model.json --input cycle.json --entry scald",
           "run model.json --input no_factor.json",
           "run model.json --input cycle.json",
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

}  // namespace
}  // namespace espalier

// Emitted code with one pass off, against the evaluator of the model.
#include "driver/verbs.h"
#include "tests/run/examples.h"

namespace espalier::test {
namespace {

void check_without(const std::string& example, const std::string& pass) {
  driver::Session session;
  session.options = example_options(example);
  session.options.disable = {pass};
  INFO(example << " without " << pass);
  const bool agrees = driver::verify(session);
  CHECK_MESSAGE(agrees, messages(session).substr(0, 2000));
}

std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const driver::Pass& pass : driver::pipeline())
    if (pass.optional) names.emplace_back(pass.name);
  return names;
}

struct Fast {  // what the emitted code is compiled with
  Fast() { setenv("CXXFLAGS", "-O0", 1); }
  ~Fast() { unsetenv("CXXFLAGS"); }
};

// The three models that no pass was written for take turns; all with all is slow.
TEST_CASE("passes off alone") {
  const Fast fast;
  const std::vector<std::string> models = {"tree_attention", "mutual_expr_stmt",
                                           "four_variants_updown"};
  std::size_t next = 0;
  for (const std::string& pass : optional_passes())
    check_without(models[next++ % models.size()], pass);
  check_without("seq_gru", "merge");  // a gate named r, read in a tile whose rows are counted by r
}

TEST_SUITE("slow") {
  TEST_CASE("each pass off alone, on all examples") {
    const Fast fast;
    for (const std::string& name : example_names())
      for (const std::string& pass : optional_passes()) check_without(name, pass);
  }
}

}  // namespace
}  // namespace espalier::test

// The recorded answers, by the evaluator and by emitted code.
#include "tests/run/cases.h"

#include "tests/setting.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

void check_case(const std::string& name) {
  INFO(name);
  Model model = example(name);
  const auto folder = source_root / "tests/data/cases" / name;
  const auto inputs = read::InputFile::open(&model.session.sources, folder / "inputs.json",
                                            &model.session.diagnostics);
  const auto expected = read::read_safetensors(
      &model.session.sources, folder / "expected.safetensors", &model.session.diagnostics);
  REQUIRE_MESSAGE((inputs && expected), model.messages());
  for (const std::string& structure : inputs->structures())
    for (const char* kind : {"roots", "nodes"}) {
      const fun::Entry& entry =
          model.entry(std::string(kind) == "roots" ? "encode" : "encode_nodes");
      const auto input = inputs->read(structure, model.module, model.function(entry),
                                      {{{"words", "word"}}, false}, &model.session.diagnostics);
      REQUIRE_MESSAGE(input, model.messages());
      const eval::Outcome outcome =
          eval::evaluate(model.module, model.weights, entry, input->forest, input->calls);
      REQUIRE(outcome.status.code == "ok");
      check_recorded(outcome.results, structure + '/' + kind + '/', *expected, {1e-12, 0},
                     &model.session.diagnostics);
    }
}

TEST_CASE("emitted code gives the recorded answers with 1, 2 and 8 threads") {
  if (!have_program("make")) return;
  const Setting setting("CXXFLAGS", "-O1");
  for (const char* name : case_names) check_emitted(example(name), name, {1, 2, 8});
}

TEST_CASE("emitted code in double precision gives the recorded answers to 1e-12") {
  if (!have_program("make")) return;
  const Setting setting("CXXFLAGS", "-O1");
  for (const char* name : {"treelstm_childsum", "mvrnn"})
    check_emitted(changed_example(name, "f32", "f64", true), name, {1, 2}, {1e-12, 0});
}

TEST_CASE("the evaluator gives the recorded answers") {
  for (const char* name : case_names) check_case(name);
}

}  // namespace
}  // namespace espalier::test

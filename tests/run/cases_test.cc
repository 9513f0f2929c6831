// The nine models of examples/ whose answers were computed by an independent implementation
// (tests/data/cases): every state of every node, to 1e-12.
#include <cmath>

#include "read/safetensors.h"
#include "tests/run/models.h"

namespace espalier::test {
namespace {

constexpr const char* cases[] = {
    "treefc", "treernn",  "treelstm_binary", "treelstm_childsum", "treegru_childsum", "mvrnn",
    "dagrnn", "seq_lstm", "seq_gru"};

double largest_difference(const ops::Tensor& got, const ops::Tensor& expected) {
  REQUIRE(got.shape == expected.shape);
  double largest = 0;
  for (std::size_t i = 0; i < got.f.size(); ++i) {
    const double difference = std::abs(got.f[i] - expected.f[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN stays
  }
  return largest;
}

// Compares result j with S/KIND/j of the recorded answers.
void compare(const std::vector<eval::Rows>& results, const std::string& prefix,
             const read::Safetensors& expected, Diagnostics* diagnostics) {
  for (std::size_t j = 0; j < results.size(); ++j) {
    INFO(prefix << j);
    const auto answer = expected.load(prefix + std::to_string(j), diagnostics);
    REQUIRE(answer);
    CHECK(largest_difference(results[j].data, *answer) <= 1e-12);
  }
}

void check_case(const std::string& name) {
  INFO(name);
  Model model = example(name);
  const auto folder = root / "tests/data/cases" / name;
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
      compare(outcome.results, structure + '/' + kind + '/', *expected, &model.session.diagnostics);
    }
}

TEST_CASE("the evaluator gives the recorded answers") {
  for (const char* name : cases) check_case(name);
}

}  // namespace
}  // namespace espalier::test

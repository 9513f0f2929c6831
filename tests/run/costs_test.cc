// FLOPs of products in the manifest, against formulas written by hand (those of the benchmarks).
#include <nlohmann/json.hpp>

#include "tests/run/examples.h"

namespace espalier::test {
namespace {

using Json = nlohmann::json;

Json costs_of(const std::string& example, const std::string& entry) {
  driver::Options options = example_options(example);
  options.no_check = true;
  return Json::parse(files_of(emitted(options)).at("manifest.json"))["costs"][entry];
}

std::int64_t products(const Json& costs, const std::string& element) {
  return costs["each"][element]["flops_in_products"].get<std::int64_t>();
}

std::int64_t elsewhere(const Json& costs, const std::string& element) {
  return costs["each"][element]["flops_elsewhere"].get<std::int64_t>();
}

TEST_CASE("a child-sum Tree-LSTM: four input products, three of the sum, one of each child") {
  const Json costs = costs_of("treelstm_childsum", "encode");
  const std::int64_t h = 16, e = 12;
  CHECK(products(costs, "Node with children") == 2 * (3 * h * h + 4 * h * e));
  CHECK(products(costs, "item of children") == 2 * h * h);
  CHECK(products(costs, "Node without children") == 2 * 3 * h * e);  // no forget gate
  CHECK(costs["kernels"]["sweep_up"]["barriers_per_level"] == 1);
  // hs; the forget gate's sum, sigmoid (of three terms) and product with k.c
  CHECK(elsewhere(costs, "item of children") == h + (2 + 1 + 1) * h + h);
  CHECK(elsewhere(costs, "Node with children") ==
        13 * h);  // three gates, i * u + kept, o * tanh(c)
}

TEST_CASE("a child-sum Tree-GRU: three input products, two of the sum, one of each child") {
  const Json costs = costs_of("treegru_childsum", "encode");
  const std::int64_t h = 16, e = 12;
  CHECK(products(costs, "Node with children") + products(costs, "item of children") ==
        2 * (2 * h * h + 3 * h * e) + 2 * h * h);
  CHECK(products(costs, "Node without children") == 2 * 2 * h * e);  // no reset gate
}

}  // namespace
}  // namespace espalier::test

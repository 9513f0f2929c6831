#include "eval/validate.h"

#include <doctest/doctest.h>

namespace espalier::eval {
namespace {

// Leaf(word: index[5]) and Node(children: [Tree]); Other(of: Tree) of a shared type.
Forest tables() {
  Field word{"word", false, "", Dtype::i32, {}, 5, {}, 0};
  Field children{"children", true, "Tree", Dtype::i32, {}, 0, {0}, 1};
  Field of{"of", true, "Tree", Dtype::i32, {}, 0, {}, 2};
  Forest forest;
  forest.types = {{"Tree", false, {0, 1}}, {"Dag", true, {2}}};
  forest.variants = {
      {"Tree", "Leaf", {word}}, {"Tree", "Node", {children}}, {"Dag", "Other", {of}}};
  forest.columns = {word, children, of};
  forest.lists = {{"children", -1}};
  return forest;
}

// Node 0 has leaves 1 and 2; node 3 is an Other of node 0.
ForestData good() {
  ForestData data;
  data.nodes = 4;
  data.variant = {1, 0, 0, 2};
  data.columns.resize(3);
  data.columns[0].integer = {0, 3, 4, 0};
  data.columns[1].integer = {1, 2};
  data.columns[2].integer = {-1, -1, -1, 0};
  data.lists = {{0, 2, 2, 2, 2}};
  return data;
}

Arguments roots() { return {{{"t", true, "Tree", Dtype::i32, {}, 0, {}, 0}}, {}}; }

CallsData calls_of(std::vector<std::int64_t> nodes) {
  CallsData calls;
  calls.count = static_cast<std::int64_t>(nodes.size());
  calls.columns.resize(1);
  calls.columns[0].integer = std::move(nodes);
  return calls;
}

void check(const ForestData& data, const std::string& code, std::int64_t node,
           std::int64_t detail) {
  const Status status = validate(tables(), data, roots(), calls_of({0}));
  CHECK(status.code == code);
  CHECK(status.node == node);
  CHECK(status.detail == detail);
}

TEST_CASE("a good forest, and an empty one") {
  check(good(), "ok", -1, 0);
  ForestData empty;
  empty.columns.resize(3);
  empty.lists = {{0}};
  CHECK(validate(tables(), empty, roots(), calls_of({})).ok());
}

TEST_CASE("faults of a node") {
  ForestData data = good();
  data.variant[2] = 3;
  check(data, "bad_variant", 2, 3);

  data = good();
  data.lists[0] = {0, 2, 2, 2, 1};
  check(data, "bad_offsets", 3, 1);
  data.lists[0] = {1, 2, 2, 2, 2};
  check(data, "bad_offsets", 0, 1);
  data.lists[0] = {0, 1, 2, 2, 2};
  check(data, "foreign_items", 1, 1);

  data = good();
  data.columns[1].integer = {1, 4};
  check(data, "child_out_of_range", 0, 4);
  data.columns[1].integer = {1, 3};
  check(data, "wrong_variant", 0, 3);

  data = good();
  data.columns[0].integer[2] = 5;
  check(data, "word_out_of_range", 2, 5);
  data.columns[0].integer[1] = -1;
  check(data, "word_out_of_range", 1, -1);
}

TEST_CASE("faults between nodes") {
  ForestData data = good();
  data.columns[1].integer = {2, 2};
  check(data, "shared_node", 2, 0);
  data = good();
  data.columns[2].integer[3] = 1;
  check(data, "shared_node", 1, 3);

  data = good();
  data.columns[1].integer = {0, 2};
  data.columns[2].integer[3] = 1;
  check(data, "cycle", 0, 0);
}

TEST_CASE("a long cycle names a node on it") {
  ForestData data;
  data.nodes =
      4;  // 0 -> 1 -> 2 -> 3 -> 1, but 1 then has two parents; so 3 -> 2 -> 1 -> 3, 0 alone
  data.variant = {0, 1, 1, 1};
  data.columns.resize(3);
  data.columns[0].integer = {0, 0, 0, 0};
  data.columns[1].integer = {3, 1, 2};
  data.columns[2].integer = {-1, -1, -1, -1};
  data.lists = {{0, 0, 1, 2, 3}};
  check(data, "cycle", 1, 3);
}

TEST_CASE("faults of arguments") {
  const auto status = [](std::int64_t root) {
    return validate(tables(), good(), roots(), calls_of({0, root}));
  };
  CHECK(status(4).code == "root_out_of_range");
  CHECK(status(4).node == 1);  // the call
  CHECK(status(-1).detail == -1);
  CHECK(status(3).code == "wrong_root_variant");
  CHECK(validate(tables(), good(), roots(), CallsData{-2, {}, {}}).code == "negative_count");
  const Arguments word{{{"w", false, "", Dtype::i32, {}, 7, {}, 0}}, {}};
  CHECK(validate(tables(), good(), word, calls_of({7})).code == "w_out_of_range");
}

}  // namespace
}  // namespace espalier::eval

#include "read/brackets.h"

#include <doctest/doctest.h>

#include <string>

#include "base/kinds.h"
#include "read/model.h"

namespace espalier::read {
namespace {

using Ints = std::vector<std::int64_t>;

fun::Module module_of(const std::string& types) {
  Sources sources;
  Diagnostics diagnostics;
  return *read_model_text(&sources, "m.json",
                          R"js({"espalier": 1, "name": "m", "types": {"T": )js" + types +
                              R"js(}, "functions": {"f": {"args": {"t": "T"}, "body": "0"}},
                              "entries": {"f": {}}})js",
                          &diagnostics);
}

std::string error(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(!read_brackets(&sources, "t.txt", text, &diagnostics));
  const Diagnostic& d = diagnostics.all().at(0);
  return std::string(kind_id(d.kind)) + " " + std::string(kind_name(d.kind)) + " at " +
         std::to_string(d.loc.offset);
}

TEST_CASE("trees to nodes with leaves and inner variants") {
  Sources sources;
  Diagnostics diagnostics;
  const auto trees =
      read_brackets(&sources, "t.txt", "(3 (2 The) (1 (0 a) (4 x)))\n\n(2 good)\n", &diagnostics);
  REQUIRE(trees);
  CHECK(trees->roots == std::vector<int>{4, 5});
  const Vocabulary words = Vocabulary::of("<unk>\nthe\ngood\r\na\n");
  CHECK(words.size() == 4);
  const fun::Module module = module_of(
      R"js({"Leaf": {"word": "index[9]"}, "Node": {"label": "i32", "l": "T", "r": "T"}})js");
  BracketOptions lower;
  lower.lower_case = true;
  const auto forest = to_forest(*trees, words, lower, module, "T", &diagnostics);
  REQUIRE(forest);
  CHECK(forest->variant == std::vector<int>{0, 0, 0, 1, 1, 0});
  CHECK(forest->columns[0].integer == Ints{1, 3, 0, 0, 0, 2});
  CHECK(forest->columns[1].integer == Ints{0, 0, 0, 1, 3, 0});
  CHECK(forest->columns[2].integer == Ints{-1, -1, -1, 1, 0, -1});
  CHECK(forest->columns[3].integer == Ints{-1, -1, -1, 2, 3, -1});
  CHECK(to_forest(*trees, words, {}, module, "T", &diagnostics)->columns[0].integer[0] == 0);
}

TEST_CASE("trees to nodes with lists of children") {
  Sources sources;
  Diagnostics diagnostics;
  const auto trees = read_brackets(&sources, "t.txt", "(3 (2 a) (1 b))", &diagnostics);
  const fun::Module module = module_of(R"js({"Node": {"word": "index[9]", "children": "[T]"}})js");
  const auto forest = to_forest(*trees, Vocabulary::of("?\na\nb"), {}, module, "T", &diagnostics);
  REQUIRE(forest);
  CHECK(forest->columns[0].integer == Ints{1, 2, 0});
  CHECK(forest->columns[1].integer == Ints{0, 1});
  CHECK(forest->lists[0] == Ints{0, 0, 0, 2});
}

TEST_CASE("what is wrong with bracketed trees") {
  CHECK(error("(1 a") == "E320 tree-bracket at 0");
  CHECK(error("(1 a))") == "E320 tree-bracket at 5");
  CHECK(error("(1 a) b") == "E321 tree-text at 6");
  CHECK(error("(a b)") == "E322 tree-label at 1");
  CHECK(error("((1 a) b)") == "E322 tree-label at 1");
  CHECK(error("(1)") == "E323 tree-children at 0");
  CHECK(error("(1 a b)") == "E323 tree-children at 5");
  CHECK(error("(1 (1 a) (1 b) (1 c))") == "E323 tree-children at 15");
  Diagnostics diagnostics;
  CHECK(!to_forest({}, {}, {}, module_of(R"js({"A": {"x": "f32"}, "B": {"y": "T"}})js"), "T",
                   &diagnostics));
  CHECK(diagnostics.all()[0].kind == Kind::tree_type);
}

TEST_CASE("a deep tree") {
  Sources sources;
  Diagnostics diagnostics;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "(1 (2 a) ";
  text += "(1 b)" + std::string(100000, ')');
  const auto trees = read_brackets(&sources, "t.txt", text, &diagnostics);
  REQUIRE(trees);
  CHECK(trees->nodes.size() == 200001);
}

}  // namespace
}  // namespace espalier::read

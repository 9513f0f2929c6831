#include "fun/forest.h"

#include <doctest/doctest.h>

namespace espalier::fun {
namespace {

Function function(const std::string& name, std::vector<Named> args) {
  Function out;
  out.name = name;
  for (Named& arg : args) out.args.push_back({std::move(arg), ""});
  return out;
}

// Two types that reach each other, and one that nothing reaches.
Module module_of_two() {
  Module module;
  const TypeRef tree = data_type("Tree"), other = data_type("Other");
  const TypeRef word = index_type(Dim(9)), f32x2 = tensor(Dtype::f32, {Dim(2)});
  module.types = {
      {"Tree",
       {},
       false,
       {{"Leaf", {{"word", word, {}}}, {}},
        {"Node", {{"word", word, {}}, {"children", list_of(tree), {}}, {"x", f32x2, {}}}, {}}},
       {}},
      {"Lone", {}, false, {{"Node", {{"x", word, {}}}, {}}}, {}},
      {"Other",
       {},
       true,
       {{"Node", {{"x", tuple_of({list_of(list_of(word)), tree}, {"a", "b"}), {}}}, {}}},
       {}},
  };
  module.functions = {function("f", {{"t", other, {}}, {"xs", list_of(f32x2), {}}})};
  Entry entry;
  entry.name = entry.function = "f";
  module.entries = {entry};
  return module;
}

TEST_CASE("the forest of a module") {
  const Forest forest = forest_of(module_of_two());
  REQUIRE(forest.types.size() == 2);
  CHECK(forest.types[0].name == "Tree");
  CHECK(forest.types[1].name == "Other");
  CHECK(forest.types[1].shared);
  CHECK(forest.types[1].variants == std::vector<int>{2});

  const espalier::Variant& node = forest.variants[1];
  REQUIRE(node.fields.size() == 3);
  CHECK(node.fields[0].column == forest.variants[0].fields[0].column);
  CHECK(node.fields[0].bound == 9);
  CHECK(node.fields[1].child);
  CHECK(node.fields[1].target == "Tree");
  CHECK(node.fields[1].lists == std::vector<int>{0});
  CHECK(forest.lists[0].name == "children");
  CHECK(node.fields[2].name == "x");
  const auto column = [&](const Field& field) {
    return forest.columns[static_cast<std::size_t>(field.column)].name;
  };
  CHECK(column(node.fields[2]) == "Tree_Node_x");

  const espalier::Variant& deep = forest.variants[2];
  REQUIRE(deep.fields.size() == 2);
  CHECK(deep.fields[0].name == "x.a");
  CHECK(deep.fields[0].lists == std::vector<int>{1, 2});
  CHECK(forest.lists[2].outer == 1);
  CHECK(forest.lists[2].name == "Other_Node_x.a.items");
  CHECK(deep.fields[1].name == "x.b");
  CHECK(deep.fields[1].target == "Tree");
  CHECK(leaves_of(deep, "x") == std::vector<int>{0, 1});
}

TEST_CASE("the arguments of a function") {
  const Module module = module_of_two();
  const Arguments arguments = arguments_of(module.functions[0]);
  REQUIRE(arguments.columns.size() == 2);
  CHECK(arguments.columns[0].child);
  CHECK(arguments.columns[0].target == "Other");
  CHECK(arguments.columns[1].lists == std::vector<int>{0});
  CHECK(arguments.columns[1].shape == std::vector<std::int64_t>{2});
  CHECK(arguments.lists[0].name == "xs");
}

TEST_CASE("the leaves of a record") {
  const TypeRef f32 = scalar(Dtype::f32);
  const auto found = leaves({"cell", tuple_of({f32, tuple_of({f32, f32})}, {"W", "b"}), {}});
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "cell.W");
  CHECK(found[2].name == "cell.b.1");
}

}  // namespace
}  // namespace espalier::fun

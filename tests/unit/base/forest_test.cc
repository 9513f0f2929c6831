#include "base/forest.h"

#include <doctest/doctest.h>

namespace espalier {
namespace {

Field payload(const std::string& name, std::int64_t bound, int column) {
  Field field;
  field.name = name;
  field.bound = bound;
  field.dtype = bound > 0 ? Dtype::i32 : Dtype::f32;
  field.column = column;
  return field;
}

Field child(const std::string& name, int column, bool list = false) {
  Field field;
  field.name = name;
  field.child = true;
  field.target = "Tree";
  field.column = column;
  if (list) field.lists = {0};
  return field;
}

Forest forest(std::vector<Variant> variants, std::vector<Field> columns) {
  Forest out;
  out.types = {{"Tree", false, {}}};
  for (std::size_t v = 0; v < variants.size(); v++)
    out.types[0].variants.push_back(static_cast<int>(v));
  out.variants = std::move(variants);
  out.columns = std::move(columns);
  return out;
}

const Field word = payload("word", 9, 0), left = child("left", 1), right = child("right", 2);

TEST_CASE("a child, or else an index, that one variant alone has tells it") {
  Forest binary =
      forest({{"Tree", "Leaf", {word}}, {"Tree", "Node", {left, right}}}, {word, left, right});
  CHECK(telling_columns(binary) == std::vector<int>{-1, 1});
  const Field list = child("children", 1, true);
  const Forest wide = forest({{"Tree", "Leaf", {word}}, {"Tree", "Node", {list}}}, {word, list});
  CHECK(telling_columns(wide) == std::vector<int>{0, -1});

  ForestData data;
  data.nodes = 3;
  data.variant = {1, 0, 0};
  data.columns.resize(3);
  data.columns[0].integer = {0, 4, 5};
  data.columns[1].integer = {1, 7, 7};
  data.columns[2].integer = {2, 7, 7};
  mark_missing(binary, &data);
  CHECK(data.columns[1].integer == std::vector<std::int64_t>{1, -1, -1});
  CHECK(data.columns[0].integer == std::vector<std::int64_t>{0, 4, 5});
}

TEST_CASE("fields do not decide between two variants without one of their own") {
  const Field x = payload("x", 0, 0), children = child("children", 1, true);
  CHECK(
      telling_columns(forest({{"Tree", "Leaf", {x}}, {"Tree", "Node", {children}}}, {x, children}))
          .empty());
  CHECK(telling_columns(
            forest({{"Tree", "Leaf", {word}}, {"Tree", "Node", {word, left}}, {"Tree", "End", {}}},
                   {word, left}))
            .empty());
  CHECK(telling_columns(forest({{"Tree", "Leaf", {word}}}, {word})).empty());
  Forest two = forest({{"Tree", "Leaf", {word}}, {"Other", "Node", {left}}}, {word, left});
  two.types.push_back({"Other", false, {1}});
  CHECK(telling_columns(two).empty());
}

}  // namespace
}  // namespace espalier

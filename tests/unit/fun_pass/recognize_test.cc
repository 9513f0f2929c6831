#include "fun_pass/recognize.h"

#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "tests/unit/fun_pass/checked.h"

namespace espalier {

using fun::Role;
using test::Checked;
using test::model;
using test::tree;

namespace {

bool recognized(Checked* checked) {
  REQUIRE_MESSAGE(checked->ok, checked->messages());
  REQUIRE(fun_pass::inline_calls(checked->module, checked->diagnostics));
  REQUIRE(fun_pass::flatten_match(checked->module, checked->diagnostics));
  return fun_pass::recognize(checked->module, checked->diagnostics);
}

void refused(const std::string& functions, const std::string& types, Kind kind,
             const std::string& at, const std::string& message) {
  Checked checked(model(functions, "", types, R"j("entries": {"f": {}})j"));
  CHECK(!recognized(&checked));
  CAPTURE(checked.messages());
  REQUIRE(!checked.diagnostics.all().empty());
  CHECK(kind_name(checked.diagnostics.all()[0].kind) == kind_name(kind));
  CHECK(checked.diagnostics.all()[0].message.find(message) != std::string::npos);
  CHECK(checked.underlined() == at);
}

}  // namespace

TEST_CASE("arguments that stay and arguments that change on the way down") {
  Checked checked(model(
      R"j("f": {"args": {"p": "f32", "t": "Tree", "q": "f32"}, "returns": "f32",
            "body": {"match": "t", "cases": {"Leaf(w)": "p", "Node(l, r)": "f(p + q, l, q) + f(p, r, q)",
              "Many(w, ks)": ["s = p * 2", "sum(f(s, k, q) for (_, k) in enumerate(ks))"]}}})j",
      "", tree, R"j("entries": {"f": {}})j"));
  REQUIRE(recognized(&checked));
  REQUIRE(checked.module.recursions.size() == 1);
  const fun::Recursion& found = checked.module.recursions[0];
  CHECK(found.structural.at("f") == 1);
  CHECK(found.roles.at("f") ==
        std::vector<Role>{Role::top_down, Role::structural, Role::unchanging});
  CHECK(!found.over_lists);
}

TEST_CASE("two functions over two types are one recursion, whose arguments pass through both") {
  Checked checked(model(
      R"j("f": {"args": {"a": "A", "x": "f32", "d": "f32"}, "returns": "f32", "body": {"match": "a", "cases": {
            "A(bs)": "sum(g(d + 1, b, x) for b in bs)"}}},
          "g": {"args": {"d": "f32", "b": "B", "y": "f32"}, "returns": "f32", "body": {"match": "b", "cases": {
            "None()": "y * d", "Some(a)": "f(a, y, d)"}}})j",
      "", R"j("A": {"A": {"bs": "[B]"}}, "B": {"None": {}, "Some": {"a": "A"}})j",
      R"j("entries": {"f": {}})j"));
  REQUIRE(recognized(&checked));
  REQUIRE(checked.module.recursions.size() == 1);
  const fun::Recursion& found = checked.module.recursions[0];
  CHECK(found.functions == std::vector<std::string>{"f", "g"});
  CHECK(found.structural.at("g") == 1);
  CHECK(found.roles.at("f") ==
        std::vector<Role>{Role::structural, Role::unchanging, Role::top_down});
  CHECK(found.roles.at("g") ==
        std::vector<Role>{Role::top_down, Role::structural, Role::unchanging});
}

TEST_CASE("recursion over a list") {
  Checked checked(model(R"j("f": {"args": {"xs": "[f32]", "s": "f32"}, "returns": "f32", "body": {
      "match": "xs", "cases": {"[]": "s", "[x, *rest]": "f(rest, s + x)"}}})j",
                        "", "", R"j("entries": {"f": {}})j"));
  REQUIRE(recognized(&checked));
  CHECK(checked.module.recursions[0].over_lists);
  CHECK(checked.module.recursions[0].roles.at("f")[1] == Role::top_down);
}

TEST_CASE("recursion that does not shrink") {
  refused(
      R"j("f": {"args": {"t": "Tree", "n": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(l, r)": "f(t, n) + f(r, n)", "_": "n"}}})j",
      tree, Kind::recursion_does_not_shrink, "t", "passes a whole argument as 't'");
  refused(R"j("f": {"args": {"t": "Tree"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(l, r)": "f(Tree.Node(r, l))", "_": "1"}}})j",
          tree, Kind::recursion_does_not_shrink, "Tree.Node(r, l)", "this call passes a value");
}

TEST_CASE("recursion over nothing") {
  refused(R"j("f": {"args": {"x": "f32"}, "returns": "f32",
                    "body": "if x > 1 then f(x / 2) else x"})j",
          "", Kind::recursion_without_structure, "f(x / 2)", "takes no data type or list");
}

TEST_CASE("an argument that depends on results") {
  refused(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(l, r)": "f(r, f(l, p))", "_": "p"}}})j",
      tree, Kind::recursion_argument_depends, "f(l, p)", "argument 'p' of this call of 'f'");
  refused(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Many(w, ks)": "fold(fun(s, k) -> f(k, s), p, ks)", "_": "p"}}})j",
      tree, Kind::recursion_argument_depends, "s", "argument 'p' of this call of 'f'");
}

TEST_CASE("a child that is called twice with different values") {
  refused(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(l, r)": "f(l, p + 1) + f(l, p + 2)", "_": "p"}}})j",
      tree, Kind::child_called_twice, "f(l, p + 2)", "called twice on one child");
}

TEST_CASE("values passed down past the children") {
  refused(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(Node(a, b), r)": "f(a, p + 1)", "_": "p"}}})j",
      tree, Kind::recursion_beyond_children, "a", "only be called on a child or on every item");
}

TEST_CASE("a shared type without a way to combine") {
  refused(
      R"j("f": {"args": {"t": "Dag", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Node(ins)": "p + sum(f(k, p / 2) for k in ins)"}}})j",
      R"j("Dag": {"shared": true, "variants": {"Node": {"ins": "[Dag]"}}})j", Kind::combine_missing,
      "\"p\"", "say how it combines");
}

TEST_CASE("lists and data by turns are two recursions") {
  Checked checked(model(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Many(w, ks)": "g(ks, p, 0)", "_": "1"}}},
          "g": {"args": {"ts": "[Tree]", "q": "f32", "s": "f32"}, "returns": "f32", "body": {
              "match": "ts", "cases": {"[]": "s", "[t, *rest]": "g(rest, q, s + f(t, q))"}}})j",
      "", tree, R"j("entries": {"f": {}})j"));
  REQUIRE(recognized(&checked));
  REQUIRE(checked.module.recursions.size() == 2);
  const fun::Recursion& data = checked.module.recursions[0];
  CHECK(data.functions == std::vector<std::string>{"f"});
  CHECK(data.through == std::vector<std::string>{"g"});
  CHECK(data.roles.at("f") == std::vector<Role>{Role::structural, Role::unchanging});
  const fun::Recursion& lists = checked.module.recursions[1];
  CHECK(lists.functions == std::vector<std::string>{"g"});
  CHECK(lists.over_lists);
  CHECK(lists.roles.at("g") ==
        std::vector<Role>{Role::structural, Role::unchanging, Role::top_down});
}

TEST_CASE("what goes down by way of a list may not depend on results") {
  refused(
      R"j("f": {"args": {"t": "Tree", "p": "f32"}, "returns": "f32", "body": {"match": "t", "cases": {
              "Many(w, ks)": "g(ks, p)", "_": "p"}}},
              "g": {"args": {"ts": "[Tree]", "s": "f32"}, "returns": "f32", "body": {"match": "ts", "cases": {
              "[]": "0", "[t, *rest]": "g(rest, f(t, s))"}}})j",
      tree, Kind::recursion_argument_depends, "s", "depends on results");
}

TEST_CASE("values go down a shared type by way of a list") {
  refused(R"j("f": {"args": {"t": "Dag", "p": {"type": "f32", "combine": "sum"}}, "returns": "f32",
                    "body": {"match": "t", "cases": {"Node(ins)": "g(ins, p / 2)"}}},
              "g": {"args": {"ts": "[Dag]", "s": "f32"}, "returns": "f32",
                    "body": "sum(f(t, s) for t in ts)"})j",
          R"j("Dag": {"shared": true, "variants": {"Node": {"ins": "[Dag]"}}})j",
          Kind::recursion_mixed, "f(t, s)", "by way of 'g'");
}

}  // namespace espalier

#include "read/input.h"

#include <doctest/doctest.h>

#include <string>

#include "base/kinds.h"
#include "fun/forest.h"
#include "read/model.h"
#include "tests/shared.h"

namespace espalier::read {
namespace {

const char* const model_text = R"js({
  "espalier": 1, "name": "m", "dims": {"vocab": 9},
  "types": {
    "Tree": {"Leaf": {"word": "index[vocab]"}, "Node": {"left": "Tree", "right": "Tree"}},
    "Any": {"Node": {"x": "(v: f32[2], ks: [(k: Any, w: i8)])"}, "Deep": {"rows": "[[f32]]"}}},
  "functions": {
    "f": {"args": {"t": "Tree"}, "body": "0"},
    "g": {"args": {"a": "Any", "xs": "[f32[2]]", "s": "f16"}, "body": "0"},
    "two": {"args": {"a": "Tree", "b": "Tree"}, "body": "0"}},
  "entries": {"f": {}, "g": {}, "two": {}},
  "gradients": {"df": {"of": "f", "wrt": []}}
})js";

struct Fixture {
  Sources sources;
  Diagnostics diagnostics;
  fun::Module module;
  Fixture() { module = *read_model_text(&sources, "m.json", model_text, &diagnostics); }

  Result<Input> read(const std::string& text, const std::string& function,
                     const InputOptions& options = {}) {
    const Result<InputFile> file = InputFile::open(&sources, "in.json", text, &diagnostics);
    if (!file) return Failed{};
    return file->read(file->structures()[0], module, *module.find_function(function), options,
                      &diagnostics);
  }
  std::string error(const std::string& text, const std::string& function = "f",
                    const InputOptions& options = {}) {
    diagnostics = {};
    CHECK(!read(text, function, options));
    if (diagnostics.ok()) return "none";
    const Diagnostic& d = diagnostics.all()[0];
    return std::string(kind_id(d.kind)) + " " + std::string(kind_name(d.kind)) + " at " +
           std::to_string(d.loc.offset) + ": " + d.message;
  }
  int column(const std::string& name) const {
    const Forest forest = fun::forest_of(module);
    for (std::size_t i = 0; i < forest.columns.size(); ++i)
      if (forest.columns[i].name == name) return static_cast<int>(i);
    return -1;
  }
  const std::vector<std::int64_t>& integers(const Input& input, const std::string& name) const {
    return input.forest.columns[static_cast<std::size_t>(column(name))].integer;
  }
  const std::vector<double>& reals(const Input& input, const std::string& name) const {
    return input.forest.columns[static_cast<std::size_t>(column(name))].real;
  }
};

using Ints = std::vector<std::int64_t>;

TEST_CASE_FIXTURE(Fixture, "nodes: variants named, qualified and left out") {
  const auto input = read(
      R"({"nodes": [{"variant": "Leaf", "word": 3}, {"left": 0, "right": 99},
          {"variant": "Any.Node", "x": {"v": [1, "inf"], "ks": [[2, -5], {"k": 0, "w": 6}]}},
          {"rows": [[1, 2], [], [3]]}], "roots": [1, 1]})",
      "f");
  REQUIRE(input);
  CHECK(input->forest.variant == std::vector<int>{0, 1, 2, 3});
  CHECK(integers(*input, "word") == Ints{3, 0, 0, 0});
  CHECK(integers(*input, "right") == Ints{-1, 99, -1, -1});
  CHECK(reals(*input, "x.v").size() == 8);
  CHECK(integers(*input, "x.ks.k") == Ints{2, 0});
  CHECK(integers(*input, "x.ks.w") == Ints{-5, 6});
  CHECK(reals(*input, "rows") == std::vector<double>{1, 2, 3});
  CHECK(input->forest.lists[0] == Ints{0, 0, 0, 2, 2});
  CHECK(input->forest.lists[1] == Ints{0, 0, 0, 0, 3});
  CHECK(input->forest.lists[2] == Ints{0, 2, 2, 3});
  CHECK(input->calls.count == 2);
  CHECK(input->calls.columns[0].integer == Ints{1, 1});
}

TEST_CASE_FIXTURE(Fixture, "columns: -1 and null say that a payload is absent") {
  InputOptions options;
  options.columns = {{"words", "word"}};
  const auto input =
      read(R"({"children": [[], [0, 2], []], "roots": [1], "words": [4, -1, 5]})", "f", options);
  REQUIRE(input);
  CHECK(input->forest.variant == std::vector<int>{0, 1, 0});
  CHECK(integers(*input, "left") == Ints{-1, 0, -1});
  CHECK(read(R"({"left": [null, 0], "right": [null, 0], "word": [4, null], "roots": []})", "f"));
}

TEST_CASE_FIXTURE(Fixture, "arguments and seeds") {
  const auto input = read(R"({"args": {"a": [0, 0], "xs": [[[1, 2], [3, 4]], []], "s": [0.1, 2]},
      "nodes": [], "seeds": {"df": {"value": [[1, 2], [3, 4]]}}})",
                          "g");
  REQUIRE(input);
  CHECK(input->calls.lists[0] == Ints{0, 2, 2});
  CHECK(input->calls.columns[1].real == std::vector<double>{1, 2, 3, 4});
  CHECK(input->calls.columns[2].real[0] == 0.0999755859375);
  REQUIRE(input->seeds.size() == 1);
  CHECK(input->seeds[0].shape == Ints{2, 2});
}

TEST_CASE_FIXTURE(Fixture, "several structures") {
  const auto file = InputFile::open(
      &sources, "in.json", R"({"one": {"nodes": [], "roots": []}, "b": {"roots": [], "word": []}})",
      &diagnostics);
  REQUIRE(file);
  CHECK(file->structures() == std::vector<std::string>{"one", "b"});
  CHECK(file->has_arguments(*module.find_function("f")));
  CHECK(!file->has_arguments(*module.find_function("g")));
}

TEST_CASE_FIXTURE(Fixture, "what is wrong with the data") {
  CHECK(error("[]").starts_with("E012 wrong-json-type at 0"));
  CHECK(error(R"({"one": {}, "b": []})").starts_with("E301 input-form at 0"));
  CHECK(error(R"({"words": [], "roots": []})") ==
        "E302 unknown-column at 1: no payload field is called 'words' (--columns gives columns "
        "other names); did you mean 'word'?");
  CHECK(error(R"({"word": [1], "left": []})").starts_with("E303 column-length at 22"));
  CHECK(error(R"({"nodes": [{"variant": "Laef", "word": 1}]})") ==
        "E304 unknown-node-variant at 23: there is no variant 'Laef'; did you mean 'Leaf'?");
  CHECK(error(R"({"nodes": [{"variant": "Node", "left": 1}]})") ==
        "E305 ambiguous-variant at 23: types 'Tree' and 'Any' have a variant 'Node': write "
        "'Tree.Node'");
  CHECK(error(R"({"nodes": [{"left": 1}]})").starts_with("E306 no-variant-fits at 11: node 0"));
  CHECK(error(R"({"nodes": [{"variant": "Tree.Node", "left": 1}]})") ==
        "E308 missing-field at 11: node 0: variant 'Node' has a field 'right', which is missing");
  CHECK(error(R"({"nodes": [{"variant": "Leaf", "word": 1, "wrod": 1}]})") ==
        "E309 unknown-node-field at 42: node 0: variant 'Leaf' has no field 'wrod'; did you mean "
        "'word'?");
  CHECK(error(R"({"nodes": [{"variant": "Leaf", "word": 1.5}]})") ==
        "E310 bad-value at 39: expected index[vocab = 9], found 1.5");
  CHECK(error(R"({"nodes": [], "args": {"a": [], "xs": [[[1]]], "s": []}})", "g")
            .starts_with("E303 column-length"));
  CHECK(error(R"({"nodes": [], "args": {"a": [0], "xs": [[[1]]], "s": [1]}})", "g") ==
        "E311 value-shape at 41: axis 0 of f32[2] is a list of 2, found a list of 1");
  CHECK(error(R"({"nodes": []})").starts_with("E312 missing-argument at 0"));
  CHECK(error(R"({"nodes": [], "roots": [], "args": {"tt": []}})")
            .starts_with("E313 unknown-argument"));
  CHECK(error(R"({"nodes": [], "roots": []})", "two").starts_with("E314 roots-argument at 23"));
  CHECK(
      error(R"({"nodes": [], "roots": [], "seeds": {"dg": {}}})").starts_with("E315 unknown-seed"));
  CHECK(error(R"({"nodes": [], "roots": [], "seeds": {"df": {"v": [[1], 2]}}})")
            .starts_with("E316 ragged-seed at 55"));
  CHECK(error(R"({"nodes": [], "roost": []})").starts_with("E010 unknown-key at 14"));
}

TEST_CASE("two variants that fit") {
  Sources sources;
  Diagnostics diagnostics;
  const auto module = read_model_text(&sources, "m.json", R"js({"espalier": 1, "name": "m",
      "types": {"T": {"A": {"x": "f32"}, "B": {"x": "f32"}}},
      "functions": {"f": {"args": {"t": "T"}, "body": "0"}}, "entries": {"f": {}}})js",
                                      &diagnostics);
  const auto file =
      InputFile::open(&sources, "in.json", R"({"x": [1], "roots": []})", &diagnostics);
  CHECK(!file->read("", *module, module->functions[0], {}, &diagnostics));
  CHECK(diagnostics.all()[0].kind == Kind::two_variants_fit);
  CHECK(diagnostics.all()[0].message ==
        "node 0: both 'A' and 'B' have its payload and children; give its 'variant'");
}

TEST_CASE("the recorded cases") {
  const auto folder = test::shared("cases");
  if (!folder) return;
  Sources sources;
  Diagnostics diagnostics;
  const auto module = read_model_text(&sources, "m.json", R"js({"espalier": 1, "name": "m",
      "types": {"T": {"Leaf": {"word": "index[30]"}, "Node": {"left": "T", "right": "T"}}},
      "functions": {"f": {"args": {"t": "T"}, "body": "0"}}, "entries": {"f": {}}})js",
                                      &diagnostics);
  InputOptions options;
  options.columns = {{"words", "word"}};
  const auto inputs = read_input(&sources, *folder / "treefc/inputs.json", *module,
                                 module->functions[0], options, &diagnostics);
  REQUIRE(inputs);
  CHECK(inputs->size() == 7);
  CHECK((*inputs)[2].first == "perfect5");
  CHECK((*inputs)[2].second.forest.nodes == 63);
}

}  // namespace
}  // namespace espalier::read

// Data that is refused, as users see it: inputs, bracketed trees, weight files, text of IRs.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "tests/command.h"
#include "tests/golden.h"

namespace espalier {
namespace {

// A folder of files in which commands run; what they print goes to one golden file.
class Refusals {
 public:
  void file(const std::string& name, const std::string& text) {
    REQUIRE(write_file(folder_.path() / name, text));
  }
  void run(const std::string& what, const std::string& arguments) {
    CAPTURE(what);
    const test::Finished finished = test::run_command("cd '" + folder_.path().string() +
                                                      "' && '" ESPALIER_BINARY "' " + arguments);
    CHECK(finished.status == 1);
    found_ += "# " + what + "\n" + finished.output;
  }
  void check(const std::string& golden) const { test::check_golden("errors/" + golden, found_); }
  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
  std::string found_;
};

const char* const model = R"js({
  "espalier": 1, "name": "m", "dims": {"vocab": 9, "hidden": 2},
  "types": {
    "Tree": {"Leaf": {"word": "index[vocab]"}, "Node": {"left": "Tree", "right": "Tree"}},
    "Any": {"Node": {"x": "f32[hidden]", "ks": "[Any]"}}},
  "functions": {
    "f": {"args": {"t": "Tree"}, "returns": "f32", "body":
      {"match": "t", "cases": {"Leaf(w)": "1", "Node(l, r)": "f(l) + f(r)"}}},
    "g": {"args": {"a": "Any", "s": "f32[hidden]", "i": "index[vocab]"}, "returns": "f32", "body":
      {"match": "a", "cases": {"Node(x, ks)": "dot(s, x)"}}},
    "two": {"args": {"a": "Tree", "b": "Tree"}, "returns": "f32", "body": "f(a) + f(b)"}},
  "entries": {"f": {}, "g": {}, "two": {}}
})js";

TEST_CASE("input data that is refused") {
  Refusals refusals;
  refusals.file("m.json", model);
  const auto refuse = [&](const std::string& entry, const std::string& text) {
    refusals.file("in.json", text);
    refusals.run(entry + " of " + text, "run m.json --input in.json --entry " + entry);
  };
  refuse("f", "[]");
  refuse("f", R"({"nodes": [{"word": 1}], "roots": [0)");
  refuse("f", R"({"one": {}, "b": []})");
  refuse("f", R"({"words": [], "roots": []})");
  refuse("f", R"({"word": [1], "left": []})");
  refuse("f", R"({"nodes": [{"variant": "Laef", "word": 1}]})");
  refuse("f", R"({"nodes": [{"variant": "Node", "left": 1}]})");
  refuse("f", R"({"nodes": [{"left": 1}]})");
  refuse("f", R"({"nodes": [{"wrod": 1}]})");
  refuse("f", R"({"nodes": [{"variant": "Tree.Node", "left": 1}]})");
  refuse("f", R"({"nodes": [{"variant": "Leaf", "word": 1, "wrod": 1}]})");
  refuse("f", R"({"nodes": [{"variant": "Leaf", "word": 1.5}]})");
  refuse("f", R"({"nodes": [{"variant": "Leaf", "word": "five"}]})");
  refuse("f", R"({"nodes": [{"word": 1}], "roots": [0], "roost": [1]})");
  refuse("f", R"({"nodes": [{"word": 1}], "args": {"tt": [0]}})");
  refuse("f", R"({"nodes": [{"word": 1}]})");
  refuse("f", R"({"nodes": [{"word": 12}], "roots": [0]})");
  refuse("two", R"({"nodes": [{"word": 1}], "roots": [0]})");
  refuse("g", R"({"nodes": [{"x": [1, 2], "ks": []}], "args": {"a": [0], "s": [[1]], "i": [0]}})");
  refuse("g",
         R"({"nodes": [{"x": [1, 2], "ks": []}], "args": {"a": [0], "s": [[1, 2]], "i": []}})");
  refuse("g",
         R"({"nodes": [{"x": [1, 2], "ks": []}], "args": {"a": [0], "s": [[1, 2]], "i": [9]}})");
  refuse("g", R"({"nodes": [{"x": [1, 2], "ks": [], "word": 3}], "args": {"a": [0]}})");
  refuse("gg", R"({"nodes": [], "args": {}})");

  refusals.file("in.json", R"({"nodes": [{"x": [1, 2], "ks": []}], "args": {"a": [0]}})");
  refusals.run("arguments of no entry", "run m.json --input in.json");
  refusals.run("no such file", "run m.json --input none.json");
  refusals.file("twins.json", R"js({"espalier": 1, "name": "m",
  "types": {"T": {"A": {"x": "f32"}, "B": {"x": "f32"}}},
  "functions": {"f": {"args": {"t": "T"}, "returns": "f32", "body": "1"}}, "entries": {"f": {}}})js");
  refusals.file("in.json", R"({"nodes": [{"x": 1}], "roots": [0]})");
  refusals.run("a node of either variant", "run twins.json --input in.json");
  refusals.check("inputs.expected");
}

TEST_CASE("bracketed trees that are refused") {
  Refusals refusals;
  refusals.file("m.json", R"js({"espalier": 1, "name": "m", "dims": {"vocab": 9},
  "types": {"Tree": {"Leaf": {"word": "index[vocab]"}, "Node": {"left": "Tree", "right": "Tree"}}},
  "functions": {"f": {"args": {"t": "Tree"}, "returns": "f32", "body":
    {"match": "t", "cases": {"Leaf(w)": "1", "Node(l, r)": "f(l) + f(r)"}}}},
  "entries": {"f": {}}})js");
  refusals.file("words.txt", "good\nbad\n");
  const auto refuse = [&](const std::string& text) {
    refusals.file("trees.txt", text);
    refusals.run(text.substr(0, text.find('\n')), "run m.json --input trees.txt --vocab words.txt");
  };
  refuse("(3 (2 good) (1 bad)\n");
  refuse("(3 good))\n");
  refuse("good (3 good)\n");
  refuse("(great good)\n");
  refuse("(3)\n");
  refuse("(3 (2 good) (2 good) (2 good))\n");
  refusals.file("trees.txt", "(3 good)\n");
  refusals.run("no vocabulary", "run m.json --input trees.txt");
  refusals.run("a vocabulary that is not there", "run m.json --input trees.txt --vocab none.txt");
  refusals.file("list.json", R"js({"espalier": 1, "name": "m",
  "types": {"Tree": {"Node": {"x": "f32", "children": "[Tree]"}}},
  "functions": {"f": {"args": {"t": "Tree"}, "returns": "f32", "body": "1"}},
  "entries": {"f": {}}})js");
  refusals.run("another type", "run list.json --input trees.txt --vocab words.txt");
  refusals.check("brackets.expected");
}

// A safetensors file of this header.
std::string tensors(const std::string& header, const std::string& data) {
  std::string out;
  for (int i = 0; i < 8; ++i)
    out += static_cast<char>(i < 4 ? (header.size() >> (8 * i)) & 0xff : 0);
  return out + header + data;
}

TEST_CASE("weight files that are refused") {
  Refusals refusals;
  refusals.file("in.json", "{}");
  const auto with = [&](const std::string& params, const std::string& files) {
    refusals.file("m.json", R"js({
  "espalier": 1, "name": "m", "dims": {"embed": 1, "hidden": 2},
  "params": {)js" + params + R"js(},
  "weights": )js" + files + R"js(,
  "functions": {"f": {"args": {"x": "f32"}, "returns": "f32", "body": "x"}}, "entries": {"f": {}}
}
)js");
  };
  const auto refuse = [&](const std::string& what, const std::string& bytes) {
    refusals.file("w.safetensors", bytes);
    refusals.run(what, "compile m.json -o out");
    CHECK(!exists(refusals.folder().path() / "out"));
  };
  const std::string a = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})",
                    b = R"("b":{"dtype":"I8","shape":[1],"data_offsets":[0,1]})",
                    wide = R"("W":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]})";
  with(R"("a": "f32[embed]")", R"("w.safetensors")");
  refusals.run("no file", "compile m.json -o out");
  refuse("three bytes", "abc");
  refuse("a header of 2^56 bytes", std::string(7, '\0') + "\x01");
  refuse("a header beyond the file", std::string("\x09\0\0\0\0\0\0\0{}", 10));
  refuse("a header cut off", tensors("{", ""));
  refuse("a header that is a list", tensors("[]", ""));
  refuse("a tensor twice", tensors('{' + a + ',' + a + '}', "1234"));
  refuse("an entry without shape", tensors(R"({"a":{"dtype":"F32"}})", ""));
  refuse("an unknown dtype",
         tensors(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", "1234"));
  refuse("a huge shape",
         tensors(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
                 "1234"));
  refuse("data cut off", tensors('{' + a + '}', "123"));
  refuse("a tensor of too few bytes",
         tensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234"));
  refuse("a tensor that is not aligned",
         tensors('{' + b + R"(,"c":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})", "12345"));
  refuse("tensors that overlap", tensors('{' + a + ',' + b + '}', "1234"));
  refuse("bytes of no tensor", tensors('{' + a + '}', "12345"));
  refuse("a dtype that is not read",
         tensors(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "1"));
  with(R"js("cell": "(w: f32[embed, hidden])")js", R"({"files": ["w.safetensors"]})");
  refuse("no tensor of that name", tensors('{' + a + '}', "1234"));
  with(R"("W_i": "f32[hidden, embed]", "W_o": "f32[hidden]")", R"("w.safetensors")");
  refuse("a near miss",
         tensors(R"({"W_ii":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                 R"("layers.0/W_o":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                 "12345678abcdefgh"));
  with(R"("W": "f32[hidden, embed]")", R"("w.safetensors")");
  refuse("a transposed tensor", tensors('{' + wide + '}', "12345678"));
  with(R"("W": "f32[3 * hidden]")", R"("w.safetensors")");
  refuse("a tensor of another shape", tensors('{' + wide + '}', "12345678"));
  with(R"("b": "f32[embed]")", R"("w.safetensors")");
  refuse("integers for floats", tensors('{' + b + '}', "1"));
  with(R"("a": "f32[embed]")", R"(["w.safetensors", "w.safetensors"])");
  refuse("a tensor in two files", tensors('{' + a + '}', "1234"));
  refusals.check("weights.expected");
}

}  // namespace
}  // namespace espalier

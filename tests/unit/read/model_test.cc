#include "read/model.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "base/kinds.h"

namespace espalier::read {
namespace {

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  Result<fun::Module> module = Failed{};
  std::string errors() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += format(d, sources, false);
    return out;
  }
};

Read read(const std::string& text) {
  Read out;
  out.module = read_model_text(&out.sources, "m.json", text, &out.diagnostics);
  return out;
}

const char* const lstm = R"js({
  "espalier": 1,
  "name": "treelstm",
  "doc": "A tree.",
  "dims": {"vocab": 7257, "hidden": 48, "gates": "4 * hidden"},
  "types": {
    "State": "(h: f32[hidden], c: Row)", "Row": "f32[hidden]",
    "Pair[a]": {"Pair": {"first": "a", "second": "[a]"}},
    "Tree": {"Leaf": {"word": "index[vocab]"}, "Node": {"left": "Tree", "p": "Pair[Tree]"}},
    "Dag": {"shared": true, "variants": {"Node": {"inputs": "[Dag]"}}}
  },
  "params": {"E": "f32[vocab, hidden]", "cell": "(W: f32[gates, hidden], b: f32[gates])"},
  "constants": {"k": {"type": "f32[2]", "value": [0.1, "-inf"]}},
  "weights": {"files": ["a.safetensors"], "tensors": {"cell.W": "layers.0/weight:0"}},
  "functions": {
    "encode": {"args": {"t": "Tree", "p": {"type": "Row", "combine": "sum"}}, "returns": "State",
      "body": {"match": "t", "cases": {
        "Leaf(word)": ["x = E[word]", "(h = tanh(x), c = -x ** 2)"],
        "Node(left, Pair.Pair(a, [b, *rest]))": ["l = encode(left, p)", "g(x) = x * l.h", "(h = g(l.c), c = l.c)"]}}},
    "apply": {"forall": ["n", "a"], "args": {"f": "(a) -> f32[n]", "x": "a"}, "body": "f(x)"}
  },
  "entries": {"encode": {"outputs": "nodes"}, "other": {"function": "apply"}},
  "gradients": {"g": {"of": "encode", "wrt": ["E"], "keep": ["h"]}}
})js";

TEST_CASE("a whole model") {
  const Read r = read(lstm);
  CHECK(r.errors() == "");
  REQUIRE(r.module);
  const fun::Module& m = *r.module;
  CHECK(m.name == "treelstm");
  CHECK(m.dims[2].second.str() == "4 * hidden");
  CHECK(m.dims[2].second.value() == 192);
  CHECK(fun::str(*m.aliases[1].second) == "(h: f32[hidden], c: f32[hidden])");
  CHECK(m.types[0].params == std::vector<std::string>{"a"});
  CHECK(m.types[2].shared);
  CHECK(fun::str(*m.params[1].type) == "(W: f32[gates, hidden], b: f32[gates])");
  CHECK(m.constants[0].values[0] == static_cast<double>(0.1f));
  CHECK(m.weights.renamed.at("cell.W") == "layers.0/weight:0");
  CHECK(m.functions[0].args[1].combine == "sum");
  CHECK(m.functions[0].body->cases.size() == 2);
  CHECK(m.functions[0].body->cases[1].body->statements[1].function_form);
  CHECK(fun::str(*m.functions[1].args[0].named.type) == "(a) -> f32[n]");
  CHECK(m.entries[0].nodes);
  CHECK(m.entries[1].function == "apply");
  CHECK(m.gradients[0].keep == std::vector<std::string>{"h"});
}

TEST_CASE("a file that cannot be read") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK(!read_model(&sources, "/nonexistent/model.json", &diagnostics));
  CHECK(diagnostics.all()[0].kind == Kind::cannot_read);
}

TEST_CASE("damaged models are refused or read, never fatal") {
  std::uint32_t state = 1;
  const auto random = [&](std::size_t below) {
    state = state * 1664525 + 1013904223;
    return static_cast<std::size_t>(state >> 8) % below;
  };
  const std::string bytes = "{}[]()\",:=+-*/#'x0._\\ \xc3";
  for (int round = 0; round < 1500; ++round) {
    std::string text = lstm;
    for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
      const std::size_t at = random(text.size());
      const std::size_t kind = random(3);
      if (kind == 0)
        text.erase(at, 1 + random(4));
      else if (kind == 1)
        text.insert(at, 1, bytes[random(bytes.size())]);
      else
        text[at] = bytes[random(bytes.size())];
    }
    const Read r = read(text);
    CHECK(static_cast<bool>(r.module) == r.diagnostics.ok());
    for (const Diagnostic& d : r.diagnostics.all()) format(d, r.sources, false);
  }
}

TEST_CASE("long chains of names") {
  std::string dims, types;
  for (int i = 0; i < 3000; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    dims += (i ? ", \"d" : "\"d") + n + "\": " + (i ? "\"d" + std::to_string(i - 1) + "\"" : "1");
    types += (i ? ", \"T" : "\"T") + n + "\": \"[T" + next + "]\"";
  }
  const Read ok =
      read("{\"espalier\": 1, \"name\": \"m\", \"dims\": {" + dims + "}, \"functions\": {}}");
  CHECK(ok.errors() == "");
  const Read deep = read("{\"espalier\": 1, \"name\": \"m\", \"types\": {" + types +
                         ", \"T3000\": \"f32\"}, \"functions\": {}}");
  CHECK(!deep.module);
}

}  // namespace
}  // namespace espalier::read

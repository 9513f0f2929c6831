#include "tests/run/structure_models.h"

#include "base/bug.h"
#include "tests/run/emitted_model.h"

namespace espalier::test {
namespace {

// Of an example: less to compile.
std::string with_entries(const std::string& example, const std::string& entries) {
  const std::map<std::string, int> small = {{"vocab", 7}, {"embed", 2}, {"hidden", 3}};
  const std::string text = example_text(example, small);
  return text.substr(0, text.find("\"entries\"")) + "\"entries\": {" + entries + "}\n}\n";
}

constexpr const char* catalogue = R"json({
  "espalier": 1,
  "name": "catalogue",
  "dims": {"vocab": 6, "kinds": 4, "hidden": 3},
  "types": {
    "Doc": {
      "Section": {"kind": "index[kinds]", "words": "[index[vocab]]",
                  "marks": "[(word: index[vocab], weight: f32)]", "parts": "[Doc]"},
      "Figure": {"cell": "Cell"},
      "Blank": {}
    },
    "Cell": {"shared": true, "variants": {
      "Unit": {"word": "index[vocab]"}, "Both": {"a": "Cell", "b": "Cell"}}},
    "Marked": {"Inner": {"s": "f32[hidden]", "parts": "[Marked]"}, "Outer": {"s": "f32[hidden]"}}
  },
  "params": {"E": "f32[vocab, hidden]", "K": "f32[kinds, hidden]", "W": "f32[hidden, hidden]"},
  "functions": {
    "cell": {"args": {"c": "Cell"}, "returns": "f32[hidden]",
      "body": {"match": "c", "cases": {
        "Unit(word)": "E[word]", "Both(a, b)": "tanh(W @ cell(a) - cell(b))"}}},
    "doc": {"args": {"d": "Doc"}, "returns": "f32[hidden]",
      "body": {"match": "d", "cases": {
        "Section(kind, words, marks, parts)": [
          "x = K[kind] + sum(E[w] for w in words)",
          "tanh(W @ x + sum(m.weight * E[m.word] for m in marks) + sum(doc(p) for p in parts))"],
        "Figure(c)": "cell(c)",
        "Blank()": "zeros[hidden]"}}},
    "down": {"args": {"d": "Doc", "p": "f32[hidden]"}, "returns": "Marked",
      "body": {"match": "d", "cases": {
        "Section(kind, words, marks, parts)": [
          "s = tanh(W @ p + doc(d))", "Marked.Inner(s, [down(k, s) for k in parts])"],
        "Figure(c)": "Marked.Outer(p)",
        "Blank()": "Marked.Outer(p)"}}},
    "pair": {"args": {"a": "Doc", "b": "Doc", "word": "index[vocab]", "words": "[index[vocab]]"},
      "returns": "(score: f32, states: [f32[hidden]])",
      "body": ["x = doc(a) * doc(b) + E[word]",
               "(score = sum(x), states = [E[w] * 2 for w in words])"]}
  },
  "entries": {"doc": {"outputs": "nodes"}, "down": {}, "pair": {}}
})json";

constexpr const char* dag_down = R"json({
  "espalier": 1,
  "name": "dag_down",
  "dims": {"vocab": 6, "hidden": 3},
  "types": {"Dag": {"shared": true, "variants": {
    "End": {"word": "index[vocab]"}, "Node": {"word": "index[vocab]", "inputs": "[Dag]"}}}},
  "params": {"E": "f32[vocab, hidden]", "W": "f32[hidden, hidden]"},
  "functions": {
    "down": {
      "args": {"d": "Dag", "p": {"type": "f32[hidden]", "combine": "sum"}},
      "returns": "f32",
      "body": {"match": "d", "cases": {
        "End(word)": "dot(E[word], p)",
        "Node(word, inputs)": [
          "s = tanh(W @ p + E[word])", "s[0] + sum(down(k, 0.5 * s) for k in inputs)"]}}}
  },
  "entries": {"down": {}}
})json";

}  // namespace

std::vector<StructureModel> structure_models() {
  return {
      {"tree",
       with_entries("treegru_childsum", R"("encode": {})"),
       {"bad_offsets", "child_out_of_range", "shared_node", "cycle", "word_out_of_range",
        "root_out_of_range", "negative_count"}},
      {"binary",
       with_entries("treelstm_binary", R"("encode": {"outputs": "nodes"})"),
       {"child_out_of_range", "shared_node", "cycle", "word_out_of_range"}},
      {"dag",
       with_entries("dagrnn", R"("encode": {})"),
       {"bad_offsets", "child_out_of_range", "cycle", "word_out_of_range", "root_out_of_range"}},
      {"down a DAG",
       dag_down,
       {"bad_offsets", "foreign_items", "child_out_of_range", "cycle", "overlapping_calls"}},
      {"mutual",
       with_entries("mutual_expr_stmt", R"("expr": {}, "stmt": {"outputs": "nodes"})"),
       {"bad_offsets", "foreign_items", "bad_variant", "child_out_of_range", "wrong_variant",
        "shared_node", "name_out_of_range", "root_out_of_range", "wrong_root_variant"}},
      {"up and down",
       with_entries("four_variants_updown", R"("mark": {}, "score": {})"),
       {"bad_offsets", "foreign_items", "child_out_of_range", "shared_node", "cycle",
        "op_out_of_range", "overlapping_calls"}},
      {"lists",
       with_entries("fold_lstm", R"("last": {}, "both_ways": {})"),
       {"bad_offsets", "words_out_of_range", "negative_count"}},
      {"catalogue",
       catalogue,
       {"bad_offsets", "foreign_items", "child_out_of_range", "wrong_variant", "shared_node",
        "kind_out_of_range", "marks.word_out_of_range", "words_out_of_range", "overlapping_calls",
        "wrong_root_variant"}},
  };
}

StructureModel structure_model(const std::string& name) {
  for (const StructureModel& model : structure_models())
    if (model.name == name) return model;
  throw Bug("no model " + name);
}

}  // namespace espalier::test

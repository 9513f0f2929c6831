// Reads bracketed trees, asks the emitted model for a label at every node, and draws what it says.
// usage: demo WEIGHTS VOCABULARY [DRAWN] <TREES      DRAWN: how many trees are drawn, default all
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "../common/brackets.h"
#include "../common/package.h"
#include "../common/vocabulary.h"
#include "sst_treelstm.h"
#include "sst_treelstm_weights.h"

namespace model = sst_treelstm;

namespace {

const char* const label_names[] = {"--", "-", "0", "+", "++"};

void draw(const example::Trees& trees, const std::vector<std::int64_t>& labels, std::int32_t n,
          const std::string& margin, const char* branch, const char* below) {
  const auto at = static_cast<std::size_t>(n);
  std::printf("  %s%s[%s]%s%s\n", margin.c_str(), branch, label_names[labels[at]],
              trees.text[at].empty() ? "" : " ", trees.text[at].c_str());
  if (trees.left[at] < 0) return;  // a leaf
  draw(trees, labels, trees.left[at], margin + below, "|-", "| ");
  draw(trees, labels, trees.right[at], margin + below, "`-", "  ");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) example::stop("usage: demo WEIGHTS VOCABULARY [DRAWN] <TREES");
  const auto prepared =
      example::prepare_from<model::Weights, model::Model>(argv[1], model::prepared_bytes());
  const example::Vocabulary vocabulary(argv[2]);
  example::Trees trees;
  for (std::string line; std::getline(std::cin, line);)
    if (!trees.add(line, vocabulary)) example::stop("not a tree: " + line);

  const auto forest = trees.forest<model::Forest>();
  const model::Launch launch = {2};
  const std::size_t bytes =
      model::classify_nodes_workspace_bytes(model::classify_nodes_limits_of(forest), launch);
  const example::Memory workspace = example::aligned(bytes);
  std::vector<std::int64_t> labels(trees.word.size());
  model::ClassifyNodesOutputs out = {};
  out.label = labels.data();
  std::vector<double> microseconds;
  for (int repeat = 0; repeat < 21; repeat++) {
    const auto start = std::chrono::steady_clock::now();
    example::stop_unless_ok(
        model::classify_nodes(prepared.model, forest, out, workspace.get(), bytes, launch));
    microseconds.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(microseconds.begin(), microseconds.end());

  const std::size_t drawn =
      argc == 4 ? static_cast<std::size_t>(std::atoi(argv[3])) : trees.root.size();
  int right = 0;
  for (std::size_t i = 0; i < trees.root.size(); i++) {
    const std::int32_t root = trees.root[i];
    const auto at = static_cast<std::size_t>(root);
    right += labels[at] == trees.label[at];
    if (i >= drawn) continue;
    std::printf("\nanswer %s, the file says %s\n", label_names[labels[at]],
                label_names[trees.label[at]]);
    draw(trees, labels, root, "", "", "");
  }
  std::printf(
      "\n%d of %zu root labels as in the file, of 5 classes (-- very negative .. ++ very "
      "positive)\n",
      right, trees.root.size());
  std::printf("%.1f us a tree (median of %zu calls of all %zu trees at once, 2 threads)\n",
              microseconds[microseconds.size() / 2] / static_cast<double>(trees.root.size()),
              microseconds.size(), trees.root.size());
}

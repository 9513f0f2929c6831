// How alike two sentences are, from 1 to 5, for each pair of a file in the format of SICK with
// dependency parses: a pair a line, columns between tabs: id, relatedness as people judged it,
// tokens, their parents (counted from 1; 0 at the root), relations; the last three again for the
// second sentence. Prints a score a line.
// usage: score WEIGHTS VOCABULARY <PAIRS
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "../common/agreement.h"
#include "../common/package.h"
#include "../common/vocabulary.h"
#include "sick_childsum.h"
#include "sick_childsum_weights.h"

namespace model = sick_childsum;

namespace {

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

std::string lower(std::string word) {
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

// All sentences as one forest, a node a token.
struct Sentences {
  std::vector<std::int32_t> word, children_first = {0}, children;

  // Returns the root; -1 where there is none or two, or a parent is out of range.
  std::int32_t add(const std::string& tokens, const std::string& parents,
                   const example::Vocabulary& vocabulary) {
    const auto first = static_cast<std::int32_t>(word.size());
    for (const std::string& token : split(tokens, ' ')) word.push_back(vocabulary(lower(token)));
    std::vector<std::vector<std::int32_t>> of(word.size() - static_cast<std::size_t>(first));
    std::vector<std::int32_t> roots;
    std::int32_t node = first;
    for (const std::string& parent : split(parents, ' ')) {
      const std::size_t p = std::stoul(parent);
      if (p > of.size()) return -1;
      (p == 0 ? roots : of[p - 1]).push_back(node++);
    }
    for (const std::vector<std::int32_t>& kids : of) {
      children.insert(children.end(), kids.begin(), kids.end());
      children_first.push_back(static_cast<std::int32_t>(children.size()));
    }
    return roots.size() == 1 && node == first + static_cast<std::int32_t>(of.size()) ? roots[0]
                                                                                     : -1;
  }

  model::Forest forest() const {
    model::Forest f = {};
    f.nodes = static_cast<std::int32_t>(word.size());
    f.word = word.data();
    f.children_first = children_first.data();
    f.children = children.data();
    return f;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) example::stop("usage: score WEIGHTS VOCABULARY <PAIRS");
  const auto prepared =
      example::prepare_from<model::Weights, model::Model>(argv[1], model::prepared_bytes());
  const example::Vocabulary vocabulary(argv[2]);

  Sentences sentences;
  std::vector<std::int32_t> a, b;
  std::vector<double> judged;
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() != 8) example::stop("not eight columns: " + line);
    judged.push_back(std::stod(columns[1]));
    a.push_back(sentences.add(columns[2], columns[3], vocabulary));
    b.push_back(sentences.add(columns[5], columns[6], vocabulary));
    if (a.back() < 0 || b.back() < 0) example::stop("not two trees: " + line);
  }

  const model::Forest forest = sentences.forest();
  const model::Calls calls = {static_cast<std::int32_t>(a.size()), a.data(), b.data()};
  std::vector<float> score(a.size());
  const model::Outputs out = {score.data()};
  const model::Launch launch = {2};
  const std::size_t bytes = model::workspace_bytes(model::limits_of(forest, calls), launch);
  const example::Memory workspace = example::aligned(bytes);
  example::stop_unless_ok(
      model::relatedness(prepared.model, forest, calls, out, workspace.get(), bytes, launch));

  for (const float s : score) std::printf("%.7g\n", static_cast<double>(s));
  example::print_agreement(score, judged);
}

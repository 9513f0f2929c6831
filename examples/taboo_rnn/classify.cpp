// Probabilities of five classes for bracketed trees of Enron e-mail, five numbers a line. Some
// words of these files have no-break spaces within; the last part is the word, as for the authors'
// reader. usage: classify WEIGHTS VOCABULARY <TREES
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "../common/brackets.h"
#include "../common/package.h"
#include "../common/vocabulary.h"
#include "taboo_rnn.h"
#include "taboo_rnn_weights.h"

namespace model = taboo_rnn;

namespace {

std::string last_part(const std::string& word) {
  const std::string no_break_space = "\xc2\xa0";
  const std::size_t at = word.rfind(no_break_space);
  return at == std::string::npos ? word : word.substr(at + no_break_space.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) example::stop("usage: classify WEIGHTS VOCABULARY <TREES");
  const auto prepared =
      example::prepare_from<model::Weights, model::Model>(argv[1], model::prepared_bytes());
  const example::Vocabulary vocabulary(argv[2]);

  example::Trees trees;
  const auto id = [&](const std::string& word) { return vocabulary(last_part(word)); };
  for (std::string line; std::getline(std::cin, line);)
    if (!trees.add(line, id)) example::stop("not a tree: " + line);

  const auto forest = trees.forest<model::Forest>();
  const model::Calls calls = {static_cast<std::int32_t>(trees.root.size()), trees.root.data()};
  std::vector<float> probabilities(trees.root.size() * model::classes);
  const model::Outputs out = {probabilities.data()};
  const model::Launch launch = {2};
  const std::size_t bytes = model::workspace_bytes(model::limits_of(forest, calls), launch);
  const example::Memory workspace = example::aligned(bytes);
  example::stop_unless_ok(
      model::classify(prepared.model, forest, calls, out, workspace.get(), bytes, launch));

  for (std::size_t i = 0; i < probabilities.size(); i++)
    std::printf("%.7g%c", static_cast<double>(probabilities[i]),
                (i + 1) % model::classes == 0 ? '\n' : ' ');
}

// The accuracy of neural architectures, from lines of D-VAE's file of ENAS structures:
//   [[op], [op, b0], [op, b0, b1], ...], accuracy
// The architecture is a graph of these nodes between an input and an output. Each node reads the
// one before it, and node j (0 is the input) where its bit j is set. Prints a prediction a line.
// usage: predict WEIGHTS <STRUCTURES
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "../common/agreement.h"
#include "../common/package.h"
#include "enas_daggru.h"
#include "enas_daggru_weights.h"

namespace model = enas_daggru;

namespace {

constexpr std::int32_t input_op = 6, output_op = 7;

std::vector<double> numbers(std::string line) {
  for (char& c : line)
    if (c == '[' || c == ']' || c == ',') c = ' ';
  std::istringstream in(line);
  std::vector<double> found;
  for (double number; in >> number;) found.push_back(number);
  return found;
}

// All architectures as one forest, children of a node being what it reads.
struct Graphs {
  std::vector<std::int32_t> op, inputs_first = {0}, inputs, outputs;  // outputs: the roots
  std::vector<double> accuracy;

  bool add(const std::string& line) {
    const std::vector<double> values = numbers(line);
    const auto input = static_cast<std::int32_t>(op.size());
    node(input_op);
    std::size_t at = 0;
    for (std::size_t k = 1; at + k < values.size(); at += k++) {  // op and k - 1 bits
      const auto previous = static_cast<std::int32_t>(op.size()) - 1;
      for (std::size_t j = 0; j + 1 < k; j++)
        if (values[at + 1 + j] != 0.0) inputs.push_back(input + static_cast<std::int32_t>(j));
      inputs.push_back(previous);
      node(static_cast<std::int32_t>(values[at]));
    }
    inputs.push_back(static_cast<std::int32_t>(op.size()) - 1);
    node(output_op);
    outputs.push_back(static_cast<std::int32_t>(op.size()) - 1);
    if (at + 1 != values.size()) return false;
    accuracy.push_back(values.back());
    return true;
  }

  model::Forest forest() const {
    model::Forest f = {};
    f.nodes = static_cast<std::int32_t>(op.size());
    f.op = op.data();
    f.inputs_first = inputs_first.data();
    f.inputs = inputs.data();
    return f;
  }

 private:
  void node(std::int32_t of) {
    op.push_back(of);
    inputs_first.push_back(static_cast<std::int32_t>(inputs.size()));
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) example::stop("usage: predict WEIGHTS <STRUCTURES");
  const auto prepared =
      example::prepare_from<model::Weights, model::Model>(argv[1], model::prepared_bytes());

  Graphs graphs;
  for (std::string line; std::getline(std::cin, line);)
    if (!graphs.add(line)) example::stop("not an architecture: " + line);

  const model::Forest forest = graphs.forest();
  const model::Calls calls = {static_cast<std::int32_t>(graphs.outputs.size()),
                              graphs.outputs.data()};
  std::vector<float> accuracy(graphs.outputs.size());
  const model::Outputs out = {accuracy.data()};
  const model::Launch launch = {2};
  const std::size_t bytes = model::workspace_bytes(model::limits_of(forest, calls), launch);
  const example::Memory workspace = example::aligned(bytes);
  example::stop_unless_ok(
      model::predict(prepared.model, forest, calls, out, workspace.get(), bytes, launch));

  for (const float a : accuracy) std::printf("%.7g\n", static_cast<double>(a));
  example::print_agreement(accuracy, graphs.accuracy);
}

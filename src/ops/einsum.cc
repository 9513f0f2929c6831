// einsum('hij,i,j->h', T, x, y): any contraction. Letters of either case, spaces ignored; a letter
// twice in one operand takes its diagonal; without an arrow the letters that stand once, sorted.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/rules.h"
#include "ops/terms.h"

namespace espalier::ops {
namespace {

struct Equation {
  std::vector<std::string> inputs;
  std::string output;
};

// The letters that stand once in all inputs.
std::string implied_output(const std::vector<std::string>& inputs) {
  std::map<char, int> seen;
  for (const std::string& input : inputs)
    for (const char letter : input) ++seen[letter];
  std::string output;
  for (const auto& [letter, count] : seen)
    if (count == 1) output += letter;
  return output;
}

bool only_letters(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// Nothing, and what is wrong in `mistake`, where the text is not well formed.
std::optional<Equation> parse(std::string text, std::string& mistake) {
  std::erase(text, ' ');
  Equation made;
  const std::size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  for (std::size_t comma; (comma = left.find(',')) != std::string::npos; left.erase(0, comma + 1))
    made.inputs.push_back(left.substr(0, comma));
  made.inputs.push_back(left);
  made.output = arrow == std::string::npos ? implied_output(made.inputs) : text.substr(arrow + 2);
  std::string all;
  for (const std::string& input : made.inputs) all += input;
  if (!only_letters(all) || !only_letters(made.output)) {
    mistake = "takes letters, commas and one ->";
    return std::nullopt;
  }
  for (std::size_t k = 0; k < made.output.size(); ++k) {
    const char letter = made.output[k];
    if (all.find(letter) == std::string::npos)
      mistake = fmt::format("has '{}' in its result, which no operand has", letter);
    else if (made.output.find(letter, k + 1) != std::string::npos)
      mistake = fmt::format("has '{}' twice in its result", letter);
  }
  return mistake.empty() ? std::optional(made) : std::nullopt;
}

Equation equation_of(const Use& use) {
  std::string mistake;
  std::optional<Equation> made = parse(option(use, "equation")->text, mistake);
  require(made.has_value(), "a checked einsum is not well formed");
  return *made;
}

Result<fun::TypeRef> misfit(const Use& use, std::size_t operand, const std::string& text,
                            Diagnostics& diagnostics) {
  diagnostics.error(Kind::equation_operands, loc_of(use, operand),
                    fmt::format("'{}' {}", option(use, "equation")->text, text));
  return Failed{};
}

Result<fun::TypeRef> type(const Use& use, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, Accept::numbers, diagnostics);
  if (!operands) return Failed{};
  const Option& given = *option(use, "equation");
  std::string mistake = given.is_list || given.text.empty() ? "takes a text like 'ij,j->i'" : "";
  std::optional<Equation> equation = mistake.empty() ? parse(given.text, mistake) : std::nullopt;
  if (!equation) {
    diagnostics.error(Kind::bad_equation, given.loc, fmt::format("'einsum' {}", mistake));
    return Failed{};
  }
  if (equation->inputs.size() != operands->size())
    return misfit(
        use, operands->size(),
        fmt::format("is for {} operands but got {}", equation->inputs.size(), operands->size()),
        diagnostics);
  std::map<char, fun::Dim> lengths;
  for (std::size_t k = 0; k < operands->size(); ++k) {
    const std::string& letters = equation->inputs[k];
    const Shape& shape = (*operands)[k].shape;
    if (letters.size() != shape.size())
      return misfit(use, k,
                    fmt::format("has {} axes where it got {}", letters.size(), type_text(use, k)),
                    diagnostics);
    for (std::size_t a = 0; a < shape.size(); ++a) {
      const auto [known, fresh] = lengths.emplace(letters[a], shape[a]);
      if (!fresh && !(known->second == shape[a]))
        return misfit(use, k,
                      fmt::format("has '{}' of both {} and {}", letters[a], dim_text(known->second),
                                  dim_text(shape[a])),
                      diagnostics);
      known->second = named_one(known->second, shape[a]);
    }
  }
  Shape result;
  for (const char letter : equation->output) result.push_back(lengths.at(letter));
  return fun::tensor((*operands)[0].dtype, result);
}

// ---- Evaluation

// The letters of the inputs that `output` lacks, in order of appearance.
std::string summed_letters(const std::vector<std::string>& inputs, const std::string& output) {
  std::string found;
  for (const std::string& input : inputs)
    for (const char letter : input)
      if (output.find(letter) == std::string::npos && found.find(letter) == std::string::npos)
        found += letter;
  return found;
}

template <class T>
std::vector<T> pick(const std::string& letters, const std::map<char, T>& by_letter) {
  std::vector<T> found;
  for (const char letter : letters) found.push_back(by_letter.at(letter));
  return found;
}

template <class T>
void bind(std::map<char, T>& by_letter, const std::string& letters, const std::vector<T>& values) {
  for (std::size_t k = 0; k < letters.size(); ++k) by_letter[letters[k]] = values[k];
}

// Where an operand's element stands in its array: the sum of indices times steps, a letter that it
// lacks having step 0, and one that stands twice the step of its diagonal.
struct Walk {
  Extents kept, summed;  // steps, by letter of the result and by letter summed over

  Walk(const std::string& letters, const Extents& shape, const Equation& equation,
       const std::string& all_summed)
      : kept(equation.output.size(), 0), summed(all_summed.size(), 0) {
    std::int64_t step = 1;
    for (std::size_t axis = letters.size(); axis-- > 0; step *= shape[axis]) {
      const std::size_t k = equation.output.find(letters[axis]);
      if (k != std::string::npos)
        kept[k] += step;
      else
        summed[all_summed.find(letters[axis])] += step;
    }
  }
};

std::int64_t dot(const Extents& a, const Extents& b) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// total += the product of the operands' elements at `places`.
void add_product(const std::vector<Tensor>& args, const Extents& places, Number* total) {
  if (args[0].real()) {
    double made = 1;
    for (std::size_t k = 0; k < args.size(); ++k)
      made *= args[k].f[static_cast<std::size_t>(places[k])];
    total->f += made;
    return;
  }
  Number made = get(args[0], places[0]);
  for (std::size_t k = 1; k < args.size(); ++k) {
    const Number pair[] = {made, get(args[k], places[k])};
    made = evaluate(Opcode::mul, total->dtype, pair);
  }
  const Number pair[] = {*total, made};
  *total = evaluate(Opcode::add, total->dtype, pair);
}

std::vector<Tensor> evaluate_einsum(const Use& use, const std::vector<Tensor>& args) {
  const Equation equation = equation_of(use);
  const std::string summed = summed_letters(equation.inputs, equation.output);
  const Dtype dtype = args[0].dtype;
  std::map<char, std::int64_t> lengths;
  std::vector<Walk> walks;
  for (std::size_t k = 0; k < args.size(); ++k) {
    bind(lengths, equation.inputs[k], args[k].shape);
    walks.emplace_back(equation.inputs[k], args[k].shape, equation, summed);
  }
  const Extents extents = pick(summed, lengths);
  Extents begins(args.size()), places(args.size());
  return {tabulate(dtype, pick(equation.output, lengths), [&](const Extents& kept) {
    for (std::size_t k = 0; k < args.size(); ++k) begins[k] = dot(kept, walks[k].kept);
    Number total{dtype, 0, 0};
    for_each_index(extents, [&](const Extents& reduced) {
      for (std::size_t k = 0; k < args.size(); ++k)
        places[k] = begins[k] + dot(reduced, walks[k].summed);
      add_product(args, places, &total);
    });
    return total;
  })};
}

// ---- Lowering

struct Factor {
  std::string letters;
  Term term;
};

Factor contract(const std::vector<Factor>& factors, const std::string& output, Lowering& lowering) {
  std::map<char, std::int64_t> lengths;
  std::vector<std::string> inputs;
  for (const Factor& factor : factors) {
    bind(lengths, factor.letters, factor.term.shape);
    inputs.push_back(factor.letters);
  }
  const std::string summed = summed_letters(inputs, output);
  const auto product = [=](const Indices& kept, const Indices& reduced) {
    std::map<char, wave::ScalarRef> place;
    bind(place, output, kept);
    bind(place, summed, reduced);
    wave::ScalarRef made;
    for (const Factor& factor : factors) {
      const wave::ScalarRef next = factor.term.at(pick(factor.letters, place));
      made = made ? wave::apply(Opcode::mul, {made, next}) : next;
    }
    return made;
  };
  const Dtype dtype = factors[0].term.dtype;
  const std::vector<std::int64_t> shape = pick(output, lengths);
  if (summed.empty())
    return {output, {dtype, shape, [=](const Indices& index) { return product(index, {}); }}};
  return {output, lowering.reduce(wave::Reduce::sum, dtype, shape, pick(summed, lengths), product)};
}

// A pair of factors whose product can be summed at once over a letter that nothing else has,
// without making a tensor of more axes than the larger of them. The best is that which sums over
// the last axis of its first factor, the one that lies dense.
struct Pair {
  std::size_t first, second;
  std::string kept;  // letters of the product that others need
  std::size_t score;
};

std::optional<Pair> pair_of(const std::vector<Factor>& factors, const std::string& output,
                            std::size_t a, std::size_t b) {
  std::string needed = output;
  for (std::size_t k = 0; k < factors.size(); ++k)
    if (k != a && k != b) needed += factors[k].letters;
  Pair pair{a, b, "", 0};
  const std::string both = factors[a].letters + factors[b].letters;
  for (std::size_t k = 0; k < both.size(); ++k) {
    const char letter = both[k];
    if (needed.find(letter) == std::string::npos)
      pair.score = std::max(pair.score, std::min(k, factors[a].letters.size() - 1) + 1);
    else if (pair.kept.find(letter) == std::string::npos)
      pair.kept += letter;
  }
  const std::size_t largest = std::max(factors[a].letters.size(), factors[b].letters.size());
  if (pair.score == 0 || pair.kept.size() > largest) return std::nullopt;
  return pair;
}

std::optional<Pair> best_pair(const std::vector<Factor>& factors, const std::string& output) {
  std::optional<Pair> best;
  for (std::size_t a = 0; a < factors.size(); ++a)
    for (std::size_t b = 0; b < factors.size(); ++b) {
      if (a == b || factors[a].letters.size() < factors[b].letters.size()) continue;
      const std::optional<Pair> pair = pair_of(factors, output, a, b);
      if (pair && (!best || pair->score > best->score)) best = pair;
    }
  return best;
}

std::vector<Term> lower(const Use& use, const std::vector<Term>& args, Lowering& lowering) {
  const Equation equation = equation_of(use);
  std::vector<Factor> factors;
  for (std::size_t k = 0; k < args.size(); ++k)
    factors.push_back({equation.inputs[k], lowering.materialize(args[k])});
  while (factors.size() > 2) {
    const std::optional<Pair> pair = best_pair(factors, equation.output);
    if (!pair) break;
    const std::size_t a = pair->first, b = pair->second;
    factors[std::min(a, b)] = contract({factors[a], factors[b]}, pair->kept, lowering);
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
  }
  return {contract(factors, equation.output, lowering).term};
}

}  // namespace

Operator einsum_operator() {
  Operator op;
  op.name = "einsum";
  op.max_args = any_number;
  op.literals = {"equation"};
  op.type = type;
  op.evaluate = evaluate_einsum;
  op.lower = lower;
  return op;
}

}  // namespace espalier::ops

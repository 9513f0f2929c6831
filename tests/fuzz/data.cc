#include "tests/fuzz/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ops/tensor.h"

namespace espalier::fuzz {
namespace {

std::size_t size_of(const Field& f) {
  std::size_t n = 1;
  for (const std::int64_t d : f.shape) n *= static_cast<std::size_t>(d);
  return n;
}

// One row of a column that holds no nodes.
void put_random(const Field& f, Random& random, Column* column) {
  for (std::size_t i = 0; i < size_of(f); ++i) {
    if (is_float(f.dtype))
      column->real.push_back(random.eighth());
    else if (f.bound > 0)
      column->integer.push_back(random.below(static_cast<int>(f.bound)));
    else
      column->integer.push_back(f.dtype == Dtype::boolean ? random.below(2)
                                                          : random.between(-5, 12));
  }
}

void put_nothing(const Field& f, Column* column) {
  for (std::size_t i = 0; i < size_of(f); ++i) {
    if (!f.child && is_float(f.dtype))
      column->real.push_back(0);
    else
      column->integer.push_back(f.child ? -1 : 0);
  }
}

struct Node {
  int variant = 0;
  std::map<int, int> lengths;                         // of lists
  std::map<int, std::vector<std::int64_t>> children;  // by column
};

class ForestMaker {
 public:
  ForestMaker(const Forest& forest, const Size& size, Random& random)
      : forest_(forest), size_(size), random_(random) {}

  ForestData make() {
    if (size_.nodes > 0 && !forest_.variants.empty())
      for (int tries = 0; tries < 4 * size_.nodes && static_cast<int>(nodes_.size()) < size_.nodes;
           ++tries)
        add_node();
    return written();
  }

 private:
  const DataType& type_of(int variant) const {
    for (const DataType& t : forest_.types)
      if (t.name == forest_.variants[static_cast<std::size_t>(variant)].type) return t;
    return forest_.types[0];
  }

  // Nodes of a type that may still get a parent.
  std::vector<std::int64_t>& open(const std::string& type) { return open_[type]; }

  std::int64_t take(const std::string& type, bool shared) {
    std::vector<std::int64_t>& of = open(type);
    const std::size_t at =
        size_.chain ? of.size() - 1
                    : static_cast<std::size_t>(random_.below(static_cast<int>(of.size())));
    const std::int64_t node = of[at];
    if (!shared) of.erase(of.begin() + static_cast<long>(at));
    return node;
  }

  void add_node() {
    const int v = random_.below(static_cast<int>(forest_.variants.size()));
    const Variant& variant = forest_.variants[static_cast<std::size_t>(v)];
    const bool shared = type_of(v).shared;
    Node node{v, {}, {}};
    std::map<std::string, int> needed;
    for (const Field& f : variant.fields)
      if (f.child && f.lists.empty()) ++needed[f.target];
    for (const auto& [type, count] : needed)
      if (static_cast<int>(open(type).size()) < (shared ? 1 : count)) return;
    const bool inner = std::any_of(variant.fields.begin(), variant.fields.end(),
                                   [](const Field& f) { return f.child; });
    if (!inner && size_.chain && random_.chance(0.6)) return;
    for (const Field& f : variant.fields)
      for (const int list : f.lists) {
        if (node.lengths.count(list)) continue;
        int most = size_.widest;
        for (const Field& g : variant.fields)
          if (g.child && std::find(g.lists.begin(), g.lists.end(), list) != g.lists.end()) {
            const int left = static_cast<int>(open(g.target).size());
            most = std::min(most, shared ? (left ? most : 0) : left - needed[g.target]);
          }
        int length = random_.chance(0.2) ? 0 : random_.between(0, std::max(most, 0));
        node.lengths[list] = length;
        for (const Field& g : variant.fields)
          if (g.child && !g.lists.empty() && g.lists[0] == list) needed[g.target] += length;
      }
    for (const Field& f : variant.fields) {
      if (!f.child) continue;
      const int count = f.lists.empty() ? 1 : node.lengths[f.lists[0]];
      std::vector<std::int64_t>& children = node.children[f.column];
      for (int i = 0; i < count; ++i) children.push_back(take(f.target, shared));
    }
    open(variant.type).push_back(static_cast<std::int64_t>(nodes_.size()));
    nodes_.push_back(std::move(node));
  }

  ForestData written() {
    ForestData data;
    const std::size_t n = nodes_.size();
    data.nodes = static_cast<std::int64_t>(n);
    std::vector<std::size_t> order(n);  // place -> node
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = n; i-- > 1;)
      std::swap(order[i], order[static_cast<std::size_t>(random_.below(static_cast<int>(i) + 1))]);
    std::vector<std::int64_t> place(n);
    for (std::size_t i = 0; i < n; ++i) place[order[i]] = static_cast<std::int64_t>(i);
    data.columns.resize(forest_.columns.size());
    data.lists.assign(forest_.lists.size(), {0});
    for (std::size_t i = 0; i < n; ++i) {
      const Node& node = nodes_[order[i]];
      data.variant.push_back(node.variant);
      for (std::size_t l = 0; l < forest_.lists.size(); ++l) {
        const auto length = node.lengths.find(static_cast<int>(l));
        data.lists[l].push_back(data.lists[l].back() +
                                (length == node.lengths.end() ? 0 : length->second));
      }
      const auto& fields = forest_.variants[static_cast<std::size_t>(node.variant)].fields;
      for (std::size_t c = 0; c < forest_.columns.size(); ++c) write(node, fields, c, place, &data);
    }
    return data;
  }

  void write(const Node& node, const std::vector<Field>& fields, std::size_t c,
             const std::vector<std::int64_t>& place, ForestData* data) {
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) {
      return f.column == static_cast<int>(c);
    });
    if (field == fields.end()) {
      if (forest_.columns[c].lists.empty()) put_nothing(forest_.columns[c], &data->columns[c]);
      return;
    }
    if (field->child) {
      for (const std::int64_t child : node.children.at(field->column))
        data->columns[c].integer.push_back(place[static_cast<std::size_t>(child)]);
      return;
    }
    const int count = field->lists.empty() ? 1 : node.lengths.at(field->lists[0]);
    for (int i = 0; i < count; ++i) put_random(*field, random_, &data->columns[c]);
  }

  const Forest& forest_;
  const Size& size_;
  Random& random_;
  std::vector<Node> nodes_;
  std::map<std::string, std::vector<std::int64_t>> open_;
};

std::vector<std::int64_t> nodes_of(const Forest& forest, const ForestData& data,
                                   const std::string& type, bool only_roots) {
  std::vector<bool> has_parent(static_cast<std::size_t>(data.nodes));
  for (std::size_t c = 0; c < forest.columns.size(); ++c)
    if (forest.columns[c].child)
      for (const std::int64_t child : data.columns[c].integer)
        if (child >= 0) has_parent[static_cast<std::size_t>(child)] = true;
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.nodes); ++i)
    if (forest.variants[static_cast<std::size_t>(data.variant[i])].type == type &&
        !(only_roots && has_parent[i]))
      found.push_back(static_cast<std::int64_t>(i));
  return found;
}

}  // namespace

ForestData random_forest(const Forest& forest, const Size& size, Random& random) {
  return ForestMaker(forest, size, random).make();
}

CallsData random_calls(const Forest& forest, const ForestData& data, const Arguments& arguments,
                       int count, bool disjoint, Random& random) {
  std::map<int, std::vector<std::int64_t>> roots;
  for (std::size_t c = 0; c < arguments.columns.size(); ++c) {
    const Field& f = arguments.columns[c];
    if (!f.child) continue;
    std::vector<std::int64_t>& of = roots[static_cast<int>(c)];
    of = nodes_of(forest, data, f.target, disjoint);
    const bool shared =
        std::any_of(forest.types.begin(), forest.types.end(),
                    [&](const DataType& t) { return t.name == f.target && t.shared; });
    for (std::size_t i = of.size(); disjoint && i-- > 1;)
      std::swap(of[i], of[static_cast<std::size_t>(random.below(static_cast<int>(i) + 1))]);
    if (disjoint)
      count = std::min(
          count, shared ? std::min(1, static_cast<int>(of.size())) : static_cast<int>(of.size()));
    if (of.empty() && f.lists.empty()) count = 0;
  }
  CallsData calls;
  calls.count = count;
  calls.columns.resize(arguments.columns.size());
  calls.lists.assign(arguments.lists.size(), {0});
  for (auto& offsets : calls.lists)
    for (int i = 0; i < count; ++i)
      offsets.push_back(offsets.back() + (random.chance(0.2) ? 0 : random.between(0, 6)));
  for (std::size_t c = 0; c < arguments.columns.size(); ++c) {
    const Field& f = arguments.columns[c];
    if (f.child && !f.lists.empty() && roots[static_cast<int>(c)].empty())
      calls.lists[static_cast<std::size_t>(f.lists[0])].assign(static_cast<std::size_t>(count) + 1,
                                                               0);
  }
  for (std::size_t c = 0; c < arguments.columns.size(); ++c) {
    const Field& f = arguments.columns[c];
    const std::int64_t rows =
        f.lists.empty() ? count : calls.lists[static_cast<std::size_t>(f.lists[0])].back();
    for (std::int64_t r = 0; r < rows; ++r) {
      if (!f.child)
        put_random(f, random, &calls.columns[c]);
      else
        calls.columns[c].integer.push_back(
            disjoint ? roots[static_cast<int>(c)][static_cast<std::size_t>(r)]
                     : random.pick(roots[static_cast<int>(c)]));
    }
  }
  return calls;
}

eval::Weights random_weights(const fun::Module& module, Random& random) {
  eval::Weights weights;
  for (const fun::Named& param : module.params)
    for (const fun::Leaf& leaf : fun::leaves(param)) {
      std::vector<std::int64_t> shape;
      for (const fun::Dim& d : leaf.type->shape) shape.push_back(d.value());
      ops::Tensor t = ops::zeros(leaf.type->dtype, shape);
      double scale = 1;
      if (shape.size() >= 2) scale = 1.2 / std::max(1.0, static_cast<double>(shape.back()) / 3);
      for (double& x : t.f) x = scale * (2 * random.uniform() - 1);
      weights[leaf.name] = ops::convert(t, leaf.type->dtype);
    }
  return weights;
}

// ---- For reports

namespace {

void show_column(const Field& f, const Column& column, std::string* out) {
  *out += fmt::format("  {}{}: [{}{}]\n", f.name, f.child ? " -> " + f.target : "",
                      fmt::join(column.real, ", "), fmt::join(column.integer, ", "));
}

}  // namespace

std::string show(const Forest& forest, const ForestData& data) {
  std::string out = fmt::format("{} nodes\n  variants: ", data.nodes);
  for (const int v : data.variant) out += forest.variants[static_cast<std::size_t>(v)].name + " ";
  out += "\n";
  for (std::size_t l = 0; l < forest.lists.size(); ++l)
    out += fmt::format("  {}_first: [{}]\n", forest.lists[l].name, fmt::join(data.lists[l], ", "));
  for (std::size_t c = 0; c < forest.columns.size(); ++c)
    show_column(forest.columns[c], data.columns[c], &out);
  return out;
}

std::string show(const Arguments& arguments, const CallsData& calls) {
  std::string out = fmt::format("{} calls\n", calls.count);
  for (std::size_t l = 0; l < arguments.lists.size(); ++l)
    out +=
        fmt::format("  {}_first: [{}]\n", arguments.lists[l].name, fmt::join(calls.lists[l], ", "));
  for (std::size_t c = 0; c < arguments.columns.size(); ++c)
    show_column(arguments.columns[c], calls.columns[c], &out);
  return out;
}

}  // namespace espalier::fuzz

#include "emit/small_inputs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/float16.h"

namespace espalier::emit {

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

// One element of a column that holds no nodes.
void add_element(const Field& column, Random& random, Column* to) {
  if (is_float(column.dtype)) {
    const double x = (static_cast<double>(random.below(2001)) - 1000) / 640;
    to->real.push_back(rounded(x, column.dtype));
  } else if (column.dtype == Dtype::boolean) {
    to->integer.push_back(static_cast<std::int64_t>(random.below(2)));
  } else {
    const std::int64_t bound = column.bound > 0 ? column.bound : 7;
    to->integer.push_back(
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound))));
  }
}

std::int64_t row_size(const Field& column) {
  std::int64_t n = 1;
  for (const std::int64_t d : column.shape) n *= d;
  return n;
}

// What a forest should look like.
struct Style {
  int depth;  // levels at most
  int width;  // items of a list at most; of the outermost one, `spread`
  int spread;
  bool full;  // lists have their full width
};

// Grows nodes in an order of its own, then writes them as columns.
class Grower {
 public:
  Grower(const Forest& forest, Random& random) : forest_(forest), random_(random) {
    find_heights();
  }

  // A tree whose root is of data type `type`; its number, or -1 where none can be that low.
  int grow(const std::string& type, const Style& style, int level = 0) {
    const int room = style.depth - level;
    if (is_shared(type) && level > 1 && random_.below(3) == 0)
      if (const int old = finished(type, room); old >= 0) return old;
    std::vector<int> fits;
    int highest = 0;
    for (std::size_t v = 0; v < forest_.variants.size(); v++)
      if (forest_.variants[v].type == type && height_[v] < room)
        fits.push_back(static_cast<int>(v));
    if (fits.empty()) return -1;
    // Above the last levels prefer variants that go on.
    for (const int v : fits) highest = std::max(highest, grows(v) ? 1 : 0);
    if (room > 1 && highest == 1 && (style.full || random_.below(4) > 0))
      std::erase_if(fits, [&](int v) { return !grows(v); });
    const int variant = fits[random_.below(fits.size())];
    const auto me = nodes_.size();
    nodes_.push_back({variant, {}, {}, false, 0});
    fill(me, style, level);
    nodes_[me].done = true;
    return static_cast<int>(me);
  }

  ForestData write(std::vector<std::int64_t>* numbers);

 private:
  struct Slot {  // of one field
    std::vector<int> children;
    std::size_t items = 0;
  };
  using Lengths = std::map<int, std::vector<std::size_t>>;  // of a list, a length for each owner
  struct Node {
    int variant;
    std::vector<Slot> slots;  // by field
    Lengths lengths;
    bool done;
    int height;
  };

  bool is_shared(const std::string& type) const {
    for (const DataType& t : forest_.types)
      if (t.name == type) return t.shared;
    return false;
  }
  bool grows(int variant) const {
    const auto& fields = forest_.variants[static_cast<std::size_t>(variant)].fields;
    return std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.child; });
  }
  int finished(const std::string& type, int room) const {
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      const auto v = static_cast<std::size_t>(nodes_[n].variant);
      if (nodes_[n].done && forest_.variants[v].type == type && nodes_[n].height < room)
        return static_cast<int>(n);
    }
    return -1;
  }

  // The lowest that a tree with such a root can be, by rounds.
  void find_heights() {
    constexpr int never = 1000;
    height_.assign(forest_.variants.size(), never);
    for (std::size_t round = 0; round <= forest_.variants.size(); round++)
      for (std::size_t v = 0; v < forest_.variants.size(); v++) {
        int height = 0;
        for (const Field& field : forest_.variants[v].fields) {
          if (!field.child ||
              !forest_.columns[static_cast<std::size_t>(field.column)].lists.empty())
            continue;
          int lowest = never;
          for (std::size_t w = 0; w < forest_.variants.size(); w++)
            if (forest_.variants[w].type == field.target) lowest = std::min(lowest, height_[w]);
          height = std::max(height, lowest + 1);
        }
        height_[v] = std::min(never, height);
      }
  }

  void fill(std::size_t me, const Style& style, int level) {
    const auto& fields = forest_.variants[static_cast<std::size_t>(nodes_[me].variant)].fields;
    Lengths lengths;
    std::vector<Slot> slots;
    int height = 0;
    for (const Field& field : fields) {
      Slot slot;
      slot.items = 1;
      for (const int list : forest_.columns[static_cast<std::size_t>(field.column)].lists) {
        std::vector<std::size_t>& of = lengths[list];
        if (of.empty())
          for (std::size_t i = 0; i < slot.items; i++) of.push_back(length(field, style, level));
        slot.items = std::accumulate(of.begin(), of.end(), std::size_t{0});
      }
      for (std::size_t i = 0; field.child && i < slot.items; i++) {
        // A deep tree is deep on its left, lest it have 2^depth nodes.
        Style below = style;
        if (style.full && style.depth > 4 && height > 0)
          below.depth = std::min(style.depth, level + 2);
        int child = grow(field.target, below, level + 1);
        if (child < 0) child = grow(field.target, style, level + 1);
        slot.children.push_back(child);
        height = std::max(height, nodes_[static_cast<std::size_t>(child)].height + 1);
      }
      slots.push_back(std::move(slot));
    }
    nodes_[me].slots = std::move(slots);
    nodes_[me].lengths = std::move(lengths);
    nodes_[me].height = height;
  }

  // Children need room below them.
  std::size_t length(const Field& field, const Style& style, int level) {
    const int most = level == 0 ? style.spread : style.width;
    int lowest = 1000;
    for (std::size_t w = 0; w < forest_.variants.size(); w++)
      if (forest_.variants[w].type == field.target) lowest = std::min(lowest, height_[w]);
    if (field.child && style.depth - level - 1 <= lowest) return 0;
    if (style.full) return static_cast<std::size_t>(most);
    return random_.below(static_cast<std::uint64_t>(most) + 1);
  }

  const Forest& forest_;
  Random& random_;
  std::vector<int> height_;
  std::vector<Node> nodes_;
};

ForestData Grower::write(std::vector<std::int64_t>* numbers) {
  const std::size_t count = nodes_.size();
  std::vector<std::size_t> order(count);  // of our nodes in the forest
  for (std::size_t i = 0; i < count; i++) order[i] = i;
  for (std::size_t i = count; i > 1; i--) std::swap(order[i - 1], order[random_.below(i)]);
  numbers->assign(count, 0);
  for (std::size_t i = 0; i < count; i++) (*numbers)[order[i]] = static_cast<std::int64_t>(i);

  ForestData data;
  data.nodes = static_cast<std::int64_t>(count);
  for (const std::size_t n : order) data.variant.push_back(nodes_[n].variant);
  data.columns.resize(forest_.columns.size());
  data.lists.assign(forest_.lists.size(), {});
  for (std::size_t l = 0; l < forest_.lists.size(); l++) data.lists[l] = {0};
  for (const std::size_t n : order) {
    const Node& node = nodes_[n];
    const auto& fields = forest_.variants[static_cast<std::size_t>(node.variant)].fields;
    for (std::size_t c = 0; c < forest_.columns.size(); c++) {
      const Field& column = forest_.columns[c];
      const auto at = std::find_if(fields.begin(), fields.end(),
                                   [&](const Field& f) { return f.column == static_cast<int>(c); });
      const Slot* slot =
          at == fields.end() ? nullptr : &node.slots[static_cast<std::size_t>(at - fields.begin())];
      const std::size_t items = slot ? slot->items : column.lists.empty() ? 1 : 0;
      for (std::size_t i = 0; i < items; i++) {
        if (column.child)
          data.columns[c].integer.push_back(
              slot ? (*numbers)[static_cast<std::size_t>(slot->children[i])] : -1);
        for (std::int64_t k = 0; !column.child && k < row_size(column); k++)
          add_element(column, random_, &data.columns[c]);
      }
    }
    for (std::size_t l = 0; l < forest_.lists.size(); l++) {
      const auto of = node.lengths.find(static_cast<int>(l));
      std::vector<std::int64_t>& first = data.lists[l];
      if (of == node.lengths.end() && forest_.lists[l].outer < 0) first.push_back(first.back());
      for (std::size_t i = 0; of != node.lengths.end() && i < of->second.size(); i++)
        first.push_back(first.back() + static_cast<std::int64_t>(of->second[i]));
    }
  }
  return data;
}

// Arguments that are no nodes, and room for those that are.
CallsData make_calls(const Arguments& arguments, std::int64_t count, Random& random) {
  CallsData calls;
  calls.count = count;
  calls.lists.assign(arguments.lists.size(), {0});
  for (std::size_t l = 0; l < arguments.lists.size(); l++) {  // outer ones come first
    const int outer = arguments.lists[l].outer;
    const std::int64_t owners =
        outer < 0 ? count : calls.lists[static_cast<std::size_t>(outer)].back();
    const std::uint64_t lengths = owners < 100 ? 5 : 2;  // or lists in lists would be ever more
    for (std::int64_t r = 0; r < owners; r++)
      calls.lists[l].push_back(calls.lists[l].back() +
                               static_cast<std::int64_t>(random.below(lengths)));
  }
  calls.columns.resize(arguments.columns.size());
  for (std::size_t c = 0; c < arguments.columns.size(); c++) {
    const Field& column = arguments.columns[c];
    const std::int64_t rows =
        column.lists.empty() ? count
                             : calls.lists[static_cast<std::size_t>(column.lists.back())].back();
    for (std::int64_t k = 0; !column.child && k < rows * row_size(column); k++)
      add_element(column, random, &calls.columns[c]);
  }
  return calls;
}

// Forest and calls of one style.
SmallInput make_input(const Forest& forest, const Arguments& arguments, bool nodes,
                      std::int64_t count, const Style& style, Random& random) {
  SmallInput out;
  if (!nodes) out.calls = make_calls(arguments, count, random);
  Grower grower(forest, random);
  std::vector<std::vector<int>> roots(arguments.columns.size());
  for (std::size_t c = 0; c < arguments.columns.size(); c++) {
    const Field& column = arguments.columns[c];
    if (!column.child) continue;
    std::int64_t rows = count;
    if (!column.lists.empty() && !nodes)
      rows = out.calls.lists[static_cast<std::size_t>(column.lists.back())].back();
    for (std::int64_t r = 0; r < rows; r++) {
      int root = grower.grow(column.target, style);
      for (Style higher = style; root < 0 && higher.depth < 12;) {
        higher.depth++;
        root = grower.grow(column.target, higher);
      }
      roots[c].push_back(root);
    }
  }
  std::vector<std::int64_t> numbers;
  out.forest = grower.write(&numbers);
  for (std::size_t c = 0; c < roots.size() && !nodes; c++)
    for (const int root : roots[c])
      out.calls.columns[c].integer.push_back(numbers[static_cast<std::size_t>(root)]);
  return out;
}

}  // namespace

std::vector<SmallInput> small_inputs(const Forest& forest, const Arguments& arguments, bool nodes,
                                     std::uint64_t seed) {
  Random random(seed);
  struct Kind {
    const char* title;
    std::int64_t calls;
    Style style;
  };
  std::vector<Kind> kinds = {{"one call", 1, {2, 2, 2, false}},
                             {"several calls", 4, {2, 3, 3, false}}};
  if (!forest.variants.empty())
    kinds = {{"leaves alone", 2, {1, 0, 0, false}}, {"a small tree", 1, {2, 2, 2, true}},
             {"random trees", 3, {4, 2, 3, false}}, {"a deep tree", 1, {9, 1, 1, true}},
             {"a wide tree", 1, {2, 1, 19, true}},  {"other random trees", 2, {5, 3, 2, false}}};
  std::vector<SmallInput> out;
  for (const Kind& kind : kinds) {
    out.push_back(make_input(forest, arguments, nodes, kind.calls, kind.style, random));
    out.back().title = kind.title;
  }
  out.push_back(make_input(forest, arguments, nodes, 0, kinds[0].style, random));
  out.back().title = "nothing at all";
  return out;
}

}  // namespace espalier::emit

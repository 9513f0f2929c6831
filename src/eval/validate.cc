#include "eval/validate.h"

#include <algorithm>
#include <functional>

#include "base/bug.h"

namespace espalier::eval {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Range {
  std::int64_t begin, end;
};

// The rows of a leaf's column that belong to row `row` of its outermost owner (nodes or calls).
Range rows_of(const Field& leaf, const std::vector<std::vector<std::int64_t>>& lists,
              std::int64_t row) {
  Range range{row, row + 1};
  for (const int list : leaf.lists) {
    const std::vector<std::int64_t>& offsets = lists[at(list)];
    range = {offsets[at(range.begin)], offsets[at(range.end)]};
  }
  return range;
}

// The leaves of a variant in the order of the forest's columns.
std::vector<const Field*> by_column(const Forest& forest, const Variant& variant) {
  std::vector<const Field*> out;
  for (std::size_t c = 0; c < forest.columns.size(); ++c)
    for (const Field& leaf : variant.fields)
      if (at(leaf.column) == c) out.push_back(&leaf);
  return out;
}

class Validator {
 public:
  Validator(const Forest& forest, const ForestData& data, const Arguments& arguments,
            const CallsData& calls)
      : forest_(forest), data_(data), arguments_(arguments), calls_(calls) {}

  Status run() const {
    using Check = Status (Validator::*)() const;
    for (const Check check :
         {&Validator::shapes, &Validator::payload_lists, &Validator::payload, &Validator::arguments,
          &Validator::children, &Validator::shared, &Validator::cycles})
      if (Status status = (this->*check)(); !status.ok()) return status;
    return {};
  }

 private:
  const Variant& variant(std::int64_t node) const {
    return forest_.variants[at(data_.variant[at(node)])];
  }

  Status each_node(const std::function<Status(std::int64_t)>& check) const {
    for (std::int64_t n = 0; n < data_.nodes; ++n)
      if (Status status = check(n); !status.ok()) return status;
    return {};
  }

  bool holds_children(int list) const {
    return std::any_of(forest_.columns.begin(), forest_.columns.end(), [&](const Field& column) {
      return column.child && !column.lists.empty() && column.lists.back() == list;
    });
  }

  Status shapes() const {
    if (data_.nodes < 0) return {"negative_count", -1, data_.nodes};
    return each_node([&](std::int64_t n) -> Status {
      const int v = data_.variant[at(n)];
      if (v < 0 || at(v) >= forest_.variants.size()) return {"bad_variant", n, v};
      for (int l = 0; at(l) < forest_.lists.size(); ++l)
        if (holds_children(l))
          if (Status status = offsets(l, n); !status.ok()) return status;
      return {};
    });
  }

  Status payload_lists() const {
    for (int l = 0; at(l) < forest_.lists.size(); ++l) {
      if (holds_children(l) || forest_.lists[at(l)].outer >= 0) continue;
      const auto check = [&](std::int64_t n) { return offsets(l, n); };
      if (Status status = each_node(check); !status.ok()) return status;
    }
    return {};
  }

  Status offsets(int list, std::int64_t n) const {
    const auto& fields = variant(n).fields;
    const bool has = std::any_of(fields.begin(), fields.end(), [&](const Field& leaf) {
      return !leaf.lists.empty() && leaf.lists[0] == list;
    });
    const std::vector<std::int64_t>& first = data_.lists[at(list)];
    if (Status status = fall(first, n); !status.ok()) return status;
    const std::int64_t items = first[at(n + 1)] - first[at(n)];
    if (items > 0 && !has) return {"foreign_items", n, items};
    return {};
  }

  static Status fall(const std::vector<std::int64_t>& first, std::int64_t row) {
    if (row == 0 && first[0] != 0) return {"bad_offsets", row, first[0]};
    if (first[at(row + 1)] < first[at(row)]) return {"bad_offsets", row, first[at(row + 1)]};
    return {};
  }

  // Calls visit(leaf, value) for the integers of all leaves of a node's variant.
  void each_integer(std::int64_t n,
                    const std::function<void(const Field&, std::int64_t)>& visit) const {
    for (const Field* leaf : by_column(forest_, variant(n))) {
      if (!leaf->child && leaf->bound == 0) continue;
      const Range rows = rows_of(*leaf, data_.lists, n);
      for (std::int64_t r = rows.begin; r < rows.end; ++r)
        visit(*leaf, data_.columns[at(leaf->column)].integer[at(r)]);
    }
  }

  Status children() const {
    return each_node([&](std::int64_t n) {
      Status status;
      each_integer(n, [&](const Field& leaf, std::int64_t k) {
        if (!leaf.child || !status.ok()) return;
        if (k < 0 || k >= data_.nodes)
          status = {"child_out_of_range", n, k};
        else if (variant(k).type != leaf.target)
          status = {"wrong_variant", n, k};
      });
      return status;
    });
  }

  Status payload() const {
    for (std::size_t c = 0; c < forest_.columns.size(); ++c) {
      const auto check = [&](std::int64_t n) {
        Status status;
        each_integer(n, [&](const Field& leaf, std::int64_t value) {
          const bool inside = value >= 0 && value < leaf.bound;
          if (at(leaf.column) == c && !leaf.child && status.ok() && !inside)
            status = {forest_.columns[c].name + "_out_of_range", n, value};
        });
        return status;
      };
      if (Status status = each_node(check); !status.ok()) return status;
    }
    return {};
  }

  // Lists first, then columns; calls in order.
  Status arguments() const {
    if (calls_.count < 0) return {"negative_count", -1, calls_.count};
    for (std::size_t l = 0; l < arguments_.lists.size(); ++l)
      for (std::int64_t c = 0; c < calls_.count && arguments_.lists[l].outer < 0; ++c)
        if (Status status = fall(calls_.lists[l], c); !status.ok()) return status;
    for (const Field& leaf : arguments_.columns) {
      if (!leaf.child && leaf.bound == 0) continue;
      for (const bool variants : {false, true})
        for (std::int64_t c = 0; c < calls_.count; ++c)
          if (Status status = argument(leaf, c, variants); !status.ok()) return status;
    }
    return {};
  }

  // Of one call: whether its numbers are in range, or whether its nodes are of the right type.
  Status argument(const Field& leaf, std::int64_t call, bool variants) const {
    const Range rows = rows_of(leaf, calls_.lists, call);
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
      const std::int64_t value = calls_.columns[at(leaf.column)].integer[at(r)];
      const bool inside = value >= 0 && value < (leaf.child ? data_.nodes : leaf.bound);
      if (variants && leaf.child && variant(value).type != leaf.target)
        return {"wrong_root_variant", call, value};
      if (!variants && !inside)
        return {leaf.child ? "root_out_of_range" : leaf.name + "_out_of_range", call, value};
    }
    return {};
  }

  bool is_shared(const std::string& type) const {
    for (const DataType& t : forest_.types)
      if (t.name == type) return t.shared;
    throw Bug("a variant of a type that the forest does not have");
  }

  Status shared() const {
    std::vector<std::int64_t> parent(at(data_.nodes), -1);
    Status lowest;
    for (std::int64_t n = 0; n < data_.nodes; ++n)
      for (const std::int64_t k : children_of(forest_, data_, n)) {
        const bool twice = parent[at(k)] >= 0 && !is_shared(variant(k).type);
        if (twice && (lowest.ok() || k < lowest.node)) lowest = {"shared_node", k, n};
        parent[at(k)] = n;
      }
    return lowest;
  }

  // Takes leaves away until nothing is left, or a cycle.
  Status cycles() const {
    std::vector<std::vector<std::int64_t>> parents(at(data_.nodes));
    std::vector<std::size_t> pending(at(data_.nodes));
    std::vector<std::int64_t> ready;
    for (std::int64_t n = 0; n < data_.nodes; ++n) {
      const auto children = children_of(forest_, data_, n);
      pending[at(n)] = children.size();
      if (children.empty()) ready.push_back(n);
      for (const std::int64_t k : children) parents[at(k)].push_back(n);
    }
    while (!ready.empty()) {
      const std::int64_t n = ready.back();
      ready.pop_back();
      for (const std::int64_t p : parents[at(n)])
        if (--pending[at(p)] == 0) ready.push_back(p);
    }
    const auto stuck = std::find_if(pending.begin(), pending.end(), [](auto p) { return p > 0; });
    if (stuck == pending.end()) return {};
    return on_cycle(stuck - pending.begin(), pending);
  }

  // Goes down from a node above a cycle until one comes up for the second time.
  Status on_cycle(std::int64_t n, const std::vector<std::size_t>& pending) const {
    std::vector<bool> seen(at(data_.nodes), false);
    for (;;) {
      const auto children = children_of(forest_, data_, n);
      const std::int64_t next = *std::find_if(children.begin(), children.end(),
                                              [&](std::int64_t k) { return pending[at(k)] > 0; });
      if (seen[at(n)]) return {"cycle", n, next};
      seen[at(n)] = true;
      n = next;
    }
  }

  const Forest& forest_;
  const ForestData& data_;
  const Arguments& arguments_;
  const CallsData& calls_;
};

}  // namespace

Status validate(const Forest& forest, const ForestData& data, const Arguments& arguments,
                const CallsData& calls) {
  return Validator(forest, data, arguments, calls).run();
}

std::vector<std::int64_t> children_of(const Forest& forest, const ForestData& data,
                                      std::int64_t node) {
  std::vector<std::int64_t> out;
  const Variant& variant = forest.variants[at(data.variant[at(node)])];
  for (const Field* leaf : by_column(forest, variant)) {
    if (!leaf->child) continue;
    const Range rows = rows_of(*leaf, data.lists, node);
    for (std::int64_t r = rows.begin; r < rows.end; ++r)
      out.push_back(data.columns[at(leaf->column)].integer[at(r)]);
  }
  return out;
}

}  // namespace espalier::eval

// Lists of pairs: the items of one list for each item of another. How many there are is counted off
// the caller's offsets, before anything is numbered.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using loop::ListDomain;

// Writes the product of the lengths of the lists that meet in one list of an entry.
class Product {
 public:
  // Lists of a plan where they are of nodes, else of the entry.
  Product(const Context& c, const EntryContext* e, const std::vector<ListDomain>& lists,
          const std::vector<loop::Class>& classes, const ListDomain& pairs)
      : c_(c), e_(e), lists_(lists), classes_(classes) {
    for (const ListDomain* l = &pairs;; l = &list(l->over)) {
      chain_.insert(chain_.begin(), l);
      if (l->over < 0) break;
    }
    // Items whose own lists are counted have to be gone through.
    for (std::size_t i = 0; i < chain_.size(); i++) {
      const int over = plain(*chain_[i]).over;
      if (chain_[i]->field >= 0) loops_ = std::max(loops_, i);
      for (std::size_t outer = 0; outer < i && over >= 0; outer++)
        if (chain_[outer] == &list(over) && outer >= loops_)
          loops_ = chain_[outer]->list >= 0 ? outer + 1 : loops_;
    }
  }

  std::string name() const {
    std::string name;
    for (const ListDomain* l : chain_) name += (name.empty() ? "" : "_") + field_of(*l);
    return name;
  }

  void print(const std::string& function, LineBuffer* out) const {
    LineBuffer body;
    {
      const auto scope = body.indent();
      print_body(&body);
    }
    const bool nodes = chain_[0]->class_index >= 0;
    const bool both = !nodes && names_word(body.text(), "forest");
    out->line(
        "static std::int64_t {}({}, std::int32_t row) {{", function,
        nodes ? "const Forest& forest"
              : (both ? "const Forest& forest, const " : "const ") + e_->names.calls + "& calls");
    out->put(body.text());
    out->line("}");
  }

 private:
  void print_body(LineBuffer* out) const {
    std::string product = loops_ == chain_.size() ? "1" : "";
    for (std::size_t i = loops_; i < chain_.size(); i++) {
      const std::string factor = count(*chain_[i]);
      product = product.empty() ? factor : "espalier::pairs(" + product + ", " + factor + ")";
    }
    if (loops_ == 0) {
      out->line("return {};", product);
    } else {
      out->line("std::int64_t total = 0;");
      open_loops(product, out);
      out->line("return total;");
    }
  }

  void open_loops(const std::string& product, LineBuffer* out) const {
    std::string row = "row", indent;
    for (std::size_t i = 0; i < loops_; i++) {
      const std::string first = offsets(*chain_[i]);
      out->line("{0}const std::int32_t rows_{1} = {2};", indent, i, rows_of(*chain_[i]));
      out->line(
          "{0}for (std::int32_t i_{1} = {2}[{3}]; i_{1} >= 0 && i_{1} < {2}[{3} + 1] && i_{1} < "
          "rows_{1}; i_{1}++)",
          indent, i, first, row);
      row = fmt::format("i_{}", i);
      indent += "  ";
    }
    out->line("{}total += {};", indent, product);
  }

  const std::string& first_name(const ListDomain& l) const {
    const auto& names = l.class_index >= 0 ? c_.names.lists : e_->names.lists;
    return names[static_cast<std::size_t>(l.list)];
  }
  std::string offsets(const ListDomain& l) const {
    return (l.class_index >= 0 ? "forest." : "calls.") + first_name(l);
  }
  // The list that it is like, in the end.
  const ListDomain& plain(const ListDomain& l) const {
    return l.like < 0 ? l : plain(list(l.like));
  }
  std::string field_of(const ListDomain& pairs) const {
    const ListDomain& l = plain(pairs);
    if (l.length >= 0) return "items";
    const std::string& name = first_name(l);
    return name.substr(0, name.rfind("_first"));
  }
  std::string rows_of(const ListDomain& l) const {
    if (l.class_index >= 0) return "espalier::last_offset(" + offsets(l) + ", forest.nodes)";
    const int outer = e_->entry.arguments.lists[static_cast<std::size_t>(l.list)].outer;
    const std::string rows = outer < 0 ? "calls.count"
                                       : "espalier::last_offset(calls." +
                                             e_->names.lists[static_cast<std::size_t>(outer)] +
                                             ", calls.count)";
    return "espalier::last_offset(" + offsets(l) + ", " + rows + ")";
  }

  // Items that the list has for the element at hand.
  std::string count(const ListDomain& l) const {
    if (l.field >= 0)
      return fmt::format("espalier::items_of(forest.{}, forest.nodes, {}, {})",
                         first_name(list(l.like)), column(l), row_of(l.over));
    if (l.like >= 0) return count(list(l.like));
    if (l.length >= 0) return std::to_string(l.length);
    return "espalier::items(" + offsets(l) + ", " + row_of(l.over) + ")";
  }
  std::string row_of(int over) const {
    for (std::size_t i = 0; i < loops_ && over >= 0; i++)
      if (chain_[i] == &list(over)) return fmt::format("i_{}", i);
    return "row";
  }
  // The column of the nodes whose lists are meant.
  std::string column(const ListDomain& l) const {
    if (l.class_index < 0) return "calls." + e_->names.columns[static_cast<std::size_t>(l.field)];
    const int variant = classes_[static_cast<std::size_t>(l.class_index)].variant;
    const Field& leaf = c_.module.forest.variants[static_cast<std::size_t>(variant)]
                            .fields[static_cast<std::size_t>(l.field)];
    return "forest." + c_.names.columns[static_cast<std::size_t>(leaf.column)];
  }

  const ListDomain& list(int i) const { return lists_[static_cast<std::size_t>(i)]; }

  const Context& c_;
  const EntryContext* e_;
  const std::vector<ListDomain>& lists_;
  const std::vector<loop::Class>& classes_;
  std::vector<const ListDomain*> chain_;  // from the outermost on
  std::size_t loops_ = 0;
};

std::string body_of(const Product& product) {
  LineBuffer out;
  product.print("f", &out);
  return std::move(out).text();
}

// Those of nodes, or of calls, among the lists; under one name where they are counted alike.
std::vector<PairCount> counts_of(const Context& c, const EntryContext* e,
                                 const std::vector<ListDomain>& lists,
                                 const std::vector<loop::Class>& classes, const std::string& type) {
  std::vector<PairCount> out;
  std::vector<std::string> bodies;
  Names names;
  for (std::size_t l = 0; l < lists.size(); l++) {
    if (lists[l].like < 0 || (lists[l].class_index >= 0) != (e == nullptr)) continue;
    const Product product(c, e, lists, classes, lists[l]);
    const std::string body = body_of(product);
    const auto known = std::find(bodies.begin(), bodies.end(), body);
    if (known != bodies.end()) {
      out[static_cast<std::size_t>(known - bodies.begin())].lists.push_back(static_cast<int>(l));
      continue;
    }
    bodies.push_back(body);
    PairCount made;
    made.name = names.unique(product.name() + (lists[l].over < 0 ? "_items" : "_pairs"));
    made.lists = {static_cast<int>(l)};
    made.of_nodes = e == nullptr;
    made.one = type + "::" + made.name;
    const bool both = e && names_word(body, "forest");
    made.total =
        fmt::format("espalier::total({0}, [&](std::int32_t row) {{ return {1}({2}, row); }})",
                    made.of_nodes ? "forest.nodes" : "calls.count", made.one,
                    made.of_nodes ? "forest"
                    : both        ? "forest, calls"
                                  : "calls");
    out.push_back(std::move(made));
  }
  return out;
}

std::string struct_text(const Context& c, const EntryContext* e,
                        const std::vector<ListDomain>& lists,
                        const std::vector<loop::Class>& classes, const std::string& type) {
  const std::vector<PairCount> counts = counts_of(c, e, lists, classes, type);
  if (counts.empty()) return "";
  LineBuffer out;
  out.line("// How often the items of lists meet, for one {} of the user's.", e ? "call" : "node");
  out.line("struct {} {{", type);
  for (const PairCount& p : counts) {
    const auto scope = out.indent();
    Product(c, e, lists, classes, lists[static_cast<std::size_t>(p.lists[0])]).print(p.name, &out);
  }
  out.line("};");
  out.line();
  return std::move(out).text();
}

std::string type_of_nodes(const Plan& plan) { return plan.prefix + "Pairs"; }
std::string type_of_calls(const EntryContext& e) { return e.names.prefix + "CallPairs"; }

}  // namespace

std::vector<PairCount> pair_counts(const Context& c, const Plan& plan) {
  return counts_of(c, nullptr, plan.lists, plan.classes, type_of_nodes(plan));
}

std::vector<PairCount> pair_counts(const EntryContext& e) {
  std::vector<PairCount> out;
  for (PairCount& p : pair_counts(e.package, e.plan)) {
    std::vector<int> lists;  // of the entry
    for (std::size_t l = 0; l < e.entry.lists.size(); l++)
      if (std::count(p.lists.begin(), p.lists.end(), e.plan.find(e.entry, static_cast<int>(l))))
        lists.push_back(static_cast<int>(l));
    if (lists.empty()) continue;
    p.lists = std::move(lists);
    out.push_back(std::move(p));
  }
  for (PairCount& p : counts_of(e.package, &e, e.entry.lists, e.entry.classes, type_of_calls(e)))
    out.push_back(std::move(p));
  return out;
}

std::string pairs_text(const Context& c, const Plan& plan) {
  std::string out = struct_text(c, nullptr, plan.lists, plan.classes, type_of_nodes(plan));
  for (const int i : plan.entries) {
    const EntryContext e = entry_context(c, i);
    out += struct_text(c, &e, e.entry.lists, e.entry.classes, type_of_calls(e));
  }
  return out;
}

}  // namespace espalier::emit

// How much there is of everything: struct Counts, count().
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

// Which of the counts the rest of the host code reads.
std::set<std::string> used_counts(const std::string& text) {
  std::set<std::string> used = {"nodes"};
  constexpr std::string_view before = "counts.";
  for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    auto end = at + before.size();
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      end++;
    used.insert(text.substr(at + before.size(), end - at - before.size()));
  }
  return used;
}

struct Counted {
  CountNames names;
  std::set<std::string> used;
  bool operator()(const std::string& name) const { return used.contains(name); }
};

void print_counts(const Plan& plan, const Counted& counted, LineBuffer* out) {
  const CountNames& names = counted.names;
  out->line("// How much there is of everything.");
  out->line("struct {}Counts {{", plan.prefix);
  std::vector<std::string> members = {"nodes", "edges", "calls", "levels", "level_widest"};
  for (const auto* more : {&names.classes, &names.widest, &names.lists, &names.list_widest})
    members.insert(members.end(), more->begin(), more->end());
  for (const std::string& member : members)
    if (counted(member)) out->line("  std::size_t {} = 0;", member);
  out->line("};");
  out->line();
}

// The counts of a class or of a list: all, and on the widest level.
void print_count(const Counted& counted, const std::string& all, const std::string& widest,
                 const std::string& value, std::string* body) {
  if (!counted(all) && !counted(widest)) return;
  *body += "  const espalier::Count " + all + " = " + value + ";\n";
  if (counted(all)) *body += "  counts." + all + " = size(" + all + ".all);\n";
  if (counted(widest)) *body += "  counts." + widest + " = size(" + all + ".widest);\n";
}

// What there is, once the forest has been linearized.
void print_count_function(const Context& c, const Plan& plan, const Counted& counted,
                          LineBuffer* out) {
  const CountNames& names = counted.names;
  std::string body = "  counts.nodes = size(tree.nodes);\n";
  if (counted("levels")) body += "  counts.levels = size(tree.levels);\n";
  if (counted("level_widest"))
    body += fmt::format(
        "  counts.level_widest = size(espalier::count_class(tree, {{0, {}}}).widest);\n",
        plan.linear.size() - 1);
  if (counted("edges")) body += "  counts.edges = size(espalier::count_edges(shape));\n";
  for (std::size_t i = 0; i < names.classes.size(); i++)
    print_count(counted, names.classes[i], names.widest[i],
                "espalier::count_class(tree, " + class_text(plan, static_cast<int>(i)) + ")",
                &body);
  for (std::size_t l = 0; l < names.lists.size(); l++)
    if (const loop::ListDomain& list = plan.lists[l]; list.class_index >= 0 && list.list >= 0)
      print_count(counted, names.lists[l], names.list_widest[l],
                  "espalier::count_items(tree, " + class_text(plan, list.class_index) +
                      ", forest." + c.names.lists[static_cast<std::size_t>(list.list)] + ")",
                  &body);
  for (const PairCount& pairs : pair_counts(c, plan))
    for (const int l : pairs.lists) {
      const auto i = static_cast<std::size_t>(l);
      print_count(counted, names.lists[i], names.list_widest[i],
                  "espalier::count_rows(tree, " + class_text(plan, plan.lists[i].class_index) +
                      ", [&](std::int32_t row) { return " + pairs.one + "(forest, row); })",
                  &body);
    }
  ParamList params = {{"const " + plan.prefix + "Numbering&", "tree"},
                      {"const " + plan.prefix + "Classes&", "shape"},
                      {"const Forest&", "forest"}};
  for (auto& [type, name] : params)
    if (!names_word(body, name)) name.clear();
  out->line("{0}Counts count({1}) {{", plan.prefix, param_list(params));
  out->line("  {}Counts counts;", plan.prefix);
  out->put(body);
  out->line("  return counts;");
  out->line("}");
  out->line();
}

void print_input(const Plan& plan, LineBuffer* out) {
  out->line("// What there is to number.");
  out->line("struct {}Input {{", plan.prefix);
  out->line("  const Forest& forest;");
  out->line("  const {}Classes& shape;", plan.prefix);
  out->line("  const {}Numbering& tree;", plan.prefix);
  if (plan.edge_first) out->line("  const std::int32_t* edge_first;");
  out->line("};");
  out->line();
}

}  // namespace

CountNames count_names(const Plan& plan) {
  Names names;
  for (const char* fixed : {"nodes", "edges", "calls", "levels", "level_widest"})
    names.reserve(fixed);
  for (const char* of_count : {"counts", "tree", "shape", "forest", "size"})
    names.reserve(of_count);  // variables of the functions that fill them
  CountNames out;
  for (const loop::Class& c : plan.classes) {
    out.classes.push_back(names.unique(c.name));
    out.widest.push_back(names.unique(c.name + "_widest"));
  }
  for (const loop::ListDomain& list : plan.lists) {
    out.lists.push_back(names.unique(list.name));
    out.list_widest.push_back(names.unique(list.name + "_widest"));
  }
  return out;
}

CountNames count_names(const EntryContext& e) {
  const CountNames all = count_names(e.plan);
  CountNames out;
  for (const loop::Class& c : e.entry.classes) {
    const auto i = static_cast<std::size_t>(e.plan.find(c));
    out.classes.push_back(all.classes[i]);
    out.widest.push_back(all.widest[i]);
  }
  for (std::size_t l = 0; l < e.entry.lists.size(); l++) {
    const auto i = static_cast<std::size_t>(e.plan.find(e.entry, static_cast<int>(l)));
    out.lists.push_back(all.lists[i]);
    out.list_widest.push_back(all.list_widest[i]);
  }
  return out;
}

std::string plan_text(const Context& c, const Plan& plan, const std::string& functions) {
  LineBuffer out;
  Counted counted = {count_names(plan), used_counts(functions)};
  for (const int e : plan.entries)
    if (!c.module.entries[static_cast<std::size_t>(e)].nodes) counted.used.insert("calls");
  const bool has_forest = !c.module.forest.variants.empty();
  print_counts(plan, counted, &out);
  out.put(pairs_text(c, plan));
  if (!has_forest) return std::move(out).text();
  print_count_function(c, plan, counted, &out);
  print_input(plan, &out);
  return classes_text(c, plan, functions + out.text()) + out.text();
}

}  // namespace espalier::emit

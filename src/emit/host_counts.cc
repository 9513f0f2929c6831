// How much there is of everything: struct Counts, most(), count().
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using loop::Extent;

std::string limit_of_list(const EntryContext& e, const loop::ListDomain& list) {
  if (list.class_index >= 0 && bounded_by_edges(e.module().forest, list.list))
    return any_shared(e.module().forest) ? "size(limits.edges)" : "size(limits.nodes)";
  for (const Limit& limit : limits(e))
    if (list.list >= 0 &&
        (list.class_index >= 0 ? limit.forest_list : limit.call_list) == list.list)
      return "size(limits." + limit.name + ")";
  throw Bug("a list without a limit");
}

// Which of the counts the rest of the host code reads.
std::set<std::string> used_counts(const std::string& text) {
  std::set<std::string> used = {"nodes", "edges"};
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

void print_counts(const EntryContext& e, const Counted& counted, LineBuffer* out) {
  const CountNames& names = counted.names;
  out->line("// How much there is of everything.");
  out->line("struct {} {{", e.type("Counts"));
  std::vector<std::string> members = {"nodes", "edges", "calls", "levels", "level_widest"};
  for (const auto* more : {&names.classes, &names.widest, &names.lists, &names.list_widest})
    members.insert(members.end(), more->begin(), more->end());
  for (const std::string& member : members)
    if (counted(member)) out->line("  std::size_t {} = 0;", member);
  out->line("};");
  out->line();
}

void print_most(const EntryContext& e, const Counted& counted, LineBuffer* out) {
  const CountNames& names = counted.names;
  std::string body;
  const auto set = [&](const std::string& name, const std::string& value) {
    if (counted(name)) body += "  counts." + name + " = " + value + ";\n";
  };
  if (e.has_forest()) {
    set("nodes", "size(limits.nodes)");
    set("levels", "counts.nodes");
    set("level_widest", "counts.nodes");
    set("edges", any_shared(e.module().forest) ? "size(limits.edges)" : "counts.nodes");
  }
  if (e.has_calls()) set("calls", "size(limits.calls)");
  for (std::size_t c = 0; c < names.classes.size(); c++) {
    set(names.classes[c], "counts.nodes");
    set(names.widest[c], "counts.nodes");
  }
  for (std::size_t l = 0; l < names.lists.size(); l++) {
    set(names.lists[l], limit_of_list(e, e.entry.lists[l]));
    set(names.list_widest[l], limit_of_list(e, e.entry.lists[l]));
  }
  out->line("// The most that there can be.");
  out->line("{0}Counts most(const {1}&{2}) {{", e.names.prefix, e.names.limits,
            body.find("limits.") == std::string::npos ? "" : " limits");
  out->line("  {}Counts counts;", e.names.prefix);
  out->put(body);
  out->line("  return counts;");
  out->line("}");
  out->line();
}

std::string items_of_calls(const EntryContext& e, int list) {
  const auto l = static_cast<std::size_t>(list);
  const int outer = e.entry.arguments.lists[l].outer;
  const std::string rows = outer < 0 ? "calls.count" : items_of_calls(e, outer);
  return "espalier::last_offset(calls." + e.names.lists[l] + ", " + rows + ")";
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
void print_exact(const EntryContext& e, const Counted& counted, LineBuffer* out) {
  const CountNames& names = counted.names;
  std::string body;
  if (e.has_forest()) {
    body += "  counts.nodes = size(tree.nodes);\n";
    if (counted("levels")) body += "  counts.levels = size(tree.levels);\n";
    if (counted("level_widest"))
      body += fmt::format(
          "  counts.level_widest = size(espalier::count_class(tree, {{0, {}}}).widest);\n",
          linear_classes(e).size() - 1);
    if (wants(e).edge_first) body += "  counts.edges = size(espalier::count_edges(shape));\n";
  }
  if (e.has_calls() && counted("calls")) body += "  counts.calls = size(calls.count);\n";
  for (std::size_t c = 0; c < names.classes.size(); c++)
    print_count(counted, names.classes[c], names.widest[c],
                "espalier::count_class(tree, " + class_text(e, static_cast<int>(c)) + ")", &body);
  for (std::size_t l = 0; l < names.lists.size(); l++) {
    const loop::ListDomain& list = e.entry.lists[l];
    if (list.class_index >= 0) {
      print_count(counted, names.lists[l], names.list_widest[l],
                  "espalier::count_items(tree, " + class_text(e, list.class_index) + ", forest." +
                      e.package.names.lists[static_cast<std::size_t>(list.list)] + ")",
                  &body);
      continue;
    }
    for (const std::string& name : {names.lists[l], names.list_widest[l]})
      if (counted(name))
        body += "  counts." + name + " = size(" + items_of_calls(e, list.list) + ");\n";
  }
  std::vector<std::string> params;
  for (const auto& [type, name] : count_params(e))
    params.push_back(body.find(name + ",") != std::string::npos ||
                             body.find(name + ".") != std::string::npos ||
                             body.find(name + ")") != std::string::npos
                         ? type + " " + name
                         : type);
  out->line("{}Counts count({}) {{", e.names.prefix, join(params, ", "));
  out->line("  {}Counts counts;", e.names.prefix);
  out->put(body);
  out->line("  return counts;");
  out->line("}");
  out->line();
}

}  // namespace

ParamList count_params(const EntryContext& e) {
  ParamList out;
  if (e.has_forest()) {
    out.emplace_back("const espalier::Structure<" + e.type("Classes") + ">&", "tree");
    out.emplace_back("const " + e.type("Classes") + "&", "shape");
    out.emplace_back("const Forest&", "forest");
  }
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  return out;
}

CountNames count_names(const EntryContext& e) {
  Names names;
  for (const char* fixed : {"nodes", "edges", "calls", "levels", "level_widest"})
    names.reserve(fixed);
  for (const char* of_count : {"counts", "tree", "shape", "forest", "size"})
    names.reserve(of_count);  // variables of the functions that fill them
  CountNames out;
  for (const loop::Class& c : e.entry.classes) {
    out.classes.push_back(names.unique(c.name));
    out.widest.push_back(names.unique(c.name + "_widest"));
  }
  for (const loop::ListDomain& list : e.entry.lists) {
    out.lists.push_back(names.unique(list.name));
    out.list_widest.push_back(names.unique(list.name + "_widest"));
  }
  return out;
}

std::string rows_text(const Extent& extent, const CountNames& names) {
  const auto i = static_cast<std::size_t>(extent.index);
  std::string count;
  switch (extent.kind) {
    case Extent::Kind::fixed:
      return std::to_string(extent.number);
    case Extent::Kind::nodes:
      count = "nodes";
      break;
    case Extent::Kind::class_nodes:
      count = names.classes[i];
      break;
    case Extent::Kind::class_widest:
      count = names.widest[i];
      break;
    case Extent::Kind::level_widest:
      count = "level_widest";
      break;
    case Extent::Kind::edges:
      count = "edges";
      break;
    case Extent::Kind::list_items:
      count = names.lists[i];
      break;
    case Extent::Kind::list_widest:
      count = names.list_widest[i];
      break;
    case Extent::Kind::calls:
      count = "calls";
      break;
  }
  const std::string factor = extent.number == 1 ? "" : std::to_string(extent.number) + " * ";
  return factor + "counts." + count;
}

std::string plan_types(const EntryContext& e) {
  LineBuffer out;
  const std::string workspace = workspace_text(e);
  const Counted counted = {count_names(e),
                           used_counts(workspace + numbering(e) + output_copies(e))};
  print_counts(e, counted, &out);
  print_most(e, counted, &out);
  print_exact(e, counted, &out);
  return (e.has_forest() ? classes_text(e) : "") + out.text() + workspace;
}

}  // namespace espalier::emit

// Counts, and the workspace's layout.
#include "emit/host_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using loop::Extent;
using Kind = loop::StructureMember::Kind;

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

void print_workspace(const EntryContext& e, const CountNames& names, LineBuffer* out) {
  std::map<int, std::vector<const loop::Buffer*>> shared;
  std::vector<const loop::Buffer*> own;
  for (const int b : e.entry.buffers) {
    const loop::Buffer& buffer = e.module().buffer(b);
    if (buffer.arena < 0)
      own.push_back(&buffer);
    else
      shared[buffer.arena].push_back(&buffer);
  }
  const bool any = !e.entry.buffers.empty();
  out->line("{0} take_workspace(Arena& arena, const {1}Counts& counts) {{", e.entry.workspace_type,
            e.names.prefix);
  out->line("  {} w = {{}};", e.entry.workspace_type);
  if (!any) out->line("  (void)arena, (void)counts;");
  const auto take = [&](const loop::Buffer& buffer) {
    out->line("  w.{} = arena.take<{}>({}{});", buffer.name, memory_type(buffer.dtype),
              rows_text(buffer.rows, names),
              buffer.stride == 1 ? "" : fmt::format(", {}", buffer.stride));
  };
  for (const auto* buffer : own) take(*buffer);
  for (const auto& [number, buffers] : shared) {
    if (buffers.size() == 1) {
      take(*buffers[0]);
      continue;
    }
    out->line("  {  // these share memory");
    out->line("    std::size_t most_bytes = 0;");
    for (const auto* buffer : buffers)
      out->line("    espalier::widen(&most_bytes, {}, {}sizeof(*w.{}));",
                rows_text(buffer->rows, names),
                buffer->stride == 1 ? "" : fmt::format("{} * ", buffer->stride), buffer->name);
    out->line("    unsigned char* const piece = arena.take<unsigned char>(most_bytes);");
    for (const auto* buffer : buffers)
      out->line("    w.{} = reinterpret_cast<{}*>(piece);", buffer->name,
                memory_type(buffer->dtype));
    out->line("  }");
  }
  out->line("  return w;");
  out->line("}");
  out->line();
}

// "leaf" or "first[node + 1] == first[node] && ..": whether all lists of a node are empty.
std::string empty_test(const EntryContext& e, const Variant& variant) {
  const Forest& forest = e.module().forest;
  std::vector<std::string> tests;
  bool only_children = true;
  for (std::size_t l = 0; l < forest.lists.size(); l++) {
    if (forest.lists[l].outer >= 0 || !has_list(forest, variant, static_cast<int>(l))) continue;
    only_children &= bounded_by_edges(forest, static_cast<int>(l));
    const std::string first = "forest->" + e.package.names.lists[l];
    tests.push_back(first + "[node + 1] == " + first + "[node]");
  }
  for (const Field& field : variant.fields)
    if (field.child && forest.columns[static_cast<std::size_t>(field.column)].lists.empty())
      only_children = false;
  require(!tests.empty(), "an empty part of a variant without lists");
  return only_children ? "leaf" : join(tests, " && ");
}

// "leaf ? 0 : 1": the class of a node.
void print_class_of(const EntryContext& e, LineBuffer* out) {
  const Forest& forest = e.module().forest;
  std::vector<std::string> values;
  bool uses_leaf = false, uses_node = false;
  for (std::size_t v = 0; v < forest.variants.size(); v++) {
    const auto [first, last] = variant_range(e, static_cast<int>(v));
    std::string value = std::to_string(first);
    if (last > first) {
      const std::string test = empty_test(e, forest.variants[v]);
      (test == "leaf" ? uses_leaf : uses_node) = true;
      value = fmt::format("{} ? {} : {}", test, first, last);
    }
    values.push_back(value);
  }
  out->line("// By what {}() tells nodes apart.", e.names.function);
  out->line("struct {0}Classes : Shape {{", e.names.prefix);
  out->line("  static constexpr int classes = {};", linear_classes(e).size());
  if (uses_node) out->line("  const Forest* forest;");
  const bool one = values.size() == 1;
  out->line("  int class_of(std::int32_t{}, int{}, bool{}) const {{", uses_node ? " node" : "",
            one ? "" : " kind", uses_leaf ? " leaf" : "");
  if (one) {
    out->line("    return {};", values[0]);
  } else {
    out->line("    switch (kind) {");
    for (std::size_t v = 0; v + 1 < values.size(); v++)
      out->line("      case {}: return {};", v, values[v]);
    out->line("      default: return {};", values.back());
    out->line("    }");
  }
  out->line("  }");
  out->line("};");
  out->line();
  out->line("{0}Classes {1}(const Forest& forest) {{", e.names.prefix, type_name(e, "classes_of"));
  out->line("  return {{shape_of(forest){}}};", uses_node ? ", &forest" : "");
  out->line("}");
  out->line();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> count_params(const EntryContext& e) {
  std::vector<std::pair<std::string, std::string>> out;
  if (e.has_forest()) {
    out.emplace_back("const espalier::Structure<" + e.type("Classes") + ">&", "tree");
    out.emplace_back("const " + e.type("Classes") + "&", "shape");
    out.emplace_back("const Forest&", "forest");
  }
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  return out;
}

std::string type_name(const EntryContext& e, const std::string& what) {
  return e.names.prefix.empty() ? what : what + "_" + e.names.function;
}

CountNames count_names(const EntryContext& e) {
  Names names;
  for (const char* fixed : {"nodes", "edges", "calls", "levels", "level_widest"})
    names.reserve(fixed);
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

Wants wants(const EntryContext& e) {
  Wants out;
  for (const loop::StructureMember& member : e.entry.structure) {
    const Kind kind = member.kind;
    out.edge_first |= kind == Kind::slot || kind == Kind::edge_count || kind == Kind::in_owner ||
                      kind == Kind::in_first || kind == Kind::in_edge || kind == Kind::parent_edge;
    out.overlap |= kind == Kind::root_call;
  }
  for (const int b : e.entry.buffers)
    out.edge_first |= e.module().buffer(b).rows.kind == Extent::Kind::edges;
  out.unshared = any_shared(e.module().forest) &&
                 std::any_of(e.module().forest.types.begin(), e.module().forest.types.end(),
                             [](const DataType& type) { return !type.shared; });
  return out;
}

std::vector<LinearClass> linear_classes(const EntryContext& e) {
  using Part = loop::Class::Part;
  std::vector<LinearClass> out;
  for (int v = 0; v < static_cast<int>(e.module().forest.variants.size()); v++) {
    const bool split =
        std::any_of(e.entry.classes.begin(), e.entry.classes.end(),
                    [&](const loop::Class& c) { return c.variant == v && c.part != Part::any; });
    if (split) out.push_back({v, Part::empty});
    out.push_back({v, split ? Part::filled : Part::any});
  }
  return out;
}

std::pair<int, int> variant_range(const EntryContext& e, int variant) {
  const auto all = linear_classes(e);
  int first = 0;
  while (all[static_cast<std::size_t>(first)].variant != variant) first++;
  const bool split = all[static_cast<std::size_t>(first)].part != loop::Class::Part::any;
  return {first, first + (split ? 1 : 0)};
}

std::pair<int, int> class_range(const EntryContext& e, int class_index) {
  const loop::Class& c = e.entry.classes[static_cast<std::size_t>(class_index)];
  const auto [first, last] = variant_range(e, c.variant);
  if (c.part == loop::Class::Part::empty) return {first, first};
  if (c.part == loop::Class::Part::filled) return {last, last};
  return {first, last};
}

std::string class_text(const EntryContext& e, int class_index) {
  const auto [first, last] = class_range(e, class_index);
  return fmt::format("{{{}, {}}}", first, last);
}

Leaf leaf_of(const EntryContext& e, int class_index, int field) {
  const auto v =
      static_cast<std::size_t>(e.entry.classes[static_cast<std::size_t>(class_index)].variant);
  const Field& leaf = e.module().forest.variants[v].fields[static_cast<std::size_t>(field)];
  return {&leaf, leaf.column, leaf.child ? child_field(e.module().forest, leaf.column) : -1,
          e.package.names.columns[static_cast<std::size_t>(leaf.column)]};
}

std::string plan_types(const EntryContext& e) {
  LineBuffer out;
  const CountNames names = count_names(e);
  if (e.has_forest()) print_class_of(e, &out);
  LineBuffer workspace;
  print_workspace(e, names, &workspace);
  const Counted counted = {names, used_counts(workspace.text() + numbering(e) + output_copies(e))};
  print_counts(e, counted, &out);
  print_most(e, counted, &out);
  print_exact(e, counted, &out);
  return out.text() + workspace.text();
}

}  // namespace espalier::emit

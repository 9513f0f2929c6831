// An entry: its limits, its workspace, the call itself, and its results.
#include <fmt/format.h>

#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

void print_limits_of(const EntryContext& e, LineBuffer* out) {
  std::vector<std::string> values;
  for (const Limit& limit : limits(e)) values.push_back(limit.value);
  auto params = entry_params(e, true);
  const std::string all = join(values, ", ");
  for (auto& [type, name] : params)
    if (all.find(name + ".") == std::string::npos &&
        all.find("(" + name + ")") == std::string::npos)
      name.clear();
  std::string list;
  for (const auto& [type, name] : params)
    list += (list.empty() ? "" : ", ") + type + (name.empty() ? "" : " " + name);
  out->line("{} {}({}) {{", e.names.limits, e.names.limits_of, list);
  out->line("  return {{{}}};", all);
  out->line("}");
  out->line();
}

// The same pieces as the call itself takes, in the same order.
void print_workspace_bytes(const EntryContext& e, LineBuffer* out) {
  out->line("std::size_t {}({} limits, Launch) {{", e.names.workspace_bytes, e.names.limits);
  out->line("  const {}Counts most_counts = most(limits);", e.names.prefix);
  out->line("  Arena arena(nullptr);");
  if (e.has_forest()) {
    out->line("  espalier::Structure<{}Classes> tree;", e.names.prefix);
    out->line("  tree.lay_out(arena, most_counts.nodes, most_counts.edges);");
    if (wants(e).edge_first) out->line("  arena.take<std::int32_t>(most_counts.nodes + 1);");
    out->line("  const std::size_t mark = arena.used();");
    out->line(
        "  const espalier::Scratch<{}Classes> scratch(arena, most_counts.nodes, "
        "most_counts.edges);",
        e.names.prefix);
    out->line("  static_cast<void>(scratch);");
    out->line("  arena.rewind(mark);");
    if (wants(e).overlap) {
      out->line("  arena.take<espalier::Reached>(most_counts.nodes);");
      out->line("  arena.rewind(mark);");
    }
  }
  out->line("  number(arena, most_counts, nullptr);");
  out->line("  take_workspace(arena, most_counts);");
  out->line("  return arena.peak();");
  out->line("}");
  out->line();
}

void print_overlap(const EntryContext& e, LineBuffer* out) {
  const Forest& forest = e.module().forest;
  std::vector<std::string> roots;
  bool shared = false;
  for (const loop::StructureMember& member : e.entry.structure) {
    if (member.kind != loop::StructureMember::Kind::root_call) continue;
    const auto c = static_cast<std::size_t>(member.field);
    roots.push_back(
        fmt::format("    reached[in.tree.place[in.calls.{}[row]]].by(row);", e.names.columns[c]));
    for (const DataType& type : forest.types)
      shared |= type.name == e.entry.arguments.columns[c].target && type.shared;
  }
  out->line("// A node may be reached by one call only.");
  out->line(
      "Status check_overlap(const {0}Input& in, const {0}Counts& most_counts, Arena& arena) {{",
      e.names.prefix);
  out->line("  const std::size_t mark = arena.used();");
  out->line("  auto* const reached = arena.take<espalier::Reached>(most_counts.nodes);");
  out->line("  arena.rewind(mark);");
  out->line(
      "  for (std::int32_t node = 0; node < in.tree.nodes; node++) reached[node] = {-1, -1};");
  out->line("  for (std::int32_t row = 0; row < in.calls.count; row++) {");
  for (const std::string& root : roots) out->line(root);
  out->line("  }");
  out->line("  const std::int32_t node =");
  out->line("      espalier::spread_calls<{}>(in.shape, in.tree, reached);",
            shared ? "true" : "false");
  out->line("  if (node < 0) return {ok};");
  out->line("  return {overlapping_calls, node, reached[in.tree.place[node]].second};");
  out->line("}");
  out->line();
}

// linearize(): numbers the forest, on scratch memory that is given back.
void print_linearize(const EntryContext& e, LineBuffer* out) {
  out->line("// Numbers the nodes.");
  out->line(
      "Status linearize(const {0}Classes& shape, const {0}Counts& most_counts, Arena& arena, "
      "espalier::Structure<{0}Classes>* tree) {{",
      e.names.prefix);
  out->line("  const std::size_t mark = arena.used();");
  out->line(
      "  const espalier::Scratch<{}Classes> scratch(arena, most_counts.nodes, most_counts.edges);",
      e.names.prefix);
  out->line("  const espalier::Fault fault = tree->build(shape, scratch);");
  out->line("  arena.rewind(mark);");
  out->line("  if (fault) return status_of(fault);");
  out->line("  return {ok};");
  out->line("}");
  out->line();
}

void print_checks_of_call(const EntryContext& e, LineBuffer* out) {
  out->line("  if (const Status s = {}({}); s.code != ok) return s;", type_name(e, "check_all"),
            name_list(entry_params(e, true)));
  out->line("  const {} limits = {}({});", e.names.limits, e.names.limits_of,
            name_list(entry_params(e, true)));
  out->line("  const std::size_t need = {}(limits, launch);", e.names.workspace_bytes);
  out->line("  if (!workspace && need > 0) return {null_pointer};");
  out->line("  if (!espalier::aligned(workspace)) return {misaligned};");
  out->line("  if (bytes < need)");
  out->line("    return {workspace_too_small, -1, static_cast<std::int64_t>(need)};");
}

// From a checked call to what the kernels read: numbered, counted, and room for values.
void print_set_up(const EntryContext& e, LineBuffer* out) {
  const Wants want = wants(e);
  out->line("  Arena arena(workspace);");
  std::string input;
  if (e.has_forest()) {
    out->line("  const {}Classes shape = {}(forest);", e.names.prefix, type_name(e, "classes_of"));
    out->line("  const {}Counts most_counts = most(limits);", e.names.prefix);
    out->line("  espalier::Structure<{}Classes> tree;", e.names.prefix);
    out->line("  tree.lay_out(arena, most_counts.nodes, most_counts.edges);");
    if (want.edge_first)
      out->line("  auto* const edge_first = arena.take<std::int32_t>(most_counts.nodes + 1);");
    out->line(
        "  if (const Status s = linearize(shape, most_counts, arena, &tree); s.code != ok) return "
        "s;");
    if (want.edge_first) out->line("  espalier::edge_firsts(shape, tree, edge_first);");
    input = "forest, shape, tree";
  }
  if (e.has_calls()) input += input.empty() ? "calls" : ", calls";
  if (want.edge_first) input += ", edge_first";
  out->line("  const {}Input in = {{{}}};", e.names.prefix, input);
  if (want.overlap)
    out->line(
        "  if (const Status s = check_overlap(in, most_counts, arena); s.code != ok) return s;");
  out->line("  const {}Counts counts = count({});", e.names.prefix, name_list(count_params(e)));
  out->line("  const {} g = number(arena, counts, &in);", e.module().structure_type);
  out->line("  {}{} w = take_workspace(arena, counts);", e.entry.checks ? "" : "const ",
            e.module().workspace_type);
}

void print_entry(const EntryContext& e, const std::vector<CopyFunction>& copies, LineBuffer* out) {
  const std::string team = team_text(e);
  bool uses_model = names_word(team, "model");
  for (const CopyFunction& copy : copies) uses_model |= names_word(copy.call, "model");
  ParamList params = entry_params(e, false);
  if (!uses_model) params[0].second.clear();
  out->line("Status {}({}, Launch launch) {{", e.names.function, param_list(params));
  print_checks_of_call(e, out);
  out->line();
  print_set_up(e, out);
  out->line();
  out->put(team);
  for (const CopyFunction& copy : copies) out->line("  {};", copy.call);
  out->line("  return {ok};");
  out->line("}");
  out->line();
}

}  // namespace

std::string output_copies(const EntryContext& e) {
  LineBuffer out;
  std::string text;
  for (std::size_t i = 0; i < e.entry.outputs.size(); i++) text += copy_function(e, i).text;
  if (wants(e).overlap) print_overlap(e, &out);
  if (e.has_forest()) print_linearize(e, &out);
  return out.text() + text + team_functions(e);
}

std::string entry_functions(const EntryContext& e) {
  LineBuffer out;
  std::vector<CopyFunction> copies;
  for (std::size_t i = 0; i < e.entry.outputs.size(); i++) copies.push_back(copy_function(e, i));
  print_limits_of(e, &out);
  print_workspace_bytes(e, &out);
  print_entry(e, copies, &out);
  return std::move(out).text();
}

}  // namespace espalier::emit

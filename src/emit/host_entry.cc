// An entry: its limits, its workspace, the call itself, and its results.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
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
    if (!names_word(all, name)) name.clear();
  std::string list;
  for (const auto& [type, name] : params)
    list += (list.empty() ? "" : ", ") + type + (name.empty() ? "" : " " + name);
  out->line("{} {}({}) {{", e.names.limits, e.names.limits_of, list);
  out->line("  return {{{}}};", all);
  out->line("}");
  out->line();
}

// Whether a node is reached by two calls, which the entry does not allow.
std::string overlap_text(const EntryContext& e, const std::string& name) {
  const Forest& forest = e.module().forest;
  std::vector<std::string> roots;
  bool shared = false;
  for (const loop::StructureMember& member : e.entry.structure) {
    if (member.kind != loop::StructureMember::Kind::root_call) continue;
    const auto c = static_cast<std::size_t>(member.field);
    roots.push_back(
        fmt::format("    reached[in.tree.place[calls.{}[row]]].by(row);", e.names.columns[c]));
    for (const DataType& type : forest.types)
      shared |= type.name == e.entry.arguments.columns[c].target && type.shared;
  }
  LineBuffer out;
  out.line("// A node may be reached by one call only.");
  out.line("Status {}(const {}Input& in, const {}& calls, Arena& arena) {{", name, e.plan.prefix,
           e.names.calls);
  out.line("  const std::size_t mark = arena.used();");
  out.line("  auto* const reached = arena.take<espalier::Reached>(size(in.tree.nodes));");
  out.line("  arena.rewind(mark);");
  out.line("  for (std::int32_t node = 0; node < in.tree.nodes; node++) reached[node] = {-1, -1};");
  out.line("  for (std::int32_t row = 0; row < calls.count; row++) {");
  for (const std::string& root : roots) out.line(root);
  out.line("  }");
  out.line("  const std::int32_t node =");
  out.line("      espalier::spread_calls<{}>(in.shape, in.tree, reached);",
           shared ? "true" : "false");
  out.line("  if (node < 0) return {ok};");
  out.line("  return {overlapping_calls, node, reached[in.tree.place[node]].second};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

// linearize(): numbers the forest, on scratch memory that is given back.
std::string linearize_text(const EntryContext& e, const std::string& name) {
  LineBuffer out;
  const std::string& prefix = e.plan.prefix;
  out.line("// Numbers the nodes.");
  out.line("Status {0}(const {1}Classes& shape, Arena& arena, {1}Numbering* tree) {{", name,
           prefix);
  out.line("  const std::size_t nodes = size(shape.nodes);");
  out.line("  const std::size_t edges = size(espalier::edge_bound(shape));");
  out.line("  tree->lay_out(arena, nodes, edges);");
  out.line("  const std::size_t mark = arena.used();");
  out.line("  const espalier::Scratch<{}Classes> scratch(arena, nodes, edges);", prefix);
  out.line("  arena.rewind(mark);");
  out.line(
      "  if (const espalier::Fault fault = tree->build(shape, scratch)) return status_of(fault);");
  out.line("  return {ok};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

std::string items_of_calls(const EntryContext& e, int list) {
  const auto l = static_cast<std::size_t>(list);
  const int outer = e.entry.arguments.lists[l].outer;
  const std::string rows = outer < 0 ? "calls.count" : items_of_calls(e, outer);
  return "espalier::last_offset(calls." + e.names.lists[l] + ", " + rows + ")";
}

std::string pairs_of_calls(const EntryContext& e, int list) {
  for (const PairCount& p : pair_counts(e))
    if (std::count(p.lists.begin(), p.lists.end(), list) > 0) return p.total;
  throw Bug("a list of pairs that nothing counts");
}

bool widest_is_used(const EntryContext& e, int list) {
  return std::any_of(e.entry.buffers.begin(), e.entry.buffers.end(), [&](int b) {
    const loop::Extent& rows = e.module().buffer(b).rows;
    return rows.kind == loop::Extent::Kind::list_widest && rows.index == list;
  });
}

// Do lists of the calls have items by the nodes that are their roots?
bool counts_forest(const EntryContext& e) {
  for (const PairCount& p : pair_counts(e))
    if (!p.of_nodes && names_word(p.total, "forest")) return true;
  return false;
}

// count_calls(): the items of the lists of arguments.
std::string count_calls_text(const EntryContext& e, const std::string& name) {
  LineBuffer out;
  const CountNames names = count_names(e);
  const bool forest = counts_forest(e);
  out.line("void {}({}const {}& calls, {}Counts& counts) {{", name,
           forest ? "const Forest& forest, " : "", e.names.calls, e.plan.prefix);
  out.line("  counts.calls = size(calls.count);");
  for (std::size_t l = 0; l < names.lists.size(); l++) {
    const loop::ListDomain& list = e.entry.lists[l];
    if (list.class_index >= 0 || list.length >= 0) continue;
    const std::string items =
        list.like < 0 ? items_of_calls(e, list.list) : pairs_of_calls(e, static_cast<int>(l));
    out.line("  counts.{} = size({});", names.lists[l], items);
    if (widest_is_used(e, static_cast<int>(l)))
      out.line("  counts.{} = counts.{};", names.list_widest[l], names.lists[l]);
  }
  out.line("}");
  out.line();
  return std::move(out).text();
}

bool has_call_lists(const EntryContext& e) {
  return std::any_of(e.entry.lists.begin(), e.entry.lists.end(),
                     [](const loop::ListDomain& list) { return list.class_index < 0; });
}

void print_checks_of_call(const EntryContext& e, const EntryCode& code, LineBuffer* out) {
  for (const std::string& check : code.checks)
    out->line("  if (const Status s = {}; s.code != ok) return s;", check);
  for (const PairCount& p : pair_counts(e)) {
    out->line("  if (const std::int64_t pairs = {}; pairs > INT32_MAX)", p.total);
    out->line("    return {too_many_pairs, -1, pairs};");
  }
  const std::string params = name_list(entry_params(e, true));
  out->line("  const std::size_t need = {}({}({}), launch);", e.names.workspace_bytes,
            e.names.limits_of, params);
  out->line("  if (!workspace && need > 0) return {null_pointer};");
  out->line("  if (!espalier::aligned(workspace)) return {misaligned};");
  out->line("  if (bytes < need)");
  out->line("    return {workspace_too_small, -1, static_cast<std::int64_t>(need)};");
}

bool uses_input(const EntryCode& code) {
  const auto calls = {code.overlap, code.number, code.number_calls};
  return std::any_of(calls.begin(), calls.end(),
                     [](const std::string& call) { return names_word(call, "in"); });
}

bool uses_values(const EntryCode& code) {
  return names_word(code.team, "w") ||
         std::any_of(code.copies.begin(), code.copies.end(),
                     [](const std::string& copy) { return names_word(copy, "w"); });
}

// From a checked call to what the kernels read: numbered, counted, and room for values.
void print_set_up(const EntryContext& e, const EntryCode& code, LineBuffer* out) {
  const std::string& prefix = e.plan.prefix;
  out->line("  Arena arena(workspace, need);");
  if (e.has_forest()) {
    out->line("  const {}Classes shape = {{shape_of(forest)}};", prefix);
    out->line("  {}Numbering tree;", prefix);
    out->line("  if (const Status s = {}; s.code != ok) return s;", code.linearize);
    if (e.plan.edge_first) {
      out->line("  auto* const edge_first = arena.take<std::int32_t>(size(tree.nodes) + 1);");
      out->line("  espalier::edge_firsts(shape, tree, edge_first);");
    }
    if (uses_input(code))
      out->line("  const {}Input in = {{forest, shape, tree{}}};", prefix,
                e.plan.edge_first ? ", edge_first" : "");
    if (!code.overlap.empty())
      out->line("  if (const Status s = {}; s.code != ok) return s;", code.overlap);
  }
  if (e.has_forest())
    out->line("  {}{}Counts counts = count(tree, shape, forest);", e.has_calls() ? "" : "const ",
              prefix);
  else
    out->line("  {}Counts counts;", prefix);
  if (!code.count_calls.empty())
    out->line("  {};", code.count_calls);
  else if (e.has_calls())
    out->line("  counts.calls = size(calls.count);");
  out->line("  {}{} g = {};", code.number_calls.empty() ? "const " : "", e.module().structure_type,
            code.number.empty() ? "{}" : code.number);
  if (!code.number_calls.empty()) out->line("  {};", code.number_calls);
  if (!code.take_workspace.empty())
    out->line("  {}{} w = {};", e.entry.checks ? "" : "const ", e.module().workspace_type,
              code.take_workspace);
}

void print_entry(const EntryContext& e, const EntryCode& code, LineBuffer* out) {
  bool uses_model = names_word(code.team, "model");
  for (const std::string& copy : code.copies) uses_model |= names_word(copy, "model");
  ParamList params = entry_params(e, false);
  if (!uses_model) params[0].second.clear();
  out->line("Status {}({}, Launch launch) {{", e.names.function, param_list(params));
  print_checks_of_call(e, code, out);
  out->line();
  print_set_up(e, code, out);
  out->line();
  out->put(code.team);
  for (const std::string& copy : code.copies) out->line("  {};", copy);
  out->line("  return {ok};");
  out->line("}");
  out->line();
}

}  // namespace

bool wants_no_overlap(const EntryContext& e) {
  return std::any_of(e.entry.structure.begin(), e.entry.structure.end(),
                     [](const loop::StructureMember& member) {
                       return member.kind == loop::StructureMember::Kind::root_call;
                     });
}

EntryCode entry_code(const EntryContext& e, HostFunctions* functions) {
  EntryCode code;
  const std::string& entry = e.names.function;
  code.checks = call_checks(e, functions);
  if (e.has_forest()) {
    const auto text = [&](const std::string& name) { return linearize_text(e, name); };
    code.linearize = functions->add("linearize", entry, text) + "(shape, arena, &tree)";
  }
  if (wants_no_overlap(e)) {
    const auto text = [&](const std::string& name) { return overlap_text(e, name); };
    code.overlap = functions->add("check_overlap", entry, text) + "(in, calls, arena)";
  }
  add_numbering(e, functions, &code);
  for (std::size_t i = 0; i < e.entry.outputs.size(); i++)
    code.copies.push_back(add_copy(e, i, functions));
  code.team = team_text(e, functions);
  if (e.entry.checks || uses_values(code)) code.take_workspace = add_workspace(e, functions);
  if (e.has_calls() && has_call_lists(e)) {
    const auto text = [&](const std::string& name) { return count_calls_text(e, name); };
    code.count_calls = functions->add("count_calls", entry, text) +
                       (counts_forest(e) ? "(forest, calls, counts)" : "(calls, counts)");
  }
  return code;
}

std::string entry_functions(const EntryContext& e, const EntryCode& code) {
  LineBuffer out;
  print_limits_of(e, &out);
  print_entry(e, code, &out);
  return std::move(out).text();
}

}  // namespace espalier::emit

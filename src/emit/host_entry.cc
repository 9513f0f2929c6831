// An entry: its limits, its workspace, the call itself, and its results.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using loop::OutputCopy;

std::string param_list(const std::vector<std::pair<std::string, std::string>>& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(type + " " + name);
  return join(out, ", ");
}

std::string name_list(const std::vector<std::pair<std::string, std::string>>& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(name);
  return join(out, ", ");
}

// ---- Results
// -------------------------------------------------------------------------------------

// Where a buffer is reached in the host code of the entry.
std::string reach(const EntryContext& e, int buffer) {
  const loop::Buffer& b = e.module().buffer(buffer);
  switch (b.space) {
    case loop::Buffer::Space::prepared:
      return "model." + b.name;
    case loop::Buffer::Space::structure:
      return "g." + b.name;
    default:
      return "w." + b.name;
  }
}

struct RowShape {
  std::int64_t outer = 1, last = 1, elements = 1;
};
RowShape row_shape(const std::vector<std::int64_t>& shape) {
  RowShape out;
  for (std::size_t a = 0; a < shape.size(); a++)
    (a + 1 < shape.size() ? out.outer : out.last) *= shape[a];
  out.elements = out.outer * out.last;
  return out;
}

// Copies row `from` of the buffer to row `to` of the result.
std::string copy(const EntryContext& e, const OutputCopy& output, const std::string& result,
                 const std::string& from, const std::string& to) {
  const loop::Buffer& b = e.module().buffer(output.buffer);
  const RowShape row = row_shape(b.shape);
  const std::string source = reach(e, output.buffer);
  const std::string to_half = output.dtype == Dtype::f16 ? "espalier::to_f16" : "espalier::to_bf16";
  const bool half = output.dtype == Dtype::f16 || output.dtype == Dtype::bf16;
  if (row.elements == 1 && b.stride == 1) {
    const std::string value = source + "[" + from + "]";
    if (half) return fmt::format("out.{}[{}] = {}({});", result, to, to_half, value);
    return fmt::format("out.{}[{}] = static_cast<{}>({});", result, to, memory_type(output.dtype),
                       value);
  }
  return fmt::format("espalier::{}_row({} + {} * {}, {}, out.{} + {} * {}, {}, {}, {}{});",
                     half ? "convert" : "copy", source, from, b.stride, b.inner, result, to,
                     row.elements, row.last, row.outer, row.last, half ? ", " + to_half : "");
}

// The rows of a data type in the input's order, each from its node's or zeros.
void print_node_rows(const EntryContext& e, const OutputCopy& output, const std::string& result,
                     LineBuffer* out) {
  const Forest& forest = e.module().forest;
  const auto elements = row_shape(e.module().buffer(output.buffer).shape).elements;
  bool all_variants = true, all_classes = true;
  for (const Variant& variant : forest.variants) all_variants &= variant.type == output.type;
  const auto linear = linear_classes(e);
  for (int kind = 0; kind < static_cast<int>(linear.size()); kind++) {
    const auto v = static_cast<std::size_t>(linear[static_cast<std::size_t>(kind)].variant);
    if (forest.variants[v].type != output.type) continue;
    all_classes &= std::any_of(output.classes.begin(), output.classes.end(), [&](int c) {
      const auto [first, last] = class_range(e, c);
      return first <= kind && kind <= last;
    });
  }
  out->line("  std::size_t row = 0;");
  out->line("  for (std::int32_t original = 0; original < tree.nodes; original++) {");
  if (!all_variants) {
    out->line("    const auto of_type = {};", has_variant(e.package, "node", [&](const Variant& v) {
                return v.type == output.type;
              }));
    out->line("    if (!of_type(original)) continue;");
  }
  out->line("    const std::size_t node = size(tree.place[original]);");
  if (!all_classes) {
    std::vector<std::string> tests;
    for (const int c : output.classes) {
      const auto [first, last] = class_range(e, c);
      for (int kind = first; kind <= last; kind++)
        tests.push_back("kind == " + std::to_string(kind));
    }
    out->line(
        "    const int kind = shape.class_of(original, {}, tree.place[original] < tree.leaves());",
        forest.variants.size() > 1 ? "shape.variant[original]" : "0");
    out->line("    if ({}) {{", tests.empty() ? "false" : join(tests, " || "));
    out->line("      {}", copy(e, output, result, "node", "row"));
    out->line("    } else {");
    out->line("      espalier::clear_row(out.{} + row * {}, {});", result, elements, elements);
    out->line("    }");
  } else {
    out->line("    {}", copy(e, output, result, "node", "row"));
  }
  out->line("    row++;");
  out->line("  }");
}

// The number of rows of a result that has a row per call, item, or node of a type.
std::string result_rows(const EntryContext& e, const OutputCopy& output) {
  if (output.rows == OutputCopy::Rows::calls) return "size(calls.count)";
  if (output.rows == OutputCopy::Rows::nodes) return "size(tree.nodes)";
  if (output.length >= 0) return fmt::format("size(calls.count) * {}", output.length);
  const CountNames names = count_names(e);
  return "counts." + names.lists[static_cast<std::size_t>(output.list)];
}

void print_offsets(const EntryContext& e, const OutputCopy& output, const std::string& offsets,
                   LineBuffer* out) {
  std::string value = fmt::format("static_cast<std::int32_t>(call * {})", output.length);
  if (output.length < 0) {
    const loop::ListDomain& list = e.entry.lists[static_cast<std::size_t>(output.list)];
    require(list.class_index < 0 && list.over < 0, "ragged rows over something else than calls");
    const std::string first = "calls." + e.names.lists[static_cast<std::size_t>(list.list)];
    value = "call == 0 ? 0 : " + first + "[call]";
  }
  out->line("  for (std::size_t call = 0; out.{} && call <= size(calls.count); call++)", offsets);
  out->line("    out.{}[call] = {};", offsets, value);
}

std::vector<std::pair<std::string, std::string>> copy_params(const EntryContext& e) {
  std::vector<std::pair<std::string, std::string>> out = {{"const Model&", "model"}};
  if (e.has_forest()) {
    out.emplace_back("const espalier::Structure<" + e.type("Classes") + ">&", "tree");
    out.emplace_back("const " + e.type("Classes") + "&", "shape");
    out.emplace_back("const Forest&", "forest");
  }
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  out.emplace_back("const " + e.type("Counts") + "&", "counts");
  out.emplace_back("const " + e.entry.structure_type + "&", "g");
  out.emplace_back("const " + e.entry.workspace_type + "&", "w");
  out.emplace_back("const " + e.names.outputs + "&", "out");
  return out;
}

// Those of the parameters that `body` names.
std::vector<std::pair<std::string, std::string>> used_params(
    const std::vector<std::pair<std::string, std::string>>& params, const std::string& body) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& param : params) {
    for (auto at = body.find(param.second + "."); at != std::string::npos;
         at = body.find(param.second + ".", at + 1))
      if (at == 0 || !(std::isalnum(static_cast<unsigned char>(body[at - 1])) ||
                       body[at - 1] == '_' || body[at - 1] == '.')) {
        out.push_back(param);
        break;
      }
  }
  return out;
}

struct CopyFunction {
  std::string text, call;
};

CopyFunction copy_function(const EntryContext& e, std::size_t index) {
  const OutputCopy& output = e.entry.outputs[index];
  const std::string& result = e.names.results[index];
  LineBuffer body;
  if (!e.names.offsets[index].empty()) print_offsets(e, output, e.names.offsets[index], &body);
  body.line("  if (!out.{}) return;", result);
  if (output.from == OutputCopy::From::all) {
    print_node_rows(e, output, result, &body);
  } else {
    body.line("  const std::size_t rows = {};", result_rows(e, output));
    body.line("  for (std::size_t row = 0; row < rows; row++)");
    body.line("    {}",
              copy(e, output, result, output.from == OutputCopy::From::one ? "0" : "row", "row"));
  }
  const auto params = used_params(copy_params(e), body.text());
  const std::string name = type_name(e, "copy_" + result);
  return {fmt::format("void {}({}) {{\n{}}}\n\n", name, param_list(params), body.text()),
          fmt::format("{}({})", name, name_list(params))};
}

// ---- The call
// ------------------------------------------------------------------------------------

const loop::Function& kernel(const EntryContext& e, const std::string& name) {
  for (const loop::Function& f : e.module().functions)
    if (f.name == name) return f;
  throw Bug("a kernel of an entry is missing");
}

// The host's variable for a kernel's parameter.
std::string argument(const loop::Param& param) { return param.name == "m" ? "model" : param.name; }

void print_team(const EntryContext& e, LineBuffer* out) {
  if (e.entry.kernels.empty()) return;
  std::string body;
  for (std::size_t k = 0; k < e.entry.kernels.size(); k++) {
    if (k > 0) {
      body += "    barrier.wait();\n";
      if (e.entry.checks) body += "    if (failed(w, members)) return;\n";
    }
    std::vector<std::string> arguments;
    for (const loop::Param& param : kernel(e, e.entry.kernels[k]).params)
      arguments.push_back(argument(param));
    body += "    " + e.entry.kernels[k] + "(" + join(arguments, ", ") + ");\n";
  }
  const auto uses = [&](const std::string& word) { return body.find(word) != std::string::npos; };
  if (e.entry.checks) {
    out->line("  Failure failures[espalier::max_threads] = {};");
    out->line("  w.failure = failures;");
  }
  out->line("  espalier::run_team(launch.threads, [&](espalier::Barrier&{}, int{}, int{}) {{",
            uses("barrier") ? " barrier" : "", uses("member,") || uses("member)") ? " member" : "",
            uses("members") ? " members" : "");
  if (!body.empty()) body.pop_back();
  out->line(body);
  out->line("  });");
  if (e.entry.checks)
    out->line(
        "  if (const Status s = first_failure(w, espalier::max_threads); s.code != ok) return s;");
}

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
    if (wants(e).unshared) out->line("  arena.take<std::uint8_t>(most_counts.nodes);");
    out->line("  arena.rewind(mark);");
    if (wants(e).overlap) {
      out->line("  arena.take<std::int32_t>(most_counts.nodes);");
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
  std::string column;
  for (const loop::StructureMember& member : e.entry.structure)
    if (member.kind == loop::StructureMember::Kind::root_call)
      column = e.names.columns[static_cast<std::size_t>(member.field)];
  out->line("// A node may be reached by one call only.");
  out->line("Status check_overlap(const {0}Input& in, std::int32_t* call) {{", e.names.prefix);
  out->line("  for (std::int32_t node = 0; node < in.tree.nodes; node++) call[node] = -1;");
  out->line("  for (std::int32_t row = 0; row < in.calls.count; row++) {");
  out->line("    const std::int32_t root = in.calls.{}[row];", column);
  out->line("    if (call[in.tree.place[root]] >= 0) return {overlapping_calls, root, row};");
  out->line("    call[in.tree.place[root]] = row;");
  out->line("  }");
  out->line("  const std::int32_t node = espalier::spread_calls(in.shape, in.tree, call);");
  out->line("  if (node < 0) return {ok};");
  out->line("  return {overlapping_calls, node, call[in.tree.place[node]]};");
  out->line("}");
  out->line();
}

// linearize(): numbers the forest, on scratch memory that is given back.
void print_linearize(const EntryContext& e, LineBuffer* out) {
  const Wants want = wants(e);
  out->line("// Numbers the nodes.");
  out->line(
      "Status linearize(const {0}Classes& shape, const {0}Counts& most_counts, Arena& arena, "
      "espalier::Structure<{0}Classes>* tree) {{",
      e.names.prefix);
  out->line("  const std::size_t mark = arena.used();");
  out->line(
      "  const espalier::Scratch<{}Classes> scratch(arena, most_counts.nodes, most_counts.edges);",
      e.names.prefix);
  if (want.unshared) out->line("  auto* const seen = arena.take<std::uint8_t>(most_counts.nodes);");
  out->line("  const espalier::Fault fault = tree->build(shape, scratch);");
  out->line("  arena.rewind(mark);");
  out->line("  if (fault) return status_of(fault);");
  if (want.unshared) {
    std::vector<std::string> unshared;
    const Forest& forest = e.module().forest;
    out->line("  const auto unshared = [&](std::int32_t node) {");
    for (std::size_t v = 0; v < forest.variants.size(); v++)
      for (const DataType& type : forest.types)
        if (!type.shared && type.name == forest.variants[v].type)
          unshared.push_back("shape.variant[node] == " + e.package.names.variants[v]);
    out->line("    return {};", join(unshared, " || "));
    out->line("  };");
    out->line(
        "  if (const std::int32_t node = espalier::first_shared(shape, seen, unshared); node >= "
        "0)");
    out->line("    return {shared_node, node};");
  }
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

void print_entry(const EntryContext& e, const std::vector<CopyFunction>& copies, LineBuffer* out) {
  const Wants want = wants(e);
  LineBuffer team;
  print_team(e, &team);
  bool uses_model = team.text().find("model") != std::string::npos;
  for (const CopyFunction& copy : copies)
    uses_model |= copy.call.find("model") != std::string::npos;
  auto params = entry_params(e, false);
  std::string list = param_list(params);
  if (!uses_model) list = "const Model&" + list.substr(std::string("const Model& model").size());
  out->line("Status {}({}, Launch launch) {{", e.names.function, list);
  print_checks_of_call(e, out);
  out->line();
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
  if (want.overlap) {
    out->line("  const std::size_t mark = arena.used();");
    out->line(
        "  if (const Status s = check_overlap(in, arena.take<std::int32_t>(most_counts.nodes)); "
        "s.code != ok) return s;");
    out->line("  arena.rewind(mark);");
  }
  out->line("  const {}Counts counts = count({});", e.names.prefix, name_list(count_params(e)));
  const std::string team_text = team.text();
  out->line("  const {} g = number(arena, counts, &in);", e.entry.structure_type);
  out->line("  {}{} w = take_workspace(arena, counts);", e.entry.checks ? "" : "const ",
            e.entry.workspace_type);
  out->line();
  if (!team_text.empty()) out->line(team_text.substr(0, team_text.size() - 1));
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
  return out.text() + text;
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

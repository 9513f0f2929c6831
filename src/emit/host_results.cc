// The results of an entry, copied to where the caller wants them.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using loop::OutputCopy;

// Where a buffer is reached in the host code of the entry.
std::string reach(const EntryContext& e, int buffer) {
  const loop::Buffer& b = e.module().buffer(buffer);
  switch (b.space) {
    case loop::Buffer::Space::prepared: return "model." + b.name;
    case loop::Buffer::Space::structure: return "g." + b.name;
    default: return "w." + b.name;
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

// Whether each node of the data type is of a class that the result has rows of.
bool has_all_classes(const EntryContext& e, const OutputCopy& output) {
  const auto& linear = e.plan.linear;
  for (int kind = 0; kind < static_cast<int>(linear.size()); kind++) {
    const auto v = static_cast<std::size_t>(linear[static_cast<std::size_t>(kind)].variant);
    if (e.module().forest.variants[v].type != output.type) continue;
    if (std::none_of(output.classes.begin(), output.classes.end(), [&](int c) {
          const auto [first, last] =
              class_range(e.plan, e.entry.classes[static_cast<std::size_t>(c)]);
          return first <= kind && kind <= last;
        }))
      return false;
  }
  return true;
}

// "kind == 0 || kind == 2": whether a node is of a class that the result has rows of.
std::string class_test(const EntryContext& e, const OutputCopy& output) {
  std::vector<std::string> tests;
  for (const int c : output.classes) {
    const auto [first, last] = class_range(e.plan, e.entry.classes[static_cast<std::size_t>(c)]);
    for (int kind = first; kind <= last; kind++) tests.push_back("kind == " + std::to_string(kind));
  }
  return tests.empty() ? "false" : join(tests, " || ");
}

// The rows of a data type in the input's order, each from its node's or zeros.
void print_node_rows(const EntryContext& e, const OutputCopy& output, const std::string& result,
                     LineBuffer* out) {
  const auto& variants = e.module().forest.variants;
  const auto elements = row_shape(e.module().buffer(output.buffer).shape).elements;
  const auto of_type = [&](const Variant& v) { return v.type == output.type; };
  out->line("  std::size_t row = 0;");
  if (!std::all_of(variants.begin(), variants.end(), of_type)) {
    out->line("  const auto of_type = {};", has_variant(e.package, "node", of_type));
    out->line("  for (std::int32_t original = 0; original < tree.nodes; original++) {");
    out->line("    if (!of_type(original)) continue;");
  } else {
    out->line("  for (std::int32_t original = 0; original < tree.nodes; original++) {");
  }
  out->line("    const std::size_t node = size(tree.place[original]);");
  if (has_all_classes(e, output)) {
    out->line("    {}", copy(e, output, result, "node", "row"));
  } else {
    out->line(
        "    const int kind = shape.class_of(original, {}, tree.place[original] < tree.leaves());",
        variants.size() > 1 ? "shape.variant_at(original)" : "0");
    out->line("    if ({})", class_test(e, output));
    out->line("      {}", copy(e, output, result, "node", "row"));
    out->line("    else");
    out->line("      espalier::clear_row(out.{} + row * {}, {});", result, elements, elements);
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

std::string first_array(const EntryContext& e, int list) {
  for (const loop::StructureMember& member : e.entry.structure)
    if (member.kind == loop::StructureMember::Kind::list_first && member.list == list)
      return member.name;
  throw Bug("a result without its offsets");
}

void print_offsets(const EntryContext& e, const OutputCopy& output, const std::string& offsets,
                   LineBuffer* out) {
  std::string value = fmt::format("static_cast<std::int32_t>(call * {})", output.length);
  if (output.length < 0) {
    const loop::ListDomain& list = e.entry.lists[static_cast<std::size_t>(output.list)];
    require(list.class_index < 0 && list.over < 0, "ragged rows over something else than calls");
    const std::string first = list.like < 0
                                  ? "calls." + e.names.lists[static_cast<std::size_t>(list.list)]
                                  : "g." + first_array(e, output.list);
    value = "call == 0 ? 0 : " + first + "[call]";
  }
  out->line("  for (std::size_t call = 0; out.{} && call <= size(calls.count); call++)", offsets);
  out->line("    out.{}[call] = {};", offsets, value);
}

ParamList copy_params(const EntryContext& e) {
  ParamList out = {{"const Model&", "model"}};
  if (e.has_forest()) {
    out.emplace_back("const " + e.type("Numbering") + "&", "tree");
    out.emplace_back("const " + e.type("Classes") + "&", "shape");
    out.emplace_back("const Forest&", "forest");
  }
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  out.emplace_back("const " + e.type("Counts") + "&", "counts");
  out.emplace_back("const " + e.module().structure_type + "&", "g");
  out.emplace_back("const " + e.module().workspace_type + "&", "w");
  out.emplace_back("const " + e.names.outputs + "&", "out");
  return out;
}

}  // namespace

std::string add_copy(const EntryContext& e, std::size_t index, HostFunctions* functions) {
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
  const std::string name =
      functions->add("copy_" + result, e.names.function, [&](const std::string& as) {
        return fmt::format("void {}({}) {{\n{}}}\n\n", as, param_list(params), body.text());
      });
  return fmt::format("{}({})", name, name_list(params));
}

}  // namespace espalier::emit

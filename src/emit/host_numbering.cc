// The structure's arrays: the forest and the arguments in the order of the kernels.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;
using loop::StructureMember;

// Prints one member's part of fill_structure().
class MemberPrinter {
 public:
  MemberPrinter(const EntryContext& e, const StructureMember& member)
      : e_(e), counts_(count_names(e)), m_(member) {}

  std::string print() {
    switch (m_.kind) {
      case Kind::levels:
        number("counts.levels");
        break;
      case Kind::nodes:
        number("counts.nodes");
        break;
      case Kind::calls:
        number("counts.calls");
        break;
      case Kind::edge_count:
        number("counts.edges");
        break;
      case Kind::class_count:
        number("counts." + class_name());
        break;
      case Kind::original:
        assign("in ? in->tree.order : nullptr");
        break;
      case Kind::level_first:
        level_first();
        break;
      case Kind::variant:
        variant();
        break;
      case Kind::local:
        local();
        break;
      case Kind::class_first:
        class_first();
        break;
      case Kind::class_place:
        class_place();
        break;
      case Kind::place:
        of_class("into[k] = node;");
        break;
      case Kind::child:
        child();
        break;
      case Kind::payload:
        payload();
        break;
      case Kind::slot:
        slot();
        break;
      case Kind::list_first:
        list_first();
        break;
      case Kind::list_owner:
        list_owner();
        break;
      case Kind::parent_edge:
        array("counts.nodes", "if (in) espalier::parent_edges(in->shape, in->tree, into);");
        break;
      case Kind::in_first:
        entering();
        break;
      case Kind::in_owner:
      case Kind::in_edge:
        break;  // with in_first
      case Kind::root_call:
        root_call();
        break;
      case Kind::root:
        root();
        break;
      case Kind::argument:
        argument();
        break;
    }
    return std::move(out_).text();
  }

 private:
  void number(const std::string& value) {
    out_.line("  g.{} = static_cast<std::int32_t>({});", m_.name, value);
  }
  void assign(const std::string& value) { out_.line("  g.{} = {};", m_.name, value); }

  std::string type() const { return m_.buffer < 0 ? "std::int32_t" : memory_type(buffer().dtype); }
  const loop::Buffer& buffer() const { return e_.module().buffer(m_.buffer); }
  std::string class_name() const { return counts_.classes[static_cast<std::size_t>(m_.index)]; }
  std::string item_count() const {
    return "counts." + counts_.lists[static_cast<std::size_t>(m_.list)];
  }
  const loop::ListDomain& list() const { return e_.entry.lists[static_cast<std::size_t>(m_.list)]; }

  void array(const std::string& rows, const std::string& fill, std::int64_t stride = 1) {
    out_.line("  {");
    out_.line("    auto* const into = arena.take<{}>({}{});", type(), rows,
              stride == 1 ? "" : ", " + std::to_string(stride));
    out_.line("    g.{} = into;", m_.name);
    const auto scope1 = out_.indent();
    const auto scope2 = out_.indent();
    if (!fill.empty()) out_.line(fill);
  }

  // fill: a statement that sets into[k] of node `node`.
  void of_class(const std::string& fill) {
    array("counts." + class_name(),
          fmt::format("if (in)\n  espalier::each_of_class(in->tree, {}, [&](std::int32_t k, "
                      "std::int32_t node) {{ {} }});",
                      class_text(e_, m_.index), fill));
  }

  void variant() {
    array("counts.nodes",
          e_.module().forest.variants.size() == 1
              ? "for (std::size_t node = 0; in && node < counts.nodes; node++) into[node] = 0;"
              : "for (std::size_t node = 0; in && node < counts.nodes; node++)\n"
                "  into[node] = in->shape.variant[in->tree.order[node]];");
  }
  void local() {
    std::string fill;
    for (int v = 0; v < static_cast<int>(e_.module().forest.variants.size()); v++) {
      const auto [first, last] = variant_range(e_, v);
      fill += fmt::format(
          "{}if (in)\n  espalier::each_of_class(in->tree, {{{}, {}}}, [&](std::int32_t k, "
          "std::int32_t node) {{ into[node] = k; }});",
          v ? "\n" : "", first, last);
    }
    array("counts.nodes", fill);
  }

  void level_first() {
    array("counts.levels + 1",
          "for (std::int32_t level = 0; in && level < in->tree.levels; level++)\n"
          "  into[level] = in->tree.begin(level, 0);\n"
          "if (in) into[in->tree.levels] = in->tree.nodes;");
  }
  void class_first() {
    array("counts.levels + 1", fmt::format("if (in) espalier::class_firsts(in->tree, {}, into);",
                                           class_text(e_, m_.index)));
  }
  void class_place() {
    array("counts.levels",
          fmt::format("for (std::int32_t level = 0; in && level < in->tree.levels; level++)\n"
                      "  into[level] = in->tree.begin(level, {});",
                      class_range(e_, m_.index).first));
  }

  std::string forest_first() const {
    return "in->forest." + e_.package.names.lists[static_cast<std::size_t>(list().list)];
  }

  // A loop over the items of the class's nodes: `item` counts them, `i` is one in the user's
  // arrays.
  void of_items(const std::string& fill, std::int64_t stride = 1) {
    array(item_count(),
          fmt::format(
              "std::size_t item = 0;\n"
              "if (in)\n"
              "  espalier::each_of_class(in->tree, {0}, [&](std::int32_t, std::int32_t node) {{\n"
              "    const std::int32_t* const first = {1} + in->tree.order[node];\n"
              "    for (std::int32_t i = first[0]; i < first[1]; i++, item++) {{\n"
              "      {2}\n"
              "    }}\n"
              "  }});",
              class_text(e_, list().class_index), forest_first(), fill),
          stride);
  }

  void child() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    if (m_.list < 0)
      of_class(fmt::format("into[k] = in->tree.edges[{}].child[node];", leaf.child_field));
    else if (only_owner(leaf.column))
      assign(fmt::format("in ? in->tree.edges[{}].child : nullptr", leaf.child_field));
    else
      of_items(fmt::format("into[item] = in->tree.place[in->forest.{}[i]];", leaf.name));
  }

  // Whether all items of a child column belong to nodes of this one class.
  bool only_owner(int column) const {
    const auto& variants = e_.module().forest.variants;
    const bool one_variant = std::count_if(variants.begin(), variants.end(), [&](const Variant& v) {
                               return has_column(v, column);
                             }) == 1;
    return one_variant && e_.entry.classes[static_cast<std::size_t>(list().class_index)].part !=
                              loop::Class::Part::empty;
  }

  // Copies row `from` of a column to row `to` of the array.
  std::string copy(const std::string& column, const Field& field, const std::string& from,
                   const std::string& to) const {
    const loop::Buffer& b = buffer();
    std::int64_t outer = 1, last = 1;
    for (std::size_t a = 0; a < field.shape.size(); a++)
      (a + 1 < field.shape.size() ? outer : last) *= field.shape[a];
    const std::string convert = field.dtype == b.dtype       ? ""
                                : field.dtype == Dtype::f16  ? "espalier::from_f16"
                                : field.dtype == Dtype::bf16 ? "espalier::from_bf16"
                                                             : "static_cast<" + type() + ">";
    if (outer * last == 1 && b.stride == 1)
      return convert.empty() ? fmt::format("into[{}] = {}[{}];", to, column, from)
                             : fmt::format("into[{}] = {}({}[{}]);", to, convert, column, from);
    const bool half = convert.starts_with("espalier");
    return fmt::format(
        "espalier::{0}_row({1} + size({2}) * {3}, {4}, into + size({5}) * {6}, {7}, {8}, {4}{9});",
        half ? "convert" : "copy", column, from, outer * last, last, to, b.stride, b.inner, outer,
        half ? ", " + convert : "");
  }

  void payload() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    const std::string column = "in->forest." + leaf.name;
    if (m_.list >= 0) return of_items(copy(column, *leaf.field, "i", "item"), buffer().stride);
    array("counts." + class_name(),
          fmt::format("if (in)\n  espalier::each_of_class(in->tree, {}, [&](std::int32_t k, "
                      "std::int32_t node) {{\n    {}\n  }});",
                      class_text(e_, m_.index),
                      copy(column, *leaf.field, "in->tree.order[node]", "k")),
          buffer().stride);
  }

  // Edges of a node are numbered by column; so those of this one come after those of earlier ones.
  std::string edges_before(int class_index, int column) const {
    const Forest& forest = e_.module().forest;
    const auto v =
        static_cast<std::size_t>(e_.entry.classes[static_cast<std::size_t>(class_index)].variant);
    int single = 0;
    std::string text;
    for (const ChildColumn& other : child_columns(forest)) {
      if (other.column >= column || !has_column(forest.variants[v], other.column)) continue;
      if (other.list < 0) {
        single++;
        continue;
      }
      const std::string first =
          "in->forest." + e_.package.names.lists[static_cast<std::size_t>(other.list)];
      text += fmt::format(" + {0}[in->tree.order[node] + 1] - {0}[in->tree.order[node]]", first);
    }
    return single ? text + " + " + std::to_string(single) : text;
  }

  void slot() {
    const int c = m_.list < 0 ? m_.index : list().class_index;
    const Leaf leaf = leaf_of(e_, c, m_.field);
    const std::string base = "in->edge_first[node]" + edges_before(c, leaf.column);
    if (m_.list < 0) return of_class("into[k] = " + base + ";");
    of_items("into[item] = " + base + " + (i - first[0]);");
  }

  std::string call_rows(const loop::ListDomain& l) const {
    return l.over < 0 ? "counts.calls"
                      : "counts." + counts_.lists[static_cast<std::size_t>(l.over)];
  }
  std::string call_first() const {
    return "in->calls." + e_.names.lists[static_cast<std::size_t>(list().list)];
  }

  void list_first() {
    if (list().class_index < 0)
      return array(call_rows(list()) + " + 1",
                   fmt::format("if (in) into[0] = 0;\n"
                               "for (std::size_t row = 1; in && row <= {}; row++)\n"
                               "  into[row] = {}[row];",
                               call_rows(list()), call_first()));
    const std::string name = counts_.classes[static_cast<std::size_t>(list().class_index)];
    array("counts." + name + " + 1",
          fmt::format(
              "if (in) into[0] = 0;\n"
              "if (in)\n"
              "  espalier::each_of_class(in->tree, {}, [&](std::int32_t k, std::int32_t node) {{\n"
              "    const std::int32_t* const first = {} + in->tree.order[node];\n"
              "    into[k + 1] = into[k] + first[1] - first[0];\n"
              "  }});",
              class_text(e_, list().class_index), forest_first()));
  }

  void list_owner() {
    if (list().class_index < 0)
      return array(item_count(),
                   fmt::format("for (std::size_t row = 0; in && row < {0}; row++)\n"
                               "  for (std::int32_t i = {1}[row]; i < {1}[row + 1]; i++)\n"
                               "    into[i] = static_cast<std::int32_t>(row);",
                               call_rows(list()), call_first()));
    array(item_count(),
          fmt::format(
              "std::size_t item = 0;\n"
              "if (in)\n"
              "  espalier::each_of_class(in->tree, {}, [&](std::int32_t k, std::int32_t node) {{\n"
              "    const std::int32_t* const first = {} + in->tree.order[node];\n"
              "    for (std::int32_t i = first[0]; i < first[1]; i++) into[item++] = k;\n"
              "  }});",
              class_text(e_, list().class_index), forest_first()));
  }

  std::string member_of(Kind kind) const {
    for (const StructureMember& other : e_.entry.structure)
      if (other.kind == kind) return other.name;
    return "";
  }

  // in_first, in_edge and in_owner are made together.
  void entering() {
    const std::string edge = member_of(Kind::in_edge), owner = member_of(Kind::in_owner);
    std::string fill = "auto* const edge = arena.take<std::int32_t>(counts.edges);\n";
    if (!edge.empty()) fill += "g." + edge + " = edge;\n";
    fill += "if (in) espalier::entering_edges(in->shape, in->tree, into, edge);\n";
    if (!owner.empty())
      fill += "auto* const owner = arena.take<std::int32_t>(counts.edges);\ng." + owner +
              " = owner;\n"
              "for (std::int32_t node = 0; in && node < in->tree.nodes; node++)\n"
              "  for (std::int32_t i = into[node]; i < into[node + 1]; i++) owner[i] = node;\n";
    fill.pop_back();
    array("counts.nodes + 1", fill);
  }

  std::string argument_name() const { return e_.names.columns[static_cast<std::size_t>(m_.field)]; }
  const Field& argument_field() const {
    return e_.entry.arguments.columns[static_cast<std::size_t>(m_.field)];
  }

  void root_call() {
    array("counts.nodes",
          fmt::format(
              "for (std::size_t node = 0; in && node < counts.nodes; node++) into[node] = -1;\n"
              "for (std::int32_t call = 0; in && call < in->calls.count; call++)\n"
              "  into[in->tree.place[in->calls.{}[call]]] = call;",
              argument_name()));
  }

  void root() {
    const std::string rows = m_.list < 0 ? "counts.calls" : item_count();
    array(rows, fmt::format("for (std::size_t row = 0; in && row < {}; row++)\n"
                            "  into[row] = in->tree.place[in->calls.{}[row]];",
                            rows, argument_name()));
  }

  void argument() {
    const Field& field = argument_field();
    const loop::Buffer& b = buffer();
    std::int64_t elements = 1;
    for (const std::int64_t n : field.shape) elements *= n;
    const std::int64_t last = field.shape.empty() ? 1 : field.shape.back();
    const bool dense = b.stride == elements && (field.shape.size() < 2 || b.inner == last);
    if (field.dtype == b.dtype && dense)
      return assign("in ? in->calls." + argument_name() + " : nullptr");
    const std::string rows = m_.list < 0 ? "counts.calls" : item_count();
    array(rows,
          fmt::format("for (std::size_t row = 0; in && row < {}; row++)\n  {}", rows,
                      copy("in->calls." + argument_name(), field, "row", "row")),
          b.stride);
  }

  const EntryContext& e_;
  CountNames counts_;
  const StructureMember& m_;
  LineBuffer out_;
};

std::string finish(std::string text) {
  // An array's block was opened: close it.
  if (text.starts_with("  {\n")) text += "  }\n";
  return text;
}

void print_input(const EntryContext& e, LineBuffer* out) {
  out->line("// What there is to number; null where only room is counted.");
  out->line("struct {}Input {{", e.names.prefix);
  if (e.has_forest()) {
    out->line("  const Forest& forest;");
    out->line("  const {}Classes& shape;", e.names.prefix);
    out->line("  const espalier::Structure<{}Classes>& tree;", e.names.prefix);
  }
  if (e.has_calls()) out->line("  const {}& calls;", e.names.calls);
  if (wants(e).edge_first) out->line("  const std::int32_t* edge_first;");
  out->line("};");
  out->line();
}

}  // namespace

std::string numbering(const EntryContext& e) {
  constexpr int most_lines = 56;
  LineBuffer out;
  print_input(e, &out);
  std::vector<std::string> pieces(1);
  for (const StructureMember& member : e.entry.structure) {
    const std::string text = finish(MemberPrinter(e, member).print());
    const auto lines = std::count(pieces.back().begin(), pieces.back().end(), '\n') +
                       std::count(text.begin(), text.end(), '\n');
    if (lines > most_lines) pieces.emplace_back();
    pieces.back() += text;
  }
  std::vector<std::string> calls;
  for (std::size_t i = 0; i < pieces.size(); i++) {
    const std::string name =
        pieces.size() == 1 ? "fill_structure" : fmt::format("fill_structure_{}", i + 1);
    const std::string& text = pieces[i];
    const auto uses = [&](const char* word) { return text.find(word) != std::string::npos; };
    out.line("void {}(Arena&{}, const {}Counts&{}, const {}Input*{}, {}& g) {{", name,
             uses("arena.") ? " arena" : "", e.names.prefix, uses("counts.") ? " counts" : "",
             e.names.prefix, uses("in ") || uses("in->") || uses("(in)") ? " in" : "",
             e.entry.structure_type);
    std::string body = text;
    if (!body.empty()) body.pop_back();
    if (body.empty()) body = "  (void)g;";
    out.line(body);
    out.line("}");
    out.line();
    calls.push_back(name);
  }
  out.line("{0} number(Arena& arena, const {1}Counts& counts, const {1}Input* in) {{",
           e.entry.structure_type, e.names.prefix);
  out.line("  {} g = {{}};", e.entry.structure_type);
  for (const std::string& call : calls) out.line("  {}(arena, counts, in, g);", call);
  out.line("  return g;");
  out.line("}");
  out.line();
  return std::move(out).text();
}

}  // namespace espalier::emit

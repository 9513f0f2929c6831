// The classes by which the linearizer numbers nodes.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;

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

// The class of a node of each variant: "0", or "leaf ? 0 : 1".
struct ClassValues {
  std::vector<std::string> values;
  bool uses_leaf = false, uses_node = false;
};

ClassValues class_values(const EntryContext& e) {
  const Forest& forest = e.module().forest;
  ClassValues out;
  for (std::size_t v = 0; v < forest.variants.size(); v++) {
    const auto [first, last] = variant_range(e, static_cast<int>(v));
    std::string value = std::to_string(first);
    if (last > first) {
      const std::string test = empty_test(e, forest.variants[v]);
      (test == "leaf" ? out.uses_leaf : out.uses_node) = true;
      value = fmt::format("{} ? {} : {}", test, first, last);
    }
    out.values.push_back(value);
  }
  return out;
}

void print_class_of(const ClassValues& classes, LineBuffer* out) {
  const auto& [values, uses_leaf, uses_node] = classes;
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
}

}  // namespace

std::string type_name(const EntryContext& e, const std::string& what) {
  return e.names.prefix.empty() ? what : what + "_" + e.names.function;
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
    out.edge_first |= e.module().buffer(b).rows.kind == loop::Extent::Kind::edges;
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

std::vector<std::string> class_names(const EntryContext& e) {
  Names names;
  for (const char* member : {"variants", "fields", "shared", "parents", "field", "has", "nodes",
                             "variant", "children", "classes", "forest", "class_of"})
    names.reserve(member);
  std::vector<std::string> out;
  for (const loop::Class& c : e.entry.classes) out.push_back(names.unique(c.name));
  return out;
}

std::string class_text(const EntryContext& e, int class_index) {
  return e.type("Classes::") + class_names(e)[static_cast<std::size_t>(class_index)];
}

Leaf leaf_of(const EntryContext& e, int class_index, int field) {
  const auto v =
      static_cast<std::size_t>(e.entry.classes[static_cast<std::size_t>(class_index)].variant);
  const Field& leaf = e.module().forest.variants[v].fields[static_cast<std::size_t>(field)];
  return {&leaf, leaf.column, leaf.child ? child_field(e.module().forest, leaf.column) : -1,
          e.package.names.columns[static_cast<std::size_t>(leaf.column)]};
}

std::string classes_text(const EntryContext& e) {
  LineBuffer out;
  const ClassValues classes = class_values(e);
  const std::vector<std::string> names = class_names(e);
  out.line("// By what {}() tells nodes apart.", e.names.function);
  out.line("struct {0}Classes : Shape {{", e.names.prefix);
  out.line("  static constexpr int classes = {};", linear_classes(e).size());
  for (std::size_t c = 0; c < names.size(); c++) {
    const auto [first, last] = class_range(e, static_cast<int>(c));
    out.line("  static constexpr espalier::Classes {} = {{{}, {}}};", names[c], first, last);
  }
  if (classes.uses_node) out.line("  const Forest* forest;");
  print_class_of(classes, &out);
  out.line("};");
  out.line();
  out.line("{0}Classes {1}(const Forest& forest) {{", e.names.prefix, type_name(e, "classes_of"));
  out.line("  return {{shape_of(forest){}}};", classes.uses_node ? ", &forest" : "");
  out.line("}");
  out.line();
  return std::move(out).text();
}

}  // namespace espalier::emit

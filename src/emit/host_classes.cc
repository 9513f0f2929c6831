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

// "leaf" or "first[node + 1] == first[node] && ..": whether all lists of a node are empty.
std::string empty_test(const Context& c, const Variant& variant) {
  const Forest& forest = c.module.forest;
  std::vector<std::string> tests;
  bool only_children = true;
  for (std::size_t l = 0; l < forest.lists.size(); l++) {
    if (forest.lists[l].outer >= 0 || !has_list(forest, variant, static_cast<int>(l))) continue;
    only_children &= bounded_by_edges(forest, static_cast<int>(l));
    const std::string first = "forest->" + c.names.lists[l];
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

ClassValues class_values(const Context& c, const Plan& plan) {
  const Forest& forest = c.module.forest;
  ClassValues out;
  for (std::size_t v = 0; v < forest.variants.size(); v++) {
    const auto [first, last] = variant_range(plan, static_cast<int>(v));
    std::string value = std::to_string(first);
    if (last > first) {
      const std::string test = empty_test(c, forest.variants[v]);
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

// Members of struct Classes for the classes of a plan.
std::vector<std::string> class_names(const Plan& plan) {
  Names names;
  for (const char* member :
       {"variants", "fields", "shared", "parents", "field", "has", "nodes", "variant", "children",
        "classes", "forest", "class_of", "node", "kind", "leaf"})
    names.reserve(member);
  for (const std::string& type : {std::string("Shape"), plan.prefix + "Classes"})
    names.reserve(type);
  std::vector<std::string> out;
  for (const loop::Class& c : plan.classes) out.push_back(names.unique(c.name));
  return out;
}

}  // namespace

std::pair<int, int> variant_range(const Plan& plan, int variant) {
  const auto& all = plan.linear;
  int first = 0;
  while (all[static_cast<std::size_t>(first)].variant != variant) first++;
  const bool split = all[static_cast<std::size_t>(first)].part != loop::Class::Part::any;
  return {first, first + (split ? 1 : 0)};
}

std::pair<int, int> class_range(const Plan& plan, const loop::Class& c) {
  const auto [first, last] = variant_range(plan, c.variant);
  if (c.part == loop::Class::Part::empty) return {first, first};
  if (c.part == loop::Class::Part::filled) return {last, last};
  return {first, last};
}

std::string class_text(const Plan& plan, int class_index) {
  return plan.prefix + "Classes::" + class_names(plan)[static_cast<std::size_t>(class_index)];
}

std::string class_text(const EntryContext& e, int class_index) {
  const loop::Class& c = e.entry.classes[static_cast<std::size_t>(class_index)];
  return class_text(e.plan, e.plan.find(c));
}

Leaf leaf_of(const EntryContext& e, int class_index, int field) {
  const auto v =
      static_cast<std::size_t>(e.entry.classes[static_cast<std::size_t>(class_index)].variant);
  const Field& leaf = e.module().forest.variants[v].fields[static_cast<std::size_t>(field)];
  return {&leaf, leaf.column, leaf.child ? child_field(e.module().forest, leaf.column) : -1,
          e.package.names.columns[static_cast<std::size_t>(leaf.column)]};
}

std::string classes_text(const Context& c, const Plan& plan, const std::string& users) {
  LineBuffer out;
  const ClassValues classes = class_values(c, plan);
  const std::vector<std::string> names = class_names(plan);
  out.line("// By what the linearizer tells nodes apart.");
  out.line("struct {0}Classes : Shape {{", plan.prefix);
  out.line("  static constexpr int classes = {};", plan.linear.size());
  for (std::size_t i = 0; i < names.size(); i++) {
    const auto [first, last] = class_range(plan, plan.classes[i]);
    if (!names_word(users, class_text(plan, static_cast<int>(i)))) continue;
    out.line("  static constexpr espalier::Classes {} = {{{}, {}}};", names[i], first, last);
  }
  print_class_of(classes, &out);
  out.line("};");
  out.line("using {0}Numbering = espalier::Structure<{0}Classes>;", plan.prefix);
  out.line();
  return std::move(out).text();
}

}  // namespace espalier::emit

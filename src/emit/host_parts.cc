#include <algorithm>

#include "base/bug.h"
#include "base/status.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

EntryContext entry_context(const Context& package, int index) {
  const auto i = static_cast<std::size_t>(index);
  const auto plan = std::find_if(package.plans.begin(), package.plans.end(), [&](const Plan& p) {
    return std::find(p.entries.begin(), p.entries.end(), index) != p.entries.end();
  });
  require(plan != package.plans.end(), "an entry of no plan");
  return {package, index, package.module.entries[i], package.names.entries[i], *plan};
}

std::vector<ChildColumn> child_columns(const Forest& forest) {
  std::vector<ChildColumn> out;
  for (std::size_t c = 0; c < forest.columns.size(); c++) {
    const Field& column = forest.columns[c];
    if (column.child)
      out.push_back({static_cast<int>(c), column.lists.empty() ? -1 : column.lists.back()});
  }
  return out;
}

int child_field(const Forest& forest, int column) {
  int field = 0;
  for (int c = 0; c < column; c++) field += forest.columns[static_cast<std::size_t>(c)].child;
  return field;
}

bool has_column(const Variant& variant, int column) {
  return std::any_of(variant.fields.begin(), variant.fields.end(),
                     [&](const Field& field) { return field.column == column; });
}

bool has_list(const Forest& forest, const Variant& variant, int list) {
  return std::any_of(variant.fields.begin(), variant.fields.end(), [&](const Field& field) {
    const auto& lists = forest.columns[static_cast<std::size_t>(field.column)].lists;
    return std::find(lists.begin(), lists.end(), list) != lists.end();
  });
}

bool bounded_by_edges(const Forest& forest, int list) {
  return std::any_of(forest.columns.begin(), forest.columns.end(), [&](const Field& column) {
    return column.child && !column.lists.empty() && column.lists.back() == list;
  });
}

bool has_variant_array(const Forest& forest) {
  return forest.variants.size() > 1 && telling_columns(forest).empty();
}

bool any_shared(const Forest& forest) {
  return std::any_of(forest.types.begin(), forest.types.end(),
                     [](const DataType& type) { return type.shared; });
}

bool any_children(const Forest& forest) { return !child_columns(forest).empty(); }

std::string has_variant(const Context& c, const std::string& node,
                        const std::function<bool(const Variant&)>& has) {
  std::vector<std::string> tests;
  const auto& variants = c.module.forest.variants;
  for (std::size_t v = 0; v < variants.size(); v++)
    if (has(variants[v]))
      tests.push_back("variant_of(forest, " + node + ") == " + c.names.variants[v]);
  if (tests.size() == variants.size()) return "[](std::int32_t) { return true; }";
  if (tests.empty()) return "[](std::int32_t) { return false; }";
  return "[&](std::int32_t " + node + ") { return " + join(tests, " || ") + "; }";
}

std::vector<std::pair<std::string, std::string>> entry_params(const EntryContext& e,
                                                              bool limits_only) {
  std::vector<std::pair<std::string, std::string>> out;
  if (!limits_only) out.emplace_back("const Model&", "model");
  if (e.has_forest()) out.emplace_back("const Forest&", "forest");
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  if (limits_only) return out;
  out.emplace_back("const " + e.names.outputs + "&", "out");
  out.emplace_back("void*", "workspace");
  out.emplace_back("std::size_t", "bytes");
  return out;
}

std::string param_list(const ParamList& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(name.empty() ? type : type + " " + name);
  return join(out, ", ");
}

std::string name_list(const ParamList& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(name);
  return join(out, ", ");
}

ParamList used_params(const ParamList& params, const std::string& body) {
  ParamList out;
  for (const auto& param : params)
    if (names_word(body, param.second)) out.push_back(param);
  return out;
}

std::vector<Limit> limits(const EntryContext& e) {
  std::vector<Limit> out;
  const Forest& forest = e.module().forest;
  const loop::ApiNames& names = e.package.names;
  if (e.has_forest()) out.push_back({"nodes", "of the forest", "forest.nodes"});
  if (any_shared(forest))
    out.push_back({"edges", "children of all nodes together", "count_edges(forest)"});
  for (std::size_t l = 0; l < forest.lists.size(); l++)
    if (!bounded_by_edges(forest, static_cast<int>(l)))
      out.push_back({names.lists[l].substr(0, names.lists[l].rfind("_first")) + "_items",
                     "items of all nodes together",
                     "espalier::last_offset(forest." + names.lists[l] + ", forest.nodes)",
                     static_cast<int>(l)});
  const auto unique = [&](std::string name) {  // lists of the forest may have a name of the calls'
    const auto taken = [&](const Limit& limit) { return limit.name == name; };
    while (std::any_of(out.begin(), out.end(), taken)) name.insert(0, "call_");
    return name;
  };
  const auto add_pairs = [&] {
    for (const PairCount& p : pair_counts(e))
      out.push_back({unique(p.name), p.of_nodes ? "of all nodes together" : "of all calls together",
                     "espalier::limit(" + p.total + ")", -1, -1, p.lists});
  };
  if (!e.has_calls()) {
    add_pairs();
    return out;
  }
  out.push_back({unique("calls"), "", "calls.count"});
  for (std::size_t l = 0; l < e.entry.arguments.lists.size(); l++) {
    const int outer = e.entry.arguments.lists[l].outer;
    const std::string rows = outer < 0 ? "calls.count" : out.back().value;
    const std::string& first = e.names.lists[l];
    out.push_back(
        {unique(first.substr(0, first.rfind("_first")) + "_items"), "items of all calls together",
         "espalier::last_offset(calls." + first + ", " + rows + ")", -1, static_cast<int>(l)});
  }
  add_pairs();
  return out;
}

std::vector<std::pair<std::string, std::string>> status_codes(const Context& c) {
  StatusTexts out = call_statuses();
  const loop::Module& module = c.module;
  if (!module.forest.variants.empty())
    out.insert(out.end(), forest_statuses().begin(), forest_statuses().end());
  const auto any_pairs = [](const loop::Entry& entry) {
    return std::any_of(entry.lists.begin(), entry.lists.end(),
                       [](const loop::ListDomain& l) { return l.like >= 0; });
  };
  if (std::any_of(module.entries.begin(), module.entries.end(), any_pairs))
    out.emplace_back("too_many_pairs", "the items of lists meet more than 2^31 - 1 times");
  const auto add = [&](const std::vector<Field>& columns, const std::vector<std::string>& names,
                       const std::string& of) {
    for (std::size_t i = 0; i < columns.size(); i++)
      if (!names[i].empty())
        out.emplace_back(names[i], comment_text(out_of_range_text(columns[i], of)));
  };
  add(module.forest.columns, c.names.column_codes, "node");
  for (std::size_t e = 0; e < module.entries.size(); e++)
    add(module.entries[e].arguments.columns, c.names.argument_codes[e], "call");
  for (std::size_t i = 0; i < module.statuses.size(); i++)
    if (c.names.statuses[i] != "overlapping_calls")
      out.emplace_back(c.names.statuses[i], comment_text(module.statuses[i].describe));
  return out;
}

}  // namespace espalier::emit

// The structure: the forest and the arguments in the order of the kernels, a function for the
// arrays of each domain.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;
using loop::StructureMember;

constexpr int of_nodes = -1, of_calls = -2, of_other_nodes = -3;

// Does a list have the items of other nodes than its owner, by itself or what it is made of?
bool reads_other_nodes(const EntryContext& e, int list) {
  if (list < 0) return false;
  const loop::ListDomain& l = e.entry.lists[static_cast<std::size_t>(list)];
  return l.field >= 0 || reads_other_nodes(e, l.over) ||
         (l.like >= 0 && reads_other_nodes(e, l.like));
}

// The class of nodes that a member belongs to, or one of these.
int domain_of(const EntryContext& e, const StructureMember& m) {
  switch (m.kind) {
    case Kind::levels:
    case Kind::nodes:
    case Kind::edge_count:
    case Kind::level_first:
    case Kind::original:
    case Kind::parent_edge:
    case Kind::in_first:
    case Kind::in_owner:
    case Kind::in_edge:
    case Kind::variant:
    case Kind::local: return of_nodes;
    case Kind::calls:
    case Kind::root_call:
    case Kind::root:
    case Kind::argument: return of_calls;
    case Kind::class_count:
    case Kind::class_first:
    case Kind::class_place:
    case Kind::place: return m.index;
    case Kind::child:
    case Kind::payload:
    case Kind::slot:
      if (m.list < 0) return m.index;
      [[fallthrough]];
    case Kind::list_first:
    case Kind::list_owner: {
      const int of = e.entry.lists[static_cast<std::size_t>(m.list)].class_index;
      if (of < 0) return of_calls;
      return reads_other_nodes(e, m.list) ? of_other_nodes : of;
    }
  }
  return of_nodes;
}

// The text of a domain's members; statements on items by their list.
struct DomainText {
  MemberText all;
  std::map<int, std::vector<std::string>> items;

  void add(const MemberText& member, int list) {
    const auto append = [](const std::vector<std::string>& from, std::vector<std::string>* to) {
      to->insert(to->end(), from.begin(), from.end());
    };
    append(member.take, &all.take);
    append(member.set, &all.set);
    append(member.before, &all.before);
    append(member.each, &all.each);
    append(member.fill, &all.fill);
    append(member.last, &all.last);
    if (!member.items.empty()) append(member.items, &items[list]);
  }
};

// Whether one of the statements names `word`.
bool uses(const std::vector<std::string>& statements, const std::string& word) {
  for (const std::string& s : statements)
    if (names_word(s, word)) return true;
  return false;
}

constexpr const char* original = "const std::int32_t original = in.tree.order[node];";

// Statements for the nodes of a class.
void print_each(const EntryContext& e, int class_index, const std::vector<std::string>& statements,
                LineBuffer* out) {
  out->line("espalier::each_of_class(in.tree, {}, [&](auto k, auto node) {{",
            class_text(e, class_index));
  if (uses(statements, "original")) out->line("  {}", original);
  for (const std::string& s : statements) out->line("  {}", s);
  out->line("});");
}

// Statements for the items of a list of these nodes.
void print_items(const EntryContext& e, int list, const std::vector<std::string>& statements,
                 LineBuffer* out) {
  const loop::ListDomain& domain = e.entry.lists[static_cast<std::size_t>(list)];
  out->line("std::size_t item = 0;");
  out->line("espalier::each_of_class(in.tree, {}, [&](auto{}, auto node) {{",
            class_text(e, domain.class_index), uses(statements, "k") ? " k" : "");
  out->line("  {}", original);
  out->line("  const std::int32_t* const first = in.forest.{} + original;",
            e.package.names.lists[static_cast<std::size_t>(domain.list)]);
  const bool one = statements.size() == 1;
  out->line("  for (std::int32_t i = first[0]; i < first[1]; i++, item++){}", one ? "" : " {");
  for (const std::string& s : statements) out->line("    {}", s);
  if (!one) out->line("  }");
  out->line("});");
}

std::string fills_of(const EntryContext& e, int domain, const DomainText& text) {
  LineBuffer out;
  for (const std::string& s : text.all.before) out.line(s);
  if (!text.all.each.empty()) print_each(e, domain, text.all.each, &out);
  for (const std::string& s : text.all.fill) out.line(s);
  const bool several = text.items.size() > 1;
  for (const auto& [list, statements] : text.items) {
    if (!several) {
      print_items(e, list, statements, &out);
      continue;
    }
    out.line("{");
    {
      const auto scope = out.indent();
      print_items(e, list, statements, &out);
    }
    out.line("}");
  }
  for (const std::string& s : text.all.last) out.line(s);
  return std::move(out).text();
}

std::string domain_name(const EntryContext& e, int domain) {
  if (domain == of_nodes) return "number_nodes";
  if (domain == of_calls) return "number_calls";
  if (domain == of_other_nodes) return "number_items_of_nodes";
  const std::string text = class_text(e, domain);
  return "number_" + text.substr(text.rfind(':') + 1);
}

ParamList numbering_params(const EntryContext& e) {
  ParamList out = {{"Arena&", "arena"}, {"const " + e.type("Counts") + "&", "counts"}};
  if (e.has_forest()) out.emplace_back("const " + e.type("Input") + "&", "in");
  if (e.has_calls()) out.emplace_back("const " + e.names.calls + "&", "calls");
  return out;
}

// Adds the function that makes the arrays of a domain; a call of it.
std::string add_domain(const EntryContext& e, int domain, const DomainText& text,
                       HostFunctions* functions) {
  LineBuffer body;
  {
    const auto scope = body.indent();
    for (const auto* lines : {&text.all.take, &text.all.set})
      for (const std::string& line : *lines) body.line(line);
    const std::string fills = fills_of(e, domain, text);
    if (!fills.empty()) body.line(fills.substr(0, fills.size() - 1));
  }
  ParamList params = used_params(numbering_params(e), body.text());
  params.emplace_back(e.module().structure_type + "&", "g");
  const auto print = [&](const std::string& name) {
    return fmt::format("void {}({}) {{\n{}}}\n\n", name, param_list(params), body.text());
  };
  return functions->add(domain_name(e, domain), e.names.function, print) + "(" + name_list(params) +
         ")";
}

// Adds number(), which makes the arrays of all domains of nodes by these calls; a call of it.
std::string add_number(const EntryContext& e, const std::vector<std::string>& calls,
                       HostFunctions* functions) {
  std::string body;
  for (const std::string& call : calls) body += "  " + call + ";\n";
  const ParamList params = used_params(numbering_params(e), body);
  const auto text = [&](const std::string& name) {
    return fmt::format("{0} {1}({2}) {{\n  {0} g = {{}};\n{3}  return g;\n}}\n\n",
                       e.module().structure_type, name, param_list(params), body);
  };
  return functions->add("number", e.names.function, text) + "(" + name_list(params) + ")";
}

// Names for a function's own variables: none of the file's, nor of the text around them.
Names local_names(const EntryContext& e) {
  Names names;
  for (const std::string& name : e.package.names.global) names.reserve(name);
  for (const char* name : {"arena", "counts", "in", "g", "k", "node", "original", "item", "first",
                           "i", "row", "call", "level", "edge", "owner", "size"})
    names.reserve(name);
  return names;
}

}  // namespace

void add_numbering(const EntryContext& e, HostFunctions* functions, EntryCode* code) {
  std::map<int, Names> names;
  std::map<int, DomainText> texts;
  std::vector<int> domains;  // in the order in which the program names them
  for (const StructureMember& member : e.entry.structure) {
    const int domain = domain_of(e, member);
    if (names.emplace(domain, local_names(e)).second) domains.push_back(domain);
    texts[domain].add(member_text(e, member, names[domain].unique(member.name)), member.list);
  }
  std::stable_partition(domains.begin(), domains.end(),
                        [](int domain) { return domain != of_other_nodes; });
  std::vector<std::string> of_forest;
  for (const int domain : domains) {
    const std::string call = add_domain(e, domain, texts[domain], functions);
    if (domain == of_calls)
      code->number_calls = call;
    else
      of_forest.push_back(call);
  }
  if (!of_forest.empty()) code->number = add_number(e, of_forest, functions);
}

}  // namespace espalier::emit

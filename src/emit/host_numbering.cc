// The structure: the forest and the arguments in the order of the kernels, a function for the
// arrays of each domain.
#include <fmt/format.h>

#include <map>

#include "base/line_buffer.h"
#include "base/names.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Kind = loop::StructureMember::Kind;
using loop::StructureMember;

// The class of nodes that a member belongs to; -1 where it is of all nodes, -2 of the calls.
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
    case Kind::local:
      return -1;
    case Kind::calls:
    case Kind::root_call:
    case Kind::root:
    case Kind::argument:
      return -2;
    case Kind::class_count:
    case Kind::class_first:
    case Kind::class_place:
    case Kind::place:
      return m.index;
    case Kind::child:
    case Kind::payload:
    case Kind::slot:
      if (m.list < 0) return m.index;
      [[fallthrough]];
    case Kind::list_first:
    case Kind::list_owner: {
      const int of = e.entry.lists[static_cast<std::size_t>(m.list)].class_index;
      return of < 0 ? -2 : of;
    }
  }
  return -1;
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
    if (!member.items.empty()) append(member.items, &items[list]);
  }
};

// Whether one of the statements names `word`.
bool uses(const std::vector<std::string>& statements, const std::string& word) {
  for (const std::string& s : statements)
    if (names_word(s, word)) return true;
  return false;
}

constexpr const char* original = "const std::int32_t original = in->tree.order[node];";

// Statements for the nodes of a class.
void print_each(const EntryContext& e, int class_index, const std::vector<std::string>& statements,
                LineBuffer* out) {
  out->line("espalier::each_of_class(in->tree, {}, [&](auto k, auto node) {{",
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
  out->line("espalier::each_of_class(in->tree, {}, [&](auto{}, auto node) {{",
            class_text(e, domain.class_index), uses(statements, "k") ? " k" : "");
  out->line("  {}", original);
  out->line("  const std::int32_t* const first = in->forest.{} + original;",
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
  return std::move(out).text();
}

// Functions for the domains, named for them.
std::string domain_name(const EntryContext& e, int domain) {
  if (domain == -1) return "number_nodes";
  if (domain == -2) return "number_calls";
  Names names;
  for (const std::string& name : e.package.names.global) names.reserve(name);
  std::string name;
  for (int c = 0; c <= domain; c++)
    name = names.unique("number_" + class_names(e)[static_cast<std::size_t>(c)]);
  return name;
}

void print_domain(const EntryContext& e, int domain, const DomainText& text, LineBuffer* out) {
  const std::string fills = fills_of(e, domain, text);
  std::string body;
  for (const auto* lines : {&text.all.take, &text.all.set})
    for (const std::string& line : *lines) body += "  " + line + "\n";
  const bool fills_any = !fills.empty();
  const auto named = [&](const char* word) {
    return names_word(body, word) || names_word(fills, word) ? std::string(" ") + word : "";
  };
  out->line("void {}(Arena&{}, const {}Counts&{}, const {}Input*{}, {}& g) {{",
            domain_name(e, domain), named("arena"), e.names.prefix, named("counts"), e.names.prefix,
            fills_any ? " in" : named("in"), e.module().structure_type);
  out->put(body);
  if (fills_any) {
    out->line("  if (!in) return;");
    const auto scope = out->indent();
    out->line(fills.substr(0, fills.size() - 1));
  }
  out->line("}");
  out->line();
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

void print_number(const EntryContext& e, const std::vector<int>& domains, LineBuffer* out) {
  const bool any = !domains.empty();
  out->line("// All of it; where nothing is to be numbered, only room for it.");
  out->line("{0} number(Arena&{2}, const {1}Counts&{3}, const {1}Input*{4}) {{",
            e.module().structure_type, e.names.prefix, any ? " arena" : "", any ? " counts" : "",
            any ? " in" : "");
  out->line("  {} g = {{}};", e.module().structure_type);
  for (const int domain : domains) out->line("  {}(arena, counts, in, g);", domain_name(e, domain));
  out->line("  return g;");
  out->line("}");
  out->line();
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

std::string numbering(const EntryContext& e) {
  LineBuffer out;
  print_input(e, &out);
  Names names = local_names(e);
  std::map<int, DomainText> texts;
  std::vector<int> domains;  // in the order in which the program names them
  for (const StructureMember& member : e.entry.structure) {
    const int domain = domain_of(e, member);
    if (!texts.contains(domain)) domains.push_back(domain);
    texts[domain].add(member_text(e, member, names.unique(member.name)), member.list);
  }
  for (const int domain : domains) print_domain(e, domain, texts[domain], &out);
  print_number(e, domains, &out);
  return std::move(out).text();
}

}  // namespace espalier::emit

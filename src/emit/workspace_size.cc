#include "emit/workspace_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"

namespace espalier::emit {

namespace {

constexpr std::int64_t alignment = 64;

std::int64_t round_up(std::int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

Bytes zero(const EntryContext& e) {
  Bytes out;
  for (const Limit& limit : limits(e)) out.per.emplace_back(limit.name, 0);
  return out;
}

// The limit of the items of a list of the entry.
std::string limit_of_list(const EntryContext& e, const loop::ListDomain& list) {
  if (list.class_index >= 0 && bounded_by_edges(e.module().forest, list.list))
    return any_shared(e.module().forest) ? "edges" : "nodes";
  for (const Limit& limit : limits(e))
    for (const int pairs : limit.pairs)
      if (&list == &e.entry.lists[static_cast<std::size_t>(pairs)]) return limit.name;
  for (const Limit& limit : limits(e))
    if (list.list >= 0 &&
        (list.class_index >= 0 ? limit.forest_list : limit.call_list) == list.list)
      return limit.name;
  throw Bug("a list without a limit");
}

// What the linearizer takes, as runtime/structure.h does: Structure::lay_out.
Bytes structure_size(const EntryContext& e) {
  const Rows nodes = node_rows(), edges = edge_rows(e), ends = plus_one(nodes);
  const auto classes = static_cast<std::int64_t>(e.plan.linear.size());
  Bytes out = zero(e);
  out += piece(nodes, 4);           // place
  out += piece(ends, 4);            // order
  out += piece(ends, 4 * classes);  // start
  bool lists = false;
  for (const ChildColumn& child : child_columns(e.module().forest)) {
    out += piece(child.list >= 0 ? ends : nodes, 4);
    lists |= child.list >= 0;
  }
  if (lists) out += piece(edges, 4), out += piece(edges, 4);
  return out;
}

// .. and its Scratch.
Bytes scratch_size(const EntryContext& e) {
  const Rows nodes = node_rows(), ends = plus_one(nodes);
  Bytes out = zero(e);
  out += piece(ends, 8);  // state
  const bool shared = any_shared(e.module().forest);
  out += piece(shared ? edge_rows(e) : ends, 4);
  if (shared) out += piece(plus_one(ends), 4);
  if (e.plan.linear.size() > 1) {
    out += piece(nodes, 4);
    out += piece(nodes, 4);
    out += piece(nodes, 1);
  }
  return out;
}

Bytes numbering_size(const EntryContext& e) {
  Bytes out = zero(e);
  for (const loop::StructureMember& member : e.entry.structure)
    for (const Bytes& taken : member_text(e, member, member.name).pieces) out += taken;
  return out;
}

Bytes values_size(const EntryContext& e) {
  Bytes out = zero(e);
  std::map<int, Bytes> shared;
  for (std::size_t i = 0; i < e.entry.buffers.size(); i++) {
    const loop::Buffer& buffer = e.module().buffer(e.entry.buffers[i]);
    Bytes own = zero(e);
    own += piece(rows_of(e, buffer.rows), buffer.stride * bytes(buffer.dtype));
    const int arena = e.entry.lives[i].arena;
    if (arena < 0)
      out += own;
    else
      shared[arena] = shared.contains(arena) ? most(shared[arena], own) : own;
  }
  for (const auto& [arena, largest] : shared) out += largest;
  return out;
}

}  // namespace

Bytes& Bytes::operator+=(const Bytes& more) {
  fixed += more.fixed;
  for (const auto& [limit, factor] : more.per) {
    const auto at = std::find_if(per.begin(), per.end(),
                                 [&, name = limit](const auto& own) { return own.first == name; });
    require(at != per.end(), "a piece of the workspace without a limit");
    at->second += factor;
  }
  return *this;
}

Bytes most(const Bytes& a, const Bytes& b) {
  Bytes out = a;
  out.fixed = std::max(a.fixed, b.fixed);
  for (std::size_t i = 0; i < out.per.size(); i++)
    out.per[i].second = std::max(a.per[i].second, b.per[i].second);
  return out;
}

Bytes piece(const Rows& rows, std::int64_t bytes_per_row) {
  if (rows.limit.empty()) return {round_up(rows.more * bytes_per_row), {}};
  const std::int64_t step = rows.factor * bytes_per_row;
  const std::int64_t slack = step % alignment == 0 ? 0 : alignment - 1;
  return {round_up(rows.more * bytes_per_row + slack), {{rows.limit, step}}};
}

Rows node_rows() { return {"counts.nodes", "nodes"}; }
Rows level_rows() { return {"counts.levels", "nodes"}; }
Rows call_rows() { return {"counts.calls", "calls"}; }

Rows edge_rows(const EntryContext& e) {
  return {"counts.edges", any_shared(e.module().forest) ? "edges" : "nodes"};
}

Rows class_rows(const EntryContext& e, int class_index) {
  return {"counts." + count_names(e).classes[static_cast<std::size_t>(class_index)], "nodes"};
}

Rows owner_rows(const EntryContext& e, int list) {
  const loop::ListDomain& l = e.entry.lists[static_cast<std::size_t>(list)];
  if (l.over >= 0) return list_rows(e, l.over);
  return l.class_index >= 0 ? class_rows(e, l.class_index) : call_rows();
}

Rows list_rows(const EntryContext& e, int list) {
  const auto l = static_cast<std::size_t>(list);
  if (const loop::ListDomain& fixed = e.entry.lists[l]; fixed.length >= 0) {
    Rows rows = owner_rows(e, list);
    rows.factor *= fixed.length;
    rows.text.insert(0, std::to_string(fixed.length) + " * ");
    return rows;
  }
  return {"counts." + count_names(e).lists[l], limit_of_list(e, e.entry.lists[l])};
}

Rows plus_one(Rows rows) {
  rows.text += " + 1";
  rows.more++;
  return rows;
}

Rows rows_of(const EntryContext& e, const loop::Extent& extent) {
  using Kind = loop::Extent::Kind;
  const auto i = static_cast<std::size_t>(extent.index);
  Rows rows;
  switch (extent.kind) {
    case Kind::fixed: return {std::to_string(extent.number), "", 0, extent.number};
    case Kind::nodes: rows = node_rows(); break;
    case Kind::class_nodes: rows = class_rows(e, extent.index); break;
    case Kind::class_widest: rows = {"counts." + count_names(e).widest[i], "nodes"}; break;
    case Kind::level_widest: rows = {"counts.level_widest", "nodes"}; break;
    case Kind::edges: rows = edge_rows(e); break;
    case Kind::list_items: rows = list_rows(e, extent.index); break;
    case Kind::list_widest:
      rows = {"counts." + count_names(e).list_widest[i], limit_of_list(e, e.entry.lists[i])};
      break;
    case Kind::calls: rows = call_rows(); break;
  }
  rows.factor = extent.number;
  if (extent.number != 1) rows.text.insert(0, std::to_string(extent.number) + " * ");
  return rows;
}

Bytes workspace_size(const EntryContext& e) {
  Bytes after = zero(e);
  after += numbering_size(e);
  after += values_size(e);
  if (!e.has_forest()) return after;
  Bytes overlap = zero(e);
  if (wants_no_overlap(e)) overlap += piece(node_rows(), 8);
  Bytes out = structure_size(e);
  if (e.plan.edge_first) out += piece(plus_one(node_rows()), 4);
  out += most(most(scratch_size(e), overlap), after);
  return out;
}

std::int64_t prepared_size(const loop::Module& module) {
  std::int64_t total = 0;
  for (const loop::Buffer& b : module.buffers)
    if (b.space == loop::Buffer::Space::prepared)
      total += round_up(b.rows.number * b.stride * bytes(b.dtype));
  return total;
}

std::string workspace_size_text(const EntryContext& e) {
  const Bytes size = workspace_size(e);
  constexpr std::int64_t safe = std::int64_t{1} << 31;  // times a limit, still in 64 bits
  std::string sum = std::to_string(size.fixed + alignment - 1);
  std::int64_t all = 0;
  for (const auto& [limit, factor] : size.per) {
    if (factor > 0) sum += fmt::format(" + {} * rows(limits.{})", factor, limit);
    all += factor;
  }
  LineBuffer out;
  if (all == 0) {
    out.line("  return {};", size.fixed);
    return std::move(out).text();
  }
  out.line(
      "  const auto rows = [](std::int32_t count) { return std::uint64_t(count > 0 ? count : 0); "
      "};");
  for (const auto& [limit, factor] : size.per)
    if (all >= safe && factor > 0)
      out.line("  if (limits.{} > {}) return SIZE_MAX;", limit,
               (std::numeric_limits<std::int64_t>::max() - size.fixed - alignment) / all);
  out.line("  const std::uint64_t bytes = ({}) / 64 * 64;", sum);
  out.line("  return bytes < SIZE_MAX ? static_cast<std::size_t>(bytes) : SIZE_MAX;");
  return std::move(out).text();
}

}  // namespace espalier::emit

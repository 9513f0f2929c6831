// What kernels hand to each other: take_workspace().
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

// "piece.take<float>(counts.nodes, 16)"
std::string take(const std::string& from, const loop::Buffer& buffer, const CountNames& names) {
  return fmt::format("w.{} = {}.take<{}>({}{});", buffer.name, from, memory_type(buffer.dtype),
                     rows_text(buffer.rows, names),
                     buffer.stride == 1 ? "" : fmt::format(", {}", buffer.stride));
}

// Texts that take one buffer, or several that share memory.
std::vector<std::string> pieces_of(const EntryContext& e) {
  const CountNames names = count_names(e);
  std::map<int, std::vector<const loop::Buffer*>> shared;
  std::vector<std::string> own, out;
  for (std::size_t i = 0; i < e.entry.buffers.size(); i++) {
    const loop::Buffer& buffer = e.module().buffer(e.entry.buffers[i]);
    const int arena = e.entry.lives[i].arena;
    if (arena < 0)
      own.push_back("  " + take("arena", buffer, names) + "\n");
    else
      shared[arena].push_back(&buffer);
  }
  for (const auto& [number, buffers] : shared) {
    if (buffers.size() == 1) {
      own.push_back("  " + take("arena", *buffers[0], names) + "\n");
      continue;
    }
    std::string text = "  {\n    espalier::Overlay piece(arena);\n";
    for (const auto* buffer : buffers) text += "    " + take("piece", *buffer, names) + "\n";
    out.push_back(text + "  }\n");
  }
  out.insert(out.begin(), own.begin(), own.end());
  return out;
}

// As many pieces to a function as stay readable.
std::vector<std::string> bodies_of(const std::vector<std::string>& pieces) {
  constexpr auto most_lines = 50;
  std::vector<std::string> bodies(1);
  for (const std::string& piece : pieces) {
    const std::string longer = bodies.back() + piece;
    if (std::count(longer.begin(), longer.end(), '\n') > most_lines)
      bodies.push_back(piece);
    else
      bodies.back() = longer;
  }
  return bodies;
}

}  // namespace

std::string workspace_text(const EntryContext& e) {
  LineBuffer out;
  const std::string& type = e.module().workspace_type;
  const std::vector<std::string> bodies = bodies_of(pieces_of(e));
  std::string all = bodies[0];
  if (bodies.size() > 1) {
    all.clear();
    for (std::size_t i = 0; i < bodies.size(); i++) {
      out.line("void take_workspace_{}(Arena& arena, const {}Counts& counts, {}& w) {{", i + 1,
               e.names.prefix, type);
      out.put(bodies[i]);
      out.line("}");
      out.line();
      all += fmt::format("  take_workspace_{}(arena, counts, w);\n", i + 1);
    }
  }
  const bool any = !all.empty();
  out.line("// Values that an Overlay takes are not in use at the same time.");
  out.line("{0} take_workspace(Arena&{2}, const {1}Counts&{3}) {{", type, e.names.prefix,
           any ? " arena" : "", names_word(all, "counts") ? " counts" : "");
  out.line("  {} w = {{}};", type);
  out.put(all);
  out.line("  return w;");
  out.line("}");
  out.line();
  return std::move(out).text();
}

}  // namespace espalier::emit

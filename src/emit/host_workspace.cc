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
std::string take(const EntryContext& e, const std::string& from, const loop::Buffer& buffer) {
  return fmt::format("w.{} = {}.take<{}>({}{});", buffer.name, from, memory_type(buffer.dtype),
                     rows_of(e, buffer.rows).text,
                     buffer.stride == 1 ? "" : fmt::format(", {}", buffer.stride));
}

// Texts that take one buffer, or several that share memory.
std::vector<std::string> pieces_of(const EntryContext& e) {
  std::map<int, std::vector<const loop::Buffer*>> shared;
  std::vector<std::string> own, out;
  for (std::size_t i = 0; i < e.entry.buffers.size(); i++) {
    const loop::Buffer& buffer = e.module().buffer(e.entry.buffers[i]);
    const int arena = e.entry.lives[i].arena;
    if (arena < 0)
      own.push_back("  " + take(e, "arena", buffer) + "\n");
    else
      shared[arena].push_back(&buffer);
  }
  for (const auto& [number, buffers] : shared) {
    if (buffers.size() == 1) {
      own.push_back("  " + take(e, "arena", *buffers[0]) + "\n");
      continue;
    }
    std::string text = "  {\n    espalier::Overlay piece(arena);\n";
    for (const auto* buffer : buffers) text += "    " + take(e, "piece", *buffer) + "\n";
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

std::string add_workspace(const EntryContext& e, HostFunctions* functions) {
  const std::string& type = e.module().workspace_type;
  const ParamList all = {{"Arena&", "arena"}, {"const " + e.type("Counts") + "&", "counts"}};
  const std::vector<std::string> bodies = bodies_of(pieces_of(e));
  std::string body = bodies[0];
  if (bodies.size() > 1) {
    body.clear();
    ParamList params = all;
    params.emplace_back(type + "&", "w");
    for (std::size_t i = 0; i < bodies.size(); i++) {
      const std::string wanted = fmt::format("take_workspace_{}", i + 1);
      const auto text = [&](const std::string& name) {
        return fmt::format("void {}({}) {{\n{}}}\n\n", name, param_list(params), bodies[i]);
      };
      body += "  " + functions->add(wanted, e.names.function, text) + "(arena, counts, w);\n";
    }
  }
  const ParamList params = used_params(all, body);
  const auto text = [&](const std::string& name) {
    return fmt::format(
        "// Values that an Overlay takes are not in use at the same time.\n"
        "{0} {1}({2}) {{\n  {0} w = {{}};\n{3}  return w;\n}}\n\n",
        type, name, param_list(params), body);
  };
  return functions->add("take_workspace", e.names.function, text) + "(" + name_list(params) + ")";
}

}  // namespace espalier::emit

// prepare(): the load phase.
#include <fmt/format.h>

#include <set>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

std::vector<const loop::Buffer*> prepared_buffers(const loop::Module& module) {
  std::vector<const loop::Buffer*> out;
  for (const loop::Buffer& buffer : module.buffers)
    if (buffer.space == loop::Buffer::Space::prepared) out.push_back(&buffer);
  return out;
}

const loop::Function& function(const loop::Module& module, const std::string& name) {
  for (const loop::Function& f : module.functions)
    if (f.name == name) return f;
  throw Bug("a function of the load phase is missing");
}

// The weights that the load phase reads, as the module has them.
std::vector<std::string> read_weights(const Context& c) {
  std::set<std::string> sources;
  for (const loop::Buffer& buffer : c.module.buffers)
    if (buffer.space == loop::Buffer::Space::weights) sources.insert(buffer.source);
  std::vector<std::string> out;
  for (std::size_t p = 0; p < c.module.parameters.size(); p++)
    if (sources.contains(c.module.parameters[p].name)) out.push_back(c.names.parameters[p]);
  return out;
}

std::string argument(const loop::Param& param) {
  if (param.type == "const Weights&") return "weights";
  if (param.type == "const Model&") return "*model";
  return "into." + param.name;
}

}  // namespace

std::string prepare_helpers(const Context& c) {
  const auto buffers = prepared_buffers(c.module);
  if (buffers.empty()) return "";
  LineBuffer out;
  out.line("// A Model that can be written.");
  out.line("struct Prepared {");
  for (const auto* buffer : buffers)
    out.line("  {}* {};", memory_type(buffer->dtype), buffer->name);
  out.line("};");
  out.line();
  out.line("Prepared take_prepared(Arena& arena) {");
  out.line("  Prepared into;");
  for (const auto* buffer : buffers)
    out.line("  into.{} = arena.take<{}>({}{});", buffer->name, memory_type(buffer->dtype),
             buffer->rows.number, buffer->stride == 1 ? "" : fmt::format(", {}", buffer->stride));
  out.line("  return into;");
  out.line("}");
  out.line();
  return std::move(out).text();
}

std::string prepare_function(const Context& c) {
  const auto buffers = prepared_buffers(c.module);
  LineBuffer out;
  const auto weights = read_weights(c);
  out.line("Status prepare(const Weights&{}, void* buffer, Model* model) {{",
           weights.empty() ? "" : " weights");
  out.line("  if (!model{}) return {{null_pointer}};", buffers.empty() ? "" : " || !buffer");
  if (!weights.empty()) {
    std::vector<std::string> tests;
    for (const std::string& name : weights) tests.push_back("!weights." + name);
    out.line("  if ({}) return {{null_pointer}};", join(tests, " || "));
  }
  out.line("  if (!espalier::aligned(buffer)) return {misaligned};");
  if (!buffers.empty()) {
    std::vector<std::string> members;
    for (const auto* buffer : buffers) members.push_back("into." + buffer->name);
    out.line("  Arena arena(buffer, prepared_bytes());");
    out.line("  const Prepared into = take_prepared(arena);");
    out.line("  *model = {{{}}};", join(members, ", "));
  }
  for (const std::string& name : c.module.prepare) {
    std::vector<std::string> arguments;
    for (const loop::Param& param : function(c.module, name).params)
      arguments.push_back(argument(param));
    out.line("  {}({});", name, join(arguments, ", "));
  }
  out.line("  return {ok};");
  out.line("}");
  out.line();
  return std::move(out).text();
}

}  // namespace espalier::emit

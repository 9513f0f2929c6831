// Kernels as a file that compiles alone: what NAME.h and NAME_kernels.h declare, without host code.
#pragma once

#include <string>

#include "emit/cpp.h"
#include "loop/api_names.h"
#include "loop/build.h"
#include "loop/queries.h"
#include "to_loop/to_loop.h"

namespace espalier::test {

inline std::string kernel_file(const loop::Module& module) {
  using loop::Buffer;
  const emit::KernelSource source = emit::cpp_kernels(module);
  const loop::ApiNames api = loop::api_names(module);
  std::string text =
      "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <limits>\n"
      "#include \"runtime/lanes.h\"\n#include \"runtime/math.h\"\n#include \"runtime/team.h\"\n"
      "namespace " +
      api.package + " {\n";
  for (std::size_t i = 0; i < module.dims.size(); i++)
    text += "constexpr int " + api.dims[i] + " = " + std::to_string(module.dims[i].second) + ";\n";
  text += "enum Code { ok";
  for (const std::string& status : api.statuses) text += ", " + status;
  text +=
      " };\nstruct Status { Code code; std::int32_t node = -1; std::int64_t detail = 0; };\n"
      "struct Failure { int check = 0; Code code = ok; std::int32_t node = -1; "
      "std::int64_t detail = 0; };\n";
  const auto member = [&](const Buffer& b, bool constant) {
    return std::string("  ") + (constant ? "const " : "") + loop::cpp_type(b.dtype) + "* " +
           b.name + ";\n";
  };
  text += "struct Weights {\n";
  for (std::size_t i = 0; i < module.parameters.size(); i++)
    text +=
        "  const " + loop::cpp_type(module.parameters[i].dtype) + "* " + api.parameters[i] + ";\n";
  text += "};\nstruct Model {\n";
  for (const Buffer& b : module.buffers)
    if (b.space == Buffer::Space::prepared) text += member(b, true);
  text += "};\n";
  text += "struct " + module.structure_type + " {\n";
  for (const loop::StructureMember& s : loop::structure_members(module))
    text +=
        s.buffer < 0 ? "  std::int32_t " + s.name + ";\n" : member(module.buffer(s.buffer), true);
  text += "};\nstruct " + module.workspace_type + " {\n";
  if (loop::has_checks(module)) text += "  Failure* failure;\n";
  for (const int b : loop::workspace_buffers(module)) text += member(module.buffer(b), false);
  text += "};\n";
  for (const std::string& declaration : source.declarations) text += declaration + ";\n";
  return text + source.body + "}\n";
}

}  // namespace espalier::test

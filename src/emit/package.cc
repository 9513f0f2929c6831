#include "emit/package.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/version.h"
#include "emit/embedded.h"
#include "emit/host.h"
#include "emit/render.h"
#include "emit/parts.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

std::string version_namespace(const std::string& version) {  // "0.1.0" is v0_1
  const auto first = version.find('.'), second = version.find('.', first + 1);
  return "v" + version.substr(0, first) + "_" + version.substr(first + 1, second - first - 1);
}

std::string describe_function(const Context& c) {
  std::string out = "const char* describe(const Status& status) {\n  switch (status.code) {\n";
  for (const auto& [code, text] : status_codes(c)) {
    std::string quoted;
    for (const char ch : text) {
      if (ch == '"' || ch == '\\') quoted += '\\';
      quoted += ch;
    }
    out += "    case " + code + ": return \"" + quoted + "\";\n";
  }
  return out + "  }\n  return \"unknown\";\n}\n";
}

std::string host_file(const Context& c) {
  std::string helpers, entries;
  for (std::size_t i = 0; i < c.module.entries.size(); i++) {
    const EntryContext e = entry_context(c, static_cast<int>(i));
    helpers += call_checks(e) + plan_types(e) + numbering(e) + output_copies(e);
    entries += entry_functions(e);
  }
  Data d = package_data(c);
  d.set("prepared", prepare_helpers(c));
  d.set("forest", forest_checks(c));
  d.set("entry_helpers", helpers);
  d.set("entries", prepare_functions(c) + entries);
  d.set("describe", describe_function(c));
  const auto converts = [&](const std::string& text) { return text.find("f16") != std::string::npos; };
  d.set("has_halves", converts(helpers) || converts(entries));
  return render("host.cpp", d);
}

}  // namespace

Package emit_package(const loop::Module& module, const Inputs& inputs, const KernelText& kernels) {
  const Context c = {module, loop::api_names(module),
                     version_namespace(inputs.provenance.tool_version)};
  const std::string& name = c.names.package;
  const bool linked = weights_are_linked(module, inputs);
  Package package;
  package.name = name;
  const auto add = [&](const std::string& path, std::string bytes) {
    package.files.push_back({path, std::move(bytes)});
  };
  add(name + ".h", render("api.h", api_data(c, linked)));
  add(name + ".cpp", host_file(c));
  add(name + "_kernels.h", render("kernels.h", kernels_data(c, kernels.declarations)));
  Data d = package_data(c);
  d.set("head", kernels.head);
  d.set("body", kernels.body);
  add(name + "_kernels.cpp", render("kernels.cpp", d));
  for (const char* header : {"arena.h", "columns.h", "lanes.h", "math.h", "structure.h", "team.h"})
    add(std::string("runtime/") + header, std::string(embedded_file(std::string("runtime/") + header)));
  add("Makefile.gen", std::string(embedded_file("Makefile.gen")));
  return package;
}

}  // namespace espalier::emit

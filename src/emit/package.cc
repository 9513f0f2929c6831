#include "emit/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "base/version.h"
#include "emit/embedded.h"
#include "emit/host.h"
#include "emit/manifest.h"
#include "emit/parts.h"
#include "emit/render.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

std::string version_namespace(const std::string& version) {  // "0.1.0" is v0_1
  const auto first = version.find('.'), second = version.find('.', first + 1);
  return "v" + version.substr(0, first) + "_" + version.substr(first + 1, second - first - 1);
}

// `text` as string literals of at most 80 bytes each, which the compiler joins. Three digits in
// octal end an escape whatever follows.
std::string literals(const std::string& text) {
  std::string out, piece;
  for (const char ch : text) {
    const auto byte = static_cast<unsigned char>(ch);
    if (ch == '"' || ch == '\\')
      piece += std::string("\\") + ch;
    else if (byte < 0x20 || byte > 0x7e)
      piece += fmt::format("\\{:03o}", byte);
    else
      piece += ch;
    if (piece.size() > 80) out += "\"" + std::exchange(piece, "") + "\" ";
  }
  return out + "\"" + piece + "\"";
}

std::string describe_function(const Context& c) {
  std::string out = "const char* describe(const Status& status) {\n  switch (status.code) {\n";
  for (const auto& [code, text] : status_codes(c))
    out += "    case " + code + ": return " + literals(text) + ";\n";
  return out + "  }\n  return \"unknown\";\n}\n";
}

std::string host_file(const Context& c) {
  std::string helpers;
  std::vector<std::string> entries(c.module.entries.size());
  HostFunctions functions(c.names);
  for (const Plan& plan : c.plans) {
    std::vector<EntryCode> code;
    for (const int i : plan.entries) code.push_back(entry_code(entry_context(c, i), &functions));
    const std::string text = functions.take_text();
    helpers += plan_text(c, plan, text) + text;
    for (std::size_t i = 0; i < code.size(); i++)
      entries[static_cast<std::size_t>(plan.entries[i])] =
          entry_functions(entry_context(c, plan.entries[i]), code[i]);
  }
  Data d = package_data(c);
  d.set("prepared", prepare_helpers(c));
  d.set("forest", forest_checks(c));
  d.set("entry_helpers", helpers);
  d.set("entries", prepare_function(c) + join(entries, ""));
  d.set("describe", describe_function(c));
  const auto converts = [&](const std::string& text) {
    return text.find("f16") != std::string::npos;
  };
  d.set("has_halves", converts(helpers));
  return render("host.cpp", d);
}

}  // namespace

Package emit_package(const loop::Module& module, const Inputs& inputs,
                     const KernelSource& kernels) {
  const loop::ApiNames names = loop::api_names(module);
  const Context c = {module, names, version_namespace(inputs.provenance.tool_version),
                     plans(module, names)};
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
  const bool from_file = !inputs.weights.empty() && !module.parameters.empty() && !linked;
  const bool has_weights = !module.parameters.empty();
  if (linked) add(name + "_weights.cpp", weights_source(c, inputs.weights));
  if (has_weights) add(name + "_weights.h", weights_header(c));
  if (from_file) add(name + ".safetensors", safetensors(module, inputs.weights));
  add(name + "_c.h", render("c_api.h", c_api_data(c)));
  add(name + "_c.cpp", render("c_api.cpp", c_api_data(c)));
  if (inputs.with_check && !inputs.check.entries.empty()) {
    CheckFiles check = check_files(c, inputs);
    add("check.cpp", std::move(check.program));
    add("check_vectors.inc", std::move(check.vectors));
  }
  std::vector<std::string> headers = {"arena.h", "columns.h",   "lanes.h",
                                      "math.h",  "structure.h", "team.h"};
  if (has_weights) headers.insert(headers.begin() + 4, "safetensors.h");
  for (const std::string& header : headers)
    add("runtime/" + header, std::string(embedded_file("runtime/" + header)));
  add("Makefile.gen", std::string(embedded_file("Makefile.gen")));
  add("manifest.json", manifest(c, inputs, package));
  return package;
}

Package emit_package(const loop::Module& module, const Inputs& inputs) {
  return emit_package(module, inputs, cpp_kernels(module));
}

}  // namespace espalier::emit

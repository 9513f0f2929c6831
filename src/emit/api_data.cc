// What NAME.h and NAME_kernels.h say.
#include <fmt/format.h>

#include "emit/host_plan.h"
#include "emit/render.h"
#include "emit/workspace_size.h"
#include "emit/text.h"
#include "loop/build.h"
#include "loop/queries.h"

namespace espalier::emit {

namespace {

std::string params_text(const std::vector<std::pair<std::string, std::string>>& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(type + " " + name);
  return join(out, ", ");
}

// A function that uses the package, to be copied. It compiles behind an #include of <cstdlib>,
// <cstdio> and the header.
std::vector<std::string> example(const Context& c, bool linked) {
  if (c.names.entries.empty()) return {};
  const EntryContext e = entry_context(c, 0);
  std::vector<std::string> params, names;
  if (!linked) params.push_back("const model::Weights& weights");
  if (e.has_forest()) params.push_back("const model::Forest& forest"), names.push_back("forest");
  if (e.has_calls())
    params.push_back("const model::" + e.names.calls + "& calls"), names.push_back("calls");
  params.push_back("const model::" + e.names.outputs + "& out");
  const std::string data = join(names, ", ");
  std::vector<std::string> out = {"#include <cstdio>",
                                  "#include <cstdlib>",
                                  "",
                                  "#include \"" + c.names.package + ".h\"",
                                  "",
                                  "namespace model = " + c.names.package + ";",
                                  ""};
  out.push_back("int run_once(");
  for (std::size_t i = 0; i < params.size(); i++)
    out.push_back("    " + params[i] + (i + 1 < params.size() ? "," : ") {"));
  const std::string weights = linked ? "model::linked_weights()" : "weights";
  for (const std::string& line : std::vector<std::string>{
           std::string("  void* buffer = std::aligned_alloc(64, model::prepared_bytes());"),
           std::string(
               "  model::Model m;  // once per set of weights; then calls, from any thread:"),
           "  model::Status s = model::prepare(" + weights + ", buffer, &m);",
           std::string("  const model::Launch launch = {2};  // threads"),
           "  const std::size_t bytes =",
           "      model::" + e.names.workspace_bytes + "(model::" + e.names.limits_of + "(" + data +
               "), launch);",
           std::string("  void* workspace = std::aligned_alloc(64, bytes);"),
           "  if (s.code == model::ok)",
           "    s = model::" + e.names.function + "(m, " + data + (data.empty() ? "" : ", ") +
               "out, workspace, bytes, launch);",
           "  if (s.code != model::ok)",
           std::string("    std::printf(\"%s: node %d\\n\", model::describe(s), "
                       "static_cast<int>(s.node));"),
           std::string("  std::free(workspace);"), std::string("  std::free(buffer);"),
           std::string("  return s.code == model::ok ? 0 : 1;"), std::string("}")})
    out.push_back(line);
  for (std::string& line : out)
    if (!line.empty()) line.insert(0, "   ");
  return out;
}

std::vector<std::string> build_lines(const Context& c, bool linked) {
  const std::string& p = c.names.package;
  return {"g++ -std=c++17 -O3 -march=native -fopenmp main.cpp " + p + ".cpp",
          "  " + p + "_kernels.cpp" + (linked ? " " + p + "_weights.cpp" : "")};
}

std::string status_comment(const Context& c) {
  if (c.module.forest.variants.empty())
    return comment(
        "node: the call that is wrong, the first of them, or -1; detail: the wrong value.");
  return comment(
      "node: the offending node, the lowest if there are several (of a cycle, some node on it); "
      "for an "
      "argument, its call; else -1. detail: the wrong value: a child, a word, the bytes needed.");
}

std::string signature(const EntryContext& e) {
  std::vector<std::string> names;
  for (const Field& column : e.entry.arguments.columns) names.push_back(comment_text(column.name));
  return e.names.function + "(" + join(names, ", ") + ")";
}

Data entry_data(const EntryContext& e) {
  Data d;
  d.set("function", e.names.function);
  d.set("calls", e.names.calls);
  d.set("outputs", e.names.outputs);
  d.set("limits", e.names.limits);
  d.set("limits_of", e.names.limits_of);
  d.set("workspace_bytes", e.names.workspace_bytes);
  const std::string size = workspace_size_text(e);
  d.set("workspace_size", size);
  d.set("has_limits", names_word(size, "limits"));
  d.set("signature", signature(e));
  d.set("has_calls", e.has_calls());
  d.set("call_columns", list_of(call_members(e)));
  d.set("output_columns", list_of(output_members(e)));
  d.set("limit_columns", list_of(limit_members(e)));
  d.set("params", params_text(entry_params(e, false)));
  d.set("limits_params", params_text(entry_params(e, true)));
  d.set("outputs_comment",
        comment("Results of " + signature(e) + ", row-major; null for those not wanted."));
  const std::string doc = e.entry.doc.empty() ? "" : e.entry.doc + " ";
  d.set("entry_comment",
        comment(doc +
                (e.entry.nodes ? "A row for every node of the type, in the input's order."
                               : "A row for every call.") +
                " The workspace is aligned to 64 and holds at least " + e.names.workspace_bytes +
                "(" + e.names.limits_of + "(..), launch) bytes, of any content."));
  return d;
}

}  // namespace

Data api_data(const Context& c, bool linked) {
  const loop::Module& module = c.module;
  Data d = package_data(c);
  d.set("doc", comment(module.doc.empty() ? module.name : module.doc));
  d.set("build_lines", list_of(build_lines(c, linked)));
  d.set("example", list_of(example(c, linked)));
  Data dims = Data::type::list;
  for (std::size_t i = 0; i < module.dims.size(); i++) {
    Data dim;
    const std::int64_t value = module.dims[i].second;
    dim.set("type", value > INT32_MAX || value < -INT32_MAX ? "std::int64_t" : "int");
    dim.set("name", c.names.dims[i]);
    dim.set("value", std::to_string(value));
    dims.push_back(dim);
  }
  d.set("dims", dims);
  d.set("has_dims", !module.dims.empty());
  d.set("prepared_bytes", std::to_string(prepared_size(module)));
  d.set("has_weights", !module.parameters.empty());
  d.set("weights", list_of(weight_members(c)));
  std::vector<std::pair<std::string, std::string>> prepared;
  for (const loop::Buffer& b : module.buffers)
    if (b.space == loop::Buffer::Space::prepared)
      prepared.emplace_back("const " + memory_type(b.dtype) + "* " + b.name + ";", b.layout);
  d.set("prepared", list_of(with_comments(prepared)));
  const Forest& forest = module.forest;
  d.set("has_forest", !forest.variants.empty());
  d.set("has_variants", forest.variants.size() > 1);
  std::vector<std::pair<std::string, std::string>> variants;
  for (std::size_t v = 0; v < forest.variants.size(); v++)
    variants.emplace_back(c.names.variants[v] + (v + 1 < forest.variants.size() ? "," : ""),
                          forest.types.size() > 1 ? "of " + forest.variants[v].type : "");
  d.set("variants", list_of(with_comments(variants)));
  d.set(
      "forest_comment",
      comment("Nodes in any numbering, as columns. An array that would not be read may be null."));
  d.set("forest", list_of(forest_members(c)));
  Data entries = Data::type::list;
  for (std::size_t i = 0; i < module.entries.size(); i++)
    entries.push_back(entry_data(entry_context(c, static_cast<int>(i))));
  d.set("entries", entries);
  std::vector<std::string> codes;
  const auto all = status_codes(c);
  for (std::size_t i = 0; i < all.size(); i++)
    codes.push_back(all[i].first + (i + 1 < all.size() ? "," : ""));
  d.set("codes", list_of(codes));
  d.set("status_comment", status_comment(c));
  d.set("linked", linked);
  return d;
}

Data kernels_data(const Context& c, const std::vector<std::string>& declarations) {
  Data d = package_data(c);
  std::vector<std::pair<std::string, std::string>> members, buffers;
  for (const loop::StructureMember& member : loop::structure_members(c.module)) {
    if (member.buffer < 0) {
      members.emplace_back("std::int32_t " + member.name + ";", "");
      continue;
    }
    const loop::Buffer& b = c.module.buffer(member.buffer);
    members.emplace_back("const " + memory_type(b.dtype) + "* " + member.name + ";", b.layout);
  }
  const bool checks = loop::has_checks(c.module);
  if (checks) buffers.emplace_back("Failure* failure;", "[members]");
  for (const int b : loop::workspace_buffers(c.module)) {
    const loop::Buffer& buffer = c.module.buffer(b);
    buffers.emplace_back(memory_type(buffer.dtype) + "* " + buffer.name + ";", buffer.layout);
  }
  const bool several = c.module.entries.size() > 1;
  d.set("structure_comment",
        comment(std::string("The forest and the arguments in the order of the kernels") +
                (several ? "; a call has what its kernels read." : ".")));
  d.set("structure", c.module.structure_type);
  d.set("members", list_of(with_comments(members)));
  d.set("workspace_comment",
        comment("What kernels hand to each other, in the caller's workspace."));
  d.set("values", c.module.workspace_type);
  d.set("buffers", list_of(with_comments(buffers)));
  d.set("has_checks", checks);
  d.set("functions", list_of(declarations));
  return d;
}

}  // namespace espalier::emit

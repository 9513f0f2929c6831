// What NAME.h and NAME_kernels.h say.
#include <fmt/format.h>

#include "emit/host_plan.h"
#include "emit/render.h"
#include "emit/text.h"
#include "emit/workspace_size.h"
#include "loop/build.h"
#include "loop/queries.h"

namespace espalier::emit {

namespace {

std::string params_text(const std::vector<std::pair<std::string, std::string>>& params) {
  std::vector<std::string> out;
  for (const auto& [type, name] : params) out.push_back(type + " " + name);
  return join(out, ", ");
}

// All sources of the package in one line, or its makefile where their name is long.
std::vector<std::string> build_lines(const Context& c) {
  const std::string line =
      fmt::format("g++ -std=c++17 -O3 -march=native -fopenmp main.cpp {}*.cpp", c.names.package);
  constexpr std::size_t widest = 95;
  return {line.size() <= widest ? line : "make -f Makefile.gen MAIN=main.cpp"};
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
  d.set("build_lines", list_of(build_lines(c)));
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

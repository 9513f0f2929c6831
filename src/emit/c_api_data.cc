// What NAME_c.h and NAME_c.cpp say.
#include "emit/render.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

// C's spelling of a declaration: "const int32_t* word;". No comments: NAME.h has them.
std::vector<std::string> in_c(const std::vector<std::string>& members) {
  std::vector<std::string> out;
  for (const std::string& member : members) {
    std::string text = member.substr(0, member.find("  //"));
    if (text.starts_with("//")) continue;
    for (auto at = text.find("std::"); at != std::string::npos; at = text.find("std::"))
      text.erase(at, 5);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (!text.empty()) out.push_back(text);
  }
  if (out.empty()) out.push_back("char unused;");
  return out;
}

// "const float* word;" -> "word"
std::string member_name(const std::string& declaration) {
  const auto space = declaration.rfind(' ');
  return declaration.substr(space + 1, declaration.size() - space - 2);
}

// "{forest->nodes, forest->word}"
std::string copy_of(const std::vector<std::string>& members, const std::string& object) {
  std::vector<std::string> out;
  for (const std::string& member : members)
    if (member != "char unused;") out.push_back(object + member_name(member));
  return "{" + join(out, ", ") + "}";
}

Data entry_data(const EntryContext& e) {
  const std::string& p = e.package.names.package;
  Data d;
  const auto calls = in_c(call_members(e)), outputs = in_c(output_members(e)),
             limits = in_c(limit_members(e)), forest = in_c(forest_members(e.package));
  std::string params = "const " + p + "_Model* m", tests, arguments;
  if (e.has_forest()) {
    params += ", const " + p + "_Forest* forest";
    tests += "!forest";
    arguments += "forest_, ";
    d.set("forest_list", copy_of(forest, "forest->"));
  } else {
    d.set("forest_list", false);
  }
  if (e.has_calls()) {
    params += ", const " + p + "_" + e.names.calls + "* calls";
    tests += tests.empty() ? "!calls" : " || !calls";
    arguments += "calls_, ";
    d.set("calls_list", copy_of(calls, "calls->"));
  } else {
    d.set("calls_list", false);
  }
  params += ", const " + p + "_" + e.names.outputs + "* out, void* workspace, size_t bytes";
  d.set("function", e.names.function);
  d.set("calls", e.names.calls);
  d.set("outputs", e.names.outputs);
  d.set("limits", e.names.limits);
  d.set("workspace_bytes", e.names.workspace_bytes);
  d.set("has_calls", e.has_calls());
  d.set("call_columns", list_of(calls));
  d.set("output_columns", list_of(outputs));
  d.set("limit_columns", list_of(limits));
  d.set("c_params", params);
  d.set("null_tests", tests.empty() ? "false" : tests);
  d.set("arguments", arguments);
  d.set("outputs_list", copy_of(outputs, "out->"));
  d.set("limits_list", copy_of(limits, "limits."));
  return d;
}

}  // namespace

Data c_api_data(const Context& c) {
  Data d = package_data(c);
  const auto weights = in_c(weight_members(c));
  std::size_t pointers = 0;
  for (const loop::Buffer& b : c.module.buffers)
    pointers += b.space == loop::Buffer::Space::prepared;
  d.set("pointers", std::to_string(pointers == 0 ? 1 : pointers));
  d.set("weights", list_of(weights));
  d.set("has_weights", !c.module.parameters.empty());
  d.set("weights_list", copy_of(weights, "weights->"));
  d.set("has_forest", !c.module.forest.variants.empty());
  d.set("forest", list_of(in_c(forest_members(c))));
  d.set("has_entries", !c.module.entries.empty());
  Data entries = Data::type::list;
  for (std::size_t i = 0; i < c.module.entries.size(); i++)
    entries.push_back(entry_data(entry_context(c, static_cast<int>(i))));
  d.set("entries", entries);
  return d;
}

}  // namespace espalier::emit

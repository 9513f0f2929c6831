// manifest.json: what the package is, was made of, and promises.
#include "emit/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/sha256.h"
#include "base/version.h"
#include "emit/costs.h"
#include "emit/render.h"
#include "emit/text.h"
#include "emit/workspace_size.h"

namespace espalier::emit {

namespace {

using Json = nlohmann::ordered_json;

// A table of names both ways, without those that stayed as they are.
void add_names(const char* what, const std::vector<std::string>& model,
               const std::vector<std::string>& cpp, Json* to, Json* from) {
  for (std::size_t i = 0; i < model.size(); i++) {
    (*to)[what][model[i]] = cpp[i];
    (*from)[what][cpp[i]] = model[i];
  }
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& things) {
  std::vector<std::string> out;
  for (const T& thing : things) out.push_back(thing.name);
  return out;
}

Json name_table(const Context& c) {
  Json to = Json::object(), from = Json::object();
  to["package"][c.module.name] = c.names.package;
  from["package"][c.names.package] = c.module.name;
  std::vector<std::string> dims;
  for (const auto& [name, value] : c.module.dims) dims.push_back(name);
  add_names("dims", dims, c.names.dims, &to, &from);
  add_names("parameters", names_of(c.module.parameters), c.names.parameters, &to, &from);
  add_names("columns", names_of(c.module.forest.columns), c.names.columns, &to, &from);
  add_names("lists", names_of(c.module.forest.lists), c.names.lists, &to, &from);
  std::vector<std::string> variants;
  for (const Variant& v : c.module.forest.variants) variants.push_back(v.type + "." + v.name);
  add_names("variants", variants, c.names.variants, &to, &from);
  add_names(
      "entries", names_of(c.module.entries),
      [&] {
        std::vector<std::string> out;
        for (const auto& e : c.names.entries) out.push_back(e.function);
        return out;
      }(),
      &to, &from);
  for (std::size_t i = 0; i < c.module.entries.size(); i++) {
    const loop::Entry& entry = c.module.entries[i];
    std::vector<std::string> results;
    for (const loop::OutputCopy& output : entry.outputs) results.push_back(output.result);
    const std::string arguments = "arguments of " + entry.name, of = "results of " + entry.name;
    add_names(arguments.c_str(), names_of(entry.arguments.columns), c.names.entries[i].columns, &to,
              &from);
    add_names(of.c_str(), results, c.names.entries[i].results, &to, &from);
  }
  return {{"to_source", to}, {"from_source", from}};
}

// "[f32[3]]", "index[10]", "Tree".
std::string type_text(const Field& column) {
  std::string text = column.child       ? column.target
                     : column.bound > 0 ? "index[" + std::to_string(column.bound) + "]"
                                        : std::string(dtype_name(column.dtype));
  if (!column.shape.empty()) {
    std::vector<std::string> axes;
    for (const std::int64_t n : column.shape) axes.push_back(std::to_string(n));
    text += "[" + join(axes, ", ") + "]";
  }
  for (std::size_t l = 0; l < column.lists.size(); l++) text = "[" + text + "]";
  return text;
}

Json entry_table(const EntryContext& e) {
  Json arguments = Json::array(), results = Json::array();
  for (const Field& column : e.entry.arguments.columns)
    arguments.push_back({{"name", column.name}, {"type", type_text(column)}});
  for (const loop::OutputCopy& output : e.entry.outputs) {
    const char* rows[] = {"calls", "nodes", "items"};
    results.push_back({{"name", output.result},
                       {"dtype", dtype_name(output.dtype)},
                       {"shape", e.module().buffer(output.buffer).shape},
                       {"rows", rows[static_cast<int>(output.rows)]}});
  }
  return {{"function", e.names.function},
          {"outputs", e.entry.nodes ? "nodes" : "roots"},
          {"arguments", arguments},
          {"results", results},
          {"kernels", e.entry.kernels}};
}

std::string rows_formula(const loop::Extent& extent) {
  using Kind = loop::Extent::Kind;
  std::string count;
  switch (extent.kind) {
    case Kind::fixed: return std::to_string(extent.number);
    case Kind::nodes:
    case Kind::class_nodes:
    case Kind::class_widest:
    case Kind::level_widest: count = "nodes"; break;
    case Kind::edges: count = "edges"; break;
    case Kind::list_items:
    case Kind::list_widest: count = "items"; break;
    case Kind::calls: count = "calls"; break;
  }
  return extent.number == 1 ? count : std::to_string(extent.number) + " * " + count;
}

// The values that kernels hand on, at most: rows of how many bytes; buffers of one piece share it.
Json workspace_table(const EntryContext& e) {
  Json values = Json::array();
  for (std::size_t i = 0; i < e.entry.buffers.size(); i++) {
    const loop::Buffer& buffer = e.module().buffer(e.entry.buffers[i]);
    Json row = {{"name", buffer.name},
                {"rows", rows_formula(buffer.rows)},
                {"bytes_per_row", buffer.stride * bytes(buffer.dtype)}};
    if (e.entry.lives[i].arena >= 0) row["piece"] = e.entry.lives[i].arena;
    values.push_back(row);
  }
  return values;
}

// Bytes of a workspace: the sum of its limits times these, and `fixed`, rounded up to 64; and what
// that is for limits of 1000 each.
Json size_table(const EntryContext& e) {
  constexpr std::int64_t many = 1000;
  const Bytes size = workspace_size(e);
  Json formula = {{"fixed", size.fixed}}, given;
  std::int64_t sum = size.fixed;
  for (const auto& [limit, factor] : size.per) {
    formula[limit] = factor;
    given["limits"][limit] = many;
    sum += factor * many;
  }
  given["bytes"] = (sum + 63) / 64 * 64;
  return {{"formula", formula}, {"given", given}, {"values", workspace_table(e)}};
}

// The identifiers that lint looks for in the source.
std::vector<std::string> promised_names(const Context& c) {
  std::set<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& name : more)
      if (!name.empty()) names.insert(name);
  };
  add(c.names.dims);
  add(c.names.parameters);
  if (!c.module.forest.variants.empty()) add(c.names.columns), add(c.names.lists);
  if (c.module.forest.variants.size() > 1) add(c.names.variants);
  for (const auto& entry : c.names.entries) {
    names.insert(entry.function);
    add(entry.columns);
    add(entry.results);
  }
  return {names.begin(), names.end()};
}

// What the source may include and call beside its own: without <thread>, which ESPALIER_STD_THREADS
// alone asks for, and check.cpp, which is a program of its own.
constexpr const char* includes[] = {"atomic",   "cmath",    "cstddef",    "cstdint",
                                    "cstring",  "limits",   "omp.h",      "sched.h",
                                    "stddef.h", "stdint.h", "type_traits"};
constexpr const char* calls[] = {"acos",
                                 "acosf",
                                 "asin",
                                 "asinf",
                                 "atan",
                                 "atan2",
                                 "atan2f",
                                 "atanf",
                                 "ceil",
                                 "ceilf",
                                 "copysign",
                                 "cos",
                                 "cosf",
                                 "cosh",
                                 "coshf",
                                 "erf",
                                 "erff",
                                 "exp",
                                 "expf",
                                 "expm1",
                                 "expm1f",
                                 "fabs",
                                 "fabsf",
                                 "fetch_add",
                                 "floor",
                                 "floorf",
                                 "fmod",
                                 "fmodf",
                                 "infinity",
                                 "isnan",
                                 "ldexp",
                                 "ldexpf",
                                 "load",
                                 "log",
                                 "log1p",
                                 "log1pf",
                                 "logf",
                                 "memcmp",
                                 "memcpy",
                                 "memset",
                                 "nearbyint",
                                 "nearbyintf",
                                 "omp_get_num_procs",
                                 "omp_get_num_threads",
                                 "omp_get_thread_num",
                                 "pow",
                                 "powf",
                                 "quiet_NaN",
                                 "rint",
                                 "rintf",
                                 "sched_yield",
                                 "sin",
                                 "sinf",
                                 "sinh",
                                 "sinhf",
                                 "sqrt",
                                 "sqrtf",
                                 "store",
                                 "tan",
                                 "tanf",
                                 "tanh",
                                 "tanhf",
                                 "trunc",
                                 "truncf"};

Json parse_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json::parse(text, nullptr, false);
}

}  // namespace

std::string manifest(const Context& c, const Inputs& inputs, const Package& package) {
  const Provenance& from = inputs.provenance;
  Json out;
  out["schema"] = 1;
  out["tool"] = {{"name", "espalier"}, {"version", from.tool_version}};
  out["name"] = c.names.package;
  out["model"] = {{"name", c.module.name}, {"sha256", from.model_sha256}};
  out["weights"] = Json::array();
  for (const auto& [name, hash] : from.weight_files)
    out["weights"].push_back({{"file", name}, {"sha256", hash}});
  out["rounded"] = from.conversions;
  out["target"] = from.target;
  out["schedule"] = parse_or_null(from.schedule_json);
  out["passes"] = from.passes;
  for (std::size_t i = 0; i < c.module.entries.size(); i++) {
    const EntryContext e = entry_context(c, static_cast<int>(i));
    out["entries"][e.entry.name] = entry_table(e);
  }
  out["sizes"]["prepared"] = prepared_size(c.module);
  for (std::size_t i = 0; i < c.module.entries.size(); i++) {
    const EntryContext e = entry_context(c, static_cast<int>(i));
    out["sizes"]["workspace"][e.entry.name] = size_table(e);
  }
  out["costs"] = costs(c.module);
  out["names"] = name_table(c);
  out["promises"] = {{"includes", includes}, {"calls", calls}, {"names", promised_names(c)}};
  for (const PackageFile& file : package.files) out["files"][file.path] = sha256(file.bytes);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<std::map<std::string, std::string>> manifest_files(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("tool") || !json["tool"].is_object() ||
      json["tool"].value("name", "") != "espalier" || !json.contains("files") ||
      !json["files"].is_object())
    return std::nullopt;
  std::map<std::string, std::string> out;
  for (const auto& [path, hash] : json["files"].items())
    if (hash.is_string()) out[path] = hash.get<std::string>();
  return out;
}

}  // namespace espalier::emit

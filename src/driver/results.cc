#include "driver/results.h"

#include <fmt/format.h>

#include <cmath>

#include "base/numbers.h"

namespace espalier::driver {
namespace {

std::string json_number(double x) {
  const std::string text = shortest(x);
  return std::isfinite(x) ? text : '"' + text + '"';
}

template <class T, class Text>
std::string json_list(const std::vector<T>& items, const Text& text) {
  std::string out = "[";
  for (const T& item : items) {
    if (out.size() > 1) out += ", ";
    out += text(item);
  }
  return out + ']';
}

std::string json_integers(const std::vector<std::int64_t>& items) {
  return json_list(items, [](std::int64_t i) { return std::to_string(i); });
}

std::string json_rows(const eval::Rows& rows) {
  const bool truth = rows.data.dtype == Dtype::boolean;
  const std::string data =
      rows.data.real() ? json_list(rows.data.f, json_number)
      : truth          ? json_list(rows.data.i, [](std::int64_t i) { return i ? "true" : "false"; })
                       : json_integers(rows.data.i);
  const std::string offsets =
      rows.ragged ? fmt::format(", \"offsets\": {}", json_integers(rows.offsets)) : "";
  return fmt::format(R"({{"shape": {}, "data": {}{}}})", json_integers(rows.data.shape), data,
                     offsets);
}

// Names of models and structures may be any text.
std::string json_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string json_entry(const EntryResults& entry, const std::string& indent) {
  std::string out = indent + json_name(entry.entry) + ": {";
  for (std::size_t i = 0; i < entry.results.size(); ++i)
    out += fmt::format("{}\n{}  {}: {}", i > 0 ? "," : "", indent, json_name(entry.results[i].name),
                       json_rows(entry.results[i]));
  return out + '\n' + indent + '}';
}

}  // namespace

std::string results_json(const std::vector<EntryResults>& all) {
  std::string out = "{";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& structure = all[i].structure;
    const bool opens = i == 0 || all[i - 1].structure != structure;
    if (i > 0) out += opens && !structure.empty() ? "\n  }," : ",";
    if (opens && !structure.empty()) out += "\n  " + json_name(structure) + ": {";
    out += '\n' + json_entry(all[i], structure.empty() ? "  " : "    ");
  }
  if (!all.empty() && !all.back().structure.empty()) out += "\n  }";
  return out + (all.empty() ? "}\n" : "\n}\n");
}

std::map<std::string, ops::Tensor> results_tensors(const std::vector<EntryResults>& all) {
  std::map<std::string, ops::Tensor> out;
  for (const EntryResults& entry : all)
    for (const eval::Rows& rows : entry.results) {
      const std::string name =
          (entry.structure.empty() ? "" : entry.structure + '/') + entry.entry + '/' + rows.name;
      ops::Tensor data = rows.data;
      if (data.dtype != Dtype::boolean) data.dtype = data.real() ? Dtype::f64 : Dtype::i64;
      out[name] = std::move(data);
      if (!rows.ragged) continue;
      ops::Tensor offsets;
      offsets.dtype = Dtype::i64;
      offsets.shape = {static_cast<std::int64_t>(rows.offsets.size())};
      offsets.i = rows.offsets;
      out[name + "/offsets"] = std::move(offsets);
    }
  return out;
}

}  // namespace espalier::driver

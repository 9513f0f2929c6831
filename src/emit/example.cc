// The program in the comment of NAME.h.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.h"
#include "emit/arrays.h"
#include "emit/input_arrays.h"
#include "emit/render.h"
#include "emit/small_inputs.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t widest = 92;  // columns, behind "//   "

// "  TEXT{a, b, c};", broken behind commas.
void add_list(const std::string& text, const Lines& items, Lines* out) {
  std::string line = "  " + text + "{";
  for (std::size_t i = 0; i < items.size(); i++) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "};");
    if (line.size() + 1 + item.size() > widest) {
      out->push_back(line);
      line = "     ";
    }
    line += (line.back() == '{' ? "" : " ") + item;
  }
  out->push_back(items.empty() ? line + "};" : line);
}

class Example {
 public:
  Example(const EntryContext& e, bool linked) : e_(e), linked_(linked) {
    for (const char* name : {"model", "m", "s", "launch", "bytes", "workspace", "buffer", "forest",
                             "calls", "out", "run_once", "weights", "main", "std"})
      names_.reserve(name);
  }

  Lines lines() {
    const std::string& package = e_.package.names.package;
    out_ = {"#include <cstdio>",
            "#include <cstdlib>",
            "",
            "#include \"" + package + ".h\"",
            "",
            "namespace model = " + package + ";",
            ""};
    const bool given = !linked_ && !e_.module().parameters.empty();
    if (given) out_.push_back("// The weights are those that open_weights() gives.");
    out_.push_back(given ? "int run_once(const model::Weights& weights) {" : "int run_once() {");
    input();
    results();
    call(given ? "weights" : linked_ ? "model::linked_weights()" : "{}");
    return out_;
  }

 private:
  // A small forest and a call on it, or, of an entry that gives rows for nodes, the forest alone.
  void input() {
    const auto inputs = small_inputs(e_.module().forest, e_.entry.arguments, e_.entry.nodes);
    data_ = e_.has_forest() ? inputs[1] : inputs[0];
    if (e_.has_forest())
      add_struct("Forest", "forest", data_.forest.nodes, forest_arrays(e_.package, data_.forest));
    if (e_.has_calls())
      add_struct(e_.names.calls, "calls", data_.calls.count, call_arrays(e_, data_.calls));
  }

  void add_struct(const std::string& type, const std::string& name, std::int64_t count,
                  const std::vector<InputArray>& arrays) {
    Lines members = {std::to_string(count)};
    for (const InputArray& array : arrays) members.push_back(add_array(array));
    add_list("const model::" + type + " " + name + " = ", members, &out_);
  }

  // Its name, or "nullptr" where there is nothing in it.
  std::string add_array(const InputArray& array) {
    const std::size_t count = std::max(array.data.real.size(), array.data.integer.size());
    if (count == 0) return "nullptr";
    const std::string name = names_.unique(array.name.substr(array.name.find('_') + 1));
    const std::string start = fmt::format("const {} {}[", memory_type(array.dtype), name);
    constexpr std::size_t most = 24;  // elements that are spelled out
    if (count > most)
      out_.push_back(fmt::format("  {}{}] = {{}};  // {}", start, count, array.shape));
    else if (array.name == "variant")
      add_list(start + "] = ", variants(array.data), &out_);
    else
      add_list(start + "] = ", element_texts(array.dtype, array.data), &out_);
    return name;
  }

  Lines variants(const Column& column) const {
    Lines out;
    for (const std::int64_t v : column.integer)
      out.push_back("model::" + e_.package.names.variants[static_cast<std::size_t>(v)]);
    return out;
  }

  void results() {
    Lines members;
    for (std::size_t r = 0; r < e_.entry.outputs.size(); r++) {
      const loop::OutputCopy& output = e_.entry.outputs[r];
      if (!e_.names.offsets[r].empty()) {
        members.push_back(names_.unique(e_.names.offsets[r]));
        out_.push_back(
            fmt::format("  std::int32_t {}[{}];", members.back(), data_.calls.count + 1));
      }
      const std::string type = memory_type(output.dtype), name = names_.unique(e_.names.results[r]);
      std::int64_t elements = 1;
      for (const std::int64_t n : e_.module().buffer(output.buffer).shape) elements *= n;
      const std::int64_t count = rows(output) * elements;
      out_.push_back(fmt::format("  {}{} {}[{}];", count > 4096 ? "static " : "", type, name,
                                 std::max<std::int64_t>(count, 1)));
      members.push_back(name);
      if (first_.empty() && is_float(output.dtype) && type != "std::uint16_t" && count > 0)
        first_ = name;
    }
    add_list("const model::" + e_.names.outputs + " out = ", members, &out_);
  }

  std::int64_t rows(const loop::OutputCopy& output) const {
    if (output.rows == loop::OutputCopy::Rows::calls) return data_.calls.count;
    if (output.rows == loop::OutputCopy::Rows::nodes)
      return std::count_if(data_.forest.variant.begin(), data_.forest.variant.end(), [&](int v) {
        return e_.module().forest.variants[static_cast<std::size_t>(v)].type == output.type;
      });
    if (output.length >= 0) return data_.calls.count * output.length;
    const loop::ListDomain& list = e_.entry.lists[static_cast<std::size_t>(output.list)];
    return data_.calls.lists[static_cast<std::size_t>(list.list)].back();
  }

  void call(const std::string& weights) {
    std::string data = e_.has_forest() ? "forest" : "";
    if (e_.has_calls()) data += data.empty() ? "calls" : ", calls";
    const auto add = [&](std::string line) { out_.push_back(std::move(line)); };
    add("  void* buffer = std::aligned_alloc(64, model::prepared_bytes());");
    add("  model::Model m;  // once per set of weights; then calls, from any thread:");
    add("  model::Status s = model::prepare(" + weights + ", buffer, &m);");
    add("  const model::Launch launch = {2};  // threads");
    add("  const std::size_t bytes =");
    add("      model::" + e_.names.workspace_bytes + "(model::" + e_.names.limits_of + "(" + data +
        "), launch);");
    add("  void* workspace = std::aligned_alloc(64, bytes);");
    add("  if (s.code == model::ok)");
    add("    s = model::" + e_.names.function + "(m, " + data + (data.empty() ? "" : ", ") +
        "out, workspace, bytes, launch);");
    add("  if (s.code != model::ok)");
    add("    std::printf(\"%s: node %d\\n\", model::describe(s), static_cast<int>(s.node));");
    if (!first_.empty()) {
      add("  else");
      add("    std::printf(\"" + first_ + "[0] = %g\\n\", static_cast<double>(" + first_ +
          "[0]));");
    }
    add("  std::free(workspace);");
    add("  std::free(buffer);");
    add("  return s.code == model::ok ? 0 : 1;");
    add("}");
    if (weights != "weights") add(""), add("int main() { return run_once(); }");
  }

  const EntryContext& e_;
  bool linked_;
  Names names_;
  SmallInput data_;
  std::string first_;  // a result to be shown
  Lines out_;
};

}  // namespace

std::vector<std::string> example(const Context& c, bool linked) {
  if (c.names.entries.empty()) return {};
  const EntryContext e = entry_context(c, 0);
  Lines out = Example(e, linked).lines();
  for (std::string& line : out)
    if (!line.empty()) line.insert(0, "   ");
  return out;
}

}  // namespace espalier::emit

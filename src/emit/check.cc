// check.cpp and check_vectors.inc.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/numbers.h"
#include "emit/arrays.h"
#include "emit/parts.h"
#include "emit/render.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

constexpr std::size_t most_bytes = 32 * 1024;

bool is_half(Dtype dtype) { return dtype == Dtype::f16 || dtype == Dtype::bf16; }

std::size_t array_bytes(Dtype dtype, const Column& column) {
  return (column.real.size() + column.integer.size()) * static_cast<std::size_t>(bytes(dtype));
}

std::size_t input_bytes(const Context& c, const loop::Entry& entry, const CheckCase& check) {
  std::size_t total = c.module.forest.variants.size() > 1 ? check.forest.variant.size() : 0;
  for (std::size_t i = 0; i < check.forest.columns.size(); i++)
    total += array_bytes(c.module.forest.columns[i].dtype, check.forest.columns[i]);
  for (std::size_t i = 0; i < check.calls.columns.size(); i++)
    total += array_bytes(entry.arguments.columns[i].dtype, check.calls.columns[i]);
  for (const auto* lists : {&check.forest.lists, &check.calls.lists})
    for (const auto& list : *lists) total += 4 * list.size();
  for (const CheckResult& result : check.results) total += 4 * result.offsets.size();
  return total;
}

std::size_t result_bytes(const loop::Entry& entry, const CheckCase& check) {
  std::size_t total = 0;
  for (std::size_t r = 0; r < check.results.size(); r++)
    total += array_bytes(entry.outputs[r].dtype == Dtype::f64 ? Dtype::f64 : Dtype::f32,
                         check.results[r].rows);
  return total;
}

// Every `step`-th element from the first on.
Column thinned(const Column& column, std::size_t step) {
  Column out;
  for (std::size_t i = 0; i < column.real.size(); i += step) out.real.push_back(column.real[i]);
  for (std::size_t i = 0; i < column.integer.size(); i += step)
    out.integer.push_back(column.integer[i]);
  return out;
}

// Prints the arrays and the function of one case.
class CasePrinter {
 public:
  CasePrinter(const EntryContext& e, const CheckCase& check, int number, std::size_t step)
      : e_(e),
        check_(check),
        step_(step),
        prefix_(fmt::format("{}_{}_", e.names.function, number)),
        function_(fmt::format("check_{}_{}", e.names.function, number)) {}

  std::string arrays, function;
  const std::string& name() const { return function_; }

  void print() {
    out_.line("// {}", comment_text(check_.title));
    out_.line("void {}(const model::Model& m, Report& report) {{", function_);
    {
      const auto scope = out_.indent();
      body();
    }
    out_.line("}");
    out_.line();
    function = std::move(out_).text();
  }

 private:
  void body() {
    std::vector<std::string> arguments = {"m"};
    if (e_.has_forest()) forest(), arguments.push_back("forest");
    if (e_.has_calls()) calls(), arguments.push_back("calls");
    const std::string inputs = join({arguments.begin() + 1, arguments.end()}, ", ");
    outputs();
    out_.line("for (int threads = 1; threads <= 2; threads++) {");
    out_.line("  const model::Launch launch = {threads};");
    out_.line("  const std::size_t bytes =");
    out_.line("      model::{}(model::{}({}), launch);", e_.names.workspace_bytes,
              e_.names.limits_of, inputs);
    out_.line("  const Memory workspace(bytes);");
    out_.line("  report.cases++;");
    out_.line("  const model::Status status =");
    out_.line("      model::{}({}, out, workspace.get(), bytes, launch);", e_.names.function,
              join(arguments, ", "));
    out_.line("  if (!report.ok(status, title)) return;");
    compare();
    out_.line("}");
  }

  std::string array(const std::string& name, Dtype dtype, const Column& column) {
    const std::string text = array_text(prefix_ + name, dtype, column);
    arrays += text;
    return text.empty() ? "nullptr" : prefix_ + name;
  }

  void members(const std::string& type, const std::string& name, std::vector<std::string> values) {
    out_.line("const model::{} {} = {{{}}};", type, name, join(values, ", "));
  }

  void forest() {
    const Forest& table = e_.module().forest;
    ForestData data = check_.forest;
    mark_missing(table, &data);
    std::vector<std::string> values = {std::to_string(data.nodes)};
    if (has_variant_array(table)) {
      Column variant;
      for (const int v : data.variant) variant.integer.push_back(v);
      values.push_back(array("variant", Dtype::boolean, variant));
    }
    for (std::size_t l = 0; l < table.lists.size(); l++)
      values.push_back(
          array("forest_" + e_.package.names.lists[l], Dtype::i32, {{}, data.lists[l]}));
    for (std::size_t i = 0; i < table.columns.size(); i++)
      values.push_back(array("forest_" + e_.package.names.columns[i],
                             table.columns[i].child ? Dtype::i32 : table.columns[i].dtype,
                             data.columns[i]));
    members("Forest", "forest", values);
  }

  void calls() {
    const Arguments& table = e_.entry.arguments;
    std::vector<std::string> values = {std::to_string(check_.calls.count)};
    for (std::size_t l = 0; l < table.lists.size(); l++)
      values.push_back(
          array("calls_" + e_.names.lists[l], Dtype::i32, {{}, check_.calls.lists[l]}));
    for (std::size_t i = 0; i < table.columns.size(); i++)
      values.push_back(array("calls_" + e_.names.columns[i],
                             table.columns[i].child ? Dtype::i32 : table.columns[i].dtype,
                             check_.calls.columns[i]));
    members(e_.names.calls, "calls", values);
  }

  std::size_t elements(std::size_t r) const {
    const Column& rows = check_.results[r].rows;
    return rows.real.size() + rows.integer.size();
  }

  // Room for the results, and where they go.
  void outputs() {
    out_.line("const char* const title = {};", string_literal(check_.title));
    std::vector<std::string> values;
    for (std::size_t r = 0; r < check_.results.size(); r++) {
      const loop::OutputCopy& output = e_.entry.outputs[r];
      if (!e_.names.offsets[r].empty()) {
        out_.line("std::int32_t got_{}[{}];", e_.names.offsets[r], check_.calls.count + 1);
        values.push_back("got_" + e_.names.offsets[r]);
      }
      const std::string type = memory_type(output.dtype);
      out_.line("const Memory room_{}({} * sizeof({}));", e_.names.results[r], elements(r), type);
      out_.line("{0}* const got_{1} = static_cast<{0}*>(room_{1}.get());", type,
                e_.names.results[r]);
      values.push_back("got_" + e_.names.results[r]);
    }
    members(e_.names.outputs, "out", values);
  }

  std::string as_double(Dtype dtype, const std::string& value) const {
    if (dtype == Dtype::f16) return "value_of_f16(" + value + ")";
    if (dtype == Dtype::bf16) return "value_of_bf16(" + value + ")";
    return "static_cast<double>(" + value + ")";
  }

  void compare() {
    for (std::size_t r = 0; r < check_.results.size(); r++) {
      const loop::OutputCopy& output = e_.entry.outputs[r];
      const CheckResult& result = check_.results[r];
      const std::string& name = e_.names.results[r];
      if (!e_.names.offsets[r].empty()) {
        const std::string want =
            array("want_" + e_.names.offsets[r], Dtype::i32, {{}, result.offsets});
        out_.line("  for (std::size_t i = 0; i < {}; i++)", result.offsets.size());
        out_.line("    report.compare(got_{0}[i], {1}[i], title, \"{0}\", i);", e_.names.offsets[r],
                  want);
      }
      const Column kept = thinned(result.rows, step_);
      const std::size_t count = kept.real.size() + kept.integer.size();
      if (count == 0) continue;
      const Dtype stored = is_half(output.dtype) ? Dtype::f32 : output.dtype;
      const std::string want = array("want_" + name, stored, kept);
      out_.line("  for (std::size_t i = 0; i < {}; i++)", count);
      const std::string at = step_ == 1 ? "i" : fmt::format("i * {}", step_);
      out_.line("    report.compare({},", as_double(output.dtype, "got_" + name + "[" + at + "]"));
      out_.line("                   {}, title, \"{}\", {});", as_double(Dtype::f32, want + "[i]"),
                name, at);
    }
  }

  const EntryContext& e_;
  const CheckCase& check_;
  std::size_t step_;
  std::string prefix_, function_;
  LineBuffer out_;
};

std::size_t element_count(const Parameter& parameter) {
  std::size_t count = 1;
  for (const std::int64_t n : parameter.shape) count *= static_cast<std::size_t>(n);
  return count;
}

// What fills weights of 16 bits: the numbers are exact in both types.
std::string half_fills(const Context& c) {
  std::string out;
  for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
    if (std::none_of(c.module.parameters.begin(), c.module.parameters.end(),
                     [&](const Parameter& p) { return p.dtype == dtype; }))
      continue;
    const bool f16 = dtype == Dtype::f16;
    out += std::string("const std::uint16_t* ") + (f16 ? "fill_f16" : "fill_bf16") +
           "(std::uint16_t* to, std::size_t count, std::uint32_t parameter) {\n"
           "  for (std::size_t i = 0; i < count; i++) {\n"
           "    const int number = made_up(parameter, static_cast<std::uint32_t>(i));\n"
           "    const float value = static_cast<float>(number) / 256;\n"
           "    std::uint32_t bits;\n"
           "    std::memcpy(&bits, &value, sizeof bits);\n" +
           (f16 ? "    const std::uint32_t size = number == 0 ? 0 : ((bits & 0x7fffffffu) >> 13) - "
                  "0x1c000u;\n"
                  "    to[i] = static_cast<std::uint16_t>((bits >> 31 << 15) | size);\n"
                : "    to[i] = static_cast<std::uint16_t>(bits >> 16);\n") +
           "  }\n"
           "  return to;\n"
           "}\n\n";
  }
  return out;
}

// Weights made up on the spot.
std::string made_up_main(const Context& c) {
  LineBuffer out;
  std::vector<std::string> members;
  for (std::size_t p = 0; p < c.module.parameters.size(); p++) {
    const Parameter& parameter = c.module.parameters[p];
    const std::string type = memory_type(parameter.dtype), name = c.names.parameters[p];
    out.line("  const Memory memory_{}({} * sizeof({}));", name, element_count(parameter), type);
    const std::string fill = is_half(parameter.dtype)
                                 ? (parameter.dtype == Dtype::f16 ? "fill_f16" : "fill_bf16")
                                 : "fill";
    members.push_back(fmt::format("{}(static_cast<{}*>(memory_{}.get()), {}, {}u)", fill, type,
                                  name, element_count(parameter), p));
  }
  out.line("  const model::Weights weights = {{{}}};", join(members, ", "));
  return std::move(out).text();
}

std::string file_main(const Context& c) {
  return "  const char* path = argc > 1 ? argv[1] : \"" + c.names.package +
         ".safetensors\";\n"
         "  std::FILE* file = std::fopen(path, \"rb\");\n"
         "  if (!file) return std::printf(\"%s: cannot be read\\n\", path), 1;\n"
         "  std::fseek(file, 0, SEEK_END);\n"
         "  const std::size_t size = static_cast<std::size_t>(std::ftell(file));\n"
         "  std::rewind(file);\n"
         "  const Memory bytes(size), buffer(size);\n"
         "  const std::size_t read = std::fread(bytes.get(), 1, size, file);\n"
         "  std::fclose(file);\n"
         "  model::Weights weights = {};\n"
         "  const char* missing = read == size\n"
         "                            ? model::open_weights(bytes.get(), size, buffer.get(), "
         "&weights)\n"
         "                            : \"the end\";\n"
         "  if (missing) return std::printf(\"%s: lacks %s\\n\", path, missing), 1;\n";
}

bool weights_from_file(const Context& c, const Inputs& inputs) {
  return !c.module.parameters.empty() && !inputs.weights.empty() &&
         !weights_are_linked(c.module, inputs);
}

bool weights_made_up(const Context& c, const Inputs& inputs) {
  return !c.module.parameters.empty() && inputs.weights.empty();
}

// main(): weights, prepare(), then `runs` of the entries.
std::string main_text(const Context& c, const Inputs& inputs, const std::string& main) {
  const bool from_file = weights_from_file(c, inputs), made_up = weights_made_up(c, inputs);
  const bool linked = weights_are_linked(c.module, inputs);
  const bool has_weights = !c.module.parameters.empty();
  std::string body = from_file ? "int main(int argc, char** argv) {\n" : "int main() {\n";
  if (linked) body += "  const model::Weights weights = model::linked_weights();\n";
  if (from_file) body += file_main(c);
  if (made_up) body += made_up_main(c);
  if (!has_weights) body += "  const model::Weights weights = {};\n";
  body +=
      "  const Memory prepared(model::prepared_bytes());\n"
      "  model::Model m;\n"
      "  const model::Status status = model::prepare(weights, prepared.get(), &m);\n"
      "  if (status.code != model::ok) return std::printf(\"%s\\n\", model::describe(status)), 1;\n"
      "  int wrong = 0;\n" +
      main + "  return wrong ? 1 : 0;\n}\n";
  return body;
}

}  // namespace

double check_weight(std::uint32_t parameter, std::uint64_t element) {
  std::uint32_t x =
      parameter * 0x9e3779b9u + static_cast<std::uint32_t>(element) * 0x85ebca6bu + 0x27d4eb2fu;
  x = (x ^ x >> 15) * 0x2c1b3c6du;
  x = (x ^ x >> 12) * 0x297a2d39u;
  return (static_cast<int>((x ^ x >> 15) >> 25) - 64) / 256.0;
}

CheckFiles check_files(const Context& c, const Inputs& inputs) {
  std::string arrays =
      "// Inputs and answers of check.cpp; those of 16-bit types as their bits.\n\n";
  std::string cases, main;
  std::size_t left = most_bytes;
  for (const CheckEntry& checked : inputs.check.entries) {
    const EntryContext e = entry_context(c, checked.entry);
    LineBuffer run;
    run.line("  {");
    run.line("    Report report = {{{}}};", string_literal(e.entry.name));
    int number = 0;
    for (std::size_t k = 0; k < checked.cases.size(); k++) {
      const CheckCase& check = checked.cases[k];
      const std::size_t in = input_bytes(c, e.entry, check), results = result_bytes(e.entry, check);
      // The first case always has room for itself; others a fair part of what is left.
      const std::size_t share = std::max<std::size_t>(left / (checked.cases.size() - k), 1);
      if (in >= share) continue;
      const std::size_t step = results == 0 ? 1 : (results + (share - in) - 1) / (share - in);
      CasePrinter printer(e, check, ++number, step);
      printer.print();
      arrays += printer.arrays + "\n";
      cases += printer.function;
      run.line("    {}(m, report);", printer.name());
      left -= std::min(left, in + results / step);
    }
    run.line("    report.print();");
    run.line("    wrong += report.wrong;");
    run.line("  }");
    if (number > 0) main += run.text();
  }
  const bool from_file = weights_from_file(c, inputs), made_up = weights_made_up(c, inputs);
  bool halves = false;
  for (const loop::Entry& entry : c.module.entries)
    for (const loop::OutputCopy& output : entry.outputs) halves |= is_half(output.dtype);
  const std::string body = main_text(c, inputs, main);
  Data d = package_data(c);
  d.set("from_file", from_file);
  d.set("made_up", made_up);
  d.set("has_halves", halves);
  d.set("absolute", literal(inputs.check.absolute, {"INFINITY", "NAN"}));
  d.set("relative", literal(inputs.check.relative, {"INFINITY", "NAN"}));
  d.set("cases", cases);
  d.set("weights", made_up ? half_fills(c) : "");
  d.set("main", body);
  return {render("check.cpp", d), arrays};
}

}  // namespace espalier::emit

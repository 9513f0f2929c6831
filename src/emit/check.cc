// check.cpp and check_vectors.inc.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "base/numbers.h"
#include "emit/arrays.h"
#include "emit/input_arrays.h"
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

// Prints an entry's cases: their arrays, a table of them, and the function that does one.
class EntryPrinter {
 public:
  explicit EntryPrinter(const EntryContext& e) : e_(e) {}

  std::string arrays, table;  // table: a row for each case
  int cases = 0;

  // Of each result every `step`-th element.
  void add(const CheckCase& check, std::size_t step) {
    prefix_ = fmt::format("{}_{}_", e_.names.function, ++cases);
    std::vector<std::string> row = {string_literal(check.title)};
    if (e_.has_forest())
      row.push_back(members(check.forest.nodes, forest_arrays(e_.package, check.forest)));
    if (e_.has_calls()) row.push_back(members(check.calls.count, call_arrays(e_, check.calls)));
    for (std::size_t r = 0; r < check.results.size(); r++) {
      const CheckResult& result = check.results[r];
      if (!e_.names.offsets[r].empty())
        row.push_back(answer(e_.names.offsets[r], Dtype::i32, {{}, result.offsets}, 1));
      row.push_back(answer(e_.names.results[r], stored(r), result.rows, step));
    }
    arrays += "\n";
    table += fmt::format("  {{{}}},\n", join(row, ",\n   "));
  }

  // The type of cases, the table, and check_ENTRY().
  std::string text() const {
    LineBuffer out;
    out.line("struct {} {{", type());
    out.line("  const char* title;");
    if (e_.has_forest()) out.line("  model::Forest forest;");
    if (e_.has_calls()) out.line("  model::{} calls;", e_.names.calls);
    each_result([&](const std::string& name, const std::string& got, const std::string& want) {
      out.line("  Answer<{}> want_{};{}", want, name, got == want ? "" : "  // 16 bits");
    });
    out.line("};");
    out.line();
    out.line("const {} {}_cases[] = {{", type(), e_.names.function);
    return std::move(out).text() + table + "};\n\n" + function();
  }
  std::string run() const {
    LineBuffer out;
    out.line("  {");
    out.line("    Report report = {{{}}};", string_literal(e_.entry.name));
    out.line("    for (const {0}& c : {1}_cases) check_{1}(m, c, report);", type(),
             e_.names.function);
    out.line("    report.print();");
    out.line("    wrong += report.wrong;");
    out.line("  }");
    return std::move(out).text();
  }

 private:
  std::string type() const { return e_.names.prefix + "Case"; }
  Dtype stored(std::size_t r) const {
    const Dtype dtype = e_.entry.outputs[r].dtype;
    return is_half(dtype) ? Dtype::f32 : dtype;
  }

  // Calls visit(member of Outputs, its type in memory, that of the answers) in order.
  template <class Visit>
  void each_result(const Visit& visit) const {
    for (std::size_t r = 0; r < e_.entry.outputs.size(); r++) {
      const std::string offset = memory_type(Dtype::i32);
      if (!e_.names.offsets[r].empty()) visit(e_.names.offsets[r], offset, offset);
      visit(e_.names.results[r], memory_type(e_.entry.outputs[r].dtype), memory_type(stored(r)));
    }
  }

  std::string array(const std::string& name, Dtype dtype, const Column& column) {
    const std::string text = array_text(prefix_ + name, dtype, column);
    arrays += text;
    return text.empty() ? "nullptr" : prefix_ + name;
  }

  std::string members(std::int64_t count, const std::vector<InputArray>& inputs) {
    std::vector<std::string> values = {std::to_string(count)};
    for (const InputArray& input : inputs)
      values.push_back(array(input.name, input.dtype, input.data));
    return "{" + join(values, ", ") + "}";
  }

  std::string answer(const std::string& name, Dtype dtype, const Column& all, std::size_t step) {
    const Column kept = thinned(all, step);
    return fmt::format("{{{}, {}, {}, {}}}", all.real.size() + all.integer.size(), step,
                       kept.real.size() + kept.integer.size(), array("want_" + name, dtype, kept));
  }

  std::string function() const {
    LineBuffer out;
    out.line("void check_{}(const model::Model& m, const {}& c, Report& report) {{",
             e_.names.function, type());
    std::vector<std::string> inputs, outputs;
    if (e_.has_forest()) inputs.push_back("c.forest");
    if (e_.has_calls()) inputs.push_back("c.calls");
    each_result([&](const std::string& name, const std::string& got, const std::string&) {
      out.line("  const Memory room_{0}(c.want_{0}.elements * sizeof({1}));", name, got);
      outputs.push_back(fmt::format("static_cast<{}*>(room_{}.get())", got, name));
    });
    const std::string data = join(inputs, ", ");
    out.line("  const model::{} out = {{{}}};", e_.names.outputs, join(outputs, ", "));
    out.line("  for (int threads = 1; threads <= 2; threads++) {");
    out.line("    const model::Launch launch = {threads};");
    out.line("    const std::size_t bytes =");
    out.line("        model::{}(model::{}({}), launch);", e_.names.workspace_bytes,
             e_.names.limits_of, data);
    out.line("    const Memory workspace(bytes);");
    out.line("    report.cases++;");
    out.line(
        "    const model::Status status = model::{}(m, {}{}out, workspace.get(), bytes, launch);",
        e_.names.function, data, data.empty() ? "" : ", ");
    out.line("    if (!report.ok(status, c.title)) return;");
    compare(&out);
    out.line("  }");
    out.line("}");
    out.line();
    return std::move(out).text();
  }

  void compare(LineBuffer* out) const {
    const auto one = [&](const std::string& name, const char* convert) {
      out->line("    report.compare(out.{0}, c.want_{0}, c.title, \"{0}\"{1});", name, convert);
    };
    for (std::size_t r = 0; r < e_.entry.outputs.size(); r++) {
      const Dtype dtype = e_.entry.outputs[r].dtype;
      if (!e_.names.offsets[r].empty()) one(e_.names.offsets[r], "");
      one(e_.names.results[r], dtype == Dtype::f16    ? ", value_of_f16"
                               : dtype == Dtype::bf16 ? ", value_of_bf16"
                                                      : "");
    }
  }

  const EntryContext& e_;
  std::string prefix_;
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
    EntryPrinter printer(e);
    for (std::size_t k = 0; k < checked.cases.size(); k++) {
      const CheckCase& check = checked.cases[k];
      const std::size_t in = input_bytes(c, e.entry, check), results = result_bytes(e.entry, check);
      // The first case always has room for itself; others a fair part of what is left.
      const std::size_t share = std::max<std::size_t>(left / (checked.cases.size() - k), 1);
      if (in >= share) continue;
      const std::size_t step = results == 0 ? 1 : (results + (share - in) - 1) / (share - in);
      printer.add(check, step);
      left -= std::min(left, in + results / step);
    }
    if (printer.cases == 0) continue;
    arrays += printer.arrays;
    cases += printer.text();
    main += printer.run();
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

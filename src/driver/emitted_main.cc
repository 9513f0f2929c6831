// The program around an emitted package: reads blocks (a count of bytes, then the bytes), the first
// a safetensors file, the others in the order of the package's structs; calls entries, writes what
// they give.
#include <fmt/format.h>

#include <map>

#include "base/line_buffer.h"
#include "driver/emitted.h"
#include "emit/host.h"
#include "emit/text.h"
#include "loop/api_names.h"

namespace espalier::driver {
namespace {

constexpr const char* head = R"(#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace {

std::FILE* input;
std::FILE* output;
std::vector<void*> taken;  // by the call at work

// Memory of exactly `bytes`, filled with what no result is.
struct Room {
  std::size_t bytes;
  void* data;
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

Room room(std::size_t bytes) {
  taken.push_back(std::malloc(bytes));
  if (taken.back()) std::memset(taken.back(), 0xff, bytes);
  return {bytes, taken.back()};
}

void free_taken() {
  for (void* data : taken) std::free(data);
  taken.clear();
}

// The same, aligned to 64 bytes.
struct Buffer {
  std::size_t bytes;
  void* data;
  explicit Buffer(std::size_t size)
      : bytes(size), data(::operator new(size, std::align_val_t{64}, std::nothrow)) {
    if (data) std::memset(data, 0xff, size);
  }
  ~Buffer() { ::operator delete(data, std::align_val_t{64}); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

// Files are little-endian: turns numbers of `width` bytes from or to this processor's order.
void turn(const Room& numbers, std::size_t width) {
  const std::uint16_t one = 1;
  unsigned char first;
  std::memcpy(&first, &one, 1);
  if (first == 1) return;
  unsigned char* const bytes = numbers.as<unsigned char>();
  for (std::size_t n = 0; n + width <= numbers.bytes; n += width)
    for (std::size_t b = 0; b < width / 2; b++) {
      const unsigned char low = bytes[n + b];
      bytes[n + b] = bytes[n + width - 1 - b];
      bytes[n + width - 1 - b] = low;
    }
}

Room read(std::size_t bytes) {
  const Room all = room(bytes);
  if (std::fread(all.data, 1, bytes, input) != bytes) std::exit(3);
  return all;
}

// The next block; null where there is none.
Room block() {
  const Room size = read(8);
  turn(size, 8);
  const std::int64_t bytes = *size.as<std::int64_t>();
  if (bytes < 0) return {0, nullptr};
  return read(static_cast<std::size_t>(bytes));
}

template <class T>
T* array() {
  const Room all = block();
  turn(all, sizeof(T));
  return all.as<T>();
}

std::int32_t number() { return *array<std::int32_t>(); }

Room room() { return room(static_cast<std::size_t>(*array<std::int64_t>())); }

void put(const Room& all, std::size_t width) {
  turn(all, width);
  if (std::fwrite(all.data, 1, all.bytes, output) != all.bytes) std::exit(3);
}

}  // namespace
)";

std::string argument_type(const Field& column) {
  return emit::memory_type(column.child ? Dtype::i32 : column.dtype);
}

std::string arrays(std::string first, const std::vector<List>& lists,
                   const std::vector<Field>& columns) {
  for (std::size_t l = 0; l < lists.size(); ++l) first += ", array<std::int32_t>()";
  for (const Field& column : columns) first += fmt::format(", array<{}>()", argument_type(column));
  return first;
}

class MainPrinter {
 public:
  explicit MainPrinter(const loop::Module& module)
      : module_(module), names_(loop::api_names(module)) {}

  std::string print() {
    out_.line("#include \"{}.h\"", names_.package);
    if (!module_.parameters.empty()) out_.line("#include \"{}_weights.h\"", names_.package);
    out_.line();
    std::string text = std::move(out_).text() + head;
    out_ = LineBuffer();
    out_.line();
    out_.line("namespace model = {};", names_.package);
    for (std::size_t e = 0; e < module_.entries.size(); ++e) {
      entry(e);
      out_.line("}");
    }
    main();
    return text + std::move(out_).text();
  }

 private:
  void entry(std::size_t number) {
    const loop::Entry& entry = module_.entries[number];
    const loop::ApiNames::Entry& names = names_.entries[number];
    out_.line();
    out_.line("void run_{}(const model::Model& m, int threads) {{", number);
    const auto body = out_.indent();
    std::string arguments;
    if (!module_.forest.variants.empty()) {
      std::string first = "number()";
      if (emit::has_variant_array(module_.forest)) first += ", array<std::uint8_t>()";
      out_.line("const model::Forest forest = {{{}}};",
                arrays(first, module_.forest.lists, module_.forest.columns));
      arguments = "forest";
    }
    if (!entry.nodes) {
      out_.line("const model::{} calls = {{{}}};", names.calls,
                arrays("number()", entry.arguments.lists, entry.arguments.columns));
      arguments += arguments.empty() ? "calls" : ", calls";
    }
    std::string outputs, puts;
    for (std::size_t r = 0; r < entry.outputs.size(); ++r) {
      if (!names.offsets[r].empty()) {
        out_.line("const Room first_{} = room();", r);
        outputs += fmt::format("first_{}.as<std::int32_t>(), ", r);
        puts += fmt::format("put(first_{}, 4);\n", r);
      }
      out_.line("const Room room_{} = room();", r);
      outputs += fmt::format("room_{}.as<{}>(), ", r, emit::memory_type(entry.outputs[r].dtype));
      puts += fmt::format("put(room_{}, {});\n", r, bytes(entry.outputs[r].dtype));
    }
    out_.line("const model::{} out = {{{}}};", names.outputs, outputs);
    out_.line("const model::Launch launch = {threads};");
    out_.line("const Buffer workspace(model::{}(model::{}({}), launch));", names.workspace_bytes,
              names.limits_of, arguments);
    out_.line("const model::Status status = model::{}(m, {}, out, workspace.data,", names.function,
              arguments);
    out_.line("                                       workspace.bytes, launch);");
    out_.line("std::int64_t numbers[] = {status.code, status.node, status.detail};");
    out_.line("put({sizeof numbers, numbers}, 8);");
    out_.line("if (status.code != model::ok) return;");
    while (!puts.empty()) {
      out_.line(std::string_view(puts).substr(0, puts.find('\n')));
      puts.erase(0, puts.find('\n') + 1);
    }
  }

  void main() {
    out_.line();
    out_.line("int main(int, char** argv) {");
    out_.line("  input = std::fopen(argv[1], \"rb\");");
    out_.line("  output = std::fopen(argv[2], \"wb\");");
    out_.line("  if (!input || !output) return 3;");
    out_.line("  const int threads = std::atoi(argv[3]);");
    out_.line("  model::Weights weights = {};");
    if (!module_.parameters.empty()) {
      out_.line("  const Room file = block();");
      out_.line("  const char* const missing = model::open_weights(");
      out_.line("      file.data, file.bytes, room(file.bytes).data, &weights);");
      out_.line("  if (missing) return 5;");
    }
    out_.line("  const Buffer buffer(model::prepared_bytes());");
    out_.line("  model::Model m;");
    out_.line("  if (model::prepare(weights, buffer.data, &m).code != model::ok) return 4;");
    out_.line("  const std::vector<void*> kept = std::move(taken);");
    out_.line("  taken.clear();");
    out_.line("  for (int entry = number(); entry >= 0; free_taken(), entry = number())");
    out_.line("    switch (entry) {");
    for (std::size_t e = 0; e < module_.entries.size(); ++e)
      out_.line("      case {0}: run_{0}(m, threads); break;", e);
    out_.line("    }");
    out_.line("  free_taken();");
    out_.line("  for (void* data : kept) std::free(data);");
    out_.line("  std::fclose(input);");
    out_.line("  return std::fclose(output) == 0 ? 0 : 3;");
    out_.line("}");
  }

  const loop::Module& module_;
  loop::ApiNames names_;
  LineBuffer out_;
};

}  // namespace

std::string emitted_main(const loop::Module& module, std::vector<std::string>* codes) {
  const loop::ApiNames names = loop::api_names(module);
  std::map<std::string, std::string> of_evaluator;  // by code of the package
  const auto add = [&](const std::vector<Field>& columns, const std::vector<std::string>& theirs) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      of_evaluator[theirs[i]] = columns[i].name + "_out_of_range";
  };
  add(module.forest.columns, names.column_codes);
  for (std::size_t e = 0; e < module.entries.size(); ++e)
    add(module.entries[e].arguments.columns, names.argument_codes[e]);
  for (std::size_t i = 0; i < module.statuses.size(); ++i)
    of_evaluator[names.statuses[i]] = module.statuses[i].name;
  for (const auto& [name, text] : emit::status_codes({module, names, "", {}})) {
    const auto known = of_evaluator.find(name);
    codes->push_back(known == of_evaluator.end() ? name : known->second);
  }
  return MainPrinter(module).print();
}

}  // namespace espalier::driver

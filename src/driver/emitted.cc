#include "driver/emitted.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "base/bug.h"
#include "base/float16.h"
#include "base/kinds.h"
#include "driver/record_check.h"
#include "emit/parts.h"

namespace espalier::driver {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The bytes of a number as they stand in a file, which is little-endian, or back.
template <class T>
std::array<char, sizeof(T)> file_bytes(const T& value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class T>
void append(std::string* out, T value) {
  const auto bytes = file_bytes(value);
  out->append(bytes.data(), bytes.size());
}

// One number of a column in the width that it has in memory.
void append_element(std::string* out, Dtype dtype, double real, std::int64_t integer) {
  switch (dtype) {
    case Dtype::f32: return append(out, static_cast<float>(real));
    case Dtype::f64: return append(out, real);
    case Dtype::f16: return append(out, f16_bits(real));
    case Dtype::bf16: return append(out, bf16_bits(real));
    case Dtype::i8: return append(out, static_cast<std::int8_t>(integer));
    case Dtype::i32: return append(out, static_cast<std::int32_t>(integer));
    case Dtype::i64: return append(out, integer);
    case Dtype::boolean: return append(out, static_cast<std::uint8_t>(integer));
  }
}

void append_block(std::string* out, const std::string& bytes) {
  append(out, static_cast<std::int64_t>(bytes.size()));
  *out += bytes;
}

void append_column(std::string* out, Dtype dtype, const std::vector<double>& real,
                   const std::vector<std::int64_t>& integer) {
  if (real.empty() && integer.empty()) return append(out, std::int64_t{-1});  // null
  std::string bytes;
  for (std::size_t i = 0; i < std::max(real.size(), integer.size()); ++i)
    append_element(&bytes, dtype, is_float(dtype) ? real[i] : 0, is_float(dtype) ? 0 : integer[i]);
  append_block(out, bytes);
}

void append_number(std::string* out, std::int64_t number) {
  append_column(out, Dtype::i32, {}, {number});
}

void append_columns(std::string* out, const std::vector<Field>& fields,
                    const std::vector<Column>& columns,
                    const std::vector<std::vector<std::int64_t>>& lists) {
  for (const auto& list : lists) append_column(out, Dtype::i32, {}, list);
  for (std::size_t i = 0; i < fields.size(); ++i)
    append_column(out, fields[i].child ? Dtype::i32 : fields[i].dtype, columns[i].real,
                  columns[i].integer);
}

// Where the last of `rows` rows ends, as far as offsets are good.
std::int64_t last(const std::vector<std::int64_t>& offsets, std::int64_t rows) {
  return rows == 0 || offsets.empty() ? 0 : std::max<std::int64_t>(0, offsets.at(at(rows)));
}

std::int64_t call_count(const loop::Entry& entry, const EmittedProgram::Case& c) {
  return std::max<std::int64_t>(0, entry.nodes ? c.forest.nodes : c.calls.count);
}

// Items of a list of the nodes that are the roots of an argument.
std::int64_t root_items(const loop::Entry& entry, const loop::ListDomain& list,
                        const EmittedProgram::Case& c) {
  const std::vector<std::int64_t>& roots = c.calls.columns[at(list.field)].integer;
  const std::vector<std::int64_t>& first = c.forest.lists[at(entry.lists[at(list.like)].list)];
  std::int64_t items = 0;
  for (std::int64_t call = 0; call < call_count(entry, c); call++) {
    const std::int64_t root = roots.at(at(call));
    if (root < 0 || at(root) + 1 >= first.size()) continue;
    items += std::max<std::int64_t>(0, first[at(root + 1)] - first[at(root)]);
  }
  return items;
}

// The most rows that a result may have. Forest and calls may be bad ones.
std::int64_t most_rows(const loop::Module& module, const loop::Entry& entry,
                       const loop::OutputCopy& output, const EmittedProgram::Case& c) {
  const std::vector<Variant>& variants = module.forest.variants;
  switch (output.rows) {
    case loop::OutputCopy::Rows::calls: return call_count(entry, c);
    case loop::OutputCopy::Rows::nodes:
      return std::count_if(c.forest.variant.begin(), c.forest.variant.end(), [&](int v) {
        return v >= 0 && at(v) < variants.size() && variants[at(v)].type == output.type;
      });
    case loop::OutputCopy::Rows::items: break;
  }
  if (output.length >= 0) return call_count(entry, c) * output.length;
  const loop::ListDomain& list = entry.lists[at(output.list)];
  require(list.class_index < 0, "ragged rows over something else than calls");
  if (list.field >= 0) return root_items(entry, list, c);
  return last(c.calls.lists[at(list.list)], call_count(entry, c));
}

Dtype result_dtype(const loop::OutputCopy& output) { return output.dtype; }

std::int64_t row_size(const loop::Module& module, const loop::OutputCopy& output) {
  std::int64_t size = 1;
  for (const std::int64_t extent : module.buffers[at(output.buffer)].shape) size *= extent;
  return size;
}

// Reads one number after another.
struct Cursor {
  const std::string& bytes;
  std::size_t place = 0;

  template <class T>
  T take() {
    require(place + sizeof(T) <= bytes.size(), "the emitted program wrote too little");
    T value;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    place += sizeof value;
    return std::bit_cast<T>(file_bytes(value));
  }

  void element(Dtype dtype, ops::Tensor* to) {
    switch (dtype) {
      case Dtype::f32: to->f.push_back(static_cast<double>(take<float>())); return;
      case Dtype::f64: to->f.push_back(take<double>()); return;
      case Dtype::f16: to->f.push_back(f16_value(take<std::uint16_t>())); return;
      case Dtype::bf16: to->f.push_back(bf16_value(take<std::uint16_t>())); return;
      case Dtype::i8: to->i.push_back(take<std::int8_t>()); return;
      case Dtype::i32: to->i.push_back(take<std::int32_t>()); return;
      case Dtype::i64: to->i.push_back(take<std::int64_t>()); return;
      case Dtype::boolean: to->i.push_back(take<std::uint8_t>()); return;
    }
  }
};

// What a shell would call the status that system() gives.
int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string quoted(const std::filesystem::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

Result<std::unique_ptr<EmittedProgram>> EmittedProgram::build(const loop::Module& module,
                                                              Session& session) {
  std::unique_ptr<EmittedProgram> program(new EmittedProgram(module));
  emit::Inputs inputs;
  inputs.with_check = false;
  const std::filesystem::path& folder = program->folder_.path();
  emit::Package package = emit::emit_package(module, inputs);
  package.files.push_back({"check.cpp", emitted_main(module, &program->codes_)});
  for (const emit::PackageFile& file : package.files) {
    std::filesystem::create_directories((folder / file.path).parent_path());
    write_file(folder / file.path, file.bytes);
  }
  const std::string command = fmt::format(
      "cd {} && CPPFLAGS=\"-DESPALIER_DEBUG $CPPFLAGS\" make -s -j2 -f Makefile.gen BUILD=build "
      "build/check >build.log 2>&1",
      quoted(folder));
  if (std::system(command.c_str()) == 0) return program;
  std::string log = read_file(folder / "build.log").value_or("");
  session.diagnostics.error(Kind::compiler_failed, {},
                            "the system's compiler failed on the emitted package: " +
                                log.substr(0, std::min<std::size_t>(log.size(), 2000)));
  return Failed{};
}

std::string EmittedProgram::input(const eval::Weights& weights,
                                  const std::vector<Case>& cases) const {
  std::string out;
  if (!module_.parameters.empty())
    append_block(&out, emit::safetensors(module_, weight_columns(module_, weights)));
  for (const Case& c : cases) {
    const loop::Entry& entry = module_.entries[at(c.entry)];
    append_number(&out, c.entry);
    if (!module_.forest.variants.empty()) {
      ForestData forest = c.forest;
      mark_missing(module_.forest, &forest);
      append_number(&out, forest.nodes);
      if (emit::has_variant_array(module_.forest))
        append_column(&out, Dtype::boolean, {}, {forest.variant.begin(), forest.variant.end()});
      append_columns(&out, module_.forest.columns, forest.columns, forest.lists);
    }
    if (!entry.nodes) {
      append_number(&out, c.calls.count);
      append_columns(&out, entry.arguments.columns, c.calls.columns, c.calls.lists);
    }
    for (const loop::OutputCopy& output : entry.outputs) {
      if (output.rows == loop::OutputCopy::Rows::items)
        append_column(&out, Dtype::i64, {}, {4 * (call_count(entry, c) + 1)});
      append_column(
          &out, Dtype::i64, {},
          {most_rows(module_, entry, output, c) * row_size(module_, output) * bytes(output.dtype)});
    }
  }
  append_number(&out, -1);
  return out;
}

bool EmittedProgram::read_outcomes(const std::string& bytes, const std::vector<Case>& cases,
                                   std::vector<eval::Outcome>* outcomes) const {
  Cursor cursor{bytes};
  for (const Case& c : cases) {
    const loop::Entry& entry = module_.entries[at(c.entry)];
    eval::Outcome outcome;
    const auto code = cursor.take<std::int64_t>(), node = cursor.take<std::int64_t>(),
               detail = cursor.take<std::int64_t>();
    outcome.status = {codes_.at(at(code)), node, detail};
    for (std::size_t r = 0; r < entry.outputs.size() && outcome.status.ok(); ++r) {
      const loop::OutputCopy& output = entry.outputs[r];
      eval::Rows rows;
      rows.name = output.result;
      rows.data.dtype = result_dtype(output);
      const std::int64_t most = most_rows(module_, entry, output, c);
      rows.ragged = output.rows == loop::OutputCopy::Rows::items;
      for (std::int64_t i = 0; rows.ragged && i <= call_count(entry, c); ++i)
        rows.offsets.push_back(cursor.take<std::int32_t>());
      const auto& shape = module_.buffers[at(output.buffer)].shape;
      const std::int64_t count = rows.ragged ? rows.offsets.back() : most;
      const std::int64_t size = row_size(module_, output);
      for (std::int64_t i = 0; i < most * size; ++i) cursor.element(output.dtype, &rows.data);
      rows.data.f.resize(rows.data.real() ? at(count * size) : 0);
      rows.data.i.resize(rows.data.real() ? 0 : at(count * size));
      rows.data.shape = {count};
      rows.data.shape.insert(rows.data.shape.end(), shape.begin(), shape.end());
      outcome.results.push_back(std::move(rows));
    }
    outcomes->push_back(std::move(outcome));
  }
  return cursor.place == bytes.size();
}

Result<std::vector<eval::Outcome>> EmittedProgram::run(const eval::Weights& weights,
                                                       const std::vector<Case>& cases, int threads,
                                                       Session& session) const {
  const std::filesystem::path& folder = folder_.path();
  write_file(folder / "input", input(weights, cases));
  const std::string command =
      fmt::format("cd {} && $RUN build/check input output {}", quoted(folder), threads);
  const int status = std::system(command.c_str());
  std::vector<eval::Outcome> outcomes;
  const auto written = read_file(folder / "output");
  if (status != 0 || !written) {
    session.diagnostics.error(
        Kind::emitted_failed, {},
        fmt::format("the emitted program failed with status {}", exit_status(status)));
    return Failed{};
  }
  require(read_outcomes(*written, cases, &outcomes), "the emitted program wrote too much");
  return outcomes;
}

}  // namespace espalier::driver

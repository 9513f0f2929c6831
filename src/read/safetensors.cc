#include "read/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include "base/bug.h"
#include "base/file.h"
#include "base/float16.h"
#include "base/kinds.h"
#include "base/numbers.h"
#include "read/object.h"

namespace espalier::read {

namespace {

constexpr std::size_t longest_header = 100'000'000;

// The dtypes of the format; those with a Dtype can be loaded.
struct Stored {
  std::string_view name;
  std::size_t bytes;
  std::optional<Dtype> dtype;
};
constexpr Stored stored_types[] = {
    {"F64", 8, Dtype::f64}, {"F32", 4, Dtype::f32},
    {"F16", 2, Dtype::f16}, {"BF16", 2, Dtype::bf16},
    {"I64", 8, Dtype::i64}, {"I32", 4, Dtype::i32},
    {"I8", 1, Dtype::i8},   {"BOOL", 1, Dtype::boolean},
    {"I16", 2, {}},         {"U8", 1, {}},
    {"U16", 2, {}},         {"U32", 4, {}},
    {"U64", 8, {}},         {"F8_E4M3", 1, {}},
    {"F8_E5M2", 1, {}},
};

const Stored* find_stored(std::string_view name) {
  const auto found = std::find_if(std::begin(stored_types), std::end(stored_types),
                                  [&](const Stored& s) { return s.name == name; });
  return found == std::end(stored_types) ? nullptr : found;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

double real_value(std::uint64_t bits, Dtype dtype) {
  switch (dtype) {
    case Dtype::f64: return std::bit_cast<double>(bits);
    case Dtype::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Dtype::f16: return f16_value(static_cast<std::uint16_t>(bits));
    case Dtype::bf16: return bf16_value(static_cast<std::uint16_t>(bits));
    case Dtype::i8:
    case Dtype::i32:
    case Dtype::i64:
    case Dtype::boolean: break;
  }
  throw Bug("an integer dtype as a float");
}

std::int64_t integer_value(std::uint64_t bits, Dtype dtype) {
  if (dtype == Dtype::boolean) return bits != 0;
  const int unused = 64 - 8 * bytes(dtype);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::uint64_t bits_of(const ops::Tensor& tensor, std::size_t i) {
  if (!tensor.real()) return static_cast<std::uint64_t>(tensor.i[i]);
  const double value = tensor.f[i];
  if (tensor.dtype == Dtype::f64) return std::bit_cast<std::uint64_t>(value);
  if (tensor.dtype == Dtype::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return tensor.dtype == Dtype::f16 ? f16_bits(value) : bf16_bits(value);
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

class SafetensorsReader {
 public:
  SafetensorsReader(Sources* sources, Diagnostics* diagnostics, std::string name, std::string bytes)
      : sources_(sources), diagnostics_(diagnostics) {
    out_.name_ = std::move(name);
    out_.bytes_ = std::move(bytes);
  }

  bool read() {
    if (!find_header()) return false;
    const std::int32_t file = sources_->add(out_.name_, out_.bytes_.substr(8, header_));
    header_loc_ = {file, 0, 1, -1};
    Diagnostics json;
    const Result<JsonFile> parsed = parse_json(sources_, file, &json);
    for (const Diagnostic& d : json.all()) {
      const bool twice = d.kind == Kind::duplicate_key;
      diagnostics_->error(twice ? Kind::repeated_tensor : Kind::weights_header, d.loc,
                          fmt::format("{}: {}", out_.name_, d.message));
    }
    if (!parsed || !json.ok()) return false;
    const Reading reading{&*parsed, diagnostics_};
    const Json& root = parsed->root();
    if (!root.is(Json::Kind::object)) return fail(Kind::weights_header, "its header is no object");
    bool ok = true;
    for (std::size_t i = 0; i < root.items().size(); ++i) {
      if (root.keys()[i].text == "__metadata__") continue;
      ok = entry(reading, root.keys()[i], root.items()[i]) && ok;
    }
    return ok && check_layout();
  }

  Safetensors take() { return std::move(out_); }

 private:
  bool fail(Kind kind, const std::string& message) { return fail(kind, header_loc_, message); }
  bool fail(Kind kind, Loc loc, const std::string& message) {
    diagnostics_->error(kind, loc, fmt::format("{}: {}", out_.name_, message));
    return false;
  }

  bool find_header() {
    const std::string_view bytes = out_.bytes_;
    if (bytes.size() < 8)
      return fail(Kind::weights_truncated,
                  fmt::format("{} bytes are no safetensors file", bytes.size()));
    const std::uint64_t length = little_endian(bytes.substr(0, 8));
    if (length > longest_header)
      return fail(Kind::huge_header, fmt::format("a header of {} bytes, more than 100 MB", length));
    if (length > bytes.size() - 8)
      return fail(Kind::weights_truncated,
                  fmt::format("a header of {} bytes in a file of {}", length, bytes.size()));
    header_ = static_cast<std::size_t>(length);
    return true;
  }

  bool entry(const Reading& reading, const JsonText& key, const Json& json) {
    StoredTensor tensor;
    tensor.loc = reading.file->key_loc(key);
    const auto refuse = [&](Kind kind, const std::string& message) {
      return fail(kind, tensor.loc, fmt::format("tensor '{}' {}", key.text, message));
    };
    const Json* dtype = json.find("dtype");
    std::vector<std::int64_t> offsets;
    if (!dtype || !dtype->is(Json::Kind::string) ||
        !integers(reading, json, "shape", &tensor.shape) ||
        !integers(reading, json, "data_offsets", &offsets) || offsets.size() != 2)
      return refuse(Kind::tensor_entry, "has no proper dtype, shape and data_offsets");
    tensor.dtype = dtype->text();
    const Stored* stored = find_stored(tensor.dtype);
    if (!stored)
      return refuse(Kind::tensor_dtype, fmt::format("has unknown dtype '{}'", tensor.dtype));
    std::uint64_t size = stored->bytes;
    for (const std::int64_t axis : tensor.shape)
      if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(axis), &size))
        return refuse(Kind::tensor_size, "has a shape whose size does not fit 64 bits");
    const std::uint64_t data = out_.bytes_.size() - 8 - header_;
    const auto begin = static_cast<std::uint64_t>(offsets[0]),
               end = static_cast<std::uint64_t>(offsets[1]);
    if (begin > end || end > data)
      return refuse(Kind::tensor_range,
                    fmt::format("takes bytes {} to {} of {} bytes of data", begin, end, data));
    if (end - begin != size)
      return refuse(Kind::tensor_bytes,
                    fmt::format("takes {} bytes, its shape {}", end - begin, size));
    if (begin % stored->bytes != 0)
      return refuse(Kind::tensor_alignment,
                    fmt::format("begins at byte {}, no multiple of {}", begin, stored->bytes));
    tensor.begin = static_cast<std::size_t>(begin) + 8 + header_;
    tensor.end = static_cast<std::size_t>(end) + 8 + header_;
    out_.tensors_.emplace(key.text, std::move(tensor));
    return true;
  }

  // Non-negative ones.
  static bool integers(const Reading& reading, const Json& object, const std::string& key,
                       std::vector<std::int64_t>* out) {
    const Json* list = object.find(key);
    if (!list || !list->is(Json::Kind::array)) return false;
    for (const Json& item : list->items()) {
      const auto value = parse_int(reading.file->raw(item));
      if (!item.is(Json::Kind::number) || !value || *value < 0) return false;
      out->push_back(*value);
    }
    return true;
  }

  // Every byte of the data belongs to one tensor.
  bool check_layout() {
    std::vector<std::pair<const std::string*, const StoredTensor*>> order;
    for (const auto& [name, tensor] : out_.tensors_) order.emplace_back(&name, &tensor);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second->begin, a.second->end) < std::pair(b.second->begin, b.second->end);
    });
    std::size_t at = 8 + header_;
    const std::string* before = nullptr;
    for (const auto& [name, tensor] : order) {
      if (tensor->begin < at)
        return fail(Kind::tensor_overlap, tensor->loc,
                    fmt::format("tensors '{}' and '{}' overlap", *before, *name));
      if (tensor->begin > at)
        return fail(
            Kind::tensor_gap, tensor->loc,
            fmt::format("{} bytes before tensor '{}' belong to none", tensor->begin - at, *name));
      at = tensor->end;
      before = name;
    }
    if (at < out_.bytes_.size())
      return fail(Kind::tensor_gap,
                  fmt::format("{} bytes at the end belong to no tensor", out_.bytes_.size() - at));
    return true;
  }

  Sources* sources_;
  Diagnostics* diagnostics_;
  Safetensors out_;
  std::size_t header_ = 0;
  Loc header_loc_;
};

Result<ops::Tensor> Safetensors::load(const std::string& tensor, Diagnostics* diagnostics) const {
  const StoredTensor& entry = tensors_.at(tensor);
  const Stored& stored = *find_stored(entry.dtype);
  if (!stored.dtype) {
    diagnostics->error(
        Kind::tensor_dtype, entry.loc,
        fmt::format("{}: tensor '{}' is {}, which cannot be read", name_, tensor, entry.dtype));
    return Failed{};
  }
  ops::Tensor out;
  out.dtype = *stored.dtype;
  out.shape = entry.shape;
  const std::size_t count = (entry.end - entry.begin) / stored.bytes;
  if (out.real())
    out.f.reserve(count);
  else
    out.i.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = little_endian(
        std::string_view(bytes_).substr(entry.begin + i * stored.bytes, stored.bytes));
    if (out.real())
      out.f.push_back(real_value(bits, out.dtype));
    else
      out.i.push_back(integer_value(bits, out.dtype));
  }
  return out;
}

Result<Safetensors> read_safetensors(Sources* sources, std::string name, std::string bytes,
                                     Diagnostics* diagnostics) {
  SafetensorsReader reader(sources, diagnostics, std::move(name), std::move(bytes));
  if (!reader.read()) return Failed{};
  return reader.take();
}

Result<Safetensors> read_safetensors(Sources* sources, const std::filesystem::path& path,
                                     Diagnostics* diagnostics) {
  std::string why;
  std::optional<std::string> bytes = read_file(path, &why);
  if (!bytes) {
    diagnostics->error(Kind::weights_unreadable, {},
                       fmt::format("cannot read weights '{}': {}", path.string(), why));
    return Failed{};
  }
  return read_safetensors(sources, path.string(), std::move(*bytes), diagnostics);
}

std::string safetensors_bytes(const std::map<std::string, ops::Tensor>& tensors) {
  std::vector<std::pair<const std::string*, const ops::Tensor*>> order;
  for (const auto& [name, tensor] : tensors) order.emplace_back(&name, &tensor);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return bytes(a.second->dtype) > bytes(b.second->dtype);
  });
  std::string header = "{", data;
  for (const auto& [name, tensor] : order) {
    const auto stored = std::find_if(std::begin(stored_types), std::end(stored_types),
                                     [&](const Stored& s) { return s.dtype == tensor->dtype; });
    const std::size_t begin = data.size();
    const std::size_t count = tensor->real() ? tensor->f.size() : tensor->i.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t bits = bits_of(*tensor, i);
      for (std::size_t b = 0; b < stored->bytes; ++b)
        data += static_cast<char>(bits >> (8 * b) & 0xff);
    }
    if (header.size() > 1) header += ',';
    header += fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                          json_string(*name), stored->name, fmt::join(tensor->shape, ","), begin,
                          data.size());
  }
  header += '}';
  while (header.size() % 8 != 0) header += ' ';
  std::string out;
  for (std::size_t b = 0; b < 8; ++b) out += static_cast<char>(header.size() >> (8 * b) & 0xff);
  return out + header + data;
}

}  // namespace espalier::read

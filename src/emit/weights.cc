// The weights of a package: arrays in a source file, or a safetensors file.
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/bug.h"
#include "base/float16.h"
#include "base/numbers.h"
#include "emit/arrays.h"
#include "emit/parts.h"
#include "emit/render.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

std::size_t element_count(const Parameter& parameter) {
  std::size_t count = 1;
  for (const std::int64_t n : parameter.shape) count *= static_cast<std::size_t>(n);
  return count;
}

const char* safetensors_dtype(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return "F32";
    case Dtype::f64: return "F64";
    case Dtype::f16: return "F16";
    case Dtype::bf16: return "BF16";
    case Dtype::i8: return "I8";
    case Dtype::i32: return "I32";
    case Dtype::i64: return "I64";
    case Dtype::boolean: return "BOOL";
  }
  return "";
}

// The bits of element i in its dtype.
std::uint64_t element_bits(const Column& column, Dtype dtype, std::size_t i) {
  switch (dtype) {
    case Dtype::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(column.real[i]));
    case Dtype::f64: return std::bit_cast<std::uint64_t>(column.real[i]);
    case Dtype::f16: return f16_bits(column.real[i]);
    case Dtype::bf16: return bf16_bits(column.real[i]);
    default: return static_cast<std::uint64_t>(column.integer[i]);
  }
}

}  // namespace

bool weights_are_linked(const loop::Module& module, const Inputs& inputs) {
  if (inputs.weights.empty()) return false;
  std::size_t total = 0;
  for (const Parameter& parameter : module.parameters)
    total += element_count(parameter) * static_cast<std::size_t>(bytes(parameter.dtype));
  return total <= 64 * 1024;
}

std::string weights_source(const Context& c, const std::vector<Column>& weights) {
  std::string arrays;
  std::vector<std::string> members;
  for (std::size_t p = 0; p < weights.size(); p++) {
    const std::string name = "weights_" + c.names.parameters[p];
    arrays += array_text(name, c.module.parameters[p].dtype, weights[p]) + "\n";
    members.push_back(name);
  }
  Data d = package_data(c);
  d.set("arrays", arrays);
  d.set("list", "{" + join(members, ", ") + "}");
  return render("weights.cpp", d);
}

std::string weights_header(const Context& c) {
  Data d = package_data(c);
  Data tensors = Data::type::list;
  for (std::size_t p = 0; p < c.module.parameters.size(); p++) {
    const Parameter& parameter = c.module.parameters[p];
    Data tensor;
    tensor.set("member", c.names.parameters[p]);
    tensor.set("type", memory_type(parameter.dtype));
    tensor.set("name", string_literal(parameter.name));
    tensor.set("dtype", safetensors_dtype(parameter.dtype));
    tensor.set("elements", std::to_string(element_count(parameter)));
    tensors.push_back(tensor);
  }
  d.set("tensors", tensors);
  return render("weights.h", d);
}

std::string safetensors(const loop::Module& module, const std::vector<Column>& weights) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::string data;
  for (std::size_t p = 0; p < module.parameters.size(); p++) {
    const Parameter& parameter = module.parameters[p];
    const auto width = static_cast<std::size_t>(bytes(parameter.dtype));
    data.resize((data.size() + 7) / 8 * 8);
    const std::size_t begin = data.size();
    for (std::size_t i = 0; i < element_count(parameter); i++) {
      const std::uint64_t bits = element_bits(weights[p], parameter.dtype, i);
      for (std::size_t b = 0; b < width; b++)
        data += static_cast<char>(static_cast<unsigned char>(bits >> (8 * b)));
    }
    header[parameter.name] = {{"dtype", safetensors_dtype(parameter.dtype)},
                              {"shape", parameter.shape},
                              {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  while ((text.size() + 8) % 64 != 0) text += ' ';
  std::string file;
  for (int b = 0; b < 8; b++)
    file += static_cast<char>(static_cast<unsigned char>(text.size() >> (8 * b)));
  return file + text + data;
}

}  // namespace espalier::emit

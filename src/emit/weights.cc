// The weights of a package: arrays in a source file, or a safetensors file.
#include <bit>
#include <cstring>

#include "base/bug.h"
#include "base/float16.h"
#include "base/line_buffer.h"
#include "base/numbers.h"
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

}  // namespace

bool weights_are_linked(const loop::Module& module, const Inputs& inputs) {
  if (inputs.weights.empty()) return false;
  std::size_t total = 0;
  for (const Parameter& parameter : module.parameters)
    total += element_count(parameter) * static_cast<std::size_t>(bytes(parameter.dtype));
  return total <= 64 * 1024;
}

}  // namespace espalier::emit

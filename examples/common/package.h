// What a program around an emitted package wants from its system: files, aligned memory, and an end
// with a message. The package's own functions are found by the namespace of what they are given.
#ifndef EXAMPLES_COMMON_PACKAGE_H
#define EXAMPLES_COMMON_PACKAGE_H

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace example {

[[noreturn]] inline void stop(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

template <class Status>
void stop_unless_ok(const Status& status) {
  if (status.code != 0)
    stop(std::string(describe(status)) + " (node " + std::to_string(status.node) + ", detail " +
         std::to_string(status.detail) + ")");
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

// `bytes` bytes aligned to 64, as models and workspaces have to be.
inline Memory aligned(std::size_t bytes) {
  Memory memory(std::aligned_alloc(64, (bytes / 64 + 1) * 64));
  if (!memory) stop("out of memory");
  return memory;
}

// A package's Model and the memory that it points into.
template <class Model>
struct Prepared {
  Model model;
  Memory memory;
};

// From NAME.safetensors; `bytes` is the package's prepared_bytes(). The file is not needed later.
template <class Weights, class Model>
Prepared<Model> prepare_from(const std::string& path, std::size_t bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) stop("cannot read " + path);
  const std::vector<char> file{std::istreambuf_iterator<char>(in), {}};
  const Memory copy = aligned(file.size());
  Weights weights;
  if (const char* missing = open_weights(file.data(), file.size(), copy.get(), &weights))
    stop(path + ": no tensor " + missing + " of the type and size that the model wants");
  Prepared<Model> out = {{}, aligned(bytes)};
  stop_unless_ok(prepare(weights, out.memory.get(), &out.model));
  return out;
}

}  // namespace example

#endif

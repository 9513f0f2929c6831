// Parts of a package that emit_package() puts together.
#pragma once

#include "emit/cpp.h"
#include "emit/host.h"
#include "emit/package.h"

namespace espalier::emit {

// The same from kernels' source that is given; the other prints it.
Package emit_package(const loop::Module&, const Inputs&, const KernelSource&);

// Up to 64 KiB of weights are arrays in NAME_weights.cpp, more are a file.
bool weights_are_linked(const loop::Module&, const Inputs&);
std::string weights_source(const Context&, const std::vector<Column>& weights);
struct CheckFiles {
  std::string program, vectors;  // check.cpp, check_vectors.inc
};
CheckFiles check_files(const Context&, const Inputs&);

std::string weights_header(const Context&);  // NAME_weights.h
// The weights as a safetensors file.
std::string safetensors(const loop::Module&, const std::vector<Column>& weights);

}  // namespace espalier::emit

// Parts of a package that emit_package() puts together.
#pragma once

#include "emit/host.h"
#include "emit/package.h"

namespace espalier::emit {

// NAME_kernels.cpp but for its frame.
struct KernelText {
  std::string head;  // comment at the top of the file
  std::string body;  // between the braces of the namespace
  std::vector<std::string> declarations;  // of exported functions, without semicolons
};

Package emit_package(const loop::Module&, const Inputs&, const KernelText&);

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

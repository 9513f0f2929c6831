// The emitted package: all its files, from a loop module.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emit/check_vectors.h"
#include "loop/loop.h"

namespace espalier::emit {

struct PackageFile {
  std::string path;  // "NAME.h", "runtime/lanes.h"
  std::string bytes;
};

struct Package {
  std::string name;
  std::vector<PackageFile> files;  // manifest.json last
};

// What the manifest says of a package beyond the module itself. JSON texts are inserted as they
// are.
struct Provenance {
  std::string tool_version = "0.1.0";
  std::string model_sha256;
  std::vector<std::pair<std::string, std::string>> weight_files;  // name in the model, SHA-256
  std::vector<std::string> conversions;  // "E: F64 to f32", for weights that were rounded
  std::string target = "generic";
  std::string schedule_json;        // "" for none
  std::vector<std::string> passes;  // those run, in order
};

struct Inputs {
  std::vector<Column> weights;  // by parameter of the module, rounded; empty: given at run time
  CheckVectors check;
  bool with_check = true;
  Provenance provenance;
};

Package emit_package(const loop::Module&, const Inputs&);

}  // namespace espalier::emit

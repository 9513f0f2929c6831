// Parses emitted or hand-edited source with Clang and checks what the emission rules promise and a
// parser can see.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace espalier::inspect {

// What the package's manifest says: all that its source may include and call, and its names.
struct Promises {
  std::vector<std::string> includes;  // "cstdint", "omp.h"
  std::vector<std::string>
      calls;  // functions from outside the package: "memcpy", "omp_get_num_threads"
  std::vector<std::string> names;  // identifiers that must be declared somewhere in the source
};

struct LintOptions {
  int longest_function = 80;  // lines
  std::vector<std::string> arguments = {"-std=c++17"};
};

// False where this build has no Clang.
bool lint_available();

// Lints the translation units `files` (paths) and whatever they include below `folder`. Findings
// are E60x diagnostics in the order of files and lines, their texts added to `sources`; source that
// does not parse is a finding too. Needs lint_available().
void lint(const std::string& folder, const std::vector<std::string>& files, const Promises&,
          const LintOptions&, Sources& sources, Diagnostics& findings);

}  // namespace espalier::inspect

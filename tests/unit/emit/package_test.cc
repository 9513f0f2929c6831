#include "emit/package.h"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/unit/emit/sum_module.h"

using namespace espalier;

TEST_CASE("a package has lines of at most 100 columns and one blank line at a time") {
  const emit::Package package = emit::emit_package(emit::sum_module(), {}, emit::sum_kernels());
  CHECK(package.name == "tree_sum");
  for (const emit::PackageFile& file : package.files) {
    if (file.path == "Makefile.gen") continue;
    CAPTURE(file.path);
    std::istringstream in(file.bytes);
    std::string line, before = "-";
    while (std::getline(in, line)) {
      CHECK_MESSAGE(line.size() <= 100, line);
      CHECK_FALSE((line.empty() && before.empty()));
      before = line;
    }
  }
}

#include "emit/write_package.h"

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/kinds.h"
#include "tests/unit/emit/sum_module.h"

using namespace espalier;
namespace fs = std::filesystem;

namespace {

emit::Package small_package() {
  return emit::emit_package(emit::sum_module(), {}, emit::sum_kernels());
}

}  // namespace

TEST_CASE("a package is written, and written again over itself") {
  const TempFolder temp;
  const fs::path out = temp.path() / "out";
  Diagnostics diagnostics;
  REQUIRE(emit::write_package(small_package(), out, false, diagnostics));
  fs::create_directories(out / "build");
  REQUIRE(write_file(out / "build" / "keep.o", "kept"));
  REQUIRE(emit::write_package(small_package(), out, false, diagnostics));
  CHECK(read_file(out / "build" / "keep.o") == "kept");
  for (const emit::PackageFile& file : small_package().files)
    CHECK_MESSAGE(read_file(out / file.path) == file.bytes, file.path);
}

TEST_CASE("an edited file is named and kept, unless forced") {
  const TempFolder temp;
  const fs::path out = temp.path() / "out";
  Diagnostics diagnostics;
  REQUIRE(emit::write_package(small_package(), out, false, diagnostics));
  REQUIRE(write_file(out / "tree_sum_kernels.cpp", "// tuned by hand\n"));
  CHECK_FALSE(emit::write_package(small_package(), out, false, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].kind == Kind::edited_file);
  CHECK(diagnostics.all()[0].message.find("tree_sum_kernels.cpp") != std::string::npos);
  CHECK(read_file(out / "tree_sum_kernels.cpp") == "// tuned by hand\n");
  Diagnostics none;
  CHECK(emit::write_package(small_package(), out, true, none));
  CHECK(read_file(out / "tree_sum_kernels.cpp") != "// tuned by hand\n");
}

TEST_CASE("a folder of something else is left alone") {
  const TempFolder temp;
  const fs::path out = temp.path() / "out";
  fs::create_directories(out);
  REQUIRE(write_file(out / "thesis.txt", "years of work"));
  Diagnostics diagnostics;
  CHECK_FALSE(emit::write_package(small_package(), out, true, diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].kind == Kind::not_a_package);
  CHECK(read_file(out / "thesis.txt") == "years of work");
  Diagnostics unwritable;
  CHECK_FALSE(emit::write_package(small_package(), "/proc/nowhere/out", false, unwritable));
  CHECK(unwritable.all()[0].kind == Kind::cannot_write);
}

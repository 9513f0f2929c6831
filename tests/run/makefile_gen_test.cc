// Makefile.gen beside a package in miniature.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.h"
#include "tests/command.h"
#include "tests/shared.h"

using namespace espalier;
using test::run_command;
namespace fs = std::filesystem;

namespace {

// A package whose check prints how many threads' worth of OpenMP it was built with.
class Package {
 public:
  Package() {
    fs::copy_file(fs::path(ESPALIER_ROOT) / "Makefile.gen", temp_.path() / "Makefile.gen");
    fs::create_directory(temp_.path() / "runtime");
    add("runtime/answer.h", "constexpr int answer = 42;\n");
    add("net.h", "int value();\n");
    add("net.cpp", "#include \"net.h\"\nint kernel();\nint value() { return kernel(); }\n");
    add("net_kernels.cpp", "#include \"runtime/answer.h\"\nint kernel() { return answer; }\n");
    add("check.cpp", R"(#include <cstdio>
#include "net.h"
int main() {
#ifdef _OPENMP
  std::puts("with OpenMP");
#endif
  return value() == 42 ? 0 : 1;
}
)");
  }
  void add(const std::string& name, const std::string& text) const {
    REQUIRE(write_file(temp_.path() / name, text));
  }
  test::Finished make(const std::string& arguments) const {
    return run_command("env -u MAKEFLAGS -u MAKELEVEL make -C " + temp_.path().string() +
                       " -f Makefile.gen " + arguments);
  }
  test::Finished run(const std::string& name) const {
    return run_command((temp_.path() / name).string());
  }
  bool has(const std::string& name) const { return fs::exists(temp_.path() / name); }

 private:
  TempFolder temp_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the library is built once, and again after an edit of a header") {
  const Package package;
  CHECK(package.make("CXX=g++").status == 0);
  CHECK(package.has("build/libnet.a"));
  CHECK(!package.has("build/check"));
  CHECK(contains(package.make("CXX=g++").output, "Nothing to be done"));
  CHECK(package.make("CXX=g++ -q check").status != 0);
  CHECK(package.make("CXX=g++ check").status == 0);
  package.add("runtime/answer.h", "constexpr int answer = 43;\n");
  CHECK(package.make("CXX=g++ check").status != 0);
  CHECK(package.make("clean").status == 0);
  CHECK(!package.has("build"));
}

TEST_CASE("a program is built with the library and its settings") {
  const Package package;
  const TempFolder elsewhere;
  const std::string app = (elsewhere.path() / "app.cpp").string();
  REQUIRE(write_file(app, "#include \"net.h\"\nint main() { return value() - 42; }\n"));
  CHECK(package.make("CXX=g++ MAIN=" + app).status == 0);
  CHECK(package.run("build/app").status == 0);
  CHECK(contains(package.make("CXX=g++ MAIN=" + app).output, "Nothing to be done"));
  package.add("runtime/answer.h", "constexpr int answer = 43;\n");
  CHECK(package.make("CXX=g++ MAIN=" + app).status == 0);
  CHECK(package.run("build/app").status == 1);
}

TEST_CASE("the settings reach the compiler") {
  const Package package;
  const auto made = package.make("BUILD=other CXX=g++ CXXFLAGS='-O0 -DX=1' ARCH=x86-64 OPENMP= -n");
  CHECK(contains(made.output, "g++ -std=c++17 -O0 -DX=1 -march=x86-64 "));
  CHECK(!contains(made.output, "-fopenmp"));
  CHECK(contains(made.output, "other/libnet.a"));
  const auto threads = package.make("CXX=g++ check");
  CHECK(contains(threads.output, "with OpenMP"));
  CHECK(!contains(package.make("CXX=g++ OPENMP= BUILD=serial check").output, "with OpenMP"));
}

TEST_CASE("a cross compiler and its emulator") {
  if (!test::have_program("aarch64-linux-gnu-g++") || !test::have_program("qemu-aarch64")) return;
  const Package package;
  const auto made =
      package.make("CXX=aarch64-linux-gnu-g++ RUN='qemu-aarch64 -L /usr/aarch64-linux-gnu' check");
  CHECK_MESSAGE(made.status == 0, made.output);
}

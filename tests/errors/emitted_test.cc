// Compilers that fail on an emitted package, and packages that fail when run.
#include "driver/emitted.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "base/kinds.h"
#include "tests/unit/emit/sum_module.h"

namespace espalier::driver {
namespace {

// While it lives, `sh` runs `script` where packages ask for a C++ compiler.
class Compiler {
 public:
  explicit Compiler(const std::string& script) {
    const std::string path = (folder_.path() / "compiler").string();
    std::ofstream(path) << script;
    setenv("CXX", ("sh " + path).c_str(), 1);
  }
  ~Compiler() { unsetenv("CXX"); }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

 private:
  TempFolder folder_;
};

TEST_CASE("a compiler that fails is quoted") {
  const Compiler compiler("echo no such option >&2; exit 1\n");
  const loop::Module module = emit::sum_module();
  Session session;
  CHECK_FALSE(EmittedProgram::build(module, session));
  REQUIRE(session.diagnostics.all().size() == 1);
  const Diagnostic& found = session.diagnostics.all()[0];
  CHECK(found.kind == Kind::compiler_failed);
  CHECK(found.message.find("the system's compiler failed on the emitted package: ") == 0);
  CHECK(found.message.find("no such option") != std::string::npos);
}

TEST_CASE("an emitted program that fails is reported with its status") {
  // Every file that it is to write becomes a program that fails.
  const Compiler compiler(R"sh(
while [ $# -gt 0 ]; do
  case "$1 $2" in
    "-o /dev/"*) ;;
    "-o "*) printf '#!/bin/sh\nexit 3\n' >"$2"; chmod +x "$2" ;;
  esac
  shift
done
)sh");
  const loop::Module module = emit::sum_module();
  Session session;
  const auto program = EmittedProgram::build(module, session);
  REQUIRE(program);
  const eval::Weights weights = {{"scale", {Dtype::f32, {10}, std::vector<double>(10, 1), {}}}};
  CHECK_FALSE((*program)->run(weights, {}, 1, session));
  REQUIRE(session.diagnostics.all().size() == 1);
  CHECK(session.diagnostics.all()[0].kind == Kind::emitted_failed);
  CHECK(session.diagnostics.all()[0].message == "the emitted program failed with status 3");
}

}  // namespace
}  // namespace espalier::driver

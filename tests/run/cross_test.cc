// The recorded answers by packages built for other processors.
#include "tests/run/cases.h"
#include "tests/setting.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

// Built by a cross compiler and run under QEMU; weights and data in files stay little-endian.
void check_cross(const std::string& processor) {
  const std::string compiler = processor + "-linux-gnu-g++", emulator = "qemu-" + processor;
  if (!have_program("make") || !have_program(compiler) || !have_program(emulator)) return;
  const Setting settings[] = {
      {"CXX", compiler}, {"CXXFLAGS", "-O1"}, {"LDFLAGS", "-static"}, {"RUN", emulator}};
  for (const char* name : case_names) check_emitted(example(name), name, {2});
}

TEST_CASE("emitted code gives the recorded answers on AArch64") { check_cross("aarch64"); }

TEST_CASE("emitted code gives the recorded answers on s390x, which is big-endian") {
  check_cross("s390x");
}

}  // namespace
}  // namespace espalier::test

// `espalier lint` on the packages of all examples, and on edited ones.
#include "inspect/lint.h"

#include "driver/verbs.h"
#include "tests/run/examples.h"
#include "tests/run/package.h"

namespace espalier::test {
namespace {

// What lint says of the package in a folder.
std::string lint(const std::filesystem::path& folder) {
  driver::Session session;
  session.options.model = folder.string();
  driver::lint(session);
  return messages(session);
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

TEST_CASE("every example's package is clean, and its lines are at most 100 columns") {
  for (const std::string& name : example_names()) {
    INFO(name);
    const TempFolder folder;
    const emit::Package package = emitted(example_options(name));
    write_files(package, folder.path());
    for (const auto& [path, bytes] : files_of(package))
      if (path.ends_with(".cpp") || path.ends_with(".h"))
        CHECK_MESSAGE(longest_line(bytes) <= 100, path);
    if (inspect::lint_available()) CHECK(lint(folder.path()) == "");
  }
}

TEST_CASE("a promise that an edit breaks is found in the package") {
  if (!inspect::lint_available()) return;
  const emit::Package package = emitted(example_options("treernn"));
  const auto edited = [&](const std::string& file, const std::string& added) {
    const TempFolder folder;
    write_files(package, folder.path());
    REQUIRE(write_file(folder.path() / file, files_of(package).at(file) + added));
    return lint(folder.path());
  };
  const auto finds = [&](const std::string& id, const std::string& added) {
    const std::string said = edited("treernn_kernels.cpp", added);
    INFO(said);
    CHECK(said.find("[" + id + " ") != std::string::npos);
    CHECK(said.find("treernn_kernels.cpp:") != std::string::npos);
  };
  finds("E601", "int* taken() { return new int; }\n");
  finds("E602", "int counter = 0;\n");
  finds("E603", "int calls_so_far() { static int n = 0; return ++n; }\n");
  finds("E604", "int down(int n) { return n > 0 ? down(n - 1) : 0; }\n");
  finds("E605", "#include <vector>\n");
  finds("E606", "#include <cstdio>\nvoid say() { std::puts(\"x\"); }\n");
  finds("E607", "float front(float* p) { return p[0]; }\n");
  std::string longest = "void lines() {\n";
  for (int i = 0; i < 80; i++) longest += "\n";
  finds("E608", longest + "}\n");
  CHECK(edited("treernn.cpp", "// nothing\n").empty());
}

}  // namespace
}  // namespace espalier::test

#include "inspect/lint.h"

#include <doctest/doctest.h>

#include "base/file.h"

using namespace espalier;

namespace {

// Lints one file of its own package; the findings as "id line:column message".
std::vector<std::string> findings(const std::string& text, inspect::Promises promises = {}) {
  const TempFolder folder;
  const std::string file = (folder.path() / "p.cpp").string();
  REQUIRE(write_file(file, text));
  Sources sources;
  Diagnostics found;
  inspect::lint(folder.path().string(), {file}, promises, {}, sources, found);
  std::vector<std::string> out;
  for (const Diagnostic& d : found.all()) {
    const LineColumn at = d.loc.file < 0 ? LineColumn() : sources.line_column(d.loc);
    out.push_back(std::string(kind_id(d.kind)) + " " + std::to_string(at.line) + ":" +
                  std::to_string(at.column) + " " + d.message);
  }
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("lint" * doctest::skip(!inspect::lint_available())) {
  TEST_CASE("clean source has no findings") {
    CHECK(findings("#include <cstddef>\n"
                   "namespace n { constexpr int k = 3; static const float t[2] = {1, 2};\n"
                   "int twice(const int* p) { return *p * 2; }\n"
                   "void fill(float* out) { for (int i = 0; i < k; i++) out[i] = t[0]; } }\n",
                   {{"cstddef"}, {}, {"twice", "fill"}}) == Lines{});
  }
  TEST_CASE("each planted violation is found where it stands") {
    CHECK(findings("int* f() { return new int; }\n") ==
          Lines{"E601 1:19 'new' takes memory from the heap"});
    CHECK(findings("#include <cstdlib>\nvoid* f() { return std::malloc(3); }\n",
                   {{"cstdlib"}, {}, {}}) ==
          Lines{"E601 2:20 'malloc' takes memory from the heap"});
    CHECK(findings("int counter;\n") ==
          Lines{"E602 1:5 'counter' is a global that can be written"});
    CHECK(findings("int f() { static int n = 0; return ++n; }\n") ==
          Lines{"E603 1:22 'n' keeps its value from call to call"});
    CHECK(findings("int g(int);\nint f(int n) { return n ? g(n - 1) : 0; }\n"
                   "int g(int n) { return f(n); }\n") ==
          Lines{"E604 1:5 'g' calls itself", "E604 2:5 'f' calls itself"});
    CHECK(findings("#include <cstdio>\n") ==
          Lines{"E605 1:1 <cstdio> is not among the headers that the manifest lists"});
    CHECK(findings("#include <cstdio>\nvoid f() { std::puts(\"x\"); }\n", {{"cstdio"}, {}, {}}) ==
          Lines{"E606 2:12 'puts' is not among the functions that the manifest lists"});
    CHECK(findings("float f(float* p) { return p[0]; }\n") ==
          Lines{"E607 1:16 'f' only reads 'p', which could point to const"});
    std::string deep = "void f() {\n";
    for (int i = 0; i < 80; i++) deep += "  ;\n";
    CHECK(findings(deep + "}\n") == Lines{"E608 1:6 'f' has 82 lines, more than 80"});
    CHECK(
        findings("int here;\n", {{}, {}, {"here", "there"}}) ==
        Lines{"E609 0:0 'there' stands in the manifest's table of names and nowhere in the source",
              "E602 1:5 'here' is a global that can be written"});
    CHECK(findings("int f() { return x; }\n") ==
          Lines{"E600 1:18 clang cannot parse this: use of undeclared identifier 'x'"});
  }
}

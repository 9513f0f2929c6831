// What design section 5 promises of a package, on one from a loop module written by hand.
#include <doctest/doctest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>

#include "emit/cpp.h"
#include "tests/run/package.h"
#include "tests/unit/emit/sum_module.h"

using namespace espalier;
namespace fs = std::filesystem;

namespace {

emit::Package package_named(const std::string& name) {
  loop::Module module = emit::sum_module();
  module.name = name;
  return emit::emit_package(module, {}, emit::sum_kernels());
}

std::string all_bytes(const emit::Package& package) {
  std::string all;
  for (const emit::PackageFile& file : package.files) all += file.path + "\n" + file.bytes;
  return all;
}

// A program that calls the model from `callers` threads at once, each with its own workspace.
std::string calling_program(const std::string& name, int callers) {
  return "#include <cstdlib>\n#include <cstring>\n#include <thread>\n#include <vector>\n#include "
         "\"" +
         name + ".h\"\nnamespace model = " + name +
         ";\n"
         "static int wrong[64];\n"
         "static void call(const model::Model& m, int me) {\n"
         "  const std::int32_t first[] = {0, 2, 2, 2, 3}, children[] = {1, 3, 2}, word[] = {1, 2, "
         "3, 4};\n"
         "  const float value[] = {1, 2, 3, 4};\n"
         "  const std::int32_t roots[] = {0, 3, 2};\n"
         "  const model::Forest forest = {4, first, value, word, children};\n"
         "  const model::Calls calls = {3, roots};\n"
         "  for (int turn = 0; turn < 20; turn++) {\n"
         "    float out[3] = {};\n"
         "    const std::size_t bytes = model::workspace_bytes(model::limits_of(forest, calls), "
         "{2});\n"
         "    void* workspace = std::aligned_alloc(64, bytes);\n"
         "    std::memset(workspace, 0xff, bytes);\n"
         "    const model::Status s = model::total(m, forest, calls, {out}, workspace, bytes, "
         "{2});\n"
         "    wrong[me] |= s.code != model::ok || out[0] != 30 || out[1] != 25 || out[2] != 9;\n"
         "    std::free(workspace);\n"
         "  }\n"
         "}\n"
         "int main() {\n"
         "  const float scale[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};\n"
         "  void* buffer = std::aligned_alloc(64, model::prepared_bytes());\n"
         "  model::Model m;\n"
         "  if (model::prepare({scale}, buffer, &m).code != model::ok) return 2;\n"
         "  std::vector<std::thread> threads;\n"
         "  for (int t = 0; t < " +
         std::to_string(callers) +
         "; t++) threads.emplace_back(call, std::cref(m), t);\n"
         "  for (std::thread& t : threads) t.join();\n"
         "  std::free(buffer);\n"
         "  for (int w : wrong)\n"
         "    if (w) return 1;\n"
         "  return 0;\n"
         "}\n";
}

// The example in the header's comment.
std::string example_of(const std::string& header) {
  std::string out;
  std::size_t at = header.find("//   #include <cstdio>");
  while (header.compare(at, 2, "//") == 0) {
    const std::size_t end = header.find('\n', at);
    if (end > at + 5) out += header.substr(at + 5, end - at - 5);
    out += "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("the same bytes in every locale and folder, and each time") {
  const std::string once = all_bytes(package_named("tree_sum"));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const fs::path before = fs::current_path();
  fs::current_path("/");
  CHECK(all_bytes(package_named("tree_sum")) == once);
  fs::current_path(before);
  std::setlocale(LC_ALL, "C");
  CHECK(once.find(before.string()) == std::string::npos);
}

TEST_CASE("eight threads call one model, under ThreadSanitizer") {
  const TempFolder folder;
  test::write_files(package_named("tree_sum"), folder.path());
  write_file(folder.path() / "main.cpp", calling_program("tree_sum", 8));
  const test::Finished ran = test::build_and_run(
      folder.path(), "g++ -std=c++17 -O1 -g -fsanitize=thread -DESPALIER_STD_THREADS -pthread");
  CHECK_MESSAGE(ran.status == 0, ran.output);
}

TEST_CASE("two models link into one program") {
  const TempFolder folder;
  test::write_files(package_named("tree_sum"), folder.path());
  test::write_files(package_named("other_sum"), folder.path());
  write_file(folder.path() / "main.cpp", calling_program("tree_sum", 1));
  std::string other = calling_program("other_sum", 1);
  other.replace(other.find("int main"), 8, "int other_main");
  write_file(folder.path() / "other.cpp", "int other_main();\n" + other);
  const test::Finished ran =
      test::build_and_run(folder.path(), "g++ -std=c++17 -O1 -pthread -fopenmp");
  CHECK_MESSAGE(ran.status == 0, ran.output);
}

TEST_CASE("the example in the header compiles, and so does C") {
  const emit::Package package = package_named("tree_sum");
  const TempFolder folder;
  test::write_files(package, folder.path());
  write_file(folder.path() / "main.cpp", example_of(package.files[0].bytes) + "int main() {}\n");
  const test::Finished ran =
      test::build_and_run(folder.path(), std::string("g++ -std=c++17") + test::strict_warnings);
  CHECK_MESSAGE(ran.status == 0, ran.output);
  write_file(
      folder.path() / "face.c",
      "#include \"tree_sum_c.h\"\nint main(void) { return (int)sizeof(tree_sum_Status) == 0; }\n");
  const test::Finished c =
      test::run_command("cd " + folder.path().string() +
                        " && gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -c face.c");
  CHECK_MESSAGE(c.status == 0, c.output);
}

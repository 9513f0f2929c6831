// What design section 5 promises of a package, on one from a loop module written by hand.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "emit/cpp.h"
#include "tests/run/examples.h"
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
  const fs::path before = fs::current_path();
  fs::current_path("/");
  CHECK(all_bytes(package_named("tree_sum")) == once);
  fs::current_path(before);
  CHECK(once.find(before.string()) == std::string::npos);
}

// A locale whose decimal point is a comma, made in `folder` where the system has none.
std::string comma_locale(const fs::path& folder) {
  const std::string made = "localedef -i de_DE -f UTF-8 '" + (folder / "comma").string() + "'";
  const std::string shows = "LOCPATH='" + folder.string() + "' LC_ALL=comma bash -c ";
  if (test::run_command(made).status > 1) return "";
  const test::Finished point = test::run_command(shows + "'printf %.1f 1,5'");
  return point.output == "1,5" ? "LOCPATH='" + folder.string() + "' LC_ALL=comma" : "";
}

TEST_CASE("the command writes the same bytes wherever and however it is started") {
  const TempFolder folder;
  const fs::path root = ESPALIER_ROOT;
  fs::copy(root / "examples/tree_attention", folder.path() / "model", fs::copy_options::recursive);
  const auto compiled = [&](const std::string& before, const std::string& model,
                            const std::string& name) {
    const std::string out = (folder.path() / name).string();
    const test::Finished ran =
        test::run_command("cd '" + folder.path().string() + "' && " + before +
                          " '" ESPALIER_BINARY "' compile " + model + " -o '" + out + "'");
    CHECK_MESSAGE(ran.status == 0, ran.output);
    return out;
  };
  const std::string first = compiled("", "model/model.json", "first");
  const auto same = [&](const std::string& before, const std::string& model) {
    INFO(before << " " << model);
    const std::string second = compiled(before, model, "second");
    const test::Finished differ = test::run_command("diff -r '" + first + "' '" + second + "'");
    CHECK(differ.output == "");
    fs::remove_all(second);
  };
  same("", "model/model.json");
  same("", (folder.path() / "model/model.json").string());
  same("cd model && ", "./model.json");
  same("cd model && ", "../model/../model/model.json");
  same("OMP_NUM_THREADS=1", "model/model.json");
  same("OMP_NUM_THREADS=7", "model/model.json");
  same("TZ=Pacific/Auckland HOME=/nowhere USER=other", "model/model.json");
  const std::string comma = comma_locale(folder.path());
  if (comma.empty())
    MESSAGE("SKIPPED: localedef makes no locale with a decimal comma");
  else
    same(comma, "model/model.json");
  CHECK(test::run_command("grep -rl '" + folder.path().string() + "' '" + first + "'").output ==
        "");
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

// The same package as another version of Espalier would write it.
void write_as_version(const emit::Package& package, const fs::path& folder,
                      const std::string& version) {
  emit::Package other = package;
  const auto replace = [](std::string& text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  for (emit::PackageFile& file : other.files) {
    replace(file.bytes, "v0_1", "v" + version);
    replace(file.bytes, "V0_1", "V" + version);
  }
  test::write_files(other, folder);
}

TEST_CASE("packages of two versions of one model link into one program") {
  const TempFolder folder;
  const emit::Package package = package_named("tree_sum");
  for (const std::string version : {"0_1", "0_2"}) {
    const fs::path of_version = folder.path() / version;
    write_as_version(package, of_version, version);
    std::string main = calling_program("tree_sum", 1);
    main.replace(main.find("int main"), 8, "int main_" + version);
    write_file(of_version / "use.cpp", "int main_" + version + "();\n" + main);
    write_file(of_version / "use_c.c", "#include \"tree_sum_c.h\"\nsize_t c_" + version +
                                           "(void);\nsize_t c_" + version +
                                           "(void) { return tree_sum_prepared_bytes(); }\n");
  }
  write_file(folder.path() / "main.cpp",
             "#include <cstddef>\nint main_0_1();\nint main_0_2();\n"
             "extern \"C\" std::size_t c_0_1(void);\nextern \"C\" std::size_t c_0_2(void);\n"
             "int main() { return main_0_1() + main_0_2() + (c_0_1() != c_0_2()); }\n");
  const test::Finished ran = test::run_command("cd '" + folder.path().string() +
                                               "' && for v in 0_1 0_2; do (cd $v && gcc -std=c99 "
                                               "-Wall -Wextra -Wpedantic -Werror -c use_c.c "
                                               "&& g++ -std=c++17 -O1 -c *.cpp) || exit 1; done && "
                                               "g++ -pthread main.cpp */*.o -o program && "
                                               "./program");
  CHECK_MESSAGE(ran.status == 0, ran.output);
}

// Calls tree_sum from C: what the C++ program of `calling_program` does.
constexpr const char* c_program = R"(#include <stdio.h>
#include <stdlib.h>
#include "tree_sum_c.h"
int main(void) {
  const float scale[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const tree_sum_Weights weights = {scale};
  tree_sum_Model model;
  void* buffer = aligned_alloc(64, tree_sum_prepared_bytes());
  if (tree_sum_prepare(&weights, buffer, &model).code != 0) return 2;
  const int32_t first[] = {0, 2, 2, 2, 3}, children[] = {1, 3, 2}, word[] = {1, 2, 3, 4};
  const float value[] = {1, 2, 3, 4};
  const int32_t roots[] = {0, 3, 2, 9};
  const tree_sum_Forest forest = {4, first, value, word, children};
  tree_sum_Calls calls = {3, roots};
  const tree_sum_Limits limits = {4, 4};
  const size_t bytes = tree_sum_workspace_bytes(limits, 1);
  void* workspace = aligned_alloc(64, bytes);
  float out[4] = {0};
  const tree_sum_Outputs outputs = {out};
  if (tree_sum_total(&model, &forest, &calls, &outputs, workspace, bytes, 1).code != 0) return 3;
  calls.count = 4;
  const tree_sum_Status bad =
      tree_sum_total(&model, &forest, &calls, &outputs, workspace, bytes, 1);
  printf("%g %g %g; %s\n", out[0], out[1], out[2], tree_sum_describe(bad));
  free(workspace);
  free(buffer);
  return 0;
}
)";

TEST_CASE("the C face compiles as C, links and calls") {
  const TempFolder folder;
  test::write_files(package_named("tree_sum"), folder.path());
  write_file(folder.path() / "use.c", c_program);
  const test::Finished ran = test::run_command("cd '" + folder.path().string() +
                                               "' && gcc -std=c11 -Wall -Wextra -Wpedantic -Werror "
                                               "-c use.c && g++ -std=c++17 -O1 *.cpp use.o "
                                               "-o program && ./program");
  CHECK_MESSAGE(ran.status == 0, ran.output);
  CHECK(ran.output == "30 25 9; the root of this call is not a node\n");
}

// The lines behind `key` of the header's comment, joined: the command that builds.
std::string build_line_of(const std::string& header) {
  const std::size_t at = header.find("//   g++ ");
  return header.substr(at + 5, header.find('\n', at) - at - 5);
}

TEST_CASE("the build line and the example of the header's comment are exact") {
  for (const char* name : {"tree_attention", "sst_treelstm", "fold_lstm", "dag_updown"}) {
    INFO(name);
    const emit::Package package = test::emitted(test::example_options(name));
    const std::string header = package.files[0].bytes;
    const TempFolder folder;
    test::write_files(package, folder.path());
    const std::string example = example_of(header);
    const bool complete = example.find("int main()") != std::string::npos;
    CHECK(complete == (std::string(name) != "sst_treelstm"));  // whose weights are not linked
    REQUIRE(write_file(folder.path() / "main.cpp", example + (complete ? "" : "int main() {}\n")));
    const std::string line = build_line_of(header);
    CHECK(line.find("main.cpp") != std::string::npos);
    const test::Finished built =
        test::run_command("cd '" + folder.path().string() + "' && " + line + " && ./a.out");
    CHECK_MESSAGE(built.status == 0, line << "\n" << built.output.substr(0, 2000));
  }
}

// The bytes of the arrays in check_vectors.inc, from their declarations.
TEST_CASE("the arrays of each example's check are at most 32 KiB") {
  for (const std::string& name : test::example_names()) {
    INFO(name);
    const auto files = test::files_of(test::emitted(test::example_options(name)));
    const TempFolder folder;
    REQUIRE(write_file(folder.path() / "arrays.cpp",
                       "#include <cstdint>\n#include <limits>\n#include <cmath>\n" +
                           files.at("check_vectors.inc")));
    const test::Finished size = test::run_command(
        "cd '" + folder.path().string() +
        "' && sed -i 's/^ *const /extern const /' arrays.cpp && g++ -std=c++17 -w -c arrays.cpp && "
        "size arrays.o | awk 'NR == 2 {print $1 + $2}'");
    CHECK(std::atoi(size.output.c_str()) > 0);
    CHECK(std::atoi(size.output.c_str()) <= 32 * 1024);
  }
}

TEST_CASE("the example in the header compiles, and so does C") {
  const emit::Package package = package_named("tree_sum");
  const TempFolder folder;
  test::write_files(package, folder.path());
  const std::string example = example_of(package.files[0].bytes);
  CHECK(example.find("int run_once(const model::Weights& weights)") != std::string::npos);
  write_file(folder.path() / "main.cpp", example + "int main() {}\n");
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

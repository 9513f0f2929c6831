#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/bug.h"
#include "emit/cpp.h"
#include "loop/text.h"
#include "loop/verify.h"
#include "loop_pass/memory_plan.h"
#include "loop_pass/vectorize.h"
#include "tests/golden.h"
#include "tests/run/kernel_frame.h"
#include "tests/run/wave_models.h"
#include "tests/shared.h"

using namespace espalier;

namespace {

void replace(std::string& text, const std::string& mark, const std::string& with) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

const loop::Function& function(const loop::Module& module, const std::string& name) {
  for (const loop::Function& f : module.functions)
    if (f.name == name) return f;
  throw Bug("no function " + name);
}

std::string call(const loop::Function& f) {
  std::string text = f.name + "(";
  for (std::size_t i = 0; i < f.params.size(); i++) {
    const bool known = f.params[i].type.back() != '*';
    text += (i ? ", " : "") + std::string(known ? "" : "const_cast<float*>(m.") + f.params[i].name +
            (known ? "" : ")");
  }
  return text + ");\n";
}

std::int64_t rows_of(const loop::Extent& e) {
  return e.number * (e.kind == loop::Extent::Kind::fixed ? 1 : 64);
}

std::string with_main(const loop::Module& module) {
  std::string text = test::read_text(ESPALIER_ROOT "/tests/run/treelstm_main.txt");
  std::string prepare, workspace, kernels;
  for (const loop::Buffer& b : module.buffers)
    if (b.space == loop::Buffer::Space::prepared)
      prepare +=
          "m." + b.name + " = filled<float>(" + std::to_string(b.stride * rows_of(b.rows)) + ");\n";
  for (const std::string& name : module.prepare) prepare += call(function(module, name));
  const loop::Entry& entry = module.entries[0];
  std::map<int, std::string> arenas;
  for (std::size_t i = 0; i < entry.buffers.size(); i++) {
    const loop::Buffer& b = module.buffer(entry.buffers[i]);
    const int arena = entry.lives[i].arena;
    if (arena >= 0 && arenas.count(arena)) {
      workspace += "w." + b.name + " = w." + arenas[arena] + ";\n";
      continue;
    }
    arenas[arena] = b.name;
    workspace += "w." + b.name + " = filled<float>(64 * 300);\n";
  }
  for (const std::string& name : entry.kernels)
    kernels += call(function(module, name)) + "barrier.wait();\n";
  const loop::Buffer& out = module.buffer(entry.outputs[0].buffer);
  replace(text, "PREPARE", prepare);
  replace(text, "WORKSPACE", workspace);
  replace(text, "KERNELS", "(void)member, (void)members, (void)barrier;\n" + kernels);
  replace(text, "OUTPUT_H", out.name);
  replace(text, "OUTPUT_C", module.buffer(entry.outputs[1].buffer).name);
  replace(text, "OUTPUT_STRIDE", std::to_string(out.stride));
  return test::kernel_file(module) + text;
}

void compile_and_run(const std::string& text, const std::string& flags) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("kernels" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "k.cpp") << text;
  const std::string root = ESPALIER_ROOT;
  const std::string command =
      "cd " + folder.string() + " && g++ -std=c++17 -I" + root + " " + flags +
      " k.cpp -o k > log 2>&1 && ASAN_OPTIONS=detect_leaks=0 ./k >> log 2>&1";
  const int status = std::system(command.c_str());
  INFO(test::read_text(folder / "log"));
  CHECK(status == 0);
  std::filesystem::remove_all(folder);
}

loop::Module lowered(std::int64_t hidden, const to_loop::Options& options, bool vectors) {
  loop::Module module = to_loop::to_loop(test::treelstm_childsum(hidden, 19, 30), options);
  if (vectors) loop_pass::vectorize(module);
  loop_pass::memory_plan(module);
  return module;
}

}  // namespace

TEST_CASE("the kernels of a Tree-LSTM read as they should") {
  loop::Module module = to_loop::to_loop(test::treelstm_childsum(48, 32, 100));
  loop_pass::vectorize(module);
  const emit::KernelSource source = emit::cpp_kernels(module);
  std::string text = source.head + source.body;
  for (const std::string& d : source.declarations) text += d + ";\n";
  test::check_golden("run/treelstm_childsum_kernels.txt", text);
}

TEST_CASE("the kernels of a Tree-LSTM compute it, whatever passes are off") {
  const std::string threads = "-DESPALIER_STD_THREADS -pthread ";
  compile_and_run(with_main(lowered(50, {}, true)), threads + "-O1 -march=native");
  compile_and_run(with_main(lowered(7, {}, true)), threads + "-O0 -fsanitize=address,undefined");
  compile_and_run(with_main(lowered(1, {}, true)), threads + "-O0");
  compile_and_run(with_main(lowered(17, {false, true}, true)), threads + "-O0");
  compile_and_run(with_main(lowered(17, {true, false}, true)), threads + "-O0");
  compile_and_run(with_main(lowered(17, {true, true}, false)), threads + "-O0");
}

TEST_CASE("a loop module is sound, and its text reads back as the same") {
  for (const bool vectors : {false, true}) {
    const loop::Module module = lowered(50, {}, vectors);
    CHECK(loop::verify(module) == "");
    const std::string text = loop::print(module);
    Diagnostics diagnostics;
    Sources sources;
    const auto read = loop::parse(sources, sources.add("m.loop", text), diagnostics);
    REQUIRE(read);
    CHECK(loop::print(*read) == text);
    CHECK(emit::cpp_kernels(*read).body == emit::cpp_kernels(module).body);
  }
}

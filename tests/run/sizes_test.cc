// Hidden sizes that fill no vector and no tile, and levels as wide as a tile, one more and one
// less.
#include <regex>
#include <set>

#include "tests/run/emitted_model.h"
#include "tests/run/forests.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

// 1, and what the constants of tiles at the top of the kernels may be: "8", "regs == 32 ? 6 : 3".
std::set<std::int64_t> tiles(const loop::Module& module) {
  std::set<std::int64_t> out = {1};
  const std::regex number("(^|[?:] )([0-9]+)");
  for (const loop::NamedConstant& c : module.named)
    if (c.name.rfind("tile", 0) == 0)
      for (std::sregex_iterator it(c.value.begin(), c.value.end(), number), end; it != end; ++it)
        out.insert(std::stoll((*it)[2]));
  return out;
}

std::vector<Children> forests(const loop::Module& module) {
  std::vector<Children> out = {{}, Children(1), random_trees(50, 1)};
  for (const std::int64_t tile : tiles(module)) {
    for (const std::int64_t width : {tile - 1, tile, tile + 1, 2 * tile + 1})
      if (width > 0) out.push_back(levels({width, width, width}));
    if (tile > 1) out.push_back(levels({2 * tile + 1, 2 * tile, 2 * tile - 1, tile + 1, tile, 1}));
    out.push_back(star(tile + 1));
  }
  return out;
}

void check_size(const std::string& example, int hidden, const Build& build) {
  INFO(example << ", hidden " << hidden);
  EmittedModel model(example_text(example, {{"hidden", hidden}}), build);
  CHECK((hidden == 1 || tiles(model.loop()).size() > 1));
  std::vector<driver::RunCase> cases;
  for (const Children& children : forests(model.loop())) {
    const ForestData forest = rose(model.loop().forest, children, 30);
    std::vector<std::int64_t> roots;
    for (std::int64_t n = 0; n < forest.nodes; n += 3) roots.push_back(n);
    cases.push_back(model.make("encode", forest, calls_on(roots)));
    cases.push_back(model.make("encode_nodes", forest, {}));
  }
  for (const int threads : {1, 3}) model.check(cases, threads);
}

TEST_CASE("odd sizes") {
  if (!have_program("make")) return;
  const Build quick = {"", "-O0", "-fopenmp"};
  for (const int hidden : {1, 7, 17, 257}) check_size("treelstm_childsum", hidden, quick);
  for (const int hidden : {3, 13, 31, 150}) check_size("treegru_childsum", hidden, quick);
}

}  // namespace

TEST_SUITE("slow") {
  TEST_CASE("odd sizes with more compilers and options") {
    if (!have_program("make")) return;
    for (const int hidden : {1, 3, 7, 13, 17, 31, 150, 257})
      for (const char* example : {"treelstm_childsum", "treegru_childsum", "dagrnn"})
        for (const Build& build :
             {Build{"g++", "-O3 -march=native", "-fopenmp"}, Build{"clang++", "-O2", ""},
              Build{"g++", sanitizers + " -DESPALIER_PLAIN_LANES", ""}})
          if (have_program(build.compiler)) check_size(example, hidden, build);
  }

  // On forests of the model's own making: matrices at the nodes, binary trees.
  TEST_CASE("odd sizes of matrix-vector models") {
    if (!have_program("make")) return;
    for (const int hidden : {1, 3, 7, 13, 17, 31})
      for (const char* example : {"mvrnn", "treelstm_binary", "four_variants_updown"}) {
        INFO(example << ", hidden " << hidden);
        EmittedModel model(example_text(example, {{"hidden", hidden}}));
        for (const loop::Entry& entry : model.loop().entries)
          for (const int threads : {1, 3}) model.check(model.small_cases(entry.name, 1), threads);
      }
  }
}

}  // namespace espalier::test

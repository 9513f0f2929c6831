// One binary gives the same bits for a call alone and among others, and for any number of threads.
#include <algorithm>
#include <bit>

#include "driver/emitted.h"
#include "driver/record_check.h"
#include "tests/run/models.h"
#include "tests/setting.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

constexpr std::size_t batch = 64;

enum class Kind { tree, dag, sequence };

// The children of each node of one structure; nodes stand behind their children, the root is last.
using Structure = std::vector<std::vector<std::int64_t>>;

class Structures {
 public:
  explicit Structures(Kind kind) : kind_(kind) {}

  Structure next() {
    Structure s(1 + random(kind_ == Kind::sequence ? 20 : 40));
    for (std::size_t n = 0; n < s.size(); ++n) {
      const auto node = static_cast<std::int64_t>(n);
      if (kind_ == Kind::tree && n + 1 < s.size())
        s[n + 1 + random(std::min<std::size_t>(s.size() - n - 1, 8))].push_back(node);
      if (kind_ == Kind::sequence && n > 0) s[n] = {node - 1};
      if (kind_ == Kind::dag && n > 0)
        for (std::size_t k = random(4); k > 0; --k)
          s[n].push_back(static_cast<std::int64_t>(random(n)));
    }
    return s;
  }

 private:
  std::size_t random(std::size_t below) {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) % below;
  }

  Kind kind_;
  std::uint32_t state_ = 7;
};

struct Input {
  ForestData forest;
  CallsData calls;
};

// Some structures in one forest, a call for each. Columns: children, word; see the example's types.
Input together(const Structure* first, std::size_t count, const Forest& types) {
  Input input;
  std::vector<std::int64_t> offsets = {0}, children, words, roots;
  for (const Structure* s = first; s != first + count; ++s) {
    const auto begin = static_cast<std::int64_t>(words.size());
    for (const auto& kids : *s) {
      for (const std::int64_t kid : kids) children.push_back(begin + kid);
      offsets.push_back(static_cast<std::int64_t>(children.size()));
      words.push_back((static_cast<std::int64_t>(words.size()) - begin) * 7 % 30);
    }
    roots.push_back(static_cast<std::int64_t>(words.size()) - 1);
  }
  input.forest.nodes = static_cast<std::int64_t>(words.size());
  input.forest.variant.assign(words.size(), 0);
  input.forest.lists = {offsets};
  for (const Field& column : types.columns)
    input.forest.columns.push_back({{}, column.child ? children : words});
  input.calls.count = static_cast<std::int64_t>(count);
  input.calls.columns = {{{}, roots}};
  return input;
}

void check_row(const eval::Outcome& got, std::size_t row, const eval::Outcome& expected) {
  REQUIRE(got.status.ok());
  REQUIRE(got.results.size() == expected.results.size());
  for (std::size_t r = 0; r < got.results.size(); ++r) {
    const std::vector<double>& alone = expected.results[r].data.f;
    const std::vector<double>& all = got.results[r].data.f;
    REQUIRE(all.size() >= (row + 1) * alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i)
      REQUIRE(std::bit_cast<std::uint64_t>(all[row * alone.size() + i]) ==
              std::bit_cast<std::uint64_t>(alone[i]));
  }
}

void check_bits(const std::string& name, Kind kind) {
  INFO(name);
  // A width that neither lanes nor rows of a tile divide.
  Model model = changed_example(name, "\"hidden\": [0-9]+", "\"hidden\": 37", false);
  driver::Program program;
  program.fun = model.module;
  program.done = "recognize";
  REQUIRE_MESSAGE(driver::run_pipeline(program, driver::Stage::loop, model.session),
                  model.messages());
  const loop::Module& module = *program.loop;
  REQUIRE(module.forest.columns.size() == 2);
  const auto emitted = driver::EmittedProgram::build(module, model.session);
  REQUIRE_MESSAGE(emitted, model.messages());

  std::vector<Structure> structures;
  for (Structures from(kind); structures.size() < batch;) structures.push_back(from.next());
  std::vector<std::size_t> widths(batch, 1);  // each alone, then the first few
  widths.insert(widths.end(), {2, 3, 5, 8, 17, 31, batch});
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < widths.size(); ++i)
    inputs.push_back(together(&structures[i < batch ? i : 0], widths[i], module.forest));
  const auto encode = std::find_if(module.entries.begin(), module.entries.end(),
                                   [](const loop::Entry& entry) { return entry.name == "encode"; });
  std::vector<driver::EmittedProgram::Case> cases;
  for (const Input& input : inputs)
    cases.push_back({static_cast<int>(encode - module.entries.begin()), input.forest, input.calls});

  const eval::Weights weights = driver::made_up_weights(module);
  std::vector<eval::Outcome> alone;
  for (const int threads : {1, 2, 8}) {
    INFO(threads << " threads");
    auto outcomes = (*emitted)->run(weights, cases, threads, model.session);
    REQUIRE_MESSAGE(outcomes, model.messages());
    if (alone.empty()) alone = *outcomes;
    for (std::size_t i = 0; i < widths.size(); ++i)
      for (std::size_t row = 0; row < widths[i]; ++row)
        check_row((*outcomes)[i], row, alone[i < batch ? i : row]);
  }
}

// gcc contracts products and sums across statements, so it would show two copies that differ.
void check_all(const std::string& compiler) {
  if (!have_program("make") || !have_program(compiler)) return;
  const Setting settings[] = {{"CXX", compiler}, {"CXXFLAGS", "-O2"}, {"ARCH", "native"}};
  check_bits("treelstm_childsum", Kind::tree);
  check_bits("dagrnn", Kind::dag);
  check_bits("seq_lstm", Kind::sequence);
}

TEST_CASE("batches of 1 to 64 on 1, 2 and 8 threads have the same bits") { check_all("g++"); }

}  // namespace

TEST_SUITE("slow") {
  TEST_CASE("the same bits, with clang") { check_all("clang++"); }
}

}  // namespace espalier::test

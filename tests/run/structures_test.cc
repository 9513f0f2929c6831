// Shapes of forests: very wide, very deep, empty, shuffled, shared.
#include <sys/resource.h>

#include <cmath>

#include "tests/run/emitted_model.h"
#include "tests/run/forests.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

using driver::RunCase;

constexpr int vocab = 5;

// h = tanh(a[word] + 0.5 * mean of the children's h), over trees or DAGs.
std::string rnn(bool shared) {
  const std::string variants = R"json({"Node": {"word": "index[vocab]", "children": "[T]"}})json";
  return R"json({"espalier": 1, "name": "rnn", "dims": {"vocab": 5}, "types": {"T": )json" +
         (shared ? "{\"shared\": true, \"variants\": " + variants + "}" : variants) +
         R"json(}, "params": {"a": "f32[vocab]"},
  "functions": {"encode": {"args": {"t": "T"}, "returns": "f32", "body": {"match": "t", "cases": {
    "Node(word, [])": "tanh(a[word])",
    "Node(word, ks)": "tanh(a[word] + 0.5 * mean(encode(k) for k in ks))"}}}},
  "entries": {"encode": {}, "encode_nodes": {"function": "encode", "outputs": "nodes"}}})json";
}

const eval::Rows& only(const eval::Outcome& outcome) {
  REQUIRE(outcome.status.code == "ok");
  REQUIRE(outcome.results.size() == 1);
  return outcome.results[0];
}

// The same for children that come behind their parents, without recursion.
void check_rnn(EmittedModel& model, const Children& children, int threads) {
  const ForestData forest = rose(model.loop().forest, children, vocab);
  const std::vector<std::int64_t>& words = forest.columns[0].integer;
  const std::vector<double>& a = model.weights().at("a").f;
  const auto outcomes = model.run({model.make("encode_nodes", forest, {})}, threads);
  const std::vector<double>& got = only(outcomes[0]).data.f;
  REQUIRE(got.size() == children.size());
  std::vector<double> h(children.size());
  double worst = 0;
  for (std::size_t n = children.size(); n-- > 0;) {
    double sum = 0;
    for (const std::int64_t k : children[n]) sum += h[static_cast<std::size_t>(k)];
    const double mean = children[n].empty() ? 0 : sum / static_cast<double>(children[n].size());
    h[n] = std::tanh(a[static_cast<std::size_t>(words[n])] + 0.5 * mean);
    worst = std::fmax(worst, std::abs(h[n] - got[n]));
  }
  CHECK(worst < 1e-5);
}

// The stack of the programs that are run while it lives.
class StackLimit {
 public:
  explicit StackLimit(rlim_t bytes) {
    getrlimit(RLIMIT_STACK, &old_);
    rlimit limit = old_;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) limit.rlim_cur = bytes;
    setrlimit(RLIMIT_STACK, &limit);
  }
  ~StackLimit() { setrlimit(RLIMIT_STACK, &old_); }
  StackLimit(const StackLimit&) = delete;
  StackLimit& operator=(const StackLimit&) = delete;

 private:
  rlimit old_ = {};
};

// A row per root, whatever the numbering, to the bit.
void check_shuffled(EmittedModel& model, const Children& children) {
  const Numbered other = shuffled(children, 3);
  std::vector<std::int64_t> roots, other_roots;
  for (std::size_t n = 0; n < children.size(); n += 2) {
    roots.push_back(static_cast<std::int64_t>(n));
    other_roots.push_back(other.place[n]);
  }
  const std::vector<RunCase> cases = {
      model.make("encode", rose(model.loop().forest, children, vocab), calls_on(roots)),
      model.make("encode", rose(model.loop().forest, other.children, vocab, other.place),
                 calls_on(other_roots))};
  model.check(cases);
  const auto outcomes = model.run(cases);
  CHECK(only(outcomes[0]).data.f == only(outcomes[1]).data.f);
}

void check_shapes(EmittedModel& model) {
  const StackLimit limit(8 << 20);
  check_rnn(model, chain(1000000), 1);
  check_rnn(model, chain(3000), 2);
  for (const int threads : {1, 2, 8}) {
    check_rnn(model, star(10000), threads);
    check_rnn(model, random_trees(20000, 1), threads);
  }
  check_shuffled(model, random_trees(500, 2));
  check_shuffled(model, chain(40));
  check_shuffled(model, star(40));
}

TEST_CASE("trees of every shape") {
  if (!have_program("make")) return;
  EmittedModel model(rnn(false));
  check_shapes(model);
  const auto roots_share = [&](const std::string& entry, Children children) {
    return model.make(entry, rose(model.loop().forest, children, vocab),
                      entry == "encode" ? calls_on({0, 1}) : CallsData{});
  };
  const std::vector<RunCase> cases = {roots_share("encode", {{2}, {2}, {}}),
                                      roots_share("encode_nodes", {{3}, {4, 4}, {3}, {}, {}}),
                                      roots_share("encode", {{1}, {2}, {}})};
  model.check(cases);
  const auto outcomes = model.run(cases);
  CHECK(outcomes[0].status.code == "shared_node");
  CHECK(outcomes[0].status.node == 2);
  CHECK(outcomes[1].status.node == 3);
  CHECK(outcomes[2].status.code == "ok");
}

TEST_CASE("DAGs of every shape") {
  if (!have_program("make")) return;
  EmittedModel model(rnn(true));
  check_shapes(model);
  Children ladder(2000);  // each node has the next one twice, and the one behind it
  for (std::int64_t n = 0; n + 2 < 2000; ++n)
    ladder[static_cast<std::size_t>(n)] = {n + 1, n + 2, n + 1};
  for (const int threads : {1, 2}) check_rnn(model, ladder, threads);
  Children parents(10001);  // a star of parents
  for (std::size_t n = 0; n < 10000; ++n) parents[n] = {10000};
  check_rnn(model, parents, 1);
  check_shuffled(model, {{2, 2}, {2, 3, 2}, {3}, {}});
}

TEST_CASE("trees of several variants, many nodes") {
  if (!have_program("make")) return;
  EmittedModel model(example_text("four_variants_updown"));
  std::vector<RunCase> cases;
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    for (const loop::Entry& entry : model.loop().entries)
      for (RunCase& c : model.small_cases(entry.name, seed)) cases.push_back(std::move(c));
  for (const int threads : {1, 2, 8}) model.check(cases, threads);
}

}  // namespace
}  // namespace espalier::test

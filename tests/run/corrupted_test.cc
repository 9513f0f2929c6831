// Inputs that went wrong at random: emitted code refuses what the evaluator refuses, with the same
// status, reads and writes nothing out of bounds, and answers the next call.
#include <algorithm>
#include <random>

#include "tests/run/emitted_model.h"
#include "tests/run/structure_models.h"
#include "tests/shared.h"

namespace espalier::test {
namespace {

using driver::RunCase;

constexpr std::int64_t most = INT32_MAX, least = INT32_MIN;

// Spoils one number of an input; false where it has none of the kind that was drawn. What it does
// never makes arrays look longer than they are: no callee could notice.
class Spoiler {
 public:
  explicit Spoiler(const EmittedModel& model, unsigned seed) : model_(model), random_(seed) {}

  bool spoil(RunCase& c) {
    root_ = root_of(c.forest);
    const loop::Entry& entry = model_.entry(c.entry.name);
    const espalier::Forest& forest = model_.loop().forest;
    switch (below(c.entry.nodes ? 4 : 8)) {
      case 0: return variant(c.forest);
      case 1: return column(forest.columns, c.forest.nodes, c.forest.columns);
      case 2: return offsets(c.forest.lists);
      case 3: return fewer_nodes(c.forest);
      case 4:
      case 5: return column(entry.arguments.columns, c.forest.nodes, c.calls.columns);
      case 6: return offsets(c.calls.lists);
      default: return fewer_calls(c.calls);
    }
  }

 private:
  std::int64_t below(std::int64_t n) {
    return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_);
  }
  template <class T>
  T& any(std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
  }

  // A node that is nobody's child, so that cycles come about in trees too; -1 where there is none.
  std::int64_t root_of(const ForestData& data) {
    std::vector<std::int64_t> roots;
    for (std::int64_t n = 0; n < data.nodes; ++n) roots.push_back(n);
    for (std::size_t c = 0; c < data.columns.size(); ++c)
      if (model_.loop().forest.columns[c].child)
        for (const std::int64_t child : data.columns[c].integer) std::erase(roots, child);
    return roots.empty() ? -1 : any(roots);
  }

  bool variant(ForestData& data) {
    const espalier::Forest& forest = model_.loop().forest;
    const auto count = static_cast<std::int64_t>(forest.variants.size());
    if (data.variant.empty() || count == 1 || !telling_columns(forest).empty()) return false;
    any(data.variant) = static_cast<int>(below(4) ? below(count) : below(2) ? count : 255);
    return true;
  }

  // A child, a root or an index.
  bool column(const std::vector<Field>& fields, std::int64_t nodes, std::vector<Column>& columns) {
    if (columns.empty()) return false;
    const auto c = static_cast<std::size_t>(below(static_cast<std::int64_t>(columns.size())));
    const std::int64_t bound = fields[c].child ? nodes : fields[c].bound;
    if (columns[c].integer.empty() || bound <= 0) return false;
    if (fields[c].child && !below(4)) {
      any(columns[c].integer) = root_;
      return true;
    }
    const std::int64_t wrong[] = {-1, bound, bound + 7, most, least};
    any(columns[c].integer) = below(2) ? below(bound) : wrong[below(5)];
    return true;
  }

  bool offsets(std::vector<std::vector<std::int64_t>>& lists) {
    if (lists.empty()) return false;
    std::vector<std::int64_t>& first = any(lists);
    if (first.size() < 2) return false;
    const std::int64_t items = std::max<std::int64_t>(first.back(), 0);
    const auto i = static_cast<std::size_t>(below(static_cast<std::int64_t>(first.size())));
    const std::int64_t wrong[] = {-1, items + 1, most, least};
    const bool last = i + 1 == first.size();
    first[i] = below(2) ? below(items + 1) : last ? -1 : wrong[below(4)];
    return true;
  }

  bool fewer_nodes(ForestData& data) {
    if (data.nodes <= 0) return false;
    data.nodes = below(4) ? below(data.nodes) : -1 - below(3);
    data.variant.resize(static_cast<std::size_t>(std::max<std::int64_t>(data.nodes, 0)));
    return true;
  }

  bool fewer_calls(CallsData& calls) {
    if (calls.count <= 0) return false;
    calls.count = below(2) ? below(calls.count) : -1;
    return true;
  }

  const EmittedModel& model_;
  std::mt19937 random_;
  std::int64_t root_ = -1;
};

// Whether a list of `rows` rows ends behind what there is of it.
bool too_long(const std::vector<std::vector<std::int64_t>>& lists, std::int64_t rows,
              const std::vector<std::vector<std::int64_t>>& good) {
  for (std::size_t l = 0; l < lists.size(); ++l)
    if (rows > 0 && lists[l][static_cast<std::size_t>(rows)] > good[l].back()) return true;
  return false;
}

// The variants that columns tell, which is how emitted code knows them.
void tell_variants(const espalier::Forest& forest, ForestData* data) {
  const std::vector<int> telling = telling_columns(forest);
  for (std::size_t n = 0; n < data->variant.size() && !telling.empty(); ++n) {
    data->variant[n] = -1;
    for (std::size_t v = 0; v < telling.size() && data->variant[n] < 0; ++v) {
      if (telling[v] < 0) continue;
      const auto& values = data->columns[static_cast<std::size_t>(telling[v])].integer;
      if (!values.empty() && values[n] != -1) data->variant[n] = static_cast<int>(v);
    }
    const auto other = std::find(telling.begin(), telling.end(), -1) - telling.begin();
    if (data->variant[n] < 0) data->variant[n] = static_cast<int>(other);
  }
}

// A copy with up to `faults` faults.
RunCase spoiled(const RunCase& good, int faults, Spoiler& spoiler) {
  RunCase bad = good;
  for (int tries = 0; faults > 0 && tries < 100; ++tries) {
    RunCase next = bad;
    if (!spoiler.spoil(next) || too_long(next.forest.lists, next.forest.nodes, good.forest.lists) ||
        too_long(next.calls.lists, next.calls.count, good.calls.lists))
      continue;
    bad = std::move(next);
    --faults;
  }
  return bad;
}

// Good inputs, each behind spoiled copies of it.
std::vector<RunCase> spoiled_cases(const EmittedModel& model, int count, unsigned seed) {
  Spoiler spoiler(model, seed);
  std::vector<RunCase> out;
  for (unsigned round = 0; static_cast<int>(out.size()) < count; ++round)
    for (const loop::Entry& entry : model.loop().entries)
      for (RunCase& good : model.small_cases(entry.name, seed + round)) {
        mark_missing(model.loop().forest, &good.forest);
        for (const int faults : {1, 1, 1, 1, 2, 3}) {
          out.push_back(spoiled(good, faults, spoiler));
          tell_variants(model.loop().forest, &out.back().forest);
        }
        out.push_back(good);
      }
  return out;
}

// No nodes, no calls, and no arrays at all.
RunCase nothing(const EmittedModel& model, const loop::Entry& entry) {
  ForestData forest;
  forest.columns.resize(model.loop().forest.columns.size());
  forest.lists.resize(model.loop().forest.lists.size());
  CallsData calls;
  calls.columns.resize(entry.arguments.columns.size());
  calls.lists.resize(entry.arguments.lists.size());
  return model.make(entry.name, std::move(forest), std::move(calls));
}

void check_corrupted(const StructureModel& which, const Build& build, int count) {
  INFO(which.name);
  EmittedModel model(which.text, build);
  std::vector<RunCase> cases = spoiled_cases(model, count, 1);
  for (const loop::Entry& entry : model.loop().entries) cases.push_back(nothing(model, entry));
  const std::vector<eval::Outcome> got = model.run(cases);
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i << " of " << cases[i].entry.name);
    const eval::Outcome expected = model.evaluate(cases[i]);
    seen[expected.status.code]++;
    CHECK(difference(expected, got[i]) == "");
  }
  for (const std::string& code : which.codes) CHECK_MESSAGE(seen[code] > 0, code);
}

TEST_CASE("corrupted inputs under sanitizers") {
  if (!have_program("make")) return;
  bool gcc = false;
  for (const StructureModel& model : structure_models()) {
    const char* const compiler = (gcc = !gcc) ? "g++" : "clang++";
    if (have_program(compiler)) check_corrupted(model, {compiler, sanitizers, ""}, 3000);
  }
}

}  // namespace

TEST_SUITE("slow") {
  TEST_CASE("many corrupted inputs under sanitizers of both compilers") {
    if (!have_program("make")) return;
    for (const StructureModel& model : structure_models())
      for (const char* compiler : {"g++", "clang++"})
        if (have_program(compiler)) check_corrupted(model, {compiler, sanitizers, ""}, 10000);
  }
}

}  // namespace espalier::test

// Calls of the package "catalogue" (structure_models.cc) that must be refused, or need not be: what
// no file of inputs can say. Each is followed by a good call.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "catalogue.h"

namespace model = catalogue;
using model::Forest;
using model::PairCalls;

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  failures++;
}

// `bytes` behind an address that is aligned to 64 and then off by `offset`.
struct Buffer {
  explicit Buffer(std::size_t bytes, std::size_t offset = 0)
      : start(::operator new (bytes + offset, std::align_val_t{64})),
        data(static_cast<unsigned char*>(start) + offset) {
    std::memset(start, 0xff, bytes + offset);
  }
  ~Buffer() { ::operator delete (start, std::align_val_t{64}); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  void* start;
  void* data;
};

// A section with words, a mark, a figure and a blank; an empty section; cells 4 and 5, shared.
const std::vector<std::uint8_t> variant = {model::Section, model::Figure, model::Blank,
                                           model::Section, model::Both,   model::Unit};
const std::vector<std::int32_t> words_first = {0, 2, 2, 2, 2, 2, 2}, words = {1, 2};
const std::vector<std::int32_t> marks_first = {0, 1, 1, 1, 1, 1, 1}, marks_word = {3};
const std::vector<std::int32_t> parts_first = {0, 2, 2, 2, 2, 2, 2}, parts = {1, 2};
const std::vector<float> marks_weight = {0.5f};
const std::vector<std::int32_t> kind = {1, 0, 0, 3, 0, 0}, cell = {-1, 4, -1, -1, -1, -1},
                                word = {0, 0, 0, 0, 0, 2}, a = {-1, -1, -1, -1, 5, -1}, b = a;
const Forest good_forest = {6,
                            variant.data(),
                            words_first.data(),
                            marks_first.data(),
                            parts_first.data(),
                            kind.data(),
                            words.data(),
                            marks_word.data(),
                            marks_weight.data(),
                            parts.data(),
                            cell.data(),
                            word.data(),
                            a.data(),
                            b.data()};
const std::vector<std::int32_t> first_root = {0, 3}, second_root = {3, 0}, call_word = {1, 5},
                                call_words_first = {0, 2, 3}, call_words = {0, 5, 4};
const PairCalls good_calls = {2,
                              call_words_first.data(),
                              first_root.data(),
                              second_root.data(),
                              call_word.data(),
                              call_words.data()};

struct Results {
  std::vector<float> score = std::vector<float>(2), states = std::vector<float>(9);
  std::vector<std::int32_t> first = std::vector<std::int32_t>(3);
  model::PairOutputs outputs() { return {score.data(), first.data(), states.data()}; }
  bool operator==(const Results& o) const {
    return score == o.score && states == o.states && first == o.first;
  }
};

model::Status call(const model::Model& m, const Forest& forest, const PairCalls& calls,
                   const model::PairOutputs& out, int threads = 1) {
  const model::Launch launch = {threads};
  const std::size_t bytes = pair_workspace_bytes(pair_limits_of(forest, calls), launch);
  const Buffer workspace(bytes);
  return pair(m, forest, calls, out, workspace.data, bytes, launch);
}

class Checks {
 public:
  explicit Checks(const model::Model& m) : m_(m) {
    check(call(m, good_forest, good_calls, expected_.outputs()).code == model::ok, "a good call");
  }

  // The status of a bad call, and a good call behind it.
  model::Status refused(const Forest& forest, const PairCalls& calls, model::Code code,
                        const char* what) {
    Results untouched, results;
    const model::Status status = call(m_, forest, calls, untouched.outputs());
    check(status.code == code && untouched == Results(), what);
    check(call(m_, good_forest, good_calls, results.outputs()).code == model::ok, what);
    check(results == expected_, what);
    return status;
  }

  template <class T>
  void without(T Forest::*member, const char* what) {
    Forest forest = good_forest;
    forest.*member = nullptr;
    refused(forest, good_calls, model::null_pointer, what);
  }
  template <class T>
  void without(T PairCalls::*member, const char* what) {
    PairCalls calls = good_calls;
    calls.*member = nullptr;
    refused(good_forest, calls, model::null_pointer, what);
  }

  void nulls() {
    without(&Forest::variant, "variant");
    without(&Forest::words_first, "words_first");
    without(&Forest::marks_first, "marks_first");
    without(&Forest::parts_first, "parts_first");
    without(&Forest::kind, "kind");
    without(&Forest::words, "words");
    without(&Forest::marks_word, "marks_word");
    without(&Forest::marks_weight, "marks_weight");
    without(&Forest::parts, "parts");
    without(&Forest::cell, "cell");
    without(&Forest::word, "word");
    without(&Forest::a, "a");
    without(&Forest::b, "b");
    without(&PairCalls::words_first, "words_first of calls");
    without(&PairCalls::a, "a of calls");
    without(&PairCalls::b, "b of calls");
    without(&PairCalls::word, "word of calls");
    without(&PairCalls::words, "words of calls");
  }

  void counts() {
    Forest forest = good_forest;
    forest.nodes = -5;
    check(refused(forest, good_calls, model::negative_count, "nodes").detail == -5, "nodes");
    PairCalls calls = good_calls;
    calls.count = INT32_MIN;
    check(refused(good_forest, calls, model::negative_count, "count").detail == INT32_MIN, "count");
    // The second section ends where no array could: its items are not read.
    const std::vector<std::int32_t> far = {0, 2, 2, 2, INT32_MAX, INT32_MAX, INT32_MAX};
    forest = good_forest;
    forest.parts_first = far.data();
    const model::Status s = refused(forest, good_calls, model::too_many_edges, "too many edges");
    check(s.node == -1 && s.detail == std::int64_t{INT32_MAX} + 18, "too many edges");
  }

  void workspaces() {
    const std::size_t need = pair_workspace_bytes(pair_limits_of(good_forest, good_calls), {});
    Results results;
    const auto with = [&](void* workspace, std::size_t bytes) {
      return pair(m_, good_forest, good_calls, results.outputs(), workspace, bytes);
    };
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, need / 2, need - 1}) {
      const Buffer small(bytes);
      const model::Status s = with(small.data, bytes);
      check(s.code == model::workspace_too_small, "a small workspace");
      check(s.detail == static_cast<std::int64_t>(need), "bytes needed");
    }
    check(with(nullptr, need).code == model::null_pointer, "no workspace");
    for (const std::size_t offset : {4, 32}) {
      const Buffer off(need, offset);
      check(with(off.data, need).code == model::misaligned, "a misaligned workspace");
    }
    check(results == Results(), "nothing was written");
  }

  void outputs_and_threads() {
    Results results;
    results.first = expected_.first;
    results.states = expected_.states;
    call(m_, good_forest, good_calls, {results.score.data(), nullptr, nullptr});
    check(results == expected_, "only the score");
    results = expected_;
    results.states.assign(9, 0);
    call(m_, good_forest, good_calls, {nullptr, nullptr, results.states.data()});
    check(results == expected_, "only the states");
    check(call(m_, good_forest, good_calls, {}).code == model::ok, "nothing wanted");
    for (const int threads : {-3, 0, 2, 1000}) {
      results = {};
      call(m_, good_forest, good_calls, results.outputs(), threads);
      check(results == expected_, "any number of threads");
    }
  }

 private:
  const model::Model& m_;
  Results expected_;
};

// Sizes of the largest limits are right or such that no buffer has them.
void large_limits() {
  const std::int32_t most = INT32_MAX;
  const std::size_t bytes = model::pair_workspace_bytes({most, most, most, most, most, most});
  check(bytes > static_cast<std::size_t>(most) * 4, "a huge workspace");
  check(model::pair_workspace_bytes({-1, -1, -1, -1, -1, -1}) < 100000, "negative limits");
}

model::Model prepared(void* buffer) {
  static const std::vector<float> table(18, 0.25f);
  const model::Weights weights = {table.data(), table.data(), table.data()};
  model::Model m;
  check(prepare(weights, nullptr, &m).code == model::null_pointer, "no buffer");
  check(prepare(weights, buffer, nullptr).code == model::null_pointer, "no model");
  const Buffer off(model::prepared_bytes(), 16);
  check(prepare(weights, off.data, &m).code == model::misaligned, "a misaligned buffer");
  for (int w = 0; w < 3; w++) {
    model::Weights lacking = weights;
    (w == 0 ? lacking.E : w == 1 ? lacking.K : lacking.W) = nullptr;
    check(prepare(lacking, buffer, &m).code == model::null_pointer, "no weights");
  }
  check(prepare(weights, buffer, &m).code == model::ok, "prepare");
  return m;
}

}  // namespace

int main() {
  const Buffer buffer(model::prepared_bytes());
  const model::Model m = prepared(buffer.data);
  Checks checks(m);
  checks.nulls();
  checks.counts();
  checks.workspaces();
  checks.outputs_and_threads();
  large_limits();
  return failures == 0 ? 0 : 1;
}

// An up sweep and a down sweep (examples/four_variants_updown), called by many threads.
#include "four_variants_updown.h"
#include "races.h"

namespace model = four_variants_updown;

// Node 0 has eight pairs, each of a word and a value.
struct Data {
  std::vector<std::uint8_t> variant = std::vector<std::uint8_t>(25, model::Word);
  std::vector<std::int32_t> first = {0}, children, word, op, left, right;
  std::vector<float> x;
  Data() {
    variant[0] = model::Many;
    for (std::int32_t n = 0; n < 25; n++) {
      const bool pair = n >= 1 && n <= 8;
      if (pair) variant[static_cast<std::size_t>(n)] = model::Pair, children.push_back(n);
      if (n > 8 && n % 2 == 0) variant[static_cast<std::size_t>(n)] = model::Value;
      first.push_back(8);
      word.push_back(n % 7);
      op.push_back(n % 5);
      left.push_back(pair ? 7 + 2 * n : -1);
      right.push_back(pair ? 8 + 2 * n : -1);
      for (int i = 0; i < 3; i++) x.push_back(0.1f * static_cast<float>(n - i));
    }
  }
};

int main() {
  const Data data;
  const model::Forest forest = {25,
                                data.variant.data(),
                                data.first.data(),
                                data.word.data(),
                                data.x.data(),
                                data.op.data(),
                                data.left.data(),
                                data.right.data(),
                                data.children.data()};
  const std::int32_t root = 0;
  const model::ScoreCalls calls = {1, &root};
  const Prepared<model::Model> m(model::prepared_bytes(), model::prepare, model::linked_weights());
  if (!m.good) return 2;
  const model::Launch launch = {3};
  const std::size_t bytes = score_workspace_bytes(score_limits_of(forest, calls), launch);
  return race(bytes, 8, [&](void* workspace, float* out) {
    return score(m.model, forest, calls, {out, out + 7}, workspace, bytes, launch).code ==
           model::ok;
  });
}

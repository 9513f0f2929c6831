// A DAG (examples/dagrnn), called by many threads.
#include "dagrnn.h"
#include "races.h"

namespace model = dagrnn;

int main() {
  std::vector<std::int32_t> first = {0}, children, word;
  for (std::int32_t n = 0; n < 40; n++) {
    for (std::int32_t k = n + 1; k < n + 4 && k < 40; k++) children.push_back(k);
    first.push_back(static_cast<std::int32_t>(children.size()));
    word.push_back(n % 7);
  }
  const model::Forest forest = {40, first.data(), word.data(), children.data()};
  const std::int32_t roots[] = {0, 3, 17};
  const model::Calls calls = {3, roots};
  const Prepared<model::Model> m(model::prepared_bytes(), model::prepare, model::linked_weights());
  if (!m.good) return 2;
  const model::Launch launch = {3};
  const std::size_t bytes = workspace_bytes(limits_of(forest, calls), launch);
  return race(bytes, 3 * model::hidden, [&](void* workspace, float* out) {
    return encode(m.model, forest, calls, {out}, workspace, bytes, launch).code == model::ok;
  });
}

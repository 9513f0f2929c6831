// A DAG (examples/dagrnn), called with buffers whose sizes the compiler computes.
#include "dagrnn.h"

namespace model = dagrnn;

constexpr model::Limits limits = {3, 4, 1};
alignas(64) static unsigned char prepared[model::prepared_bytes()];
alignas(64) static unsigned char workspace[model::workspace_bytes(limits)];
static_assert(model::workspace_bytes({-1, -1, -1}) < model::workspace_bytes(limits), "");
static_assert(model::workspace_bytes({INT32_MAX, INT32_MAX, INT32_MAX}) <= SIZE_MAX, "");

int main() {
  const std::int32_t first[] = {0, 2, 4, 4}, children[] = {1, 2, 2, 2}, word[] = {1, 2, 3};
  const std::int32_t root = 0;
  float h[model::hidden] = {};
  model::Model m;
  if (model::prepare(model::linked_weights(), prepared, &m).code != model::ok) return 2;
  const model::Forest forest = {3, first, word, children};
  if (model::encode(m, forest, {1, &root}, {h}, workspace, sizeof workspace).code != model::ok)
    return 1;
  const std::int32_t roots[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  return model::encode(m, forest, {sizeof roots / sizeof *roots, roots}, {h}, workspace,
                       sizeof workspace)
                     .code == model::workspace_too_small
             ? 0
             : 3;
}

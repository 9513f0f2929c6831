#include "loop_pass/memory_plan.h"

#include <algorithm>

namespace espalier::loop_pass {

using loop::Buffer;

namespace {

std::int64_t bytes_of(const Buffer& b) { return b.rows.number * b.stride * bytes(b.dtype); }

bool overlap(const Buffer& a, const Buffer& b) {
  return a.first_use <= b.last_use && b.first_use <= a.last_use;
}

struct Arena {
  std::vector<int> buffers;
};

// How well a buffer fits: 0 where the arena's rows are of the same kind and width, more where not.
int misfit(const Buffer& a, const Buffer& b) {
  if (a.rows.kind != b.rows.kind || a.rows.index != b.rows.index) return 2;
  return bytes_of(a) == bytes_of(b) ? 0 : 1;
}

}  // namespace

void memory_plan(loop::Module& module) {
  for (loop::Entry& entry : module.entries) {
    std::vector<Arena> arenas;
    std::vector<int> order = entry.buffers;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return bytes_of(module.buffer(a)) > bytes_of(module.buffer(b));
    });
    for (const int number : order) {
      Buffer& buffer = module.buffer(number);
      int best = -1, best_misfit = 3;
      for (std::size_t i = 0; i < arenas.size(); i++) {
        const bool free = std::none_of(arenas[i].buffers.begin(), arenas[i].buffers.end(), [&](int o) {
          return overlap(module.buffer(o), buffer);
        });
        const int fit = misfit(module.buffer(arenas[i].buffers[0]), buffer);
        if (!free || fit >= best_misfit) continue;
        best = static_cast<int>(i);
        best_misfit = fit;
      }
      if (best < 0) {
        best = static_cast<int>(arenas.size());
        arenas.emplace_back();
      }
      arenas[static_cast<std::size_t>(best)].buffers.push_back(number);
      buffer.arena = best;
    }
  }
}

}  // namespace espalier::loop_pass

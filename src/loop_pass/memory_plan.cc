#include "loop_pass/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace espalier::loop_pass {

using loop::Buffer;

namespace {

std::int64_t bytes_of(const Buffer& b) { return b.rows.number * b.stride * bytes(b.dtype); }

bool overlap(const loop::Life& a, const loop::Life& b) {
  return a.first <= b.last && b.first <= a.last;
}

struct Arena {
  std::vector<std::size_t> members;  // of the entry's buffers
};

// How well a buffer fits: 0 where the arena's rows are of the same kind and width, more where not.
int misfit(const Buffer& a, const Buffer& b) {
  if (a.rows.kind != b.rows.kind || a.rows.index != b.rows.index) return 2;
  return bytes_of(a) == bytes_of(b) ? 0 : 1;
}

}  // namespace

void memory_plan(loop::Module& module) {
  for (loop::Entry& entry : module.entries) {
    const auto buffer = [&](std::size_t i) -> const Buffer& {
      return module.buffer(entry.buffers[i]);
    };
    std::vector<Arena> arenas;
    std::vector<std::size_t> order(entry.buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return bytes_of(buffer(a)) > bytes_of(buffer(b));
    });
    for (const std::size_t one : order) {
      int best = -1, best_misfit = 3;
      for (std::size_t i = 0; i < arenas.size(); i++) {
        const auto& members = arenas[i].members;
        const bool free = std::none_of(members.begin(), members.end(), [&](std::size_t o) {
          return overlap(entry.lives[o], entry.lives[one]);
        });
        const int fit = misfit(buffer(members[0]), buffer(one));
        if (!free || fit >= best_misfit) continue;
        best = static_cast<int>(i);
        best_misfit = fit;
      }
      if (best < 0) {
        best = static_cast<int>(arenas.size());
        arenas.emplace_back();
      }
      arenas[static_cast<std::size_t>(best)].members.push_back(one);
      entry.lives[one].arena = best;
    }
  }
}

}  // namespace espalier::loop_pass

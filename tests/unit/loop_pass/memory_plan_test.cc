#include "loop_pass/memory_plan.h"

#include <doctest/doctest.h>

using namespace espalier;
using namespace espalier::loop;

TEST_CASE("buffers share memory where their lives are apart, like ones first") {
  Module module;
  Entry entry;
  const auto add = [&](int first, int last, std::int64_t stride, Extent::Kind rows) {
    Buffer b;
    b.stride = stride;
    b.rows.kind = rows;
    entry.lives.push_back({first, last, -1});
    entry.buffers.push_back(static_cast<int>(module.buffers.size()));
    module.buffers.push_back(b);
  };
  add(0, 1, 32, Extent::Kind::nodes);
  add(1, 2, 32, Extent::Kind::nodes);  // lives with both neighbours
  add(2, 3, 32, Extent::Kind::nodes);
  add(3, 3, 32, Extent::Kind::calls);
  module.entries.push_back(entry);
  loop_pass::memory_plan(module);
  const auto& lives = module.entries[0].lives;
  CHECK(lives[0].arena == lives[2].arena);
  CHECK(lives[0].arena != lives[1].arena);
  CHECK(lives[3].arena == lives[1].arena);
}

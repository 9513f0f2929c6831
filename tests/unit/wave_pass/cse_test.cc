#include "wave_pass/cse.h"

#include "pass_text.h"

using espalier::after;
using espalier::wave_pass::cse;

TEST_CASE("equal operators are done once, across sweeps as well") {
  CHECK(after(cse, R"(  domain once: once
  domain Node: nodes 0
  domain all: all
  %W: once f32[4, 4] = parameter W
  %W_2: once f32[4, 4] = parameter W
  %word: Node i32 = payload 0
  %h: all f32[4] = carry
  %g: all f32[4] = carry
  sweep_down {
    %a: Node f32[4] = map: tanh(%W[i64(%word@d), i0])
    set %g part Node = %a
  }
  sweep_up {
    %b: Node f32[4] = map: tanh(%W_2[i64(%word@d), i0]) where %word@d > 0:i32
    %c: Node f32[4] = map: %b@d[i0] * 2.0
    %c_2: Node f32[4] = map: %a@d[i0] * 2.0
    %k: Node f32[4] = sum r0 < 4: %c@d[r0] * %c_2@d[i0]
    %k_2: Node f32[4] = max r0 < 4: %c@d[r0] * %c_2@d[i0]
    set %h part Node = %k
  }
  check Node "word": %word@d < 9:i32
  check Node "word": %word@d < 9:i32 where %word@d > 0:i32
  output h: nodes Tree = %h
  output g: nodes Tree = %g
)") == R"(  domain once: once
  domain Node: nodes 0
  domain all: all
  %W: once f32[4, 4] = parameter W
  %word: Node i32 = payload 0
  %h: all f32[4] = carry
  %g: all f32[4] = carry
  sweep_down {
    %a: Node f32[4] = map: tanh(%W[i64(%word@d), i0])
    set %g part Node = %a
  }
  sweep_up {
    %c: Node f32[4] = map: %a@d[i0] * 2.0
    %k: Node f32[4] = sum r0 < 4: %c@d[r0] * %c@d[i0]
    %k_2: Node f32[4] = max r0 < 4: %c@d[r0] * %c@d[i0]
    set %h part Node = %k
  }
  check Node "word": %word@d < 9:i32
  output h: nodes Tree = %h
  output g: nodes Tree = %g
)");
}

TEST_CASE("a guarded operator does not serve one that is not, nor steps what stands behind them") {
  const std::string entry = R"(  domain calls: calls
  domain items: list length 2 over calls
  %x: calls f32[4] = argument 1
  %s: items f32 = carry
  %last_s: items f32 = previous %s from %start
  %start: calls f32 = map: exp(%x@d[0]) where %x@d[0] > 0.0
  %free: calls f32 = map: exp(%x@d[0])
  steps over items {
    %s1: items f32 = map: exp(%x@owner(items, d)[1])
    set %s part items = %s1
  }
  %s2: items f32 = map: exp(%x@owner(items, d)[1])
  output f: calls = %free
)";
  CHECK(after(cse, entry) == entry);
}

#include "wave_pass/dce.h"

#include "pass_text.h"

using espalier::after;
constexpr auto dce = static_cast<void (*)(espalier::wave::Module&)>(espalier::wave_pass::dce);

TEST_CASE("carries that nobody reads go with all that is sent into them") {
  CHECK(after(dce, R"(  domain once: once
  domain Node: nodes 0
  domain calls: calls
  domain Node.children: list 0 over Node
  domain all: all
  domain edges: edges
  %E: once f32[9, 4] = parameter E
  %W: once f32[4, 4] = parameter W
  %word: Node i32 = payload 0
  %t: calls i32 = root 0
  %h: all f32[4] = carry
  %c: all f32[4] = carry
  %down: edges f32 = carry
  check Node "word": %word@d < 9:i32
  sweep_up {
    %x: Node f32[4] = map: %E[i64(%word@d), i0]
    %c1: Node f32[4] = sum r0 < 4: %W[i0, r0] * %c@(0)[r0]
    set %h part Node = %x
    set %c part Node = %c1
  }
  sweep_down {
    %zero: Node.children f32 = map: 0.0
    set %down part Node.children field 1 = %zero
  }
  output h: nodes Tree = %h
)") == R"(  domain once: once
  domain Node: nodes 0
  domain all: all
  %E: once f32[9, 4] = parameter E
  %word: Node i32 = payload 0
  %h: all f32[4] = carry
  check Node "word": %word@d < 9:i32
  sweep_up {
    %x: Node f32[4] = map: %E[i64(%word@d), i0]
    set %h part Node = %x
  }
  output h: nodes Tree = %h
)");
}

TEST_CASE("steps stay where their state is read, with what it begins with") {
  const std::string entry = R"(  domain calls: calls
  domain items: list length 3 over calls
  %x: calls f32[4] = argument 1
  %s: items f32 = carry
  %last_s: items f32 = previous %s from %start
  %start: calls f32 = map: 1.0
  steps over items {
    %s1: items f32 = map: %last_s@d * %x@owner(items, d)[d - first(items, owner(items, d))]
    set %s part items = %s1
  }
  %r: calls f32 = map: %s@(end(items, d) - 1)
)";
  CHECK(after(dce, entry + "  output r: calls = %r\n") == entry + "  output r: calls = %r\n");
  CHECK(after(dce, entry + "  output r: calls = %start\n") == R"(  domain calls: calls
  %start: calls f32 = map: 1.0
  output r: calls = %start
)");
}

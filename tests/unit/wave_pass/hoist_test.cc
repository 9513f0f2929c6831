#include "wave_pass/hoist.h"

#include "pass_text.h"

using espalier::after;
using espalier::wave_pass::hoist;

TEST_CASE(
    "what does not depend on children leaves the sweep, what depends on weights alone the call") {
  CHECK(after(hoist, R"(  domain once: once
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %E: once f32[9, 4] = parameter E
  %W: once f32[4, 4] = parameter W
  %U: once f32[4, 4] = parameter U
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %h: all f32[4] = carry
  sweep_up {
    %x: Node f32[4] = sum r0 < 4: %W[i0, r0] * %E[i64(%word@d), r0]
    %s: Node f32[4] = sum over Node.children: %h@i64(%child@e)[i0]
    %u: Node f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
    check Node "positive": %x@d[0] > 0.0
    %h1: Node f32[4] = map: tanh(%x@d[i0] + %u@d[i0])
    set %h part Node = %h1
  }
  %WU: once f32[4, 4] = sum r0 < 4: %W[i0, r0] * %U[r0, i1]
  %WU_0: once f32[4] = map: exp(%WU[0, i0])
  output h: nodes Tree = %h
)") == R"(  domain once: once
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %E: once f32[9, 4] = parameter E
  %W: once f32[4, 4] = parameter W
  %U: once f32[4, 4] = parameter U
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %h: all f32[4] = carry
  %WU: once f32[4, 4] load = sum r0 < 4: %W[i0, r0] * %U[r0, i1]
  %WU_0: once f32[4] load = map: exp(%WU[0, i0])
  %x: Node f32[4] = sum r0 < 4: %W[i0, r0] * %E[i64(%word@d), r0]
  check Node "positive": %x@d[0] > 0.0
  sweep_up {
    %s: Node f32[4] = sum over Node.children: %h@i64(%child@e)[i0]
    %u: Node f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
    %h1: Node f32[4] = map: tanh(%x@d[i0] + %u@d[i0])
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)");
}

TEST_CASE("leaves are done before the sweep; a sweep without recursion goes") {
  CHECK(after(hoist, R"(  domain leaf: nodes 0 empty
  domain inner: nodes 0 filled
  domain inner.children: list 0 over inner
  domain all: all
  %word: leaf i32 = payload 0
  %child: inner.children i32 = child 1
  %h: all f32 = carry
  %g: all f32 = carry
  sweep_up {
    %a: leaf f32 = map: f32(%word@d)
    %b: inner f32 = sum over inner.children: %h@i64(%child@e)
    set %h part leaf = %a
    set %h part inner = %b
  }
  sweep_down {
    %c: inner f32 = sum over inner.children: %h@i64(%child@e)
    set %g part leaf = %a
    set %g part inner = %c
  }
  output h: nodes Tree = %h
  output g: nodes Tree = %g
)") == R"(  domain leaf: nodes 0 empty
  domain inner: nodes 0 filled
  domain inner.children: list 0 over inner
  domain all: all
  %word: leaf i32 = payload 0
  %child: inner.children i32 = child 1
  %h: all f32 = carry
  %g: all f32 = carry
  %a: leaf f32 = map: f32(%word@d)
  set %h part leaf = %a
  sweep_up {
    %b: inner f32 = sum over inner.children: %h@i64(%child@e)
    set %h part inner = %b
  }
  %c: inner f32 = sum over inner.children: %h@i64(%child@e)
  set %g part leaf = %a
  set %g part inner = %c
  output h: nodes Tree = %h
  output g: nodes Tree = %g
)");
}

TEST_CASE("steps within a sweep") {
  CHECK(after(hoist, R"(  domain Node: nodes 0
  domain items: list 0 over Node
  domain all: all
  %word: Node i32 = payload 0
  %child: items i32 = child 1
  %h: all f32 = carry
  %s: items f32 = carry
  %last_s: items f32 = previous %s from %start
  %k: items f32 = carry
  %last_k: items f32 = previous %k from %start
  sweep_up {
    %start: Node f32 = map: f32(%word@d)
    steps over items {
      %w: items f32 = map: exp(f32(%child@d))
      %s1: items f32 = map: %last_s@d * %w@d
      set %s part items = %s1
    }
    steps over items backward {
      %v: items f32 = map: %h@i64(%child@d) * %w@d
      %k1: items f32 = map: %last_k@d * %v@d
      set %k part items = %k1
    }
    %h1: Node f32 = sum over items: %s@e * %k@e
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)") == R"(  domain Node: nodes 0
  domain items: list 0 over Node
  domain all: all
  %word: Node i32 = payload 0
  %child: items i32 = child 1
  %h: all f32 = carry
  %s: items f32 = carry
  %last_s: items f32 = previous %s from %start
  %k: items f32 = carry
  %last_k: items f32 = previous %k from %start
  %start: Node f32 = map: f32(%word@d)
  %w: items f32 = map: exp(f32(%child@d))
  steps over items {
    %s1: items f32 = map: %last_s@d * %w@d
    set %s part items = %s1
  }
  sweep_up {
    %v: items f32 = map: %h@i64(%child@d) * %w@d
    steps over items backward {
      %k1: items f32 = map: %last_k@d * %v@d
      set %k part items = %k1
    }
    %h1: Node f32 = sum over items: %s@e * %k@e
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)");
}

#include "wave_pass/specialize.h"

#include "pass_text.h"

using espalier::after;
using espalier::wave_pass::specialize;

TEST_CASE("nodes without children are done apart, with what is then known") {
  CHECK(after(specialize, R"(  domain once: once
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %E: once f32[9, 4] = parameter E
  %U: once f32[4, 4] = parameter U
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %h: all f32[4] = carry
  sweep_up {
    %x: Node f32[4] = map: tanh(%E[i64(%word@d), i0])
    %s: Node f32[4] = sum over Node.children: %h@i64(%child@e)[i0]
    %u: Node f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
    %f: Node.children f32[4] = sum r0 < 4: %U[i0, r0] * %h@i64(%child@d)[r0]
    %m: Node f32[4] = max over Node.children: %f@e[i0] where end(Node.children, d) - first(Node.children, d) > 0
    %h1: Node f32[4] = map: %x@d[i0] + %u@d[i0] + select(end(Node.children, d) - first(Node.children, d) > 0, %m@d[i0], 0.0)
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)") == R"(  domain once: once
  domain all: all
  domain Node_leaf: nodes 0 empty
  domain Node_inner: nodes 0 filled
  domain Node_inner.children: list 0 over Node_inner
  %E: once f32[9, 4] = parameter E
  %U: once f32[4, 4] = parameter U
  %h: all f32[4] = carry
  %word'inner: Node_inner i32 = payload 0
  %child'inner: Node_inner.children i32 = child 1
  %word'leaf: Node_leaf i32 = payload 0
  sweep_up {
    %x'leaf: Node_leaf f32[4] = map: tanh(%E[i64(%word'leaf@d), i0])
    %x: Node_inner f32[4] = map: tanh(%E[i64(%word'inner@d), i0])
    %s: Node_inner f32[4] = sum over Node_inner.children: %h@i64(%child'inner@e)[i0]
    %u: Node_inner f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
    %f: Node_inner.children f32[4] = sum r0 < 4: %U[i0, r0] * %h@i64(%child'inner@d)[r0]
    %m: Node_inner f32[4] = max over Node_inner.children: %f@e[i0]
    %h1: Node_inner f32[4] = map: %x@d[i0] + %u@d[i0] + %m@d[i0]
    set %h part Node_leaf = %x'leaf
    set %h part Node_inner = %h1
  }
  output h: nodes Tree = %h
)");
}

TEST_CASE("nodes stay whole where others read what is theirs, or nothing depends on the lists") {
  const std::string head = R"(  domain calls: calls
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %t: calls i32 = root 0
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %local: all i32 = local
  %h: all f32 = carry
)";
  const std::string read_by_others = head + R"(  sweep_up {
    %s: Node f32 = sum over Node.children: %h@i64(%child@e)
    set %h part Node = %s
  }
  %r: calls f32 = map: %s@i64(%local@i64(%t@d))
  output r: calls = %r
)";
  CHECK(after(specialize, read_by_others) == read_by_others);
  const std::string without_lists = head + R"(  sweep_up {
    %s: Node f32 = map: f32(%word@d)
    set %h part Node = %s
  }
  output h: nodes Tree = %h
)";
  CHECK(after(specialize, without_lists) == without_lists);
}

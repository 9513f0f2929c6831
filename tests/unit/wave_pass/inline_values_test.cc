#include "wave_pass/inline_values.h"

#include "pass_text.h"
#include "wave_pass/dce.h"

using espalier::after;

namespace {

void inlined(espalier::wave::Module& module) {
  espalier::wave_pass::inline_values(module);
  espalier::wave_pass::dce(module);
}

}  // namespace

TEST_CASE("products of items go into the sum over them, gathers go everywhere") {
  CHECK(after(inlined, R"(  domain once: once
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %E: once f32[9, 4] = parameter E
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %h: all f32[4] = carry
  sweep_up {
    %x: Node f32[4] = map: %E[i64(%word@d), i0]
    %y: Node f32[4] = map: tanh(%x@d[i0])
    %f: Node.children f32[4] = map: sigmoid(%x@owner(Node.children, d)[i0] + %h@i64(%child@d)[i0])
    %p: Node.children f32[4] = map: %f@d[i0] * %h@i64(%child@d)[i0] + %y@owner(Node.children, d)[i0]
    %s: Node f32[4] = sum over Node.children: %p@e[i0]
    %g: Node f32[4] = sum over Node.children: %f@e[i0]
    %h1: Node f32[4] = map: %s@d[i0] + %g@d[i0] * %x@d[i0]
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)") == R"(  domain once: once
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %E: once f32[9, 4] = parameter E
  %word: Node i32 = payload 0
  %child: Node.children i32 = child 1
  %h: all f32[4] = carry
  sweep_up {
    %x: Node f32[4] = map: %E[i64(%word@d), i0]
    %y: Node f32[4] = map: tanh(%x@d[i0])
    %f: Node.children f32[4] = map: sigmoid(%E[i64(%word@owner(Node.children, d)), i0] + %h@i64(%child@d)[i0])
    %s: Node f32[4] = sum over Node.children: %f@e[i0] * %h@i64(%child@e)[i0] + %y@d[i0]
    %g: Node f32[4] = sum over Node.children: %f@e[i0]
    %h1: Node f32[4] = map: %s@d[i0] + %g@d[i0] * %x@d[i0]
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)");
}

TEST_CASE("what is read twice or is dear stays a value") {
  const std::string entry = R"(  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain all: all
  %child: Node.children i32 = child 1
  %h: all f32 = carry
  sweep_up {
    %p: Node.children f32 = map: %h@i64(%child@d) * 2.0
    %q: Node.children f32 = map: exp(%h@i64(%child@d))
    %s: Node f32 = sum over Node.children: %p@e
    %t: Node f32 = max over Node.children: %p@e
    %u: Node f32 = sum over Node.children: %q@e
    %h1: Node f32 = map: %s@d + %t@d + %u@d
    set %h part Node = %h1
  }
  output h: nodes Tree = %h
)";
  CHECK(after(inlined, entry) == entry);
}

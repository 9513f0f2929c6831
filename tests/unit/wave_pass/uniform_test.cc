#include "wave_pass/uniform.h"

#include "pass_text.h"
#include "wave_pass/dce.h"

using espalier::after;

namespace {

void uniform(espalier::wave::Module& module) {
  espalier::wave_pass::uniform(module);
  espalier::wave_pass::dce(module);
}

}  // namespace

TEST_CASE("states that depend on no element are computed once") {
  CHECK(after(uniform, R"(  domain once: once
  domain Node: nodes 0
  domain all: all
  %W: once f32[4, 4] = parameter W
  %word: Node i32 = payload 0
  %h: all f32[4] = carry
  sweep_up {
    %w: Node f32[4] = sum r0 < 4: %W[i0, r0]
    %i: Node f32[4] = map: sigmoid(%w@d[i0])
    %j: Node f32[4] = map: 2.0
    %k: Node f32[4] = map: %i@d[i0] * %W[i64(%word@d), i0] + %j@d[i0]
    set %h part Node = %i
    check Node "k": %k@d[0] > 0.0
  }
  output h: nodes Tree = %h
)") == R"(  domain once: once
  domain Node: nodes 0
  domain all: all
  %W: once f32[4, 4] = parameter W
  %word: Node i32 = payload 0
  %h: all f32[4] = carry
  %w: once f32[4] = sum r0 < 4: %W[i0, r0]
  %i: once f32[4] = map: sigmoid(%w[i0])
  sweep_up {
    %j: Node f32[4] = map: 2.0
    %k: Node f32[4] = map: %i[i0] * %W[i64(%word@d), i0] + %j@d[i0]
    set %h part Node = %i
    check Node "k": %k@d[0] > 0.0
  }
  output h: nodes Tree = %h
)");
  CHECK(after(uniform, R"(  domain calls: calls
  %x: calls f32[4] = map: exp(1.0) where 1 > 2
  output x: calls = %x
)") == R"(  domain calls: calls
  domain once: once
  %x: once f32[4] = map: exp(1.0) where 1 > 2
  %x'2: calls f32[4] = map: %x[i0] where 1 > 2
  output x: calls = %x'2
)");
}

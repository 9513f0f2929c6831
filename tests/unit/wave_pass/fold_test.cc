#include "wave_pass/fold.h"

#include "pass_text.h"
#include "wave_pass/dce.h"

using espalier::after;

namespace {

void fold(espalier::wave::Module& module) {
  espalier::wave_pass::fold(module);
  espalier::wave_pass::dce(module);
}

const std::string head = R"(  domain once: once
  domain calls: calls
  %U: once f32[4, 4] = parameter U
  %s: calls f32[4] = argument 1
)";

std::string folded(const std::string& ops) { return after(fold, head + ops); }

}  // namespace

TEST_CASE("the zero state is propagated") {
  CHECK(folded(R"(  %h: calls f32[4] = map: 0.0
  %p: calls f32[4] = sum r0 < 4: %U[i0, r0] * %h@d[r0]
  %q: calls f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
  %i: calls f32[4] = map: sigmoid(%q@d[i0] + %p@d[i0])
  %f: calls f32[4] = map: sigmoid(%p@d[i0]) * tanh(%p@d[i0] + 1.0)
  %c: calls f32[4] = map: %i@d[i0] * tanh(%q@d[i0]) + %p@d[i0]
  output c: calls = %c
  output f: calls = %f
)") == head + R"(  %q: calls f32[4] = sum r0 < 4: %U[i0, r0] * %s@d[r0]
  %i: calls f32[4] = map: sigmoid(%q@d[i0])
  %f: calls f32[4] = map: 0.3807970779778824
  %c: calls f32[4] = map: %i@d[i0] * tanh(%q@d[i0])
  output c: calls = %c
  output f: calls = %f
)");
}

TEST_CASE(
    "what is not known to be finite is not multiplied away; -0.0 stays where it is told apart") {
  const std::string ops = R"(  %p: calls f32[4] = sum r0 < 4: %s@d[r0] * 0.0
  %r: calls f32[4] = map: 1.0 / (%s@d[i0] + 0.0)
  %m: calls f32[4] = map: %U[0, i0] * 0.0
  output p: calls = %p
  output r: calls = %r
  output m: calls = %m
)";
  CHECK(folded(ops) == head + ops);
  CHECK(folded(R"(  %r: calls f32[4] = map: 1.0 / (abs(%s@d[i0]) + 0.0)
  %q: calls f32[4] = map: %s@d[i0] * 1.0 / 1.0 + -0.0 - 0.0
  output r: calls = %r
  output q: calls = %q
)") == R"(  domain calls: calls
  %s: calls f32[4] = argument 1
  %r: calls f32[4] = map: 1.0 / abs(%s@d[i0])
  %q: calls f32[4] = map: %s@d[i0]
  output r: calls = %r
  output q: calls = %q
)");
}

TEST_CASE("guards and choices that are known") {
  CHECK(folded(R"(  %never: calls f32[4] = map: exp(%s@d[i0]) where 3 < 2
  %always: calls f32[4] = map: exp(%s@d[i0]) where i64(%s@d[0] > 0.0) >= 0 or 2 < 3
  %a: calls f32[4] = map: select(%s@d[0] > 0.0, %always@d[i0], %never@d[i0]) where %s@d[0] > 0.0 and %s@d[1] > 0.0
  %b: calls f32[4] = map: select(%s@d[0] > 0.0, %a@d[i0], 1.0) where not (%s@d[0] > 0.0)
  %r: calls f32[4] = map: select(%s@d[0] > 0.0, %a@d[i0], %b@d[i0])
  check calls "never": true
  check calls "unseen": %s@d[0] > 0.0 where false
  output r: calls = %r
)") == R"(  domain calls: calls
  %s: calls f32[4] = argument 1
  %always: calls f32[4] = map: exp(%s@d[i0])
  %r: calls f32[4] = map: select(%s@d[0] > 0.0, %always@d[i0], 1.0)
  output r: calls = %r
)");
}

TEST_CASE("reductions over nothing; extents of axes become known") {
  CHECK(after(fold, R"(  domain calls: calls
  domain none: list length 0 over calls
  %s: calls f32[4] = argument 1
  %sum: calls f32[4] = sum over none: %s@owner(none, e)[i0]
  %prod: calls f32[4] = prod r0 < 0: %s@d[i0?]
  %r: calls f32[4] = map: %s@d[(i0? + 4) % 4] + %sum@d[i0] + %prod@d[i0]
  output r: calls = %r
)") == R"(  domain calls: calls
  %s: calls f32[4] = argument 1
  %r: calls f32[4] = map: %s@d[i0] + 1.0
  output r: calls = %r
)");
}

TEST_CASE("bounded factors of zero; lists that have items") {
  CHECK(folded(R"(  %h: calls f32[4] = map: 0.0
  %f: calls f32[4] = map: sigmoid(%s@d[i0])
  %c: calls f32[4] = map: %f@d[i0] * %h@d[i0] + %f@d[i0] * %s@d[i0]
  %e: calls f32[4] = map: exp(%s@d[i0]) * %h@d[i0]
  output c: calls = %c
  output e: calls = %e
)") == R"(  domain calls: calls
  %s: calls f32[4] = argument 1
  %f: calls f32[4] = map: sigmoid(%s@d[i0])
  %c: calls f32[4] = map: %f@d[i0] * %s@d[i0]
  %e: calls f32[4] = map: exp(%s@d[i0]) * 0.0
  output c: calls = %c
  output e: calls = %e
)");
  const std::string lists = R"(  domain Node: nodes 0
  domain inner: nodes 0 filled
  domain kids: list 0 over Node
  domain more: list 0 over inner
  domain all: all
  %h: all i64 = carry
)";
  const auto body = [&](const std::string& domain, const std::string& condition) {
    const std::string text = after(fold, lists + "  %a: " + domain + " i64 = sum over " +
                                             (domain == "Node" ? "kids" : "more") + ": select(" +
                                             condition + ", 1, 2)\n  set %h part " + domain +
                                             " = %a\n  output h: nodes Tree = %h\n");
    const std::size_t at = text.find(": ", text.find("sum over")) + 2;
    return text.substr(at, text.find('\n', at) - at);
  };
  CHECK(body("inner", "end(more, d) - first(more, d) > 0") == "1");
  CHECK(body("inner", "end(more, d) == first(more, d)") == "2");
  CHECK(body("inner", "end(more, d) - first(more, d) >= 2") != "1");
  CHECK(body("Node", "end(kids, d) - first(kids, d) > 0") != "1");
  CHECK(body("Node", "end(kids, owner(kids, e)) - first(kids, owner(kids, e)) < 1") == "2");
}

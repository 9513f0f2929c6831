#include "wave/text.h"

#include <doctest/doctest.h>

#include <string>

#include "wave/analysis.h"
#include "wave/verify.h"

using namespace espalier;
using namespace espalier::wave;

namespace {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  Result<Module> module = Failed();

  explicit Parsed(const std::string& text) {
    const std::int32_t file = sources.add("m.wave", text);
    module = parse(sources, file, diagnostics);
  }
  std::string message() const {
    return diagnostics.all().empty() ? "" : format(diagnostics.all()[0], sources, false);
  }
};

// Reads `text`, which is what it prints.
void check_round(const std::string& text) {
  Parsed once(text);
  CHECK(once.message() == "");
  REQUIRE(once.module);
  CHECK(print(*once.module) == text);
  renumber(*once.module);
  CHECK(print(*once.module) == text);
}

const std::string head = R"(wave tiny
doc "two \"quotes\", a \\ and\x0aa line"
dim hidden = 3

column word: i32 < 100 column 0
column "x y": f64[2, 3] column 1
column children: node Tree in 0 column 2
list children
list inner in 0
variant Tree Node {
  word: i32 < 100 column 0
  "column": f64[2, 3] column 1
  children: node Tree in 0 column 2
}
type Tree { 0 }

parameter W: f32[3, 3] dims "hidden" "hidden"
constant k: f64[2] = [
  -inf, 1e-30,
]

)";

const std::string entry = R"(entry encode {
  doc "states"
  column t: node Tree column 0
  column xs: f32[3] in 0 column 1
  list xs
  domain once: once
  domain calls: calls
  domain all: all
  domain Node: nodes 0
  domain Node.children: list 0 over Node
  domain edges: edges
  domain parents: parents over all
  domain xs: list 0 over calls
  domain items: list length 2 over Node
  %W: once f32[3, 3] = parameter W
  %k: once f64[2] = constant k
  %t: calls i32 = root 0 named t
  %x: xs f32[3] = argument 1
  %child: Node.children i32 = child 2
  %place: Node i32 = place
  %"a b": Node f64[2, 3] = payload 1
  %in_edge: parents i32 = in_edge
  %slot: Node.children i32 = slot 2
  %h: all f32[3] = carry
  %down: edges f32 = carry
  %s: xs f32[3] = carry
  %last_s: xs f32[3] = previous %s from %start
  %b: once f32[3] load = sum r0 < 3: %W[i0, r0] * 2.0
  check Node "odd": %"a b"@d[0, 1] > 0.5:f64 detail i64(%place@d) where end(Node.children, d) > 0
  sweep_up {
    %hs: Node f32[3] = sum over Node.children: %h@i64(%child@e)[i0] - %b[i0]
    %p: Node f32[3] = sum r0 < 3: %W[i0, r0] * %hs@d[r0] where not (true or false)
    %n: Node i64 = argmax over Node.children: %h@(i64(%child@e) + 0)[2] + -1.0
    %h1: Node f32[3] = map: select(%n@d == 3, tanh(-%p@d[i0] + inf), nan)
    set %h part Node = %h1
  }
  sweep_down {
    %v: Node.children f32 = map: %hs@owner(Node.children, d)[(2 - 1) % 3]
    set %down part Node.children field 2 = %v
  }
  %start: calls f32[3] = map: 0.0
  steps over xs backward {
    %s1: xs f32[3] = map: %x@d[i0] * (%last_s@d[i0] - (1.0 - 2.0)) / 3.0
    set %s part xs = %s1
  }
  %last: calls f32[3] = map: %s@(end(xs, d) - 1)[i0] + neg(1.0)
  %root: calls f32[3] = map: %h@i64(%t@d)[i0?]
  output h: nodes Tree = %h
  output s: items = %s
  output last: calls = %last
}
)";

}  // namespace

TEST_CASE("what is printed is read back") {
  Parsed parsed(head + entry);
  CHECK(parsed.message() == "");
  REQUIRE(parsed.module);
  const std::string text = print(*parsed.module);
  CHECK(text.size() == (head + entry).size());
  check_round(text);
  check_round(head + entry);
  check_round("wave empty\n");
}

namespace {

const std::string small = R"(wave m
entry f {
  domain once: once
  domain calls: calls
  %a: once f32 = map: 1.0
)";

std::string message(const std::string& rest) { return Parsed(small + rest).message(); }

}  // namespace

TEST_CASE("what is not as it would be printed is refused where it stands") {
  CHECK(Parsed("wave m\nentry f {").message() ==
        "m.wave:2:10: error: expected an operator, found the end of the text [E240 wave-syntax]\n"
        "  entry f {\n"
        "           ^\n");
  CHECK(message("  %b: calls f32 = map: %a +\n}")
            .find("7:1: error: expected an expression, found '}'") != std::string::npos);
  CHECK(Parsed("").message().find("expected 'wave', found the end of the text") !=
        std::string::npos);
  CHECK(message("  %b: once f32 = map: tanh(%a, %a)\n}").find("takes 1 operands, not 2 [E240") !=
        std::string::npos);
  CHECK(message("  $").find("found what is no word of it") != std::string::npos);
  CHECK(message("  %\"a\n").find("found what is no word of it") != std::string::npos);
  CHECK(message("  %c: once f32 = map: 1.0 < 2.0 < 3.0\n").find("E240") != std::string::npos);
}

TEST_CASE("names that are not defined, or twice") {
  CHECK(message("  %b: call f32 = map: 1.0\n")
            .find("6:7: error: there is no domain 'call' above "
                  "[E241 wave-unknown-name]") != std::string::npos);
  CHECK(message("  %b: once f32 = map: %b\n").find("there is no value '%b' above [E241") !=
        std::string::npos);
  CHECK(message("  %b: once f32 = map: sine(%a)\n").find("there is no operation 'sine' [E241") !=
        std::string::npos);
  CHECK(message("  %b: once f32[2] = map: i1\n").find("there is no axis i1 here [E241") !=
        std::string::npos);
  CHECK(message("  %a: once f32 = map: 1.0\n")
            .find("6:3: error: value '%a' stands above already [E242 wave-duplicate-name]") !=
        std::string::npos);
  CHECK(Parsed("wave m entry f { domain a: once domain a: all }")
            .message()
            .find("domain 'a' stands above already [E242") != std::string::npos);
}

TEST_CASE("numbers that do not fit, nesting that is too deep") {
  CHECK(Parsed("wave m\ndim n = 99999999999999999999\n")
            .message()
            .find("2:9: error: '99999999999999999999' is no 64-bit integer [E243 wave-number]") !=
        std::string::npos);
  CHECK(message("  %b: once i64 = map: " + std::string(5000, '(')).find("E244 wave-nesting") !=
        std::string::npos);
  CHECK(message("  %b: once i64 = map: " + std::string(5000, '-')).find("E244") !=
        std::string::npos);
  std::string regions;
  for (int i = 0; i < 500; ++i) regions += "sweep_up {";
  CHECK(message(regions).find("E244") != std::string::npos);
}

TEST_CASE("unsound programs are refused") {
  CHECK(message("  %b: once i64 = map: %a\n}")
            .find("m.wave:1:1: error: entry 'f': %b: its dtype is not its body's [E245 "
                  "wave-unsound]") != std::string::npos);
}

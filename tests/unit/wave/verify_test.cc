#include "wave/verify.h"

#include <doctest/doctest.h>

#include <string>

#include "base/kinds.h"
#include "wave/text.h"

using namespace espalier;

namespace {

const std::string head = R"(wave m
column word: i32 < 9 column 0
column children: node Tree in 0 column 1
list children
variant Tree Node {
  word: i32 < 9 column 0
  children: node Tree in 0 column 1
}
type Tree { 0 }
parameter W: f32[4, 4]
entry f {
  column t: node Tree column 0
  domain once: once
  domain calls: calls
  domain Node: nodes 0
  domain leaf: nodes 0 empty
  domain kids: list 0 over Node
  domain pairs: list length 2 over calls
  domain all: all
  domain edges: edges
  %W: once f32[4, 4] = parameter W
  %t: calls i32 = root 0
  %word: Node i32 = payload 0
  %child: kids i32 = child 1
  %h: all f32 = carry
  %down: edges f32 = carry
  %s: pairs f32 = carry
  %last_s: pairs f32 = previous %s from %start
)";

// What is wrong with the program that these lines end.
std::string wrong(const std::string& lines) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string start = "  %start: calls f32 = map: 1.0\n";
  const Result<wave::Module> module =
      wave::parse(sources, sources.add("m.wave", head + start + lines + "}\n"), diagnostics);
  if (module) return "";
  REQUIRE(diagnostics.all().size() == 1);
  REQUIRE(diagnostics.all()[0].kind == Kind::wave_unsound);
  return diagnostics.all()[0].message;
}

bool refused(const std::string& lines, const std::string& why) {
  const std::string message = wrong(lines);
  CAPTURE(message);
  CHECK(message.find(why) != std::string::npos);
  return message.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("a sound program") { CHECK(wrong("") == ""); }

TEST_CASE("arguments") {
  CHECK(wrong("  %u: calls i32 = root 0 named t\n") == "");
  CHECK(refused("  %u: calls i32 = root 0 named s\n", "%u is not as its kind wants it"));
  CHECK(refused("  %u: calls i32 = root 1 named t\n", "%u is not as its kind wants it"));
}

TEST_CASE("scalars") {
  CHECK(refused("%a: Node f32 = map: %W[0]\n", "%a: %W has 2 axes, but is loaded with 1 indices"));
  CHECK(refused("%a: Node i32 = map: %word\n", "%word is loaded without an element"));
  CHECK(refused("%a: Node f32 = map: %W@d[0, 0]\n", "%W has no elements, but is loaded at one"));
  CHECK(refused("%a: kids i32 = map: %word@d\n", "'d' is no element of 'Node'"));
  CHECK(refused("%a: leaf i32 = map: %word@d\n", "'d' is no element of 'Node'"));
}

TEST_CASE("scalars of lists and dtypes") {
  CHECK(refused("%a: once i64 = map: d\n", "'d' where there is no element"));
  CHECK(refused("%a: Node i64 = map: e\n", "'e' outside a reduction over a list"));
  CHECK(refused("%a: Node i64 = map: end(Node, d)\n", "'Node' is no list"));
  CHECK(refused("%a: Node i64 = map: owner(kids, d)\n", "'d' is no element of 'kids'"));
  CHECK(refused("%a: calls i64 = map: end(kids, d)\n", "'d' is no element of 'Node'"));
  CHECK(refused("%a: calls f32 = map: %h@i64(%child@first(kids, i64(%t@d)))\n", "'i64(%t@d)'"));
  CHECK(refused("%a: Node i32 = map: %word@(%word@d)\n", "element '%word@d' is not i64"));
  CHECK(refused("%a: Node f32 = map: %W[i64(%word@d), %word@d]\n", "an index of %W is not i64"));
  CHECK(refused("%a: Node i64 = map: 1.0 + 2\n", "are of different dtypes"));
  CHECK(refused("%a: Node f32 = map: select(1, 2.0, 3.0)\n", "are of different dtypes"));
  CHECK(refused("%a: Node f32 = map: 1\n", "%a: its dtype is not its body's"));
}

TEST_CASE("computations") {
  CHECK(refused("%a: Node f32 = map r0 < 3: 1.0\n", "%a: a map with a reduction"));
  CHECK(refused("%a: Node f32 = sum: 1.0\n", "%a: a reduction over nothing"));
  CHECK(refused("%a: calls f32 = sum over kids: 1.0\n", "a list that is not its own element's"));
  CHECK(refused("%a: Node f32 = argmax over kids: 1.0\n", "its dtype is not its body's"));
  CHECK(refused("%a: Node f32 = map: 1.0 where 1\n", "a guard that is not bool"));
  CHECK(refused("%a: Node f32 load = map: 1.0\n", "%a is made when loading, but has elements"));
  CHECK(refused("%a: once f32 = map: 1.0\n%b: once f32 load = map: %a\n",
                "%b: %b is made when loading, but reads %a"));
  CHECK(refused("check Node \"c\": 1\n", "a check of what is not bool"));
}

TEST_CASE("regions") {
  CHECK(
      refused("sweep_up { %a: calls f32 = map: 1.0 }\n", "stands in a sweep, but is not on nodes"));
  CHECK(refused("sweep_up { sweep_up { } }\n", "a sweep within a region"));
  CHECK(refused("steps over pairs { %a: calls f32 = map: 1.0 }\n",
                "%a: it stands in steps over 'pairs', but is not on it"));
  CHECK(refused("steps over pairs { steps over pairs { } }\n",
                "steps over a list within steps over it"));
  CHECK(refused("steps over edges { }\n", "steps over what is no list"));
  CHECK(refused("%a: Node f32 = map: %h@(0)\n", "%a: %h is read before it is computed"));
  CHECK(refused("%a: pairs f32 = map: %last_s@d\n", "%last_s is read before it is computed"));
  CHECK(refused("steps over pairs { %a: pairs f32 = map: %last_s@d }\n",
                "read before it is computed"));
  CHECK(wrong("steps over pairs { %a: pairs f32 = map: %last_s@d  set %s part pairs = %a }\n") ==
        "");
  CHECK(
      wrong(
          "sweep_up { %a: Node f32 = sum over kids: %h@i64(%child@e)  set %h part Node = %a }\n") ==
      "");
}

TEST_CASE("carries and outputs") {
  const std::string a =
      "%a: Node f32 = map: 1.0\n%b: leaf f32 = map: 1.0\n%k: kids f32 = map: 1.0\n";
  CHECK(wrong(a + "set %h part Node = %a\nset %down part kids field 1 = %k\n") == "");
  CHECK(
      refused(a + "set %h part Node = %b\n", "carry %h: %b is not on the part that it is set on"));
  CHECK(refused(a + "set %h part kids = %k\n", "carry %h: its part is no class"));
  CHECK(
      refused(a + "set %down part kids field 0 = %k\n", "carry %down: its part is no child field"));
  CHECK(
      refused(a + "set %s part kids = %k\n", "carry %s: it is set on another domain than its own"));
  CHECK(refused(a + "set %a part Node = %a\n", "a set of what is no carry"));
  CHECK(refused(a + "set %h part Node = %a\nset %h part leaf = %b\n",
                "carry %h: it is set twice on one part"));
  CHECK(refused("%i: Node i64 = map: 1\nset %h part Node = %i\n",
                "carry %h: %i is of another type than the carry"));
  CHECK(refused(a + "output x: calls = %a\n", "output 'x' has other rows than its value"));
  CHECK(refused("output x: nodes Tree = %h\n", "%h is read before it is computed"));
}

TEST_CASE("tables") {
  const auto with = [](std::string from, const std::string& to) {
    Sources sources;
    Diagnostics diagnostics;
    std::string text = head + "  %start: calls f32 = map: 1.0\n}\n";
    text.replace(text.find(from), from.size(), to);
    const auto module = wave::parse(sources, sources.add("m.wave", text), diagnostics);
    return module ? "" : diagnostics.all()[0].message;
  };
  CHECK(with("nodes 0\n", "nodes 1\n") == "entry 'f': domain 'Node' is not as its kind wants it");
  CHECK(with("list 0 over Node", "list 0 over once") ==
        "entry 'f': domain 'kids' is not as its kind wants it");
  CHECK(with("payload 0", "payload 1") == "entry 'f': %word is not as its kind wants it");
  CHECK(with("payload 0", "place 0") == "");
  CHECK(with("= parameter W\n", "= parameter V\n") == "entry 'f': %W is not as its kind wants it");
  CHECK(with("type Tree { 0 }", "type Tree { 1 }") ==
        "type 'Tree' has a variant that does not exist");
  CHECK(with("node Tree in 0 column 1\n}", "node Tree in 3 column 1\n}") ==
        "field 'children' is in no list");
  CHECK(with("word: i32 < 9 column 0\n  ch", "word: i32 < 9\n  ch") ==
        "field 'word' has no column");
}

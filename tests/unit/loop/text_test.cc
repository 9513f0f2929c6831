#include "loop/text.h"

#include <doctest/doctest.h>

#include "loop/build.h"
#include "loop/verify.h"

using namespace espalier;
using namespace espalier::loop;

namespace {

Module small() {
  Module module;
  module.name = "m \"q\"";
  module.dims = {{"n", 32}};
  Buffer x;
  x.name = "x";
  x.rows.kind = Extent::Kind::nodes;
  x.shape = {20};
  x.inner = x.stride = 32;
  module.buffers.push_back(x);
  Function f;
  f.name = "fill";
  f.comment = "two\nlines";
  f.params = {{"const Values&", "w"}, {"int", "begin"}};
  Stmt loop =
      for_loop("j", integer(0), integer(20), {store(0, variable("j"), number(-0.1, Dtype::f32))});
  f.body.push_back(loop);
  f.exported = true;
  module.functions.push_back(f);
  Entry entry;
  entry.name = "e";
  entry.kernels = {"fill"};
  entry.buffers = {0};
  entry.lives = {{0, 1, 2}};
  module.entries.push_back(entry);
  return module;
}

std::string problem_of(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const auto read = parse(sources, sources.add("m.loop", text), diagnostics);
  return read
             ? ""
             : std::string(kind_id(diagnostics.all()[0].kind)) + " " + diagnostics.all()[0].message;
}

}  // namespace

TEST_CASE("the text of a loop module reads back as the same") {
  const std::string text = print(small());
  Sources sources;
  Diagnostics diagnostics;
  const auto read = parse(sources, sources.add("m.loop", text), diagnostics);
  REQUIRE(read);
  CHECK(print(*read) == text);
  CHECK(read->name == "m \"q\"");
  CHECK(read->functions[0].comment == "two\nlines");
  CHECK(read->functions[0].body[0].body[0].value->number == -0.1);
}

TEST_CASE("text that is no loop module is refused") {
  CHECK(problem_of("(loop (name \"x\")").starts_with("E250"));
  CHECK(problem_of("(wave)").starts_with("E250"));
  CHECK(problem_of("(loop (nime \"x\"))") == "E250 unknown member 'nime'");
  CHECK(problem_of("(loop (buffer (space somewhere)))") == "E250 unknown word 'somewhere'");
  CHECK(problem_of("(loop (entry (name \"e\") (kernels \"k\")))") ==
        "E251 e: no exported function k");
}

TEST_CASE("unsound loop modules are found") {
  CHECK(verify(small()) == "");
  Module module = small();
  module.functions[0].body[0].body[0].buffer = 3;
  CHECK(verify(module) == "fill: a store into nothing");
  module = small();
  module.functions[0].body[0].body[0].index = variable("i");
  CHECK(verify(module) == "fill: no variable i");
  module = small();
  module.functions[0].body[0].loop = Stmt::Loop::vector;
  CHECK(verify(module) == "fill: vector loop j does not end at whole vectors");
}

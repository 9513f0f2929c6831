#include "loop_pass/vectorize.h"

#include <doctest/doctest.h>

#include "loop/build.h"

using namespace espalier;
using namespace espalier::loop;

namespace {

// out[j] = value for j below `end`, rows of 20 floats in 32.
Module loop_of(const ExprRef& value, std::int64_t end = 20) {
  Module module;
  for (const char* name : {"x", "out"}) {
    Buffer b;
    b.name = name;
    b.shape = {20};
    b.inner = b.stride = 32;
    module.buffers.push_back(b);
  }
  Function f;
  f.name = "f";
  f.body.push_back(for_loop("j", integer(0), integer(end), {store(1, variable("j"), value)}));
  module.functions.push_back(f);
  return module;
}

const Stmt& vectorized(Module& module) {
  loop_pass::vectorize(module);
  return module.functions[0].body[0];
}

const ExprRef x_at_j = load(0, float_type, variable("j"));

}  // namespace

TEST_CASE("a loop over a padded row becomes whole vectors") {
  Module module =
      loop_of(call("tanh", float_type, {binary("+", float_type, x_at_j, number(2, Dtype::f32))}));
  const Stmt& s = vectorized(module);
  CHECK(s.loop == Stmt::Loop::vector);
  CHECK(s.step->name == "lanes");
  CHECK(s.end->integer == 32);
  CHECK(s.body[0].type.vector);
}

TEST_CASE("what has no vector form stays scalar") {
  const ExprRef index = cast(float_type, variable("j"));
  const ExprRef turned = load(0, float_type, mul(variable("j"), integer(3)));
  const ExprRef over = load(0, float_type, add(variable("j"), integer(7)));  // past the row's end
  for (const ExprRef& value : {index, turned, over}) {
    Module module = loop_of(value);
    CHECK(vectorized(module).loop == Stmt::Loop::serial);
  }
  Module part = loop_of(x_at_j, 19);  // would write what is not its own
  CHECK(vectorized(part).loop == Stmt::Loop::serial);
}

TEST_CASE("the user's weights are read without alignment") {
  for (const bool weights : {false, true}) {
    Module module = loop_of(x_at_j);
    if (weights) module.buffers[0].space = Buffer::Space::weights;
    const Stmt& s = vectorized(module);
    REQUIRE(s.loop == Stmt::Loop::vector);
    const bool loose = s.body[0].value->number != 0;
    CHECK(loose == weights);
  }
}

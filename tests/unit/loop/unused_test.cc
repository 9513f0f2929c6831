#include "loop/unused.h"

#include <doctest/doctest.h>

#include "loop/build.h"

namespace espalier::loop {
namespace {

const Type real{Dtype::f32};

Stmt variable_of(const std::string& name) {
  Stmt s = let(name, number(0, Dtype::f32));
  s.kind = Stmt::Kind::variable;
  s.type = real;
  return s;
}

TEST_CASE("what is only given its own next value goes, and the loop around it") {
  std::vector<Stmt> body = {variable_of("a"), for_loop("e", integer(0), variable("n"),
                                                       {assign("a", "+", variable("x", real))})};
  drop_unused(&body);
  CHECK(body.empty());
}

TEST_CASE("what is read stays, also by way of another, and what follows a scope is no reader") {
  std::vector<Stmt> body = {variable_of("a"), let("b", variable("a", real)),
                            assign("out", "", variable("b", real))};
  drop_unused(&body);
  CHECK(body.size() == 3);

  Stmt branch = simple(Stmt::Kind::branch);
  branch.value = variable("c", bool_type);
  branch.body = {let("a", number(1, Dtype::f32))};
  branch.other = {let("a", number(2, Dtype::f32)), assign("out", "", variable("a", real))};
  body = {branch};
  drop_unused(&body);
  REQUIRE(body.size() == 1);
  CHECK(body[0].body.empty());
  CHECK(body[0].other.size() == 2);
}

TEST_CASE("a chain of lets that ends in nothing goes as a whole") {
  std::vector<Stmt> body = {let("a", number(1, Dtype::f32)), let("b", variable("a", real)),
                            let("c", variable("b", real))};
  drop_unused(&body);
  CHECK(body.empty());
}

}  // namespace
}  // namespace espalier::loop

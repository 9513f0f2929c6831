#include "fun/verify.h"

#include <doctest/doctest.h>

namespace espalier::fun {
namespace {

const TypeRef f32 = scalar(Dtype::f32);

std::shared_ptr<Expr> argument(const std::string& name, TypeRef type) {
  auto out = make(Expr::Kind::variable, {});
  out->name = name;
  out->binding = Expr::Binding::argument;
  out->type = std::move(type);
  return out;
}

// f(x: f32) -> f32 with the body.
Module module_with(ExprRef body) {
  Module module;
  Function function;
  function.name = "f";
  function.args = {{{"x", f32, {}}, ""}};
  function.returns = f32;
  function.body = std::move(body);
  module.functions = {function};
  return module;
}

TEST_CASE("a sound module") { CHECK(verify(module_with(argument("x", f32))) == ""); }

TEST_CASE("broken modules") {
  const auto broken = [](ExprRef body, const char* rule) {
    const std::string found = verify(module_with(std::move(body)));
    CHECK_MESSAGE(found.find(rule) != std::string::npos, found);
  };
  broken(argument("x", nullptr), "has no type");
  broken(argument("y", f32), "is not in scope");
  broken(argument("x", scalar(Dtype::f64)), "another type than its definition");
  auto text = make(Expr::Kind::text, {});
  text->type = f32;
  broken(text, "a text that is no option");
  auto call = make(Expr::Kind::call, {});
  call->name = "f";
  call->type = f32;
  broken(call, "a call of no function");
  auto tuple = make(Expr::Kind::tuple, {});
  tuple->type = tuple_of({f32});
  tuple->parts = {argument("x", f32)};
  broken(tuple, "result and body differ");
  auto field = make(Expr::Kind::field, {});
  field->name = "h";
  field->type = f32;
  field->parts = {tuple};
  broken(field, "a tuple without the field");
}

}  // namespace
}  // namespace espalier::fun

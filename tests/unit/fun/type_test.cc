#include "fun/type.h"

#include <doctest/doctest.h>

namespace espalier::fun {
namespace {

const Dim hidden = Dim::named("hidden", 48);

TEST_CASE("types are written as in the language") {
  CHECK(str(*scalar(Dtype::boolean)) == "bool");
  CHECK(str(*tensor(Dtype::bf16, {hidden, Dim(3) * hidden})) == "bf16[hidden, 3 * hidden]");
  CHECK(str(*index_type(hidden)) == "index[hidden]");
  CHECK(str(*list_of(list_of(data_type("Tree")))) == "[[Tree]]");
  CHECK(str(*tuple_of({scalar(Dtype::f32), scalar(Dtype::i32)}, {"h", "c"})) == "(h: f32, c: i32)");
  CHECK(str(*tuple_of({scalar(Dtype::f32)})) == "(f32,)");
  CHECK(str(*data_type("Pair", {name_type("a"), scalar(Dtype::f32)})) == "Pair[a, f32]");
  CHECK(str(*function_type({}, function_type({name_type("a")}, scalar(Dtype::f32)))) ==
        "() -> (a) -> f32");
}

TEST_CASE("sameness is structural") {
  CHECK(same(*tensor(Dtype::f32, {hidden}), *tensor(Dtype::f32, {Dim(48)})));
  CHECK(!same(*tensor(Dtype::f32, {hidden}), *tensor(Dtype::f64, {hidden})));
  CHECK(!same(*tensor(Dtype::f32, {hidden}), *tensor(Dtype::f32, {hidden, hidden})));
  CHECK(!same(*tuple_of({scalar(Dtype::f32)}, {"h"}), *tuple_of({scalar(Dtype::f32)}, {"c"})));
  CHECK(!same(*tuple_of({scalar(Dtype::f32)}, {"h"}), *tuple_of({scalar(Dtype::f32)})));
  CHECK(same(*data_type("P", {scalar(Dtype::f32)}), *data_type("P", {scalar(Dtype::f32)})));
  CHECK(!same(*data_type("P", {scalar(Dtype::f32)}), *data_type("P", {scalar(Dtype::i8)})));
}

TEST_CASE("elements") {
  CHECK(elements(*tensor(Dtype::f32, {hidden, Dim(2)})) == 96);
  CHECK(elements(*scalar(Dtype::f32)) == 1);
  CHECK(elements(*index_type(hidden)) == 1);
}

}  // namespace
}  // namespace espalier::fun

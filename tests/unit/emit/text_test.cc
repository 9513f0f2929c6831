#include "emit/text.h"

#include <doctest/doctest.h>

#include "emit/arrays.h"
#include "loop/api_names.h"
#include "loop/library_names.h"
#include "tests/unit/emit/sum_module.h"

using namespace espalier;

TEST_CASE("nothing in a comment ends it or goes on behind it") {
  CHECK(emit::comment_text("a */ b \\") == "a * / b");
  CHECK(emit::comment_text("line\nend\r\t\x01") == "line end");
  CHECK(emit::comment("x") == "// x\n");
  CHECK(emit::comment(std::string(250, 'x')).find(std::string(98, 'x')) == std::string::npos);
}

TEST_CASE("long lines are broken behind commas, under their bracket") {
  const std::string call = "  call(" + std::string(40, 'a') + ", " + std::string(40, 'b') + ", " +
                           std::string(40, 'c') + ");\n";
  CHECK(emit::wrap_lines(call) == "  call(" + std::string(40, 'a') + ", " + std::string(40, 'b') +
                                      ",\n       " + std::string(40, 'c') + ");\n");
}

TEST_CASE("numbers in arrays are exact") {
  const Column column = {{0.1f, -0.0, 1e-30f, 1e-45f, INFINITY, -INFINITY, NAN}, {}};
  const std::string text = emit::array_text("x", Dtype::f32, column);
  CHECK(text ==
        "const float x[7] = {\n    0.1f, -0.0f, 1e-30f, 1e-45f, INFINITY, -INFINITY, NAN};\n");
}

TEST_CASE("names of the interface are legal, unique and free") {
  loop::Module module = emit::sum_module();
  module.name = "exp";
  module.dims = {{"for", 1}, {"ok", 2}, {"n", 3}, {"é", 4}, {"x:0", 5}, {"", 6}, {"x_0", 7}};
  module.parameters = {{"a b", Dtype::f32, {}, {}},
                       {"a_b", Dtype::f32, {}, {}},
                       {std::string(500, 'q'), Dtype::f32, {}, {}}};
  const loop::ApiNames names = loop::api_names(module);
  CHECK(names.package == "exp_model");
  CHECK(names.dims ==
        std::vector<std::string>{"for_", "ok_2", "n", "unnamed", "x_0", "unnamed_2", "x_0_2"});
  CHECK(names.parameters[0] == "a_b");
  CHECK(names.parameters[1] == "a_b_2");
  CHECK(names.parameters[2].size() <= 60);
  CHECK(loop::is_library_name("tanh"));
  CHECK_FALSE(loop::is_library_name("treelstm"));
}

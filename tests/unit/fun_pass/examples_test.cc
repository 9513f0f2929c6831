// Every example of the repository is a good model.
#include <filesystem>
#include <set>

#include "fun_pass/flatten_match.h"
#include "fun_pass/inline_calls.h"
#include "fun_pass/recognize.h"
#include "tests/golden.h"
#include "tests/unit/fun_pass/checked.h"

namespace espalier {

TEST_CASE("all examples pass from check to recognize without a complaint") {
  std::set<std::filesystem::path> models;
  for (const auto& each :
       std::filesystem::directory_iterator(std::filesystem::path(ESPALIER_ROOT) / "examples"))
    if (std::filesystem::exists(each.path() / "model.json"))
      models.insert(each.path() / "model.json");
  CHECK(models.size() >= 9);
  for (const auto& path : models) {
    CAPTURE(path.string());
    test::Checked checked(test::read_text(path));
    REQUIRE(checked.messages() == "");
    REQUIRE(checked.ok);
    CHECK(fun_pass::inline_calls(checked.module, checked.diagnostics));
    CHECK(fun_pass::flatten_match(checked.module, checked.diagnostics));
    CHECK(fun_pass::recognize(checked.module, checked.diagnostics));
    CHECK(checked.messages() == "");
  }
}

}  // namespace espalier

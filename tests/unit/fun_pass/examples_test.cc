// Every example of the repository is a good model.
#include <filesystem>
#include <set>

#include "tests/golden.h"
#include "tests/unit/fun_pass/checked.h"

namespace espalier {

TEST_CASE("all examples are checked without a complaint") {
  std::set<std::filesystem::path> models;
  for (const auto& each :
       std::filesystem::directory_iterator(std::filesystem::path(ESPALIER_ROOT) / "examples"))
    if (std::filesystem::exists(each.path() / "model.json"))
      models.insert(each.path() / "model.json");
  CHECK(models.size() >= 9);
  for (const auto& path : models) {
    CAPTURE(path.string());
    const test::Checked checked(test::read_text(path));
    CHECK(checked.messages() == "");
    CHECK(checked.ok);
  }
}

}  // namespace espalier

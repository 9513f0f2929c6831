#include "base/result.h"

#include <doctest/doctest.h>

#include <memory>

#include "base/bug.h"

using espalier::Failed;
using espalier::Result;

TEST_CASE("a result is a value or nothing") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  REQUIRE(result);
  CHECK(**result == 3);
  CHECK(result->get() == (*result).get());
  const std::unique_ptr<int> taken = std::move(*result);
  CHECK(*taken == 3);
  const Result<int> failed = Failed{};
  CHECK(!failed);
}

TEST_CASE("a broken invariant is a bug of ours") {
  CHECK_NOTHROW(espalier::require(true, "fine"));
  CHECK_THROWS_WITH_AS(espalier::require(false, "level order"), "level order", espalier::Bug);
}

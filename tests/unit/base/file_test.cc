#include "base/file.h"

#include <doctest/doctest.h>

#include <iterator>

using namespace espalier;
namespace fs = std::filesystem;

namespace {

auto entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

TEST_CASE("bytes come back as they were") {
  const TempFolder temp;
  const std::string bytes("a\0\r\n\xff", 5);
  CHECK(write_file(temp.path() / "f", bytes));
  CHECK(read_file(temp.path() / "f") == bytes);
}

TEST_CASE("what cannot be read or written is said") {
  const TempFolder temp;
  std::string why;
  CHECK(!read_file(temp.path() / "none", &why));
  CHECK(why == "no such file or directory");
  CHECK(!read_file(temp.path(), &why));
  CHECK(why == "is a directory");
  CHECK(!write_file(temp.path() / "none" / "f", "x", &why));
  CHECK(why == "no such file or directory");
}

TEST_CASE("a new folder takes its place when it is complete") {
  const TempFolder temp;
  const fs::path target = temp.path() / "deep" / "out";
  {
    auto folder = NewFolder::create(target);
    REQUIRE(folder);
    CHECK(write_file(folder->path() / "a", "1"));
    CHECK(!fs::exists(target));
    CHECK(folder->commit());
  }
  CHECK(read_file(target / "a") == "1");
  {
    auto folder = NewFolder::create(target.string() + "/");
    REQUIRE(folder);
    CHECK(write_file(folder->path() / "b", "2"));
    CHECK(read_file(target / "a") == "1");
    CHECK(folder->commit());
  }
  CHECK(!fs::exists(target / "a"));
  CHECK(read_file(target / "b") == "2");
  CHECK(entries(target.parent_path()) == 1);
}

TEST_CASE("a folder given up leaves nothing") {
  const TempFolder temp;
  {
    auto folder = NewFolder::create(temp.path() / "out");
    REQUIRE(folder);
    CHECK(write_file(folder->path() / "a", "1"));
  }
  CHECK(entries(temp.path()) == 0);
}

TEST_CASE("a file is not replaced by a folder") {
  const TempFolder temp;
  CHECK(write_file(temp.path() / "out", "mine"));
  std::string why;
  CHECK(!NewFolder::create(temp.path() / "out", &why));
  CHECK(why == "not a directory");
  CHECK(read_file(temp.path() / "out") == "mine");
}

// The page on the language names every operator, and no other.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

#include "ops/op.h"
#include "tests/golden.h"

namespace espalier {
namespace {

// The names in the last column of the tables between two headings: each `name`, `name(...)`,
// `name[...]`.
std::set<std::string> names_between(const std::string& text, const std::string& from,
                                    const std::string& to) {
  std::set<std::string> out;
  const std::size_t end = text.find(to, text.find(from));
  for (std::size_t line = text.find("\n| ", text.find(from)); line < end;
       line = text.find("\n| ", line + 1)) {
    const std::size_t last = text.find('\n', line + 1);
    std::size_t at = text.find(" | ", line);
    while ((at = text.find('`', at)) < last) {
      const std::size_t close = text.find('`', at + 1);
      const std::string code = text.substr(at + 1, close - at - 1);
      const bool word = std::isalpha(static_cast<unsigned char>(code[0])) != 0;
      if (!word || !code.ends_with('=')) {
        out.insert(word ? code.substr(0, code.find_first_of("([")) : code);
      }
      at = close + 1;
    }
  }
  return out;
}

TEST_CASE("examples/LANGUAGE.md has every operator") {
  const std::string page =
      test::read_text(std::filesystem::path(ESPALIER_ROOT) / "examples/LANGUAGE.md");
  std::set<std::string> said = names_between(page, "\n## Operators", "\n## The structured form");
  for (const ops::Operator* op : ops::all()) {
    CAPTURE(op->name);
    CHECK(said.erase(std::string(op->name)) == 1);
  }
  said.erase("axis=-1");  // an option with its default
  for (const std::string& name : said) FAIL_CHECK("no such operator: ", name);
}

}  // namespace
}  // namespace espalier

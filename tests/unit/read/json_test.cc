#include "read/json.h"

#include <doctest/doctest.h>

#include <string>

namespace espalier::read {
namespace {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  Result<JsonFile> file = Failed{};
};

void parse(const std::string& text, Parsed* out) {
  out->file = parse_json(&out->sources, out->sources.add("f.json", text), &out->diagnostics);
}

std::string error(const std::string& text) {
  Parsed p;
  parse(text, &p);
  if (p.diagnostics.ok()) return "none";
  const Diagnostic& d = p.diagnostics.all()[0];
  return std::string(kind_id(d.kind)) + " at " + std::to_string(d.loc.offset);
}

TEST_CASE("values have their places and pointers") {
  Parsed p;
  parse("{\"a\": [1, -2.5e3, true], \"b/~\": {\"c\": \"x\\u00e9\\n\\ud83d\\ude00y\"}, \"d\": null}",
        &p);
  REQUIRE(p.file);
  const Json& root = p.file->root();
  const Json& a = *root.find("a");
  CHECK(p.file->raw(a) == "[1, -2.5e3, true]");
  CHECK(p.file->raw(a.items()[1]) == "-2.5e3");
  CHECK(p.sources.pointer(p.file->loc(a.items()[1]).pointer) == "/a/1");
  const Json& c = *root.find("b/~")->find("c");
  CHECK(c.text() == "x\u00e9\n\U0001F600y");
  CHECK(p.sources.pointer(p.file->loc(c).pointer) == "/b~1~0/c");
  const std::uint32_t start = c.offset() + 1;
  CHECK(c.string().raw(0) == start);
  CHECK(c.string().raw(1) == start + 1);   // the escaped letter
  CHECK(c.string().raw(3) == start + 7);   // the newline
  CHECK(c.string().raw(4) == start + 9);   // the pair
  CHECK(c.string().raw(8) == start + 21);  // y
  CHECK(p.sources.text(0)[c.string().raw(8)] == 'y');
  CHECK(c.string().raw(9) == start + 22);  // the closing quote
  CHECK(root.find("d")->is(Json::Kind::null));
  CHECK(root.find("e") == nullptr);
}

TEST_CASE("files that are not JSON") {
  CHECK(error("") == "E002 at 0");
  CHECK(error("[1, 2") == "E002 at 4");
  CHECK(error("\"abc") == "E002 at 3");
  CHECK(error("[1 2]") == "E001 at 3");
  CHECK(error("{\"a\" 1}") == "E001 at 5");
  CHECK(error("[1,]") == "E001 at 3");
  CHECK(error("[1] x") == "E003 at 4");
  CHECK(error(std::string("[1]\0x", 5)) == "E003 at 3");
  CHECK(error("\xef\xbb\xbf[]") == "E005 at 0");
  CHECK(error("[\"\xc0\xaf\"]") == "E004 at 2");
  CHECK(error("[\"\xed\xa0\x80\"]") == "E004 at 2");
  CHECK(error("[1e400]") == "E007 at 1");
  CHECK(error("[-1e400]") == "E007 at 1");
  CHECK(error("{\"a\": 1, \"b\": 2, \"a\": 3}") == "E008 at 17");
  CHECK(error("[\"\\ud800\"]").starts_with("E001"));
  CHECK(error("[18446744073709551616, 1e-400]") == "none");
}

TEST_CASE("nesting") {
  CHECK(error(std::string(256, '[') + std::string(256, ']')) == "none");
  CHECK(error(std::string(257, '[') + std::string(257, ']')) == "E006 at 256");
  CHECK(error(std::string(100000, '[')) == "E006 at 256");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK(error(objects).starts_with("E006"));
}

}  // namespace
}  // namespace espalier::read

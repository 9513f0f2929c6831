#include "base/diagnostic.h"

#include <doctest/doctest.h>

#include "base/kinds.h"

using espalier::Diagnostics;
using espalier::format;
using espalier::format_json;
using espalier::Kind;
using espalier::Loc;
using espalier::nearest;
using espalier::Sources;

TEST_CASE("place, message, kind, caret, pointer and notes") {
  Sources sources;
  const auto file = sources.add("model.json", "{\n\t\"body\": \"tanh(hiden)\"\n}\n");
  Diagnostics diagnostics;
  const Loc loc{file, 17, 5, sources.intern_pointer("/functions/f/body")};
  diagnostics.error(Kind::unknown_name, loc, "unknown name 'hiden'")
      .notes.push_back({{file, 0, 1, -1}, "did you mean 'hidden'?"});
  CHECK(format(diagnostics.all()[0], sources, false) ==
        "model.json:2:16: error: unknown name 'hiden' [E101 unknown-name]\n"
        "  \t\"body\": \"tanh(hiden)\"\n"
        "  \t              ^~~~~\n"
        "  at /functions/f/body\n"
        "model.json:1:1: note: did you mean 'hidden'?\n"
        "  {\n"
        "  ^\n");
}

TEST_CASE("colours only where asked for") {
  Diagnostics diagnostics;
  diagnostics.error(Kind::json_syntax, {}, "no input");
  CHECK(format(diagnostics.all()[0], Sources(), false) ==
        "espalier: error: no input [E001 json-syntax]\n");
  CHECK(format(diagnostics.all()[0], Sources(), true).find("\033[1;31merror: ") !=
        std::string::npos);
}

TEST_CASE("the caret counts characters, and stays within the line") {
  Sources sources;
  const auto file = sources.add("m", "\"\xc3\xa9\" x y\nnext");
  Diagnostics diagnostics;
  diagnostics.error(Kind::json_syntax, {file, 5, 100, -1}, "odd");
  CHECK(format(diagnostics.all()[0], sources, false) ==
        "m:1:6: error: odd [E001 json-syntax]\n  \"\xc3\xa9\" x y\n      ^~~\n");
}

TEST_CASE("a long line is cut around the caret, control characters are not printed") {
  Sources sources;
  const auto file = sources.add("m", std::string(500, 'a') + "b\x1b" + std::string(500, 'c'));
  Diagnostics diagnostics;
  diagnostics.error(Kind::json_syntax, {file, 500, 2, -1}, "odd");
  const std::string text = format(diagnostics.all()[0], sources, false);
  CHECK(text.find("\n  ..." + std::string(60, 'a') + "b?" + std::string(98, 'c') + "...\n") !=
        std::string::npos);
  CHECK(text.find("\n  " + std::string(63, ' ') + "^~\n") != std::string::npos);
}

TEST_CASE("one line of JSON") {
  Sources sources;
  const auto file = sources.add("m.json", "{\n \"\"}");
  Diagnostics diagnostics;
  diagnostics
      .error(Kind::json_syntax, {file, 3, 1, sources.intern_pointer("/a~1b")},
             "say \"x\"\n\xff\xc3\xa9")
      .notes.push_back({{}, "there"});
  CHECK(format_json(diagnostics.all()[0], sources) ==
        R"({"id":"E001","name":"json-syntax","file":"m.json","line":2,"column":2,)"
        R"("pointer":"/a~1b","message":"say \"x\"\u000a\ufffd)"
        "\xc3\xa9"
        R"(","notes":[{"file":"","line":0,"column":0,"pointer":"","message":"there"}]})"
        "\n");
}

TEST_CASE("a repeated mistake is dropped, another kind or place is not") {
  Diagnostics diagnostics;
  CHECK(diagnostics.ok());
  diagnostics.error(Kind::json_syntax, {0, 3, 1, -1}, "first");
  diagnostics.error(Kind::json_syntax, {0, 3, 1, -1}, "again").notes.push_back({{}, "lost"});
  diagnostics.error(Kind::unknown_name, {0, 3, 1, -1}, "other kind");
  diagnostics.error(Kind::json_syntax, {0, 4, 1, -1}, "other place");
  diagnostics.error(Kind::json_syntax, {}, "nowhere");
  diagnostics.error(Kind::json_syntax, {}, "nowhere else");
  CHECK(!diagnostics.ok());
  REQUIRE(diagnostics.all().size() == 5);
  CHECK(diagnostics.all()[0].message == "first");
  CHECK(diagnostics.all()[0].notes.empty());
}

TEST_CASE("near misses") {
  const std::vector<std::string> known = {"hidden", "word", "W_f", "W_i", "children", "b"};
  CHECK(nearest("hiden", known) == "hidden");
  CHECK(nearest("wrod", known) == "word");
  CHECK(nearest("W_x", known) == "W_f");  // the first of equals
  CHECK(nearest("chidlren", known) == "children");
  CHECK(nearest("softmax", known) == "");
  CHECK(nearest("a", known) == "");
  CHECK(nearest("B", known) == "b");
  CHECK(nearest("tahn", {"tan", "tanh"}) == "tanh");  // a swap is the likelier slip
  CHECK(nearest("cat", {"cast"}) == "cast");
  CHECK(nearest("Tre", {"e", "erf"}) == "");
  CHECK(nearest("", known) == "");
  CHECK(nearest("word", {"word"}) == "");
}

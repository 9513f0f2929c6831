#include "base/line_buffer.h"

#include <doctest/doctest.h>

using espalier::LineBuffer;

TEST_CASE("scopes indent, blank lines have no trailing space") {
  LineBuffer out;
  out.line("for ({}) {{", "i");
  {
    const auto scope = out.indent();
    out.line();
    out.line("two\nlines");
    out.put("a = ");
    CHECK(out.column() == 6);
    CHECK(out.margin() == 2);
    out.put("b;");
    out.end_line();
  }
  out.line("}");
  CHECK(out.text() == "for (i) {\n\n  two\n  lines\n  a = b;\n}\n");
}

TEST_CASE("text with braces is not a format unless arguments follow") {
  LineBuffer out(4);
  out.line("{}{{");
  CHECK(std::move(out).text() == "{}{{\n");
}

TEST_CASE("one blank line separates") {
  LineBuffer out;
  out.separate();
  out.line("a");
  out.separate();
  out.separate();
  out.line("b");
  CHECK(out.text() == "a\n\nb\n");
}

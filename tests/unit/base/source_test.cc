#include "base/source.h"

#include <doctest/doctest.h>

using espalier::Loc;
using espalier::Sources;

TEST_CASE("lines and columns count from 1, in bytes") {
  Sources sources;
  const auto file = sources.add("a.json", "ab\n\xc3\xa9x\r\n\nlast");
  const auto at = [&](std::uint32_t offset) { return sources.line_column({file, offset, 1, -1}); };
  CHECK(at(0).line == 1);
  CHECK(at(0).column == 1);
  CHECK(at(2).column == 3);  // the line's end belongs to the line
  CHECK(at(3).line == 2);
  CHECK(at(5).column == 3);
  CHECK(at(8).line == 3);
  CHECK(at(13).line == 4);  // the end of the file
  CHECK(at(13).column == 5);
  CHECK(sources.line_text({file, 4, 1, -1}) == "\xc3\xa9x");
  CHECK(sources.line_text({file, 8, 1, -1}).empty());
  CHECK(sources.line_text({file, 13, 1, -1}) == "last");
}

TEST_CASE("nowhere has no line") {
  const Sources sources;
  CHECK(sources.line_column(Loc{}).line == 0);
  CHECK(sources.line_text(Loc{}).empty());
}

TEST_CASE("a pointer is kept once") {
  Sources sources;
  const auto first = sources.intern_pointer("/functions/encode");
  CHECK(sources.intern_pointer("/params") != first);
  CHECK(sources.intern_pointer("/functions/encode") == first);
  CHECK(sources.pointer(first) == "/functions/encode");
}

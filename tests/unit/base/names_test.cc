#include "base/names.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

using espalier::is_reserved_word;
using espalier::legal_identifier;
using espalier::Names;

TEST_CASE("legal names stay as they are") {
  for (const char* name : {"h", "W_f", "hidden2", "childSum", "iou_", "E", "exp", "M_f", "index"})
    CHECK(legal_identifier(name) == name);
}

TEST_CASE("what is no identifier becomes one") {
  CHECK(legal_identifier("x:0") == "x_0");
  CHECK(legal_identifier("a b") == "a_b");
  CHECK(legal_identifier("a::.b") == "a_b");
  CHECK(legal_identifier("caf\xc3\xa9s") == "caf_s");
  CHECK(legal_identifier("\xc3\xa9") == "unnamed");
  CHECK(legal_identifier("") == "unnamed");
  CHECK(legal_identifier("3d") == "v3d");
  CHECK(legal_identifier("_Hidden") == "Hidden");
  CHECK(legal_identifier("__x__y__") == "x_y_");
  CHECK(legal_identifier("a\n*/") == "a_");
  CHECK(legal_identifier(std::string_view("a\0b", 3)) == "a_b");
}

TEST_CASE("keywords, alternative tokens and macros get a suffix") {
  for (const char* word :
       {"class",    "co_await", "requires",  "xor",        "not_eq",  "char8_t", "restrict",
        "import",   "final",    "EOF",       "NULL",       "assert",  "errno",   "M_PI",
        "INFINITY", "NAN",      "INT_MAX",   "INT8_C",     "stdin",   "unix",    "linux",
        "major",    "minor",    "I",         "isnan",      "signbit", "PRId64",  "EDOM",
        "FLT_MAX",  "SIGINT",   "threadIdx", "BIG_ENDIAN", "main",    "std"}) {
    CHECK(is_reserved_word(word));
    CHECK(legal_identifier(word) == std::string(word) + "_");
  }
  CHECK(!is_reserved_word("SIGMA"));
  CHECK(!is_reserved_word("PRIOR"));
  CHECK(!is_reserved_word("INTENT"));
}

TEST_CASE("long names keep their beginning and differ") {
  const std::string name(500, 'n');
  const std::string cut = legal_identifier(name);
  CHECK(cut.size() == 60);
  CHECK(cut.starts_with(std::string(51, 'n') + "_"));
  CHECK(cut == legal_identifier(name));
  CHECK(cut != legal_identifier(name + "n"));
  CHECK(legal_identifier(std::string(60, 'n')) == std::string(60, 'n'));
}

TEST_CASE("clashes are numbered") {
  Names names;
  CHECK(names.unique("a b") == "a_b");
  CHECK(names.unique("a:b") == "a_b_2");
  CHECK(names.unique("a_b") == "a_b_3");
  CHECK(names.unique("a_b_2") == "a_b_2_2");
  CHECK(names.unique("class") == "class_");
  CHECK(names.unique("class_") == "class_2");
  CHECK(names.unique("") == "unnamed");
  CHECK(names.unique("\xff") == "unnamed_2");
}

TEST_CASE("reserved names are not given out") {
  Names names;
  CHECK(names.reserve("Status"));
  CHECK(!names.reserve("Status"));
  CHECK(names.taken("Status"));
  CHECK(names.unique("Status") == "Status_2");
}

TEST_CASE("a scope's names differ from those around it and end with it") {
  Names names;
  CHECK(names.unique("x") == "x");
  {
    const auto scope = names.scope();
    CHECK(names.unique("x") == "x_2");
    CHECK(names.unique("x") == "x_3");
    CHECK(names.unique("y") == "y");
  }
  {
    const auto scope = names.scope();
    CHECK(names.unique("x") == "x_2");
  }
  CHECK(names.unique("y") == "y");
}

// The list of macros is held against those that the compiler at hand really has.
TEST_CASE("no macro of the C headers is a legal name") {
  const std::string command =
      "printf '#include <%s>\\n' assert.h ctype.h errno.h fenv.h float.h inttypes.h limits.h "
      "locale.h math.h setjmp.h signal.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h "
      "time.h wchar.h complex.h sched.h unistd.h sys/types.h pthread.h | " ESPALIER_CXX
      " -std=gnu++17 -x c++ -dM -E -";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char line[1024];
  int macros = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    std::string name = std::string(line).substr(std::string_view("#define ").size());
    name.resize(std::min(name.find_first_of(" (\n"), name.size()));
    ++macros;
    if (legal_identifier(name) == name) FAIL_CHECK(name);
  }
  CHECK(pclose(pipe) == 0);
  CHECK(macros > 500);
}

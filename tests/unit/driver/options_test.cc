#include "driver/options.h"

#include <doctest/doctest.h>

#include "base/kinds.h"
#include "driver/pipeline.h"
#include "driver/verbs.h"

namespace espalier::driver {
namespace {

struct Parsing {
  Options options;
  std::string text;
  Diagnostics diagnostics;
  Parsed parsed;

  explicit Parsing(std::vector<const char*> words) {
    words.insert(words.begin(), "espalier");
    parsed = parse(static_cast<int>(words.size()), words.data(), &options, &text, diagnostics);
  }
  // The one diagnostic expected.
  const Diagnostic& error() const {
    REQUIRE(parsed == Parsed::failed);
    REQUIRE(diagnostics.all().size() == 1);
    return diagnostics.all()[0];
  }
};

TEST_CASE("options of run") {
  const Parsing p({"run", "m.json", "--input", "f.json", "--entry", "a", "--entry=b", "--threads",
                   "4", "--columns", "words=word", "--disable", "fold"});
  REQUIRE(p.parsed == Parsed::run);
  CHECK(p.options.verb == "run");
  CHECK(p.options.model == "m.json");
  CHECK(p.options.entries == std::vector<std::string>{"a", "b"});
  CHECK(p.options.columns == std::vector<std::string>{"words=word"});
  CHECK(p.options.disable == std::vector<std::string>{"fold"});
  CHECK(p.options.threads == 4);
}

TEST_CASE("a list option takes one word each time") {
  CHECK(Parsing({"run", "--entry", "a", "m.json"}).options.model == "m.json");
}

TEST_CASE("each verb has help with examples") {
  for (const Verb& verb : verbs()) {
    const Parsing p({std::string(verb.name).c_str(), "--help"});
    REQUIRE(p.parsed == Parsed::help);
    CHECK(p.text.find(verb.examples) != std::string::npos);
  }
}

TEST_CASE("mistakes on the command line") {
  CHECK(Parsing({}).error().kind == Kind::missing_verb);
  const Parsing verb({"cmpile", "m.json"});
  CHECK(verb.error().kind == Kind::unknown_verb);
  CHECK(verb.error().message == "there is no verb 'cmpile'; did you mean 'compile'?");
  const Parsing option({"check", "--expnd"});
  CHECK(option.error().kind == Kind::unknown_option);
  CHECK(option.error().message == "'--expnd' is no option of 'check'; did you mean '--expand'?");
  CHECK(Parsing({"check", "a", "b"}).error().kind == Kind::unknown_option);
  CHECK(Parsing({"compile", "m.json"}).error().kind == Kind::missing_option);
  CHECK(Parsing({"run", "m.json", "--threads", "0"}).error().kind == Kind::bad_option_value);
  CHECK(Parsing({"run", "m.json", "--columns", "words"}).error().kind == Kind::bad_option_value);
  CHECK(Parsing({"check", "m.json", "--diagnostics=xml"}).error().kind == Kind::bad_option_value);
}

TEST_CASE("passes are asked for by name") {
  Session session;
  session.options.disable = {"no_such_pass"};
  CHECK_FALSE(check_pass_names(session));
  CHECK(session.diagnostics.all().at(0).kind == Kind::unknown_pass);
}

}  // namespace
}  // namespace espalier::driver

#include "read/schema.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>

#include "read/json.h"

namespace espalier::read {
namespace {

TEST_CASE("the schema is JSON whose references all lead somewhere") {
  Sources sources;
  Diagnostics diagnostics;
  const auto file = parse_json(&sources, sources.add("schema.json", model_schema()), &diagnostics);
  REQUIRE(file);
  REQUIRE(diagnostics.ok());
  const Json* definitions = file->root().find("$defs");
  REQUIRE(definitions);
  std::set<std::string> used;
  const std::function<void(const Json&)> collect = [&](const Json& json) {
    const Json* reference = json.find("$ref");
    if (reference && reference->is(Json::Kind::string)) used.insert(reference->text());
    for (const Json& item : json.items()) collect(item);
  };
  collect(file->root());
  for (const std::string& reference : used) {
    CAPTURE(reference);
    CHECK(definitions->find(reference.substr(std::string("#/$defs/").size())));
  }
  for (const JsonText& key : definitions->keys()) {
    CAPTURE(key.text);
    CHECK(used.count("#/$defs/" + key.text) == 1);
  }
}

}  // namespace
}  // namespace espalier::read

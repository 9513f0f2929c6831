#include "read/object.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "read/lexer.h"
#include "read/utf8.h"

namespace espalier::read {

bool expect(const Reading& reading, const Json& json, Json::Kind kind, const std::string& what) {
  if (json.is(kind)) return true;
  reading.error(
      Kind::wrong_json_type, json,
      fmt::format("{} should be {}, found {}", what, kind_words(kind), kind_words(json.kind())));
  return false;
}

bool check_keys(const Reading& reading, const Json& object, const std::vector<std::string>& known,
                const std::string& what) {
  bool ok = true;
  for (const JsonText& key : object.keys()) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    reading.error(
        Kind::unknown_key, key,
        fmt::format("{} has no key '{}'{}", what, key.text, did_you_mean(key.text, known)));
    ok = false;
  }
  return ok;
}

const Json* need(const Reading& reading, const Json& object, const std::string& key,
                 const std::string& what) {
  const Json* found = object.find(key);
  if (!found)
    reading.error(Kind::missing_key, object, fmt::format("{} lacks the key '{}'", what, key));
  return found;
}

bool check_name(const Reading& reading, const JsonText& key, const std::string& what) {
  if (is_reserved(key.text)) {
    reading.error(Kind::reserved_word, key,
                  fmt::format("'{}' is a word of the language and cannot name {}", key.text, what));
    return false;
  }
  if (is_name(key.text) && key.text != "_") return true;
  reading.error(
      Kind::bad_name, key,
      fmt::format("'{}' cannot name {}: a name is letters, digits and '_', no digit first",
                  key.text, what));
  return false;
}

}  // namespace espalier::read

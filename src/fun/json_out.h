// JSON to be printed: objects keep the order of their keys.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace espalier::fun {

struct JsonOut {
  enum class Kind : unsigned char { string, literal, list, object };
  Kind kind = Kind::object;
  std::string text;  // string; a literal (number, true, null) as it is printed
  std::vector<JsonOut> items;
  std::vector<std::string> keys;  // object: of the items

  void add(std::string key, JsonOut value) {
    keys.push_back(std::move(key));
    items.push_back(std::move(value));
  }
};

JsonOut json_string(std::string text);
JsonOut json_literal(std::string text);
JsonOut json_list(std::vector<JsonOut> items = {});
JsonOut json_object();

// Indented by two; what fits stands on one line of 100 columns, but members of the outermost object
// have lines of their own. Ends with a newline.
std::string pretty(const JsonOut&);

}  // namespace espalier::fun

#include "read/node_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"

namespace espalier::read {

namespace {

bool contains(const std::vector<std::string>& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

bool NodeSource::open(const std::vector<std::string>& fields) {
  nodes_ = structure_.find("nodes");
  if (!nodes_) return open_columns(fields);
  if (!check_keys(reading_, structure_, {"nodes", "roots", "args", "seeds"},
                  "an input with nodes") ||
      !expect(reading_, *nodes_, Json::Kind::array, "'nodes'"))
    return false;
  count_ = nodes_->items().size();
  for (const Json& node : nodes_->items())
    if (!expect(reading_, node, Json::Kind::object, "a node")) return false;
  return true;
}

bool NodeSource::open_columns(const std::vector<std::string>& fields) {
  const Json* first = nullptr;
  for (std::size_t i = 0; i < structure_.items().size(); ++i) {
    const JsonText& key = structure_.keys()[i];
    const Json& column = structure_.items()[i];
    if (key.text == "roots" || key.text == "args" || key.text == "seeds") continue;
    const auto renamed = options_.columns.find(key.text);
    const std::string& name = renamed == options_.columns.end() ? key.text : renamed->second;
    const bool positional = name == "children" && !contains(fields, name);
    if (!positional && name != "variant" && !contains(fields, name)) {
      reading_.error(Kind::unknown_column, key,
                     fmt::format("no payload field is called '{}' (--columns gives columns other "
                                 "names){}",
                                 name, did_you_mean(name, fields)));
      return false;
    }
    if (!expect(reading_, column, Json::Kind::array, fmt::format("column '{}'", key.text)))
      return false;
    if (first && column.items().size() != first->items().size()) {
      reading_.error(Kind::column_length, column,
                     fmt::format("column '{}' has {} rows, the first has {}", key.text,
                                 column.items().size(), first->items().size()));
      return false;
    }
    if (!first) first = &column;
    if (positional)
      children_ = &column;
    else
      columns_[name] = &column;
  }
  count_ = first ? first->items().size() : 0;
  return true;
}

const Json* NodeSource::field(std::size_t node, const std::string& name) const {
  const Json* found = nullptr;
  if (nodes_) {
    found = nodes_->items()[node].find(name);
  } else if (const auto column = columns_.find(name); column != columns_.end()) {
    found = &column->second->items()[node];
  }
  return found && !found->is(Json::Kind::null) ? found : nullptr;
}

const Json* NodeSource::children(std::size_t node) const {
  return children_ ? &children_->items()[node] : nullptr;
}

const Json& NodeSource::place(std::size_t node) const {
  if (nodes_) return nodes_->items()[node];
  return children_ ? children_->items()[node] : columns_.begin()->second->items()[node];
}

}  // namespace espalier::read

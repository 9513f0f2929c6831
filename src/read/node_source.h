// The nodes of an input file, in either form, as one table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "read/input.h"
#include "read/object.h"

namespace espalier::read {

class NodeSource {
 public:
  NodeSource(const Reading& reading, const Json& structure, const InputOptions& options)
      : reading_(reading), structure_(structure), options_(options) {}

  // Finds nodes or columns; `fields` are the payload fields there are.
  bool open(const std::vector<std::string>& fields);

  std::size_t count() const { return count_; }
  bool columnar() const { return !nodes_; }
  // The value of a node's field, or its "variant"; null where it has none.
  const Json* field(std::size_t node, const std::string& name) const;
  // The columnar form's children, which go to a variant's child fields in their order; null where
  // there is no such column.
  const Json* children(std::size_t node) const;
  const Json& place(std::size_t node) const;  // for messages

 private:
  bool open_columns(const std::vector<std::string>& fields);

  const Reading& reading_;
  const Json& structure_;
  const InputOptions& options_;
  const Json* nodes_ = nullptr;
  const Json* children_ = nullptr;
  std::map<std::string, const Json*> columns_;
  std::size_t count_ = 0;
};

}  // namespace espalier::read

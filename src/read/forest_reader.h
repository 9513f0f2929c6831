// Nodes of an input file to the columns of a module's forest.
#pragma once

#include <string>
#include <vector>

#include "base/forest.h"
#include "fun/module.h"
#include "read/column_filler.h"
#include "read/node_source.h"

namespace espalier::read {

class ForestReader {
 public:
  ForestReader(const Reading&, const fun::Module&, const Forest&);

  bool read(const NodeSource&, ForestData*);
  std::vector<std::string> fields() const;  // of all variants

 private:
  struct Payload {
    const fun::Named* field;
    std::size_t slot;
  };
  struct Info {  // a variant of the forest, by its number
    const espalier::Variant* flat;
    std::vector<Payload> payload;
  };

  void add(const fun::Module&, const espalier::Variant&, const Forest&);
  bool read_node(const NodeSource&, std::size_t node, ColumnFiller*, ForestData*);
  // The number of a node's variant, or -1 after a diagnostic.
  int variant_of(const NodeSource&, std::size_t node);
  int named_variant(const Json& name);
  std::string what_fits(const NodeSource&, std::size_t node) const;
  int fitting_variant(const NodeSource&, std::size_t node);
  std::vector<int> fitting(const NodeSource&, std::size_t node, bool minus_one_lacks) const;
  bool fits(const NodeSource&, std::size_t node, const Info&, bool minus_one_lacks) const;
  bool check_fields(const NodeSource&, std::size_t node, const Info&);
  std::vector<const Json*> values(const NodeSource&, std::size_t node, const Info&) const;
  bool error(Kind, const NodeSource&, std::size_t node, const std::string& message);

  Reading reading_;
  const Forest& forest_;
  std::vector<Info> infos_;
  std::vector<Slot> slots_;
};

}  // namespace espalier::read

// Results of an entry, gathered row by row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/forest.h"
#include "eval/outcome.h"
#include "eval/value.h"
#include "fun/module.h"

namespace espalier::eval {

// The results that `type` stands for, flattened: "h", "a.b", "0"; "value" where it has no name. A
// list gives ragged rows. A data type, built in the shape of the argument, gives a result for each
// payload field, a row for each node.
class RowGatherer {
 public:
  // `node_row`: node -> its row among the nodes of the argument's type, or -1.
  RowGatherer(const fun::Module&, const fun::Type& result, std::int64_t rows,
              std::vector<std::int64_t> node_row);

  // The value of the next row; rows come in order.
  void add(const fun::Type&, const ValueRef&);
  std::vector<Rows> take() && { return std::move(results_); }

 private:
  void declare(const std::string& name, const fun::Type&, bool ragged);
  void declare_built(const std::string& name, const fun::Type&);
  void store(const fun::Type&, const ValueRef&, std::size_t& result, std::int64_t row);
  void store_list(const fun::Type&, const Value& list, std::size_t& result);
  void store_built(const Value& tree, std::size_t first);
  void store_payload(const Value& data, std::size_t first);
  void put(std::size_t result, std::int64_t row, const ops::Tensor&);

  const fun::Module& module_;
  std::int64_t rows_, next_ = 0;
  std::vector<std::int64_t> node_row_;
  std::int64_t node_rows_ = 0;
  std::vector<Rows> results_;
  espalier::Forest built_;  // of the data type that is built
  std::string built_type_;
  std::map<int, std::int64_t> built_results_;  // column -> its place among the type's results
};

}  // namespace espalier::eval

// Whether the cases of a match cover everything, and whether each is ever taken.
//
// After L. Maranget, Warnings for pattern matching (JFP 2007), with lists by their length.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fun_pass/checker/types.h"

namespace espalier::fun_pass {

class Usefulness {
 public:
  explicit Usefulness(Types* types) : types_(types) {}

  // Whether a value of `type` fits `pattern` and none of the earlier `rows`. Patterns are checked.
  bool useful(const std::vector<PatternRef>& rows, const PatternRef& pattern, const TypeRef& type);
  // A pattern of values that no row covers, as text.
  std::optional<std::string> uncovered(const std::vector<PatternRef>& rows, const TypeRef& type);
  // The question was too large to be answered; `useful` then says true, `uncovered` nothing.
  bool gave_up() const { return steps_ > max_steps; }

 private:
  static constexpr int max_steps = 20000;
  using Row = std::vector<PatternRef>;
  using Witness = std::optional<std::vector<std::string>>;  // a pattern a column
  struct Constructor;
  Witness search(const std::vector<Row>&, const Row& row, const std::vector<TypeRef>&);
  Witness search_under(const Constructor&, const std::vector<Row>&, const Row& row,
                       const std::vector<TypeRef>&);
  std::vector<Constructor> constructors(const std::vector<Row>&, const Row& row, const TypeRef&);
  std::vector<Constructor> lengths(const std::vector<Row>&, const Row& row, const TypeRef&);
  std::vector<Constructor> numbers(const std::vector<Row>&, const Row& row, const TypeRef&);

  Types* types_;
  int steps_ = 0;
};

}  // namespace espalier::fun_pass

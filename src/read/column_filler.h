// Values in JSON to the flat columns of base/forest.h.
#pragma once

#include <vector>

#include "base/forest.h"
#include "fun/type.h"
#include "read/object.h"

namespace espalier::read {

// Where the leaves of one payload field or argument stand: from these numbers on, in the order of
// its type.
struct Slot {
  fun::TypeRef type;
  int column = 0, list = 0;
};

class ColumnFiller {
 public:
  ColumnFiller(const Reading& reading, std::vector<Column>* columns,
               std::vector<std::vector<std::int64_t>>* lists)
      : reading_(reading), columns_(columns), lists_(lists) {}

  // Appends a row; of nothing (null), what rows without the field hold. False after a diagnostic.
  bool append(const Slot&, const Json*);
  // Leaves and lists of a type.
  static std::pair<int, int> width(const fun::Type&);

 private:
  bool visit(const fun::Type&, const Json*, int column, int list);
  bool visit_list(const fun::Type&, const Json*, int column, int list);
  bool visit_tuple(const fun::Type&, const Json*, int column, int list);
  bool visit_tensor(const fun::Type&, const Json&, std::size_t axis, Column*);
  bool element(const fun::Type&, const Json&, Column*);
  bool refuse(const fun::Type&, const Json&);
  Column* column(int number) const { return &(*columns_)[static_cast<std::size_t>(number)]; }

  const Reading& reading_;
  std::vector<Column>* columns_;
  std::vector<std::vector<std::int64_t>>* lists_;
};

// Which numbers of columns and lists each field of a variant or argument list has, in order: `base`
// holds its flattened leaves.
Slot slot_of(const fun::TypeRef&, const std::vector<const Field*>& leaves);

}  // namespace espalier::read

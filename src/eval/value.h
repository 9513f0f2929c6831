// The values of fun while it is evaluated: immutable and shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ops/tensor.h"

namespace espalier::eval {

struct Value;
using ValueRef = std::shared_ptr<const Value>;

struct Value {
  enum class Kind : std::uint8_t { tensor, tuple, list, node, data };
  using Items = std::vector<ValueRef>;

  Kind kind = Kind::tensor;
  ops::Tensor tensor;
  Items parts;                     // tuple: components; data: payload, in the order declared
  std::vector<std::string> names;  // tuple, or empty
  // list: items[begin .. end), so that the rest of a list costs nothing
  std::shared_ptr<const Items> items;
  std::size_t begin = 0, end = 0;
  std::int64_t node = -1;  // node: its number in the input; data: the node it was built at, or -1
  std::string type_name, variant;  // data
};

ValueRef make_tensor(ops::Tensor);
ValueRef make_integer(std::int64_t);
ValueRef make_tuple(Value::Items, std::vector<std::string> names);
ValueRef make_list(Value::Items);
ValueRef make_node(std::int64_t);
ValueRef make_data(std::string type_name, std::string variant, Value::Items payload);

std::size_t length(const Value& list);
const ValueRef& item(const Value& list, std::size_t);
ValueRef part_of_list(const ValueRef& list, std::size_t begin, std::size_t end);
std::int64_t integer_of(const Value&);  // of a scalar of integer dtype, or a bool

}  // namespace espalier::eval

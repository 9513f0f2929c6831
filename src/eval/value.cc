#include "eval/value.h"

#include "base/bug.h"

namespace espalier::eval {
namespace {

std::shared_ptr<Value> make(Value::Kind kind) {
  auto value = std::make_shared<Value>();
  value->kind = kind;
  return value;
}

}  // namespace

ValueRef make_tensor(ops::Tensor tensor) {
  auto value = make(Value::Kind::tensor);
  value->tensor = std::move(tensor);
  return value;
}

ValueRef make_integer(std::int64_t number) { return make_tensor(ops::integer(number)); }

ValueRef make_tuple(Value::Items parts, std::vector<std::string> names) {
  auto value = make(Value::Kind::tuple);
  value->parts = std::move(parts);
  value->names = std::move(names);
  return value;
}

ValueRef make_list(Value::Items items) {
  auto value = make(Value::Kind::list);
  value->end = items.size();
  value->items = std::make_shared<const Value::Items>(std::move(items));
  return value;
}

ValueRef make_node(std::int64_t node) {
  auto value = make(Value::Kind::node);
  value->node = node;
  return value;
}

ValueRef make_data(std::string type_name, std::string variant, Value::Items payload) {
  auto value = make(Value::Kind::data);
  value->type_name = std::move(type_name);
  value->variant = std::move(variant);
  value->parts = std::move(payload);
  return value;
}

std::size_t length(const Value& list) {
  require(list.kind == Value::Kind::list, "the length of what is no list");
  return list.end - list.begin;
}

const ValueRef& item(const Value& list, std::size_t i) {
  require(i < length(list), "an item behind the end of its list");
  return (*list.items)[list.begin + i];
}

ValueRef part_of_list(const ValueRef& list, std::size_t begin, std::size_t end) {
  require(begin <= end && end <= length(*list), "a part of a list that it does not have");
  auto value = make(Value::Kind::list);
  value->items = list->items;
  value->begin = list->begin + begin;
  value->end = list->begin + end;
  return value;
}

std::int64_t integer_of(const Value& value) {
  require(value.kind == Value::Kind::tensor && value.tensor.i.size() == 1, "no integer scalar");
  return value.tensor.i[0];
}

}  // namespace espalier::eval

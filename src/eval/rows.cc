#include "eval/rows.h"

#include <algorithm>
#include <set>

#include "base/bug.h"
#include "eval/payload.h"
#include "fun/forest.h"

namespace espalier::eval {
namespace {

using fun::Type;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + '.' + name;
}

// The flat tables of a data type on its own.
espalier::Forest tables_of(const fun::Module& module, const Type& type) {
  fun::Module alone;
  alone.types = module.types;
  fun::Function f;
  f.name = "f";
  f.args.push_back({{"t", fun::data_type(type.name), {}}, ""});
  alone.functions.push_back(std::move(f));
  alone.entries.push_back({"f", "f", false, "", {}});
  return fun::forest_of(alone);
}

Rows empty_rows(const std::string& name, Dtype dtype, const std::vector<std::int64_t>& shape,
                std::int64_t rows) {
  std::vector<std::int64_t> whole{rows};
  whole.insert(whole.end(), shape.begin(), shape.end());
  Rows out;
  out.name = name.empty() ? "value" : name;
  out.data = ops::zeros(dtype, whole);
  return out;
}

}  // namespace

RowGatherer::RowGatherer(const fun::Module& module, const Type& result, std::int64_t rows,
                         std::vector<std::int64_t> node_row)
    : module_(module), rows_(rows), node_row_(std::move(node_row)) {
  for (const std::int64_t row : node_row_) node_rows_ = std::max(node_rows_, row + 1);
  declare("", result, false);
}

void RowGatherer::declare(const std::string& name, const Type& type, bool ragged) {
  switch (type.kind) {
    case Type::Kind::tuple:
      for (std::size_t i = 0; i < type.parts.size(); ++i)
        declare(joined(name, type.names.empty() ? std::to_string(i) : type.names[i]),
                *type.parts[i], ragged);
      return;
    case Type::Kind::list:
      require(!ragged, "a result that is a list of lists");
      return declare(name, *type.parts[0], true);
    case Type::Kind::data: return declare_built(name, type);
    case Type::Kind::tensor:
    case Type::Kind::index: break;
    case Type::Kind::function:
    case Type::Kind::name: throw Bug("a result that is a function");
  }
  std::vector<std::int64_t> shape;
  if (type.kind == Type::Kind::tensor)
    for (const fun::Dim& dim : type.shape) shape.push_back(dim.value());
  const Dtype dtype = type.kind == Type::Kind::index ? Dtype::i32 : type.dtype;
  results_.push_back(empty_rows(name, dtype, shape, ragged ? 0 : rows_));
  results_.back().ragged = ragged;
  if (ragged) results_.back().offsets = {0};
}

void RowGatherer::declare_built(const std::string& name, const Type& type) {
  built_ = tables_of(module_, type);
  built_type_ = type.name;
  // Only what nodes of this type hold: others of a mutual recursion have no rows.
  std::set<int> own;
  for (const auto& variant : built_.variants)
    for (const Field& field : variant.fields)
      if (variant.type == type.name && !field.child) own.insert(field.column);
  for (const int c : own) {
    const Field& column = built_.columns[at(c)];
    require(column.lists.empty(), "a built tree whose payload has a list");
    built_results_[c] = static_cast<std::int64_t>(built_results_.size());
    results_.push_back(
        empty_rows(joined(name, column.name), column.dtype, column.shape, node_rows_));
  }
}

void RowGatherer::add(const Type& type, const ValueRef& value) {
  std::size_t result = 0;
  store(type, value, result, next_++);
}

void RowGatherer::store(const Type& type, const ValueRef& value, std::size_t& result,
                        std::int64_t row) {
  switch (type.kind) {
    case Type::Kind::tuple:
      for (std::size_t i = 0; i < type.parts.size(); ++i)
        store(*type.parts[i], value->parts[i], result, row);
      return;
    case Type::Kind::list: return store_list(*type.parts[0], *value, result);
    case Type::Kind::data:
      store_built(*value, result);
      result += built_results_.size();
      return;
    default: put(result++, row, value->tensor);
  }
}

void RowGatherer::store_list(const Type& item_type, const Value& list, std::size_t& result) {
  const std::size_t first = result, leaves = leaf_count(item_type);
  const std::int64_t begin = results_[first].offsets.back();
  const std::int64_t end = begin + static_cast<std::int64_t>(length(list));
  for (std::size_t r = first; r < first + leaves; ++r) {
    Rows& rows = results_[r];
    rows.offsets.push_back(end);
    rows.data.shape[0] = end;
    const std::size_t size = at(rows.data.size());
    rows.data.real() ? rows.data.f.resize(size) : rows.data.i.resize(size);
  }
  for (std::int64_t i = begin; i < end; ++i) {
    std::size_t leaf = first;
    store(item_type, item(list, at(i - begin)), leaf, i);
  }
  result += leaves;
}

void RowGatherer::store_built(const Value& tree, std::size_t first) {
  std::vector<const Value*> stack{&tree};
  std::set<const Value*> seen;
  while (!stack.empty()) {
    const Value& value = *stack.back();
    stack.pop_back();
    if (value.kind == Value::Kind::data) {
      if (!seen.insert(&value).second) continue;
      if (value.node >= 0 && value.type_name == built_type_) store_payload(value, first);
    }
    for (const ValueRef& part : value.parts) stack.push_back(part.get());
    for (std::size_t i = value.begin; i < value.end; ++i) stack.push_back((*value.items)[i].get());
  }
}

// The payload of one built node, in the row of the node that it was built at.
void RowGatherer::store_payload(const Value& data, std::size_t first) {
  const auto variant = std::find_if(
      built_.variants.begin(), built_.variants.end(),
      [&](const auto& v) { return v.type == data.type_name && v.name == data.variant; });
  require(variant != built_.variants.end(), "a built variant that its type does not have");
  std::size_t leaf = 0;
  std::vector<const Value*> stack;
  const auto push = [&](const Value::Items& parts) {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) stack.push_back(part->get());
  };
  for (push(data.parts); !stack.empty();) {
    const Value& part = *stack.back();
    stack.pop_back();
    if (part.kind == Value::Kind::tuple) {
      push(part.parts);
      continue;
    }
    const Field& field = variant->fields[leaf++];
    if (field.child) continue;
    put(first + at(built_results_.at(field.column)), node_row_[at(data.node)], part.tensor);
  }
}

void RowGatherer::put(std::size_t result, std::int64_t row, const ops::Tensor& tensor) {
  ops::Tensor& into = results_[result].data;
  const ops::Tensor from = into.real() == tensor.real() ? tensor : ops::convert(tensor, into.dtype);
  const auto copy = [&](const auto& source, auto* target) {
    std::copy(source.begin(), source.end(),
              target->begin() + row * static_cast<std::int64_t>(source.size()));
  };
  into.real() ? copy(from.f, &into.f) : copy(from.i, &into.i);
}

}  // namespace espalier::eval

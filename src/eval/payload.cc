#include "eval/payload.h"

#include "base/bug.h"

namespace espalier::eval {
namespace {

using fun::Type;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

ops::Tensor row_of(const Field& leaf, const Column& column, std::int64_t row) {
  ops::Tensor out;
  out.dtype = leaf.bound > 0 ? Dtype::i64 : leaf.dtype;
  out.shape = leaf.shape;
  const std::int64_t size = out.size();
  const auto copy = [&](const auto& from, auto* to) {
    to->assign(from.begin() + row * size, from.begin() + (row + 1) * size);
  };
  if (out.real())
    copy(column.real, &out.f);
  else
    copy(column.integer, &out.i);
  return out;
}

class Loader {
 public:
  Loader(const std::vector<Field>& leaves, const Columns& from) : leaves_(leaves), from_(from) {}

  ValueRef load(const Type& type, std::size_t leaf, std::size_t depth, std::int64_t row) const {
    switch (type.kind) {
      case Type::Kind::tensor:
      case Type::Kind::index: return make_tensor(row_of(leaves_[leaf], column(leaf), row));
      case Type::Kind::data: return make_node(column(leaf).integer[at(row)]);
      case Type::Kind::tuple: {
        Value::Items parts;
        for (const fun::TypeRef& part : type.parts) {
          parts.push_back(load(*part, leaf, depth, row));
          leaf += leaf_count(*part);
        }
        return make_tuple(std::move(parts), type.names);
      }
      case Type::Kind::list: {
        const auto& first = from_.lists[at(leaves_[leaf].lists[depth])];
        Value::Items items;
        for (std::int64_t i = first[at(row)]; i < first[at(row + 1)]; ++i)
          items.push_back(load(*type.parts[0], leaf, depth + 1, i));
        return make_list(std::move(items));
      }
      case Type::Kind::function:
      case Type::Kind::name: break;
    }
    throw Bug("a payload field of no payload type");
  }

 private:
  const Column& column(std::size_t leaf) const { return from_.columns[at(leaves_[leaf].column)]; }

  const std::vector<Field>& leaves_;
  const Columns& from_;
};

}  // namespace

std::size_t leaf_count(const Type& type) {
  if (type.kind == Type::Kind::list) return leaf_count(*type.parts[0]);
  if (type.kind != Type::Kind::tuple) return 1;
  std::size_t count = 0;
  for (const fun::TypeRef& part : type.parts) count += leaf_count(*part);
  return count;
}

ValueRef load(const Type& type, const std::vector<Field>& leaves, std::size_t leaf,
              const Columns& from, std::int64_t row) {
  return Loader(leaves, from).load(type, leaf, 0, row);
}

}  // namespace espalier::eval

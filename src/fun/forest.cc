#include "fun/forest.h"

#include <algorithm>
#include <set>

#include "base/bug.h"

namespace espalier::fun {

namespace {

// Splits fields of any type into leaves and the lists around them.
class Flattener {
 public:
  explicit Flattener(std::vector<List>* lists) : lists_(lists) {}

  std::vector<Field> flatten(const std::string& name, const TypeRef& type) {
    leaves_.clear();
    visit(name, *type, {});
    return std::move(leaves_);
  }

 private:
  void visit(const std::string& name, const Type& type, const std::vector<int>& around) {
    Field leaf;
    leaf.name = name;
    leaf.lists = around;
    leaf.dtype = Dtype::i32;
    switch (type.kind) {
      case Type::Kind::tensor:
        leaf.dtype = type.dtype;
        for (const Dim& dim : type.shape) leaf.shape.push_back(dim.value());
        break;
      case Type::Kind::index: leaf.bound = type.shape[0].value(); break;
      case Type::Kind::data:
        leaf.child = true;
        leaf.target = type.name;
        break;
      case Type::Kind::tuple:
        for (std::size_t i = 0; i < type.parts.size(); ++i)
          visit(name + '.' + (type.names.empty() ? std::to_string(i) : type.names[i]),
                *type.parts[i], around);
        return;
      case Type::Kind::list: return visit_list(name, type, around);
      case Type::Kind::function:
      case Type::Kind::name: throw Bug("a payload field or argument of type " + str(type));
    }
    leaves_.push_back(std::move(leaf));
  }

  void visit_list(const std::string& name, const Type& type, std::vector<int> around) {
    // A list of lists: the inner one has a name of its own.
    const std::string outer = around.empty() ? "" : list(around.back()).name;
    const bool inner = outer == name || outer.starts_with(name + ".items");
    lists_->push_back({inner ? outer + ".items" : name, around.empty() ? -1 : around.back()});
    around.push_back(static_cast<int>(lists_->size()) - 1);
    visit(name, *type.parts[0], around);
  }

  const List& list(int number) const { return (*lists_)[static_cast<std::size_t>(number)]; }

  std::vector<List>* lists_;
  std::vector<Field> leaves_;
};

// One payload field of one variant.
struct Payload {
  const DataType* type;
  const Variant* variant;
  const Named* field;
};

class ForestBuilder {
 public:
  explicit ForestBuilder(const Module& module) : module_(module) {}

  Forest build() {
    reach();
    for (const DataType& type : module_.types) {
      if (!reached_.count(type.name)) continue;
      for (const Variant& variant : type.variants)
        for (const Named& field : variant.fields) payloads_.push_back({&type, &variant, &field});
    }
    for (const DataType& type : module_.types)
      if (reached_.count(type.name)) add_type(type);
    return std::move(forest_);
  }

 private:
  void reach() {
    const auto reach_function = [&](const std::string& name) {
      if (const Function* function = module_.find_function(name))
        for (const Argument& arg : function->args) reach(*arg.named.type);
    };
    for (const Entry& entry : module_.entries) reach_function(entry.function);
    for (const Gradient& gradient : module_.gradients) reach_function(gradient.of);
  }

  void reach(const Type& type) {
    if (type.kind == Type::Kind::data && reached_.insert(type.name).second) {
      const DataType* data = module_.find_type(type.name);
      require(data != nullptr, "an argument of an unknown data type");
      for (const Variant& variant : data->variants)
        for (const Named& field : variant.fields) reach(*field.type);
    }
    for (const TypeRef& part : type.parts) reach(*part);
  }

  void add_type(const DataType& type) {
    espalier::DataType out{type.name, type.shared, {}};
    for (const Variant& variant : type.variants) {
      out.variants.push_back(static_cast<int>(forest_.variants.size()));
      espalier::Variant flat{type.name, variant.name, {}};
      for (const Named& field : variant.fields) add_field({&type, &variant, &field}, &flat);
      forest_.variants.push_back(std::move(flat));
    }
    forest_.types.push_back(std::move(out));
  }

  void add_field(const Payload& payload, espalier::Variant* flat) {
    const std::string name = column_name(payload);
    const auto [it, fresh] = columns_.try_emplace(name);
    if (fresh) {
      for (Field& leaf : Flattener(&forest_.lists).flatten(name, payload.field->type)) {
        leaf.column = static_cast<int>(forest_.columns.size());
        forest_.columns.push_back(leaf);
        it->second.push_back(leaf.column);
      }
    }
    for (const int column : it->second) {
      Field leaf = forest_.columns[static_cast<std::size_t>(column)];
      leaf.name = payload.field->name + leaf.name.substr(name.size());
      flat->fields.push_back(std::move(leaf));
    }
  }

  std::string column_name(const Payload& payload) const {
    const auto same_name = [&](const Payload& other) {
      return other.field->name == payload.field->name;
    };
    const auto agrees = [&](const Payload& other) {
      return !same_name(other) || same(*other.field->type, *payload.field->type);
    };
    if (std::all_of(payloads_.begin(), payloads_.end(), agrees)) return payload.field->name;
    const bool alone = std::none_of(payloads_.begin(), payloads_.end(), [&](const Payload& other) {
      return same_name(other) && other.variant != payload.variant &&
             other.variant->name == payload.variant->name;
    });
    const std::string name = payload.variant->name + '_' + payload.field->name;
    return alone ? name : payload.type->name + '_' + name;
  }

  const Module& module_;
  std::set<std::string> reached_;
  std::vector<Payload> payloads_;
  std::map<std::string, std::vector<int>> columns_;  // of a payload field, by the column's name
  Forest forest_;
};

}  // namespace

Forest forest_of(const Module& module) { return ForestBuilder(module).build(); }

Arguments arguments_of(const Function& function) {
  Arguments out;
  for (const Argument& arg : function.args) {
    for (Field& leaf : Flattener(&out.lists).flatten(arg.named.name, arg.named.type)) {
      leaf.column = static_cast<int>(out.columns.size());
      out.columns.push_back(std::move(leaf));
    }
  }
  return out;
}

std::vector<int> leaves_of(const espalier::Variant& variant, const std::string& field) {
  std::vector<int> out;
  for (std::size_t i = 0; i < variant.fields.size(); ++i) {
    const std::string& leaf = variant.fields[i].name;
    if (leaf == field || leaf.starts_with(field + '.')) out.push_back(static_cast<int>(i));
  }
  return out;
}

}  // namespace espalier::fun

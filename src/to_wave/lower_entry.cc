// Entries: arguments in, results out.
#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "fun/forest.h"
#include "to_wave/lowerer.h"
#include "to_wave/to_wave.h"

namespace espalier::to_wave {

using fun::Type;
using wave::Opcode;

AbsRef Lowerer::argument(const fun::TypeRef& type, Id domain, int& leaf, std::size_t depth) {
  switch (type->kind) {
    case Type::Kind::tensor:
    case Type::Kind::index: {
      const Program::Scope scope(p_, domain);
      return p_.load(p_.input(wave::Value::Kind::argument, domain, leaf++));
    }
    case Type::Kind::tuple: {
      std::vector<AbsRef> parts;
      for (const fun::TypeRef& t : type->parts) parts.push_back(argument(t, domain, leaf, depth));
      return tuple_abs(std::move(parts), type->names);
    }
    case Type::Kind::list: {
      const Id list = p_.list(domain, p_.leaf(domain, leaf).lists[depth]);
      return list_abs(list, argument(type->parts[0], list, leaf, depth + 1));
    }
    case Type::Kind::data: {
      const Program::Scope scope(p_, domain);
      auto a = make_abs(Abs::Kind::node);
      a->type = type->name;
      a->domain = a->slot = domain;
      a->slot_field = leaf;
      a->term = p_.load(p_.input(wave::Value::Kind::root, domain, leaf++))->term;
      return a;
    }
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("an entry's argument of type " + fun::str(*type));
}

bool Lowerer::try_entry(const fun::Entry& e) {
  try {
    try {
      lower_entry(e);
    } catch (const OutsideList&) {
      refuse_pairs(module_.find_function(e.function)->loc);
    }
  } catch (const Refused&) {
    return false;
  }
  return true;
}

void Lowerer::lower_entry(const fun::Entry& e) {
  const fun::Function& f = *module_.find_function(e.function);
  if (e.nodes) return lower_nodes_entry(f);
  const Program::Scope scope(p_, p_.calls());
  std::vector<AbsRef> args;
  int leaf = 0;
  for (const fun::Argument& a : f.args) args.push_back(argument(a.named.type, p_.calls(), leaf, 0));
  const AbsRef result = call_function(f, args, f.loc);
  if (result->kind == Abs::Kind::node && result->built) return built_outputs(result, f.loc);
  outputs("", result, f.returns, f.loc);
}

// Each node of the argument's type as its own root.
void Lowerer::lower_nodes_entry(const fun::Function& f) {
  if (f.returns->kind == Type::Kind::data)
    refuse(Kind::not_lowered_built_nodes, f.loc,
           "an entry with a row a node cannot give a tree for each node");
  const std::string& type = f.args[0].named.type->name;
  auto root = make_abs(Abs::Kind::node);
  root->type = type;
  root->domain = p_.all();
  root->term = scalar_term(Dtype::i64, wave::element());
  const Program::Scope scope(p_, p_.all());
  // A bottom-up function already has a value at every node; others are made for each.
  const fun::Recursion* r = recursion_of(f.name);
  const AbsRef result =
      r ? call_function(f, {root}, f.loc) : lift(root, f.returns, f.loc, [&](const AbsRef& self) {
        return call_function(f, {self}, f.loc);
      });
  const auto names = leaf_types(f.returns, "", f.loc);
  const std::vector<ops::Term> leaves = flatten(result, f.returns, f.loc);
  for (std::size_t i = 0; i < leaves.size(); i++) {
    const std::string name = names[i].name.empty() ? "value" : names[i].name;
    const Program::Named named(p_, name, f.loc);
    entry_.outputs.push_back({name, p_.define(leaves[i]), wave::Output::Rows::nodes, type});
  }
}

void Lowerer::outputs(const std::string& name, const AbsRef& a, const fun::TypeRef& type, Loc loc) {
  const std::string shown = name.empty() ? "value" : name;
  switch (type->kind) {
    case Type::Kind::tensor:
    case Type::Kind::index: {
      const Program::Named named(p_, shown, loc);
      entry_.outputs.push_back({shown, p_.define(p_.move(*a)), wave::Output::Rows::calls, ""});
      return;
    }
    case Type::Kind::tuple:
      for (std::size_t i = 0; i < type->parts.size(); i++) {
        const std::string part = type->names.empty() ? std::to_string(i) : type->names[i];
        outputs(name.empty() ? part : name + "." + part, a->parts[i], type->parts[i], loc);
      }
      return;
    case Type::Kind::list: {
      const AbsRef list = whole_list(a, loc);
      if (list->skip_first + list->skip_last > 0)
        refuse(Kind::not_lowered_list_rest, loc,
               "the rest of a list is a result of an entry, which cannot be compiled yet; give the "
               "list "
               "itself, or what is made of the rest");
      const Program::Scope scope(p_, list->list);
      std::vector<ops::Term> leaves = flatten(list->parts[0], type->parts[0], loc);
      const auto names = leaf_types(type->parts[0], name, loc);
      for (std::size_t i = 0; i < leaves.size(); i++) {
        const std::string leaf = names[i].name.empty() ? "value" : names[i].name;
        const Program::Named named(p_, leaf, loc);
        entry_.outputs.push_back({leaf, p_.define(leaves[i]), wave::Output::Rows::items, ""});
      }
      return;
    }
    case Type::Kind::data:
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  refuse(Kind::not_lowered_data_result, loc,
         "the entry gives data that is not built in the shape of an argument");
}

// A built tree: an array a payload field, a row a node of the argument's type, zero where the tree
// has no such node.
void Lowerer::built_outputs(const AbsRef& tree, Loc loc) {
  const Group* group = nullptr;
  std::string function;
  for (const auto& g : groups_)
    for (const auto& [name, built] : g->built)
      if (built == tree->built) {
        group = g.get();
        function = name;
      }
  std::map<std::string, std::pair<fun::TypeRef, std::vector<Id>>> columns;
  std::vector<std::string> order;
  const fun::DataType& d = *module_.find_type(tree->built->type);
  std::string source_type;
  for (const auto& [variant, c] : tree->built->classes) {
    source_type = out_.forest.variants[static_cast<std::size_t>(variant)].type;
    const fun::Variant& made = d.variants[static_cast<std::size_t>(c.target)];
    for (std::size_t i = 0; i < c.fields.size(); i++) {
      if (!c.fields[i].value || columns.count(made.fields[i].name)) continue;
      if (c.fields[i].value->kind == Abs::Kind::list)
        refuse(Kind::not_lowered_list_state, loc,
               "field '" + made.fields[i].name + "' of the tree that the entry gives is a list");
      auto& [type, carries] = columns[made.fields[i].name];
      type = made.fields[i].type;
      order.push_back(made.fields[i].name);
      for (const fun::Leaf& l : leaf_types(type, made.fields[i].name, loc)) {
        std::vector<std::int64_t> shape;
        for (const fun::Dim& dim : l.type->shape) shape.push_back(dim.value());
        carries.push_back(p_.carry(l.name, p_.all(), l.type->dtype, shape));
      }
    }
  }
  for (const auto& [variant, c] : tree->built->classes) {
    const Program::Scope scope(p_, p_.nodes(variant));
    const fun::Variant& made = d.variants[static_cast<std::size_t>(c.target)];
    const ScalarRef reached = value_of(p_.move(*group->reached.at(function).at(variant)));
    for (const std::string& name : order) {
      const auto& [type, carries] = columns.at(name);
      AbsRef value = zero_of(type, loc);
      for (std::size_t i = 0; i < c.fields.size(); i++)
        if (made.fields[i].name == name && c.fields[i].value)
          value = merge(reached, c.fields[i].value, value, loc);
      const std::vector<ops::Term> leaves = flatten(value, type, loc);
      for (std::size_t i = 0; i < leaves.size(); i++) {
        const Program::Named named(p_, name, loc);
        p_.set(carries[i], p_.here(), -1, p_.define(leaves[i]));
      }
    }
  }
  for (const std::string& name : order) {
    const auto names = leaf_types(columns.at(name).first, name, loc);
    for (std::size_t i = 0; i < names.size(); i++)
      entry_.outputs.push_back(
          {names[i].name, columns.at(name).second[i], wave::Output::Rows::nodes, source_type});
  }
}

}  // namespace espalier::to_wave

namespace espalier {

namespace {

bool has_list(const fun::Type& t) {
  return t.kind == fun::Type::Kind::list ||
         std::any_of(t.parts.begin(), t.parts.end(),
                     [](const fun::TypeRef& part) { return has_list(*part); });
}

bool has_nested_lists(const fun::Type& t) {
  return std::any_of(t.parts.begin(), t.parts.end(), [&](const fun::TypeRef& part) {
    return (t.kind == fun::Type::Kind::list && has_list(*part)) || has_nested_lists(*part);
  });
}

void check_payload(const fun::Module& module, const Forest& forest, Diagnostics& diagnostics) {
  for (const DataType& type : forest.types)
    for (const fun::Variant& variant : module.find_type(type.name)->variants)
      for (const fun::Named& field : variant.fields)
        if (has_nested_lists(*field.type))
          diagnostics.error(
              Kind::not_lowered_nested_payload, field.loc,
              "field '" + field.name + "' of '" + variant.name +
                  "' is a list of lists, which cannot be compiled yet; make the inner "
                  "list a data type of its own");
}

}  // namespace

Result<wave::Module> lower_to_wave(const fun::Module& module, Diagnostics& diagnostics) {
  wave::Module out;
  out.name = module.name;
  out.doc = module.doc;
  for (const auto& [name, dim] : module.dims) out.dims.push_back({name, dim.value()});
  out.forest = fun::forest_of(module);
  for (const fun::Named& p : module.params)
    for (const fun::Leaf& l : fun::leaves(p)) {
      Parameter leaf{l.name, l.type->dtype, extents(*l.type), {}};
      for (const fun::Dim& d : l.type->shape) leaf.dims.push_back(d.str());
      out.parameters.push_back(std::move(leaf));
    }
  for (const fun::Constant& c : module.constants)
    out.constants.push_back({c.name, c.type->dtype, extents(*c.type), c.values});
  const std::size_t before = diagnostics.all().size();
  check_payload(module, out.forest, diagnostics);
  for (const fun::Entry& e : module.entries) {
    wave::Entry entry;
    entry.name = e.name;
    entry.doc = e.doc;
    entry.nodes = e.nodes;
    entry.arguments = fun::arguments_of(*module.find_function(e.function));
    to_wave::Lowerer lowerer(module, out, entry, diagnostics);
    if (!lowerer.try_entry(e)) continue;
    out.entries.push_back(std::move(entry));
  }
  if (diagnostics.all().size() > before) return Failed();
  return out;
}

}  // namespace espalier

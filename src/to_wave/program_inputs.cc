// Domains and inputs of the program under construction.
#include <algorithm>

#include "base/bug.h"
#include "to_wave/program.h"
#include "wave/names.h"

namespace espalier::to_wave {

using wave::Domain;
using wave::Scalar;
using wave::Value;

std::string Program::unique_domain_name(const std::string& wanted) const {
  auto taken = [&](const std::string& n) {
    return std::any_of(entry_.domains.begin(), entry_.domains.end(),
                       [&](const Domain& d) { return d.name == n; });
  };
  std::string name = wanted;
  for (int i = 2; taken(name); i++) name = wanted + "_" + std::to_string(i);
  return name;
}

Id Program::add_domain(Domain d) {
  d.name = unique_domain_name(d.name);
  entry_.domains.push_back(std::move(d));
  return static_cast<Id>(entry_.domains.size()) - 1;
}

Id Program::add_value(Value v) {
  v.name = wave::unique_value_name(entry_, v.name);
  if (v.loc.file < 0) v.loc = loc_;
  entry_.values.push_back(std::move(v));
  return static_cast<Id>(entry_.values.size()) - 1;
}

namespace {

template <class Same>
Id find_domain(const wave::Entry& entry, const Same& same) {
  for (std::size_t i = 0; i < entry.domains.size(); i++)
    if (same(entry.domains[i])) return static_cast<Id>(i);
  return wave::none;
}

Domain make_domain(Domain::Kind kind, std::string name, Id owner = wave::none) {
  Domain d;
  d.kind = kind;
  d.name = std::move(name);
  d.owner = owner;
  return d;
}

}  // namespace

Id Program::calls() {
  const Id found = find_domain(entry_, [](auto& d) { return d.kind == Domain::Kind::calls; });
  return found != wave::none ? found : add_domain(make_domain(Domain::Kind::calls, "calls"));
}

Id Program::all() {
  const Id found = find_domain(entry_, [](auto& d) { return d.kind == Domain::Kind::all; });
  return found != wave::none ? found : add_domain(make_domain(Domain::Kind::all, "all"));
}

Id Program::edges() {
  const Id found = find_domain(entry_, [](auto& d) { return d.kind == Domain::Kind::edges; });
  return found != wave::none ? found : add_domain(make_domain(Domain::Kind::edges, "edges"));
}

Id Program::parents() {
  const Id found = find_domain(entry_, [](auto& d) { return d.kind == Domain::Kind::parents; });
  return found != wave::none ? found
                             : add_domain(make_domain(Domain::Kind::parents, "parents", all()));
}

Id Program::nodes(int variant) {
  const Id found = find_domain(entry_, [&](auto& d) {
    return d.kind == Domain::Kind::nodes && d.variant == variant && d.part == Domain::Part::any;
  });
  if (found != wave::none) return found;
  const Variant& v = module_.forest.variants[static_cast<std::size_t>(variant)];
  const auto same_name =
      std::count_if(module_.forest.variants.begin(), module_.forest.variants.end(),
                    [&](const Variant& o) { return o.name == v.name; });
  Domain d = make_domain(Domain::Kind::nodes, same_name > 1 ? v.type + "_" + v.name : v.name);
  d.variant = variant;
  return add_domain(std::move(d));
}

Id Program::list(Id owner, int number) {
  const Id found = find_domain(entry_, [&](auto& d) {
    return d.kind == Domain::Kind::list && d.owner == owner && d.list == number;
  });
  if (found != wave::none) return found;
  Id base = owner;
  while (domain(base).kind == Domain::Kind::list) base = domain(base).owner;
  const auto& lists =
      domain(base).kind == Domain::Kind::calls ? entry_.arguments.lists : module_.forest.lists;
  const std::string& name = lists[static_cast<std::size_t>(number)].name;
  Domain d = make_domain(
      Domain::Kind::list,
      domain(base).kind == Domain::Kind::calls ? name : domain(base).name + "." + name, owner);
  d.list = number;
  return add_domain(std::move(d));
}

Id Program::literal(Id owner, std::int64_t length) {
  Domain d = make_domain(Domain::Kind::list, "items", owner);
  d.length = length;
  return add_domain(std::move(d));
}

Id Program::pairs(Id owner, Id like, Domain::Side side) {
  if (side == Domain::Side::whole && domain(like).length >= 0)
    return literal(owner, domain(like).length);
  const Id found = find_domain(entry_, [&](auto& d) {
    return d.owner == owner && d.like == like && d.side == side && d.field < 0;
  });
  if (found != wave::none) return found;
  const std::string& name = domain(like).name;
  Domain d = make_domain(Domain::Kind::list,
                         domain(owner).name + "." + name.substr(name.rfind('.') + 1), owner);
  d.like = like;
  d.side = side;
  return add_domain(std::move(d));
}

Id Program::items_of_node(Id owner, int field, Id like) {
  const Id found = find_domain(
      entry_, [&](auto& d) { return d.owner == owner && d.like == like && d.field == field; });
  if (found != wave::none) return found;
  const std::string& name = domain(like).name;
  Domain d = make_domain(Domain::Kind::list,
                         leaf(owner, field).name + "." + name.substr(name.rfind('.') + 1), owner);
  d.like = like;
  d.field = field;
  return add_domain(std::move(d));
}

const Field& Program::leaf(Id d, int field) const {
  while (domain(d).kind == Domain::Kind::list) d = domain(d).owner;
  const auto at = static_cast<std::size_t>(field);
  if (domain(d).kind == Domain::Kind::calls) return entry_.arguments.columns[at];
  return module_.forest.variants[static_cast<std::size_t>(domain(d).variant)].fields[at];
}

Id Program::input(Value::Kind kind, Id d, int field) {
  for (std::size_t i = 0; i < entry_.values.size(); i++) {
    const Value& v = entry_.values[i];
    if (v.kind == kind && v.domain == d && v.field == field) return static_cast<Id>(i);
  }
  Value v;
  v.kind = kind;
  v.domain = d;
  v.field = field;
  v.dtype = Dtype::i32;
  switch (kind) {
    case Value::Kind::place: v.name = domain(d).name + ".place"; break;
    case Value::Kind::variant: v.name = "variant"; break;
    case Value::Kind::local: v.name = "local"; break;
    case Value::Kind::slot: v.name = leaf(d, field).name + ".slot"; break;
    case Value::Kind::parent_edge: v.name = "parent_edge"; break;
    case Value::Kind::in_edge: v.name = "in_edge"; break;
    case Value::Kind::root_call: v.name = "root_call"; break;
    default: {
      const Field& f = leaf(d, field);
      v.name = v.source = f.name;
      if (!f.child) v.shape = f.shape;
      if (!f.child && f.bound == 0) v.dtype = f.dtype;
    }
  }
  return add_value(std::move(v));
}

template <class Source>
Id Program::of_load(Value::Kind kind, const std::vector<Source>& sources, const std::string& name) {
  for (std::size_t i = 0; i < entry_.values.size(); i++)
    if (entry_.values[i].kind == kind && entry_.values[i].source == name) return static_cast<Id>(i);
  for (const Source& source : sources)
    if (source.name == name) {
      Value v;
      v.kind = kind;
      v.name = v.source = name;
      v.domain = once_;
      v.dtype = source.dtype;
      v.shape = source.shape;
      v.phase = wave::Phase::load;
      return add_value(std::move(v));
    }
  throw Bug("no parameter or constant '" + name + "'");
}

Id Program::parameter(const std::string& leaf_name) {
  return of_load(Value::Kind::parameter, module_.parameters, leaf_name);
}

Id Program::constant(const std::string& name) {
  return of_load(Value::Kind::constant, module_.constants, name);
}

}  // namespace espalier::to_wave

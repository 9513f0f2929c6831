// Arguments on their way down: a node's come from the call whose root it is, or from its parents.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/bug.h"
#include "base/kinds.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using fun::Role;
using wave::Opcode;
using Input = wave::Value::Kind;

namespace {

ScalarRef zero(Dtype dtype) {
  return is_float(dtype) ? wave::number(0, dtype) : wave::integer(0, dtype);
}

ScalarRef both(const ScalarRef& a, const ScalarRef& b) {
  return wave::apply(Opcode::logical_and, {a, b});
}

}  // namespace

// How the nodes at hand are reached.
struct Lowerer::Arrival {
  ScalarRef place, call, is_root, edge, from_parent;
  bool shared = false;
  Id reached_edges = wave::none;
};

void Lowerer::lower_down(Group& g, const std::vector<AbsRef>& args) {
  g.phase = Group::Phase::arguments;
  const bool was_quiet = quiet_;
  quiet_ = g.built.size() != g.recursion->functions.size();
  for (const std::string& name : g.recursion->functions) {
    const fun::Function& f = *module_.find_function(name);
    g.edge_reached[name] = p_.carry("reached_" + name, p_.edges(), Dtype::boolean, {});
    for (std::size_t i = 0; i < f.args.size(); i++) {
      if (g.recursion->roles.at(name)[i] == Role::structural || g.bound[name][i]) continue;
      for (const fun::Leaf& l : leaf_types(f.args[i].named.type, f.args[i].named.name, f.loc))
        g.edge_arguments[name].push_back(
            p_.carry("down_" + l.name, p_.edges(), l.type->dtype, extents(*l.type)));
    }
  }
  p_.open(Op::Kind::sweep_down);
  for (const std::string& name : g.recursion->functions) {
    const fun::Function& f = *module_.find_function(name);
    const auto structural = static_cast<std::size_t>(g.recursion->structural.at(name));
    const std::string& type = f.args[structural].named.type->name;
    for (const int v : source_variants(type, g.carrier)) {
      const AbsRef self = self_node(type, g.carrier, v);
      const Program::Scope scope(p_, self->domain);
      receive_arguments(g, f, v, args);
      g.caller_reached = g.reached[name][v];
      const Program::Named within(p_, name, f.body->loc);
      const AbsRef result = lower(f.body, group_env(g, f, self, v));
      if (g.built.count(name)) build(g, name, v, result, f.loc);
      deliver(g);
    }
  }
  send_nothing(g);
  p_.close();
  quiet_ = was_quiet;
}

Lowerer::Arrival Lowerer::arrival(Group& g, const fun::Function& f, const AbsRef& root) {
  auto named = [&](const char* name, const ScalarRef& s) {
    const Program::Named as(p_, name, f.loc);
    return value_of(p_.load(p_.define(scalar_term(s->dtype, s)))->term);
  };
  Arrival a;
  a.reached_edges = g.edge_reached.at(f.name);
  a.place = value_of(p_.load(p_.input(Input::place, p_.here()))->term);
  a.is_root = wave::integer(0, Dtype::boolean);
  const auto structural = static_cast<std::size_t>(g.recursion->structural.at(f.name));
  for (const DataType& d : out_.forest.types)
    if (d.name == f.args[structural].named.type->name) a.shared = d.shared;
  if (f.name == g.outer) {
    a.call = named(
        "call",
        value_of(p_.load(p_.input(Input::root_call, p_.all(), root->slot_field), a.place)->term));
    a.is_root = wave::apply(Opcode::ge, {a.call, wave::integer(0)});
  }
  if (a.shared) {  // any of the edges that enter
    const Id parents = p_.parents();
    ops::Term any;
    {
      const Program::Scope scope(p_, parents);
      const ScalarRef edge = value_of(p_.load(p_.input(Input::in_edge, parents))->term);
      any = scalar_term(Dtype::i64,
                        wave::cast(Dtype::i64, value_of(p_.load(a.reached_edges, edge)->term)));
    }
    const Program::Named as(p_, "reached_from", f.loc);
    ops::Term count;
    {
      const Program::Scope scope(p_, p_.all());
      count = p_.reduce_list(wave::Reduce::sum, Dtype::i64, parents, any);
    }
    const ScalarRef at_place =
        value_of(item_at(tensor_abs(p_.all(), count), a.place, p_.all(), f.loc)->term);
    a.from_parent = named("from_parent", wave::apply(Opcode::gt, {at_place, wave::integer(0)}));
    return a;
  }
  a.edge = named("edge", value_of(p_.load(p_.input(Input::parent_edge, p_.all()), a.place)->term));
  a.from_parent =
      named("from_parent",
            wave::apply(Opcode::select, {wave::apply(Opcode::ge, {a.edge, wave::integer(0)}),
                                         value_of(p_.load(a.reached_edges, a.edge)->term),
                                         wave::integer(0, Dtype::boolean)}));
  return a;
}

// A leaf of an argument at the nodes at hand; `start` is what the call gives (or nothing).
ops::Term Lowerer::arriving(const Arrival& a, Id carry, const ops::Term& start,
                            const std::string& combine) {
  const Dtype dtype = p_.value(carry).dtype;
  if (!a.shared) {
    const ops::Term above = p_.load(carry, a.edge)->term;
    return {dtype, above.shape, [=](const std::vector<ScalarRef>& i) {
              const ScalarRef s =
                  wave::apply(Opcode::select, {a.from_parent, above.at(i), zero(dtype)});
              return start.at ? wave::apply(Opcode::select, {a.is_root, start.at(i), s}) : s;
            }};
  }
  const bool largest = combine == "max", least = combine == "min";
  const double infinity = std::numeric_limits<double>::infinity();
  const ScalarRef neutral =
      largest || least ? wave::number(largest ? -infinity : infinity, dtype) : zero(dtype);
  const Id parents = p_.parents();
  ops::Term item;
  {
    const Program::Scope scope(p_, parents);
    const ScalarRef edge = value_of(p_.load(p_.input(Input::in_edge, parents))->term);
    const ScalarRef reached = value_of(p_.load(a.reached_edges, edge)->term);
    const ops::Term sent = p_.load(carry, edge)->term;
    item = {dtype, sent.shape, [=](const std::vector<ScalarRef>& i) {
              return wave::apply(Opcode::select, {reached, sent.at(i), neutral});
            }};
  }
  ops::Term sum;
  {
    const Program::Scope scope(p_, p_.all());
    sum = p_.reduce_list(largest ? wave::Reduce::max
                         : least ? wave::Reduce::min
                                 : wave::Reduce::sum,
                         dtype, parents, item);
  }
  const ops::Term above = item_at(tensor_abs(p_.all(), sum), a.place, p_.all(), {})->term;
  if (!start.at) return above;
  const Opcode join = largest ? Opcode::maximum : least ? Opcode::minimum : Opcode::add;
  return {dtype, above.shape, [=](const std::vector<ScalarRef>& i) {
            return wave::apply(
                Opcode::select,
                {a.is_root, wave::apply(join, {start.at(i), above.at(i)}), above.at(i)});
          }};
}

void Lowerer::receive_arguments(Group& g, const fun::Function& f, int variant,
                                const std::vector<AbsRef>& args) {
  const fun::Recursion& r = *g.recursion;
  const bool outer = f.name == g.outer;
  const Arrival a = arrival(g, f, args[static_cast<std::size_t>(r.structural.at(g.outer))]);
  {
    const Program::Named named(p_, "reached", f.loc);
    g.reached[f.name][variant] = p_.load(p_.define(
        scalar_term(Dtype::boolean, wave::apply(Opcode::logical_or, {a.is_root, a.from_parent}))));
  }
  if (outer && !a.shared)
    p_.check(scalar_term(Dtype::boolean,
                         wave::apply(Opcode::logical_not, {both(a.is_root, a.from_parent)})),
             "overlapping_calls", {});
  std::vector<AbsRef>& mine = g.arguments[f.name][variant];
  mine.resize(f.args.size());
  std::size_t edge_leaf = 0;
  for (std::size_t i = 0; i < f.args.size(); i++) {
    if (r.roles.at(f.name)[i] == Role::structural || g.bound[f.name][i]) continue;
    const std::string& combine = f.args[i].combine;
    if (a.shared && combine != "sum" && combine != "max" && combine != "min")
      refuse(Kind::not_lowered_combine, f.args[i].named.loc,
             "argument '" + f.args[i].named.name +
                 "' goes down a shared type and must say how it combines over parents: \"sum\", "
                 "\"max\" or \"min\"");
    std::vector<ops::Term> initial;
    if (outer) {
      const Program::Scope scope(p_, p_.calls());
      initial = flatten(args[i], f.args[i].named.type, f.loc);
      for (ops::Term& t : initial) {
        const Program::Named named(p_, "initial_" + f.args[i].named.name, f.loc);
        t = p_.materialize(t);
      }
    }
    const auto names = leaf_types(f.args[i].named.type, f.args[i].named.name, f.loc);
    std::size_t leaf = 0;
    mine[i] = unflatten(
        f.args[i].named.type,
        [&](Dtype, const std::vector<std::int64_t>&) {
          ops::Term start;
          if (outer)
            start = item_at(tensor_abs(p_.calls(), initial[leaf]), a.call, p_.calls(), f.loc)->term;
          const Program::Named named(p_, names[leaf++].name, f.loc);
          return p_.load(
              p_.define(arriving(a, g.edge_arguments.at(f.name)[edge_leaf++], start, combine)));
        },
        f.loc);
  }
}

// A call on a child: its arguments, for the edge that leads there.
void Lowerer::send_arguments(Group& g, const Expr& call, const AbsRef& node,
                             const std::vector<AbsRef>& args) {
  const fun::Function& f = *module_.find_function(call.name);
  if (node->slot == wave::none || p_.domain(node->slot).kind == wave::Domain::Kind::calls)
    refuse(Kind::not_lowered_top_down_child, call.loc,
           "'" + f.name +
               "' passes values down to a child list that is reversed, or is not the first "
               "in a zip; go through the list itself");
  const ScalarRef guard = p_.guard();
  const Id from = p_.here();
  const Program::Fresh fresh(p_);
  const Program::Scope scope(p_, node->slot);
  ScalarRef reached = value_of(p_.move(*g.caller_reached));
  if (guard) reached = both(reached, p_.move(guard, from));
  Group::Sent sent{reached, {}, call.loc};
  for (std::size_t i = 0; i < f.args.size(); i++) {
    if (g.recursion->roles.at(f.name)[i] == Role::structural || g.bound[f.name][i]) continue;
    std::size_t leaf = sent.values.size();
    for (const ops::Term& t : flatten(args[i], f.args[i].named.type, call.loc)) {
      const Id carry = g.edge_arguments.at(f.name)[leaf++];
      const Program::Named named(p_, p_.value(carry).name, call.loc);
      sent.values.push_back(p_.define(t));
    }
  }
  Group::Calls& calls = g.sent[{node->slot, node->slot_field}][f.name];
  const bool by_way_of_lists = !g.recursion->through.empty() && !calls.calls.empty();
  if (calls.delivered || by_way_of_lists)
    refuse(Kind::not_lowered_called_twice, call.loc,
           "'" + f.name +
               "' is called on one child by two functions, so its arguments there have "
               "no one value");
  calls.calls.push_back(std::move(sent));
}

// The value that the first call whose condition holds passes; the last one's where none does.
Id Lowerer::chosen(const std::vector<Group::Sent>& calls, std::size_t leaf) {
  if (calls.size() == 1) return calls[0].values[leaf];
  ops::Term value = p_.load(calls.back().values[leaf])->term;
  for (std::size_t k = calls.size() - 1; k-- > 0;) {
    const ops::Term mine = p_.load(calls[k].values[leaf])->term;
    const ops::Term others = value;
    const ScalarRef here = calls[k].condition;
    value = {mine.dtype, mine.shape, [=](const std::vector<ScalarRef>& i) {
               return wave::apply(Opcode::select, {here, mine.at(i), others.at(i)});
             }};
  }
  return p_.define(value);
}

// What the calls of the function and variant at work pass to children.
void Lowerer::deliver(Group& g) {
  const Program::Fresh fresh(p_);
  for (auto& [child, functions] : g.sent) {
    const Program::Scope scope(p_, child.first);
    for (auto& [name, made] : functions) {
      if (std::exchange(made.delivered, true)) continue;
      const std::vector<Group::Sent>& calls = made.calls;
      ScalarRef reached = calls[0].condition;
      for (std::size_t k = 1; k < calls.size(); k++)
        reached = wave::apply(Opcode::logical_or, {reached, calls[k].condition});
      {
        const Program::Named named(p_, "reached_" + name, calls[0].loc);
        p_.set(g.edge_reached.at(name), child.first, child.second,
               p_.define(scalar_term(Dtype::boolean, reached)));
      }
      const std::vector<Id>& carries = g.edge_arguments.at(name);
      for (std::size_t leaf = 0; leaf < calls[0].values.size(); leaf++) {
        const Program::Named named(p_, p_.value(carries[leaf]).name, calls[0].loc);
        p_.set(carries[leaf], child.first, child.second, chosen(calls, leaf));
      }
    }
  }
}

// Edges on which a function is not called do not reach anything.
void Lowerer::send_nothing(Group& g) {
  for (std::size_t v = 0; v < out_.forest.variants.size(); v++) {
    const std::vector<Field>& fields = out_.forest.variants[v].fields;
    for (std::size_t f = 0; f < fields.size(); f++) {
      if (!fields[f].child) continue;
      Id slot = p_.nodes(static_cast<int>(v));
      for (const int list : fields[f].lists) slot = p_.list(slot, list);
      const int field = static_cast<int>(f);
      for (const std::string& name : g.recursion->functions) {
        if (g.sent[{slot, field}].count(name)) continue;
        const Program::Scope scope(p_, slot);
        const Program::Named named(p_, "unreached", {});
        p_.set(g.edge_reached.at(name), slot, field,
               p_.define(scalar_term(Dtype::boolean, wave::integer(0, Dtype::boolean))));
      }
    }
  }
}

// ---- Built trees ----

// Records what the function makes of a variant's nodes.
void Lowerer::build(Group& g, const std::string& function, int variant, const AbsRef& result,
                    Loc loc) {
  if (result->kind != Abs::Kind::data || result->variant < 0)
    refuse(Kind::not_lowered_built_shape, loc,
           "'" + function +
               "' must make one variant for each variant of its argument, so that the "
               "tree it builds has the argument's shape");
  Built& built = *g.built.at(function);
  const fun::Variant& target =
      module_.find_type(built.type)->variants[static_cast<std::size_t>(result->variant)];
  Built::Class c;
  c.target = result->variant;
  const std::vector<AbsRef>& fields = result->parts[static_cast<std::size_t>(c.target)]->parts;
  for (std::size_t i = 0; i < fields.size(); i++) {
    BuiltField field;
    const fun::Type& type = *target.fields[i].type;
    const bool list = type.kind == fun::Type::Kind::list;
    const AbsRef& child = list ? fields[i]->parts[0] : fields[i];
    if ((list ? *type.parts[0] : type).kind == fun::Type::Kind::data) {
      if (child->kind != Abs::Kind::node || child->slot == wave::none || !child->built ||
          !same_tree(g.built.at(function), child->built))
        refuse(Kind::not_lowered_built_shape, loc,
               "field '" + target.fields[i].name + "' of the tree that '" + function +
                   "' builds is not made of the recursive calls on a child field");
      field.child = p_.leaf(child->slot, child->slot_field).name;
    } else if (list) {
      if (whole_list(fields[i], loc)->skip_first + fields[i]->skip_last > 0)
        refuse(Kind::not_lowered_built_shape, loc,
               "field '" + target.fields[i].name + "' of the tree that '" + function +
                   "' builds is the rest of a list");
      const Program::Scope scope(p_, fields[i]->list);
      field.value = like(fields[i], settle(fields[i]->parts[0], target.fields[i].name, loc));
    } else {
      field.value = settle(fields[i], target.fields[i].name, loc);
    }
    c.fields.push_back(std::move(field));
  }
  built.classes[variant] = std::move(c);
}

}  // namespace espalier::to_wave

// Matching: on nodes of the forest, on data made in the program, on lists.
#include <algorithm>
#include <set>

#include "base/bug.h"
#include "base/kinds.h"
#include "fun/forest.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using fun::Type;
using wave::Opcode;

AbsRef Lowerer::lower_match(const Expr& e, const Env& env) {
  const AbsRef on = lower(e.parts[0], env);
  switch (on->kind) {
    case Abs::Kind::node: return match_node(e, on, env);
    case Abs::Kind::data: return match_data(e, on, env);
    case Abs::Kind::list: return match_list(e, on, env);
    case Abs::Kind::tensor:
    case Abs::Kind::tuple:
    case Abs::Kind::hole: break;
  }
  throw Bug("a match that is not flat reached to_wave");
}

AbsRef Lowerer::case_of(const fun::Case& c, const std::vector<AbsRef>& fields, const AbsRef& whole,
                        Env env) {
  if (c.pattern->kind == fun::Pattern::Kind::variable) env[c.pattern->name] = whole;
  for (std::size_t i = 0; i < c.pattern->parts.size(); i++)
    if (fields[i]) bind(c.pattern->parts[i], fields[i], env);
  last_ = c.body->loc;
  const Program::At at(p_, last_);
  return lower(c.body, env);
}

namespace {

// The case for a variant: the one that names it, or the wildcard.
const fun::Case& find_case(const Expr& e, const std::string& variant) {
  for (const fun::Case& c : e.cases)
    if (c.pattern->kind != fun::Pattern::Kind::variant || c.pattern->name == variant) return c;
  throw Bug("a match without a case for " + variant);
}

bool is_list(const fun::TypeRef& t) { return t->kind == Type::Kind::list; }

bool has_list(const Type& t) {
  return t.kind == Type::Kind::list ||
         std::any_of(t.parts.begin(), t.parts.end(),
                     [](const fun::TypeRef& part) { return has_list(*part); });
}

}  // namespace

// ---- Nodes ----

AbsRef Lowerer::self_node(const std::string& type, const BuiltRef& built, int variant) {
  const Id domain = p_.nodes(variant);
  auto a = make_abs(Abs::Kind::node);
  a->type = type;
  a->variant = variant;
  a->built = built_as(built, type);
  a->domain = domain;
  const Program::Scope scope(p_, domain);
  a->term = p_.load(p_.input(wave::Value::Kind::place, domain))->term;
  return a;
}

// The forest's variants that a node of the (built) type may have.
std::vector<int> Lowerer::source_variants(const std::string& type, const BuiltRef& built) const {
  std::vector<int> out;
  if (built) {
    const BuiltRef own = built_as(built, type);
    if (own)
      for (const auto& [v, c] : own->classes) out.push_back(v);
    return out;
  }
  for (const DataType& d : out_.forest.types)
    if (d.name == type) return d.variants;
  return out;
}

namespace {

AbsRef as_below(const AbsRef& a, bool below) {
  auto out = std::make_shared<Abs>(*a);
  out->below = below;
  for (AbsRef& p : out->parts)
    if (p) p = as_below(p, below);
  return out;
}

}  // namespace

// A payload field, from leaf number `leaf` on (moved past what it takes).
AbsRef Lowerer::payload(const fun::TypeRef& type, Id domain, int& leaf, std::size_t depth) {
  using Input = wave::Value::Kind;
  switch (type->kind) {
    case Type::Kind::tensor:
    case Type::Kind::index: {
      const Program::Scope scope(p_, domain);
      return p_.load(p_.input(Input::payload, domain, leaf++));
    }
    case Type::Kind::tuple: {
      std::vector<AbsRef> parts;
      for (const fun::TypeRef& t : type->parts) parts.push_back(payload(t, domain, leaf, depth));
      return tuple_abs(std::move(parts), type->names);
    }
    case Type::Kind::list: {
      const Id list = p_.list(domain, p_.leaf(domain, leaf).lists[depth]);
      return as_below(list_abs(list, payload(type->parts[0], list, leaf, depth + 1)), true);
    }
    case Type::Kind::data: {
      const Program::Scope scope(p_, domain);
      auto a = make_abs(Abs::Kind::node);
      a->type = type->name;
      a->domain = a->slot = domain;
      a->slot_field = leaf;
      a->below = true;
      a->term = p_.load(p_.input(Input::child, domain, leaf++))->term;
      return a;
    }
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  throw Bug("a payload field of type " + fun::str(*type));
}

namespace {

const AbsRef& part_named(const AbsRef& tuple, const std::string& name) {
  for (std::size_t i = 0; i < tuple->parts.size(); i++)
    if ((tuple->names.empty() ? std::to_string(i) : tuple->names[i]) == name)
      return tuple->parts[i];
  throw Bug("no field '" + name + "'");
}

// The same children as nodes of the built tree.
AbsRef as_built(const AbsRef& child, const BuiltRef& built, const fun::TypeRef& type) {
  auto a = std::make_shared<Abs>(*child);
  if (type->kind == Type::Kind::list) {
    a->parts[0] = as_built(child->parts[0], built, type->parts[0]);
    return a;
  }
  a->built = built_as(built, type->name);
  a->type = type->name;
  return a;
}

}  // namespace

// The payload of the element of a nodes domain, field by field.
std::vector<AbsRef> Lowerer::node_fields(const AbsRef& self) {
  const Variant& v = out_.forest.variants[static_cast<std::size_t>(self->variant)];
  std::map<std::string, AbsRef> source;
  std::vector<AbsRef> in_order;
  const fun::DataType* d = module_.find_type(v.type);
  for (const fun::Variant& declared : d->variants)
    if (declared.name == v.name) {
      int leaf = 0;
      for (const fun::Named& f : declared.fields) {
        in_order.push_back(payload(f.type, self->domain, leaf, 0));
        source[f.name] = in_order.back();
      }
    }
  if (!self->built) return in_order;
  // "edges.kid": the field, then parts of its tuple or of its items.
  const auto child = [&](const std::string& leaf) {
    std::size_t dot = leaf.find('.');
    const AbsRef field = source.at(leaf.substr(0, dot));
    AbsRef part = field->kind == Abs::Kind::list ? field->parts[0] : field;
    while (dot != std::string::npos) {
      const std::size_t next = leaf.find('.', dot + 1);
      part = part_named(part, leaf.substr(dot + 1, next - dot - 1));
      dot = next;
    }
    return field->kind == Abs::Kind::list ? list_abs(field->list, part) : part;
  };
  const Built::Class& c = self->built->classes.at(self->variant);
  const fun::Variant& made =
      module_.find_type(self->built->type)->variants[static_cast<std::size_t>(c.target)];
  std::vector<AbsRef> out;
  for (std::size_t i = 0; i < c.fields.size(); i++)
    out.push_back(c.fields[i].value
                      ? c.fields[i].value
                      : as_built(child(c.fields[i].child), self->built, made.fields[i].type));
  return out;
}

// On the element of a nodes domain: its variant is known.
AbsRef Lowerer::match_element(const Expr& e, const AbsRef& self, const Env& env) {
  std::string variant = out_.forest.variants[static_cast<std::size_t>(self->variant)].name;
  if (self->built)
    variant =
        module_.find_type(self->built->type)
            ->variants[static_cast<std::size_t>(self->built->classes.at(self->variant).target)]
            .name;
  return case_of(find_case(e, variant), node_fields(self), self, env);
}

namespace {

bool everywhere(const Abs& a) {  // the same for every element
  if (a.kind == Abs::Kind::tuple)
    return std::all_of(a.parts.begin(), a.parts.end(),
                       [](const AbsRef& p) { return everywhere(*p); });
  return a.kind == Abs::Kind::tensor && a.domain == wave::none;
}

bool uses_list_field(const Expr& e) {
  for (const fun::Case& c : e.cases) {
    std::set<std::string> used;
    free_variables(c.body, used);
    for (const fun::PatternRef& p : c.pattern->parts)
      if (p->type && is_list(p->type) && used.count(p->name)) return true;
  }
  return false;
}

}  // namespace

AbsRef Lowerer::match_node(const Expr& e, const AbsRef& on, const Env& env) {
  if (on->variant >= 0) return match_element(e, on, env);
  if (!uses_list_field(e) && !on->built) return match_here(e, on, env);
  if (has_list(*e.type) && on->slot != wave::none && !on->built) return match_here(e, on, env);
  std::set<std::string> used;
  for (const fun::Case& c : e.cases) free_variables(c.body, used);
  for (const auto& [name, value] : env)
    if (used.count(name) && !everywhere(*value) && value != on && !on->built)
      return match_here(e, on, env);
    else if (used.count(name) && !everywhere(*value) && value != on)
      refuse(Kind::not_lowered_match, e.loc,
             "a match on a node that is not the function's own argument uses '" + name +
                 "', which differs from caller to caller, beside a list of the node; match in a "
                 "function of its own");
  const fun::ExprRef& scrutinee = e.parts[0];
  return lift(on, e.type, e.loc, [&](const AbsRef& self) {
    Env inner = env;
    if (scrutinee->kind == Expr::Kind::variable) inner[scrutinee->name] = self;
    return match_element(e, self, inner);
  });
}

// A payload field of the node `on`, whose number in the nodes domain `of` is `local`; a list is one
// over what the node is the child or root of.
AbsRef Lowerer::field_at(const AbsRef& field, const AbsRef& on, const ScalarRef& local, Id of,
                         Loc loc) {
  if (field->kind != Abs::Kind::list || on->slot == wave::none)
    return item_at(field, local, of, loc);
  const Id made = p_.items_of_node(on->slot, on->slot_field, field->list);
  Id outermost = on->slot;
  while (p_.domain(outermost).owner != wave::none) outermost = p_.domain(outermost).owner;
  const bool root = p_.domain(outermost).kind == wave::Domain::Kind::calls;
  const Program::Scope scope(p_, made);
  const ScalarRef owner = p_.path(on->slot);
  const Id nodes =
      p_.input(root ? wave::Value::Kind::root : wave::Value::Kind::child, on->slot, on->slot_field);
  const ScalarRef node = value_of(p_.load(nodes, owner)->term);
  const ScalarRef number =
      value_of(p_.load(p_.input(wave::Value::Kind::local, p_.all()), node)->term);
  const ScalarRef position = wave::apply(Opcode::sub, {wave::element(), wave::first(made, owner)});
  const ScalarRef index = wave::apply(Opcode::add, {wave::first(field->list, number), position});
  return list_abs(made, item_at(field->parts[0], index, field->list, loc));
}

// On any node, each case guarded by the node's variant.
AbsRef Lowerer::match_here(const Expr& e, const AbsRef& on, const Env& env) {
  const ScalarRef number = value_of(p_.move(*on));
  const ScalarRef variant =
      value_of(p_.load(p_.input(wave::Value::Kind::variant, p_.all()), number)->term);
  const ScalarRef local =
      value_of(p_.load(p_.input(wave::Value::Kind::local, p_.all()), number)->term);
  const std::vector<int> variants = source_variants(on->type, nullptr);
  AbsRef result;
  for (auto v = variants.rbegin(); v != variants.rend(); ++v) {
    const ScalarRef is = wave::apply(Opcode::eq, {variant, wave::integer(*v)});
    const AbsRef self = self_node(on->type, nullptr, *v);
    std::vector<AbsRef> fields;
    for (const AbsRef& f : node_fields(self))
      fields.push_back(as_below(field_at(f, on, local, self->domain, e.loc), on->below));
    const Program::Guarded guarded(p_, is);
    const AbsRef value = case_of(
        find_case(e, out_.forest.variants[static_cast<std::size_t>(*v)].name), fields, on, env);
    result = result ? merge_cases(is, value, result, e.loc) : value;
  }
  last_ = {};  // of several lines
  return result;
}

// Like merge(); but a list of the node's items is empty already where the node is of another
// variant, so that it may stand for an empty one there.
AbsRef Lowerer::merge_cases(const ScalarRef& is, const AbsRef& a, const AbsRef& b, Loc loc) {
  if (a->kind == Abs::Kind::tuple) {
    std::vector<AbsRef> parts;
    for (std::size_t i = 0; i < a->parts.size(); i++)
      parts.push_back(merge_cases(is, a->parts[i], b->parts[i], loc));
    return tuple_abs(std::move(parts), a->names);
  }
  if (a->kind != Abs::Kind::list) return merge(is, a, b, loc);
  const auto empty = [&](const Abs& list) { return p_.domain(list.list).length == 0; };
  const auto of_node = [&](const Abs& list) { return p_.domain(list.list).field >= 0; };
  if (empty(*b) && (empty(*a) || of_node(*a))) return a;
  if (empty(*a) && of_node(*b)) return b;
  return merge(is, a, b, loc);
}

// What is made of descendants is there when their level is done; of others, before the sweep at
// hand.
AbsRef Lowerer::lift(const AbsRef& node, const fun::TypeRef& result, Loc loc,
                     const std::function<AbsRef(const AbsRef& self)>& body) {
  std::vector<Id> carries;
  for (const fun::Leaf& l : leaf_types(result, "value", loc)) {
    std::vector<std::int64_t> shape;
    for (const fun::Dim& d : l.type->shape) shape.push_back(d.value());
    carries.push_back(p_.carry(l.name, p_.all(), l.type->dtype, shape));
  }
  {
    const Program::Outside outside(p_, !node->below);
    const Program::Fresh fresh(p_);
    for (const int v : source_variants(node->type, node->built)) {
      const AbsRef self = self_node(node->type, node->built, v);
      const Program::Scope scope(p_, self->domain);
      const std::vector<ops::Term> leaves = flatten(body(self), result, loc);
      for (std::size_t i = 0; i < leaves.size(); i++)
        p_.set(carries[i], self->domain, -1, p_.define(leaves[i]));
    }
  }
  return load_leaves(result, carries, value_of(p_.move(*node)), loc);
}

// ---- Data made in the program ----

AbsRef Lowerer::match_data(const Expr& e, const AbsRef& on, const Env& env) {
  const fun::DataType* d = module_.find_type(on->type);
  if (on->variant >= 0)
    return case_of(find_case(e, d->variants[static_cast<std::size_t>(on->variant)].name),
                   on->parts[static_cast<std::size_t>(on->variant)]->parts, on, env);
  const ScalarRef tag = value_of(p_.move(*on));
  AbsRef result;
  for (std::size_t v = d->variants.size(); v-- > 0;) {
    if (!on->parts[v]) continue;
    const ScalarRef is =
        wave::apply(Opcode::eq, {tag, wave::integer(static_cast<std::int64_t>(v))});
    const Program::Guarded guarded(p_, is);
    const AbsRef value = case_of(find_case(e, d->variants[v].name), on->parts[v]->parts, on, env);
    result = result ? merge(is, value, result, e.loc) : value;
  }
  last_ = {};  // of several lines
  return result;
}

// ---- Lists ----

AbsRef Lowerer::match_list(const Expr& e, const AbsRef& on, const Env& env) {
  auto is_empty = [](const fun::Case& c) {
    return c.pattern->kind == fun::Pattern::Kind::list && c.pattern->parts.empty();
  };
  const fun::Case *empty = nullptr, *filled = nullptr;
  for (const fun::Case& c : e.cases) {
    const bool any = c.pattern->kind != fun::Pattern::Kind::list;
    if ((is_empty(c) || any) && !empty) empty = &c;
    if ((!is_empty(c) || any) && !filled) filled = &c;
  }
  auto filled_fields = [&](const AbsRef& item) {
    std::vector<AbsRef> fields;
    auto rest = std::make_shared<Abs>(*on);
    (filled->pattern->starred == 0 ? rest->skip_last : rest->skip_first)++;
    rest->variant = -1;
    for (std::size_t i = 0; i < filled->pattern->parts.size(); i++)
      fields.push_back(static_cast<int>(i) == filled->pattern->starred ? rest : item);
    return fields;
  };
  // The argument of a recursion over the list: its shape is known.
  if (on->variant == 0) return case_of(*empty, {}, on, env);
  if (on->variant == 1) return case_of(*filled, filled_fields(on->parts[0]), on, env);
  if (filled->pattern->kind == fun::Pattern::Kind::list && filled->pattern->starred < 0)
    throw Bug("a list pattern that is not flat reached to_wave");
  const ScalarRef some = wave::apply(Opcode::gt, {length(*on), wave::integer(0)});
  const Span s = span(*on);
  const ScalarRef at = filled->pattern->starred == 0
                           ? wave::apply(Opcode::sub, {s.stop, wave::integer(1)})
                           : s.start;
  AbsRef yes, no;
  {
    const Program::Guarded guarded(p_, some);
    const AbsRef item = filled->pattern->kind == fun::Pattern::Kind::list
                            ? item_at(on->parts[0], at, on->list, e.loc)
                            : nullptr;
    yes = case_of(*filled, filled_fields(item), on, env);
  }
  {
    const Program::Guarded guarded(p_, wave::apply(Opcode::logical_not, {some}));
    no = case_of(*empty, {}, on, env);
  }
  last_ = {};  // of several lines
  return merge(some, yes, no, e.loc);
}

}  // namespace espalier::to_wave

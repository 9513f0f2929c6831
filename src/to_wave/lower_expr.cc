// Expressions that need no domain of their own.
#include <algorithm>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/index.h"
#include "ops/scalar_eval.h"
#include "ops/use.h"
#include "to_wave/lowerer.h"

namespace espalier::to_wave {

using fun::Expr;
using wave::Opcode;

Lowerer::Lowerer(const fun::Module& module, wave::Module& out, wave::Entry& entry,
                 Diagnostics& diagnostics)
    : module_(module), out_(out), entry_(entry), diagnostics_(diagnostics), p_(out, entry) {}

void Lowerer::refuse(Kind kind, Loc loc, std::string message) {
  diagnostics_.error(kind, loc, std::move(message));
  throw Refused();
}

void Lowerer::refuse_pairs(Loc loc) {
  refuse(Kind::not_lowered_list_pairs, loc,
         "the list of a node that is chosen on the way is gone through together with other values, "
         "which cannot be compiled yet; choose between what is made of the nodes, not between the "
         "nodes");
}

AbsRef Lowerer::lower(const fun::ExprRef& e, const Env& env) {
  try {
    return lower_kind(e, env);
  } catch (const OutsideList&) {
    refuse_pairs(e->loc);
  }
}

AbsRef Lowerer::lower_kind(const fun::ExprRef& e, const Env& env) {
  switch (e->kind) {
    case Expr::Kind::variable: return lower_variable(*e, env);
    case Expr::Kind::number: {
      const Dtype dtype = e->type->kind == fun::Type::Kind::tensor ? e->type->dtype : Dtype::i64;
      // What enters is rounded to its dtype; what passes make of it later is not.
      if (is_float(dtype))
        return scalar_abs(wave::none,
                          wave::number(ops::convert(ops::real(e->number), dtype).f, dtype));
      return scalar_abs(wave::none, wave::integer(static_cast<std::int64_t>(e->number), dtype));
    }
    case Expr::Kind::block: return lower_block(*e, env);
    case Expr::Kind::tuple: {
      std::vector<AbsRef> parts;
      for (std::size_t i = 0; i < e->parts.size(); i++) {
        const Program::Named named(p_, e->names.empty() ? p_.name() : e->names[i],
                                   e->parts[i]->loc);
        parts.push_back(lower(e->parts[i], env));
      }
      return tuple_abs(std::move(parts), e->names);
    }
    case Expr::Kind::field: return lower_field(*e, env);
    case Expr::Kind::conditional: return lower_conditional(*e, env);
    case Expr::Kind::match: return lower_match(*e, env);
    case Expr::Kind::call: return lower_call(*e, env);
    case Expr::Kind::op: return lower_operator(*e, env);
    case Expr::Kind::construct: return lower_construct(*e, env);
    case Expr::Kind::list: return lower_list_literal(*e, env);
    case Expr::Kind::each: return lower_each(*e, env);
    case Expr::Kind::index: return lower_index(*e, env);
    case Expr::Kind::text:
    case Expr::Kind::lambda: break;
  }
  throw Bug("an expression that is not core reached to_wave");
}

AbsRef Lowerer::lower_variable(const Expr& e, const Env& env) {
  switch (e.binding) {
    case Expr::Binding::local:
    case Expr::Binding::argument: {
      const auto found = env.find(e.name);
      if (found == env.end()) throw Bug("variable '" + e.name + "' is not bound in to_wave");
      return found->second;
    }
    case Expr::Binding::parameter: {
      std::vector<Id> values;
      for (const fun::Leaf& l : fun::leaves(*module_.find_param(e.name)))
        values.push_back(p_.parameter(l.name));
      return load_leaves(e.type, values, nullptr, e.loc);
    }
    case Expr::Binding::constant: return p_.load(p_.constant(e.name));
    case Expr::Binding::function: break;
  }
  throw Bug("function '" + e.name + "' as a value reached to_wave");
}

// A value that is computed once, under its name in the model.
AbsRef Lowerer::settle(const AbsRef& a, const std::string& name, Loc loc) {
  if (a->kind == Abs::Kind::tensor) {
    const Program::Named named(p_, name, loc);
    return tensor_abs(p_.here(), p_.settle(p_.move(*a)));
  }
  if (a->kind != Abs::Kind::tuple) return a;
  std::vector<AbsRef> parts;
  for (std::size_t i = 0; i < a->parts.size(); i++)
    parts.push_back(settle(a->parts[i],
                           name + "_" + (a->names.empty() ? std::to_string(i) : a->names[i]), loc));
  return tuple_abs(std::move(parts), a->names);
}

void Lowerer::bind(const fun::PatternRef& pattern, const AbsRef& value, Env& env) {
  switch (pattern->kind) {
    case fun::Pattern::Kind::wildcard: return;
    case fun::Pattern::Kind::variable: env[pattern->name] = value; return;
    case fun::Pattern::Kind::tuple:
      for (std::size_t i = 0; i < pattern->parts.size(); i++)
        bind(pattern->parts[i], value->parts[i], env);
      return;
    case fun::Pattern::Kind::number:
    case fun::Pattern::Kind::variant:
    case fun::Pattern::Kind::list: break;
  }
  throw Bug("a pattern that is not flat reached to_wave");
}

namespace {

std::string hint(const fun::Pattern& p) {
  return p.kind == fun::Pattern::Kind::variable ? p.name : "value";
}

}  // namespace

AbsRef Lowerer::lower_block(const Expr& e, Env env) {
  for (const fun::Statement& s : e.statements) {
    const std::string name = hint(*s.pattern);
    const Program::Named named(p_, name, s.value->loc);
    const AbsRef value = lower(s.value, env);
    if (s.pattern->kind == fun::Pattern::Kind::tuple && value->kind == Abs::Kind::tuple) {
      std::vector<AbsRef> parts;
      for (std::size_t i = 0; i < value->parts.size(); i++)
        parts.push_back(settle(value->parts[i], hint(*s.pattern->parts[i]), s.value->loc));
      bind(s.pattern, tuple_abs(std::move(parts), value->names), env);
    } else {
      bind(s.pattern, settle(value, name, s.value->loc), env);
    }
  }
  last_ = e.parts[0]->loc;
  const Program::Named named(p_, p_.name(), last_);
  return lower(e.parts[0], env);
}

AbsRef Lowerer::lower_field(const Expr& e, const Env& env) {
  const AbsRef of = lower(e.parts[0], env);
  require(of->kind == Abs::Kind::tuple, "a field of something that is not a tuple");
  for (std::size_t i = 0; i < of->parts.size(); i++)
    if ((of->names.empty() ? std::to_string(i) : of->names[i]) == e.name) return of->parts[i];
  throw Bug("no field '" + e.name + "'");
}

AbsRef Lowerer::lower_conditional(const Expr& e, const Env& env) {
  const AbsRef c = lower(e.parts[0], env);
  ScalarRef condition;
  {
    const Program::Named named(p_, "condition", e.parts[0]->loc);
    condition = value_of(p_.materialize(p_.move(*c)));
  }
  AbsRef yes, no;
  {
    const Program::Guarded guarded(p_, condition);
    yes = lower(e.parts[1], env);
  }
  {
    const Program::Guarded guarded(p_, wave::apply(Opcode::logical_not, {condition}));
    no = lower(e.parts[2], env);
  }
  return merge(condition, yes, no, e.loc);
}

namespace {

ops::Term select(const ScalarRef& c, const ops::Term& a, const ops::Term& b) {
  return {a.dtype, a.shape, [c, a, b](const std::vector<ScalarRef>& i) {
            return wave::apply(Opcode::select, {c, a.at(i), b.at(i)});
          }};
}

// Tensors alone.
bool is_plain(const Abs& a) {
  return a.kind == Abs::Kind::tensor ||
         (a.kind == Abs::Kind::tuple && std::all_of(a.parts.begin(), a.parts.end(),
                                                    [](const AbsRef& p) { return is_plain(*p); }));
}

}  // namespace

// What is `a` where the condition (on the context) holds, else `b`.
AbsRef Lowerer::merge(const ScalarRef& c, const AbsRef& a, const AbsRef& b, Loc loc) {
  if (a == b) return a;
  if (a->kind == Abs::Kind::tuple) {
    std::vector<AbsRef> parts;
    for (std::size_t i = 0; i < a->parts.size(); i++)
      parts.push_back(merge(c, a->parts[i], b->parts[i], loc));
    return tuple_abs(std::move(parts), a->names);
  }
  if (a->kind == Abs::Kind::list) {
    if (p_.domain(a->list).owner != p_.here() && a->list == b->list && !a->of_owner && !b->of_owner)
      return merge(c, pairs(a), pairs(b), loc);
    const bool one = b->kind == Abs::Kind::list && a->list == b->list &&
                     a->skip_first == b->skip_first && a->skip_last == b->skip_last &&
                     a->part == Abs::Part::whole && b->part == Abs::Part::whole && !a->of_owner &&
                     !b->of_owner;
    if (!one)
      refuse(
          Kind::not_lowered_list_choice, loc,
          "the branches give lists that are not made from one list, which cannot be compiled yet");
    const Id owner = p_.here();
    const Program::Scope scope(p_, a->list);
    return like(a, merge(p_.move(c, owner), a->parts[0], b->parts[0], loc));
  }
  auto out = std::make_shared<Abs>(*a);
  out->domain = p_.here();
  out->term = select(c, p_.move(*a), p_.move(*b));
  if (a->kind == Abs::Kind::node) {
    if (b->kind != Abs::Kind::node || a->built != b->built)
      refuse(Kind::not_lowered_built_choice, loc,
             "the branches give trees of different making, which cannot be compiled yet");
    out->variant = -1;
    if (a->slot != b->slot || a->slot_field != b->slot_field) out->slot = wave::none;
  }
  if (a->kind == Abs::Kind::data) {
    out->variant = a->variant == b->variant ? a->variant : -1;
    const fun::DataType& d = *module_.find_type(a->type);
    for (std::size_t v = 0; v < a->parts.size(); v++)
      out->parts[v] = merge_fields(c, a->parts[v], b->parts[v], d.variants[v], loc);
  }
  return out;
}

// The fields of a variant, null where the value is of another. What only one branch computes is
// there only behind the condition, and nothing behind the other.
AbsRef Lowerer::merge_fields(const ScalarRef& c, const AbsRef& a, const AbsRef& b,
                             const fun::Variant& variant, Loc loc) {
  if (!a == !b) return a ? merge(c, a, b, loc) : nullptr;
  std::vector<AbsRef> fields = (a ? a : b)->parts;
  for (std::size_t i = 0; i < fields.size(); i++) {
    if (!is_plain(*fields[i])) continue;
    const AbsRef none = zero_of(variant.fields[i].type, loc);
    fields[i] = a ? merge(c, fields[i], none, loc) : merge(c, none, fields[i], loc);
  }
  return tuple_abs(std::move(fields), {});
}

AbsRef Lowerer::lower_operator(const Expr& e, const Env& env) {
  static const char* const lists[] = {"fold", "scan", "reverse", "len", "enumerate", "zip"};
  const bool of_list =
      !e.parts.empty() && e.parts[0]->type && e.parts[0]->type->kind == fun::Type::Kind::list;
  if (of_list || std::find(std::begin(lists), std::end(lists), e.name) != std::end(lists))
    return lower_list_operator(e, env);
  const ops::Use use = ops::use_of(e);
  std::vector<ops::Term> operands;
  for (const fun::ExprRef& part : e.parts) operands.push_back(p_.move(*lower(part, env)));
  std::vector<ops::Term> results = use.op->lower(use, operands, p_);
  std::vector<AbsRef> parts;
  for (ops::Term& t : results) parts.push_back(tensor_abs(p_.here(), std::move(t)));
  return e.type->kind == fun::Type::Kind::tuple ? tuple_abs(std::move(parts), {}) : parts[0];
}

AbsRef Lowerer::lower_index(const Expr& e, const Env& env) {
  const AbsRef of = lower(e.parts[0], env);
  std::vector<ops::Term> indices;
  for (const fun::ExprRef& i : ops::computed_indices(e)) indices.push_back(p_.move(*lower(i, env)));
  return tensor_abs(p_.here(), ops::lower_index(p_.move(*of), ops::subscripts_of(e), indices, p_));
}

AbsRef Lowerer::lower_construct(const Expr& e, const Env& env) {
  const fun::DataType* d = module_.find_type(e.type_name);
  auto a = make_abs(Abs::Kind::data);
  a->type = e.type_name;
  a->parts.resize(d->variants.size());
  std::vector<AbsRef> fields;
  for (std::size_t i = 0; i < e.parts.size(); i++) fields.push_back(lower(e.parts[i], env));
  for (std::size_t v = 0; v < d->variants.size(); v++)
    if (d->variants[v].name == e.name) a->variant = static_cast<int>(v);
  a->term = scalar_term(Dtype::i64, wave::integer(a->variant));
  a->parts[static_cast<std::size_t>(a->variant)] = tuple_abs(std::move(fields), {});
  return a;
}

}  // namespace espalier::to_wave

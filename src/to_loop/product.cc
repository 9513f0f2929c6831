// Recognizes products with weights.
#include <algorithm>

#include "base/bug.h"
#include "to_loop/plan.h"

namespace espalier::to_loop {

using wave::Opcode;
using wave::Scalar;
using wave::Value;

namespace {

void factors_of(const ScalarRef& s, std::vector<ScalarRef>* out) {
  if (s->kind == Scalar::Kind::apply && s->op == Opcode::mul) {
    factors_of(s->args[0], out);
    factors_of(s->args[1], out);
  } else {
    out->push_back(s);
  }
}

struct Uses {
  bool axis = false, bound = false, element = false;
};

Uses uses_of(const ScalarRef& s, const wave::Entry& entry) {
  Uses uses;
  wave::visit(s, [&](const Scalar& x) {
    uses.axis = uses.axis || x.kind == Scalar::Kind::axis;
    uses.bound = uses.bound || x.kind == Scalar::Kind::bound;
    const bool of_element =
        x.kind == Scalar::Kind::element || x.kind == Scalar::Kind::item ||
        (x.kind == Scalar::Kind::load && entry.value(x.value).phase != wave::Phase::load &&
         entry.value(x.value).kind != Value::Kind::parameter &&
         entry.value(x.value).kind != Value::Kind::constant);
    uses.element = uses.element || of_element;
  });
  return uses;
}

ScalarRef product_of(const std::vector<ScalarRef>& factors) {
  ScalarRef made = factors[0];
  for (std::size_t i = 1; i < factors.size(); i++)
    made = wave::apply(Opcode::mul, {made, factors[i]});
  return made;
}

// A row that can be read through a pointer: load(value at an element, [r0]).
bool direct(const ScalarRef& s, const Work& work, const wave::Entry& entry) {
  if (s->kind != Scalar::Kind::load || s->args.size() != 2 || work.axes.size() != 1) return false;
  const Value& v = entry.value(s->value);
  return s->args[1]->kind == Scalar::Kind::bound && computed(v.dtype) == Dtype::f32 &&
         v.shape.size() == 1 && v.shape[0] == work.axes[0] && v.kind != Value::Kind::parameter;
}

// A row of a table of parameters: load(E, [row of the element, r0]).
bool table_row(const ScalarRef& s, const Work& work, const wave::Entry& entry) {
  if (s->kind != Scalar::Kind::load || s->args.size() != 3 || work.axes.size() != 1) return false;
  const Value& v = entry.value(s->value);
  return v.kind == Value::Kind::parameter && s->args[2]->kind == Scalar::Kind::bound &&
         !uses_of(s->args[1], entry).bound && computed(v.dtype) == Dtype::f32 &&
         v.shape[1] == work.axes[0];
}

// "times_expr_each_time": what the operand joins; after the result where that is too much.
std::string operand_name(const Context& context, const Work& work, const ScalarRef& body) {
  constexpr std::size_t longest = 40;
  std::vector<std::string> read;
  wave::visit(body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load || !is_float(s.dtype)) return;
    const std::string name = context.read_name(s.value, s.args[0]);
    if (std::find(read.begin(), read.end(), name) == read.end()) read.push_back(name);
  });
  std::string joined;
  for (const std::string& name : read) joined += (joined.empty() ? "" : "_") + name;
  if (joined.empty() || joined.size() > longest) joined = context.entry.value(work.result).name;
  return read.size() > 1 && joined.size() <= longest ? joined : joined + "_operand";
}

// The operand as a row of its own, computed before: its axis is all bounds, the last one fastest.
void add_operand(Context& context, Work& work, const ScalarRef& body, std::vector<Work>& before) {
  work.product.element = wave::element();
  for (const auto& [known, over, operand] : context.operands) {
    if (context.entry.value(operand).domain != work.domain || over != work.axes ||
        !wave::equal(known, body))
      continue;
    work.product.operand = operand;
    return;
  }
  std::int64_t size = 1;
  for (const std::int64_t n : work.axes) size *= n;
  Value v;
  v.name = operand_name(context, work, body);
  v.domain = work.domain;
  v.shape = {size};
  v.loc = context.entry.value(work.result).loc;
  std::vector<ScalarRef> bounds(work.axes.size());
  ScalarRef rest = wave::axis(0, size);
  for (std::size_t i = work.axes.size(); i-- > 0;) {
    const ScalarRef n = wave::integer(work.axes[i]);
    bounds[i] = i == 0 ? rest : wave::apply(Opcode::mod, {rest, n});
    if (i > 0) rest = wave::apply(Opcode::floordiv, {rest, n});
  }
  Work made;
  made.domain = work.domain;
  made.result = static_cast<Id>(context.entry.values.size());
  made.body = wave::rewrite(body, [&](const ScalarRef& s) -> ScalarRef {
    return s->kind == Scalar::Kind::bound ? bounds[static_cast<std::size_t>(s->which)] : nullptr;
  });
  context.entry.values.push_back(v);
  context.bodies[made.result] = made.body;
  if (work.axes.size() == 1)
    context.name_dims(made.result, {context.bound_dim(work.product.weights, 0, size)});
  work.product.operand = made.result;
  context.operands.push_back({body, work.axes, made.result});
  before.push_back(std::move(made));
}

}  // namespace

bool match_product(Context& context, Work& work, std::vector<Work>& before) {
  const wave::Entry& entry = context.entry;
  const Value& result = entry.value(work.result);
  if (!context.shared.options.panels || work.reduce != wave::Reduce::sum ||
      work.list != wave::none || work.axes.empty() || computed(result.dtype) != Dtype::f32 ||
      result.shape.size() != 1 || result.shape[0] < 2 || result.phase == wave::Phase::load ||
      entry.domain(work.domain).kind == wave::Domain::Kind::once)
    return false;
  std::vector<ScalarRef> factors, weights, operand;
  factors_of(work.body, &factors);
  for (const ScalarRef& factor : factors) {
    const Uses uses = uses_of(factor, entry);
    if (uses.axis && uses.element) return false;
    if (computed(factor->dtype) != Dtype::f32) return false;
    (uses.axis || !uses.element ? weights : operand).push_back(factor);
  }
  if (weights.empty() || operand.empty() || !uses_of(product_of(weights), entry).axis) return false;
  work.product.weights = product_of(weights);
  work.product.over = work.axes;
  const ScalarRef row = product_of(operand);
  work.kind = Work::Kind::product;
  if (direct(row, work, entry)) {
    work.product.operand = row->value;
    work.product.element = row->args[0];
  } else if (table_row(row, work, entry)) {
    work.product.operand = row->value;
    work.product.row = row->args[1];
  } else {
    add_operand(context, work, row, before);
  }
  return true;
}

}  // namespace espalier::to_loop

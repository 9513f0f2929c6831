// What can be done on the rows of a product while they are in registers.
#include <algorithm>

#include "loop/lanes.h"
#include "to_loop/nest.h"

namespace espalier::to_loop {

using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using wave::Value;

namespace {

bool varies(const ScalarRef& s) {  // along the row
  bool found = false;
  wave::visit(s, [&](const Scalar& x) { found = found || x.kind == Scalar::Kind::axis; });
  return found;
}

bool arithmetic(Opcode op) {
  return op == Opcode::add || op == Opcode::sub || op == Opcode::mul || op == Opcode::div ||
         op == Opcode::neg;
}

// Whether what the lanes at j hold is made of what other rows hold at j, by functions that vectors
// have.
bool lane_by_lane(const wave::Entry& entry, std::int64_t rows, const ScalarRef& s) {
  if (!varies(s)) return true;
  if (computed(s->dtype) != Dtype::f32) return false;
  if (s->kind == Scalar::Kind::load) {
    const Value& v = entry.value(s->value);
    if (s->args.back()->kind != Scalar::Kind::axis || v.shape.back() != rows) return false;
    return std::none_of(s->args.begin(), s->args.end() - 1,
                        [](const ScalarRef& arg) { return arg && varies(arg); });
  }
  if (s->kind != Scalar::Kind::apply) return false;
  if (!arithmetic(s->op) && !loop::has_vector_form(wave::opcode_name(s->op))) return false;
  return std::all_of(s->args.begin(), s->args.end(), [&](const ScalarRef& arg) {
    return computed(arg->dtype) == Dtype::f32 && lane_by_lane(entry, rows, arg);
  });
}

bool accumulates(Reduce kind) { return kind != Reduce::argmax && kind != Reduce::argmin; }

}  // namespace

bool fits_tile(const Context& context, const Work& product, const Work& work) {
  const Id target = work.result != wave::none ? work.result : work.carry;
  if (work.kind != Work::Kind::compute || work.domain != product.domain) return false;
  const Value& v = context.entry.value(target);
  const auto& rows = context.entry.value(product.result).shape;
  if (v.shape != rows || computed(v.dtype) != Dtype::f32) return false;
  if (!work.axes.empty() || !accumulates(work.reduce)) return false;
  return !uniform_condition(work.body) && lane_by_lane(context.entry, rows[0], work.body);
}

void split_items(Context& context, Work& reduction, std::vector<Work>& works) {
  if (!context.shared.options.epilogues || reduction.list == wave::none ||
      !accumulates(reduction.reduce) || reduction.body->kind == Scalar::Kind::load)
    return;
  const Work* product = nullptr;
  wave::visit(reduction.body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load) return;
    for (const Work& work : works)
      if (work.kind == Work::Kind::product && work.result == s.value &&
          work.domain == reduction.list && s.args[0]->kind == Scalar::Kind::item)
        product = &work;
  });
  if (!product) return;
  Value v = context.entry.value(reduction.result);
  v.name += "_item";
  v.domain = reduction.list;
  Work made;
  made.domain = reduction.list;
  made.result = static_cast<Id>(context.entry.values.size());
  made.axes = {};
  made.body = wave::rewrite(reduction.body, [&](const ScalarRef& s) -> ScalarRef {
    if (s->kind == Scalar::Kind::item) return wave::element();
    return s->kind == Scalar::Kind::element ? wave::owner(reduction.list, s) : nullptr;
  });
  context.entry.values.push_back(v);
  if (!reduction.axes.empty() || !fits_tile(context, *product, made)) {
    context.entry.values.pop_back();
    return;
  }
  context.bodies[made.result] = made.body;
  std::vector<ScalarRef> axes;
  for (std::size_t i = 0; i < v.shape.size(); i++)
    axes.push_back(wave::axis(static_cast<int>(i), v.shape[i]));
  reduction.body = wave::load(made.result, v.dtype, wave::item(), axes);
  works.push_back(std::move(made));
}

}  // namespace espalier::to_loop

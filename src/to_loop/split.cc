// Conditions in bodies: those that loops can stand inside of, and those that cut an axis in two.
#include "to_loop/nest.h"

namespace espalier::to_loop {

using wave::Opcode;
using wave::Scalar;

namespace {

bool is(const ScalarRef& s, Opcode op) { return s->kind == Scalar::Kind::apply && s->op == op; }

// axis(which) + offset, or nothing.
std::optional<std::int64_t> offset_of(const ScalarRef& s, int which) {
  if (s->kind == Scalar::Kind::axis && s->which == which) return 0;
  if (!is(s, Opcode::add) && !is(s, Opcode::sub)) return std::nullopt;
  if (s->args[1]->kind != Scalar::Kind::number) return std::nullopt;
  const auto inner = offset_of(s->args[0], which);
  if (!inner) return std::nullopt;
  return *inner + (s->op == Opcode::add ? s->args[1]->integer : -s->args[1]->integer);
}

// A comparison as: axis(which) < point is `below`.
struct Cut {
  std::int64_t point;
  bool below;
};

std::optional<Cut> cut_of(const ScalarRef& s, int which) {
  if (s->kind != Scalar::Kind::apply || s->args.size() != 2) return std::nullopt;
  Opcode op = s->op;
  ScalarRef a = s->args[0], b = s->args[1];
  if (a->kind == Scalar::Kind::number) {
    std::swap(a, b);
    op = op == Opcode::lt   ? Opcode::gt
         : op == Opcode::le ? Opcode::ge
         : op == Opcode::gt ? Opcode::lt
         : op == Opcode::ge ? Opcode::le
                            : op;
  }
  if (b->kind != Scalar::Kind::number || is_float(b->dtype)) return std::nullopt;
  const auto offset = offset_of(a, which);
  if (!offset) return std::nullopt;
  const std::int64_t point = b->integer - *offset;
  switch (op) {
    case Opcode::lt: return Cut{point, true};
    case Opcode::le: return Cut{point + 1, true};
    case Opcode::gt: return Cut{point + 1, false};
    case Opcode::ge: return Cut{point, false};
    default: return std::nullopt;
  }
}

// Visits what is computed whatever branches are taken.
void visit_top(const ScalarRef& s, const std::function<bool(const ScalarRef&)>& see) {
  if (!s || see(s)) return;
  if (is(s, Opcode::select) || is(s, Opcode::logical_and) || is(s, Opcode::logical_or)) {
    visit_top(s->args[0], see);
    return;
  }
  for (const ScalarRef& arg : s->args) visit_top(arg, see);
}

bool varies(const ScalarRef& s) {
  bool found = false;
  wave::visit(s, [&](const Scalar& x) {
    found = found || x.kind == Scalar::Kind::axis || x.kind == Scalar::Kind::bound ||
            x.kind == Scalar::Kind::item;
  });
  return found;
}

}  // namespace

ScalarRef uniform_condition(const ScalarRef& body) {
  ScalarRef found;
  visit_top(body, [&](const ScalarRef& s) {
    if (found) return true;
    if (!is(s, Opcode::select) || varies(s->args[0])) return false;
    found = s->args[0];
    return true;
  });
  return found;
}

std::int64_t split_point(const ScalarRef& body, int which, std::int64_t begin, std::int64_t end) {
  std::int64_t found = -1;
  visit_top(body, [&](const ScalarRef& s) {
    if (found >= 0) return true;
    if (is(s, Opcode::logical_and) || is(s, Opcode::logical_or)) {
      for (const ScalarRef& arg : s->args)
        if (const auto cut = cut_of(arg, which); cut && cut->point > begin && cut->point < end)
          found = cut->point;
      return found >= 0;
    }
    const auto cut = cut_of(s, which);
    if (cut && cut->point > begin && cut->point < end) found = cut->point;
    return found >= 0;
  });
  return found;
}

ScalarRef assuming(const ScalarRef& body, const ScalarRef& condition, bool holds) {
  return wave::rewrite(body, [&](const ScalarRef& s) -> ScalarRef {
    return wave::equal(s, condition) ? wave::integer(holds, Dtype::boolean) : nullptr;
  });
}

ScalarRef within(const ScalarRef& body, int which, std::int64_t begin, std::int64_t end) {
  return wave::rewrite(body, [&](const ScalarRef& s) -> ScalarRef {
    const auto cut = cut_of(s, which);
    if (!cut) return nullptr;
    if (end <= cut->point) return wave::integer(cut->below, Dtype::boolean);
    if (begin >= cut->point) return wave::integer(!cut->below, Dtype::boolean);
    return nullptr;
  });
}

}  // namespace espalier::to_loop

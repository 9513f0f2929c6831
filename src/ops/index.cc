#include "ops/index.h"

#include <fmt/format.h>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/arrays.h"
#include "ops/bounds.h"
#include "ops/rules.h"
#include "ops/terms.h"
#include "ops/use.h"

namespace espalier::ops {
namespace {

bool is_integer_scalar(const fun::Type& type) {
  return type.kind == fun::Type::Kind::index ||
         (type.kind == fun::Type::Kind::tensor && type.shape.empty() && is_integer(type.dtype));
}

fun::Dim from_front(const fun::Dim& written, const fun::Dim& length) {
  return written.value() < 0 ? length + written : written;
}

std::string written(const std::optional<fun::Dim>& dim) {
  return dim ? fmt::format("{}", dim->value()) : "";
}

bool resolve_slice(Subscript& s, const fun::Dim& length, Diagnostics& diagnostics) {
  const std::string text = written(s.begin) + ":" + written(s.end);
  s.step = s.step.value_or(fun::Dim(1));
  s.begin = from_front(s.begin.value_or(fun::Dim(0)), length);
  s.end = s.end ? from_front(*s.end, length) : length;
  if (s.step->value() <= 0) {
    diagnostics.error(
        Kind::slice_range, s.loc,
        fmt::format("a slice's step is positive, not {}; use flip to turn an axis round",
                    dim_text(*s.step)));
    return false;
  }
  if (s.begin->value() >= 0 && s.begin->value() <= s.end->value() &&
      s.end->value() <= length.value())
    return true;
  diagnostics.error(
      Kind::slice_range, s.loc,
      fmt::format("the slice {} does not lie within an axis of {}", text, dim_text(length)));
  return false;
}

bool resolve_literal(Subscript& s, const fun::Dim& length, Diagnostics& diagnostics) {
  const fun::Dim index = from_front(*s.literal, length);
  if (index.value() >= 0 && index.value() < length.value()) {
    s.literal = index;
    return true;
  }
  diagnostics.error(
      Kind::index_out_of_range, s.loc,
      fmt::format("there is no index {} on an axis of {}", s.literal->value(), dim_text(length)));
  return false;
}

bool check_computed(const Subscript& s, const fun::TypeRef& base, Diagnostics& diagnostics) {
  if (is_integer_scalar(*s.type)) return true;
  const bool tensor = s.type->kind == fun::Type::Kind::tensor && is_integer(s.type->dtype);
  diagnostics.error(Kind::not_integers, s.loc,
                    fmt::format("{} is indexed with integers but got {}{}", fun::show(*base),
                                fun::show(*s.type), tensor ? "; use take(x, indices)" : ""));
  return false;
}

fun::Dim slice_length(const Subscript& s) {
  if (*s.step == fun::Dim(1)) return *s.end - *s.begin;
  return floor_div(*s.end - *s.begin + *s.step - fun::Dim(1), *s.step);
}

}  // namespace

Result<Indexed> infer_index(const fun::TypeRef& base, const std::vector<Subscript>& written_ones,
                            Loc loc, Diagnostics& diagnostics) {
  if (base->kind != fun::Type::Kind::tensor) {
    diagnostics.error(Kind::not_a_tensor, loc,
                      fmt::format("only tensors are indexed, but this is {}", fun::show(*base)));
    return Failed{};
  }
  if (written_ones.size() > base->shape.size()) {
    const std::size_t rank = base->shape.size();
    diagnostics.error(Kind::index_count, written_ones[rank].loc,
                      rank == 0
                          ? fmt::format("{} has no axes to index", fun::show(*base))
                          : fmt::format("{} indices for {}, which has {} {}", written_ones.size(),
                                        fun::show(*base), rank, rank == 1 ? "axis" : "axes"));
    return Failed{};
  }
  Indexed made{written_ones, nullptr};
  Shape shape;
  for (std::size_t k = 0; k < base->shape.size(); ++k) {
    const fun::Dim& length = base->shape[k];
    if (k >= made.subscripts.size()) {
      shape.push_back(length);
      continue;
    }
    Subscript& s = made.subscripts[k];
    const bool fine = s.slice     ? resolve_slice(s, length, diagnostics)
                      : s.literal ? resolve_literal(s, length, diagnostics)
                                  : check_computed(s, base, diagnostics);
    if (!fine) return Failed{};
    if (s.slice) shape.push_back(slice_length(s));
  }
  made.result = fun::tensor(base->dtype, shape);
  return made;
}

std::vector<Subscript> subscripts_of(const fun::Expr& e) {
  require(e.kind == fun::Expr::Kind::index, "subscripts of something that is no index");
  const Shape& lengths = e.parts[0]->type->shape;
  std::vector<Subscript> found;
  for (std::size_t k = 0; k < e.indices.size(); ++k) {
    const fun::Index& index = e.indices[k];
    const auto bound = [](const fun::ExprRef& given, const fun::Dim& fallback) {
      return given ? option_of(*given).dim : fallback;
    };
    Subscript s;
    s.slice = index.slice;
    if (s.slice) {
      s.begin = bound(index.begin, fun::Dim(0));
      s.end = bound(index.end, lengths[k]);
      s.step = bound(index.step, fun::Dim(1));
    } else {
      s.type = index.at->type;
      s.loc = index.at->loc;
      if (index.at->kind == fun::Expr::Kind::number) s.literal = option_of(*index.at).dim;
    }
    found.push_back(s);
  }
  return found;
}

std::vector<fun::ExprRef> computed_indices(const fun::Expr& e) {
  std::vector<fun::ExprRef> found;
  for (const fun::Index& index : e.indices)
    if (!index.slice && index.at->kind != fun::Expr::Kind::number) found.push_back(index.at);
  return found;
}

std::optional<Tensor> evaluate_index(const Tensor& base, const std::vector<Subscript>& subscripts,
                                     const std::vector<std::int64_t>& indices) {
  Extents shape, start = base.shape, step = base.shape;
  std::vector<std::size_t> kept;  // axes of the base
  std::size_t next = 0;
  for (std::size_t k = 0; k < base.shape.size(); ++k) {
    start[k] = 0;
    step[k] = 1;
    if (k < subscripts.size() && !subscripts[k].slice) {
      const Subscript& s = subscripts[k];
      start[k] = s.literal ? s.literal->value() : indices.at(next++);
      if (start[k] < 0 || start[k] >= base.shape[k]) return std::nullopt;
      continue;
    }
    kept.push_back(k);
    shape.push_back(base.shape[k]);
    if (k >= subscripts.size()) continue;
    start[k] = subscripts[k].begin->value();
    step[k] = subscripts[k].step->value();
    shape.back() = slice_length(subscripts[k]).value();
  }
  return tabulate(base.dtype, shape, [&](const Extents& index) {
    Extents place = start;
    for (std::size_t k = 0; k < kept.size(); ++k) place[kept[k]] += index[k] * step[kept[k]];
    return at(base, place);
  });
}

Term lower_index(const Term& base, const std::vector<Subscript>& subscripts,
                 const std::vector<Term>& indices, Lowering& lowering) {
  struct Axis {
    bool kept;
    wave::ScalarRef begin, step;
  };
  std::vector<Axis> axes;
  Term made{base.dtype, {}, nullptr};
  std::size_t next = 0;
  for (std::size_t k = 0; k < base.shape.size(); ++k) {
    if (k >= subscripts.size()) {
      axes.push_back({true, wave::integer(0), wave::integer(1)});
      made.shape.push_back(base.shape[k]);
      continue;
    }
    const Subscript& s = subscripts[k];
    if (s.slice) {
      axes.push_back({true, wave::integer(s.begin->value()), wave::integer(s.step->value())});
      made.shape.push_back(slice_length(s).value());
    } else if (s.literal) {
      axes.push_back({false, wave::integer(s.literal->value()), nullptr});
    } else {
      const Term index = bounded(*s.type, indices.at(next++), base.shape[k], lowering);
      axes.push_back({false, index.at({}), nullptr});
    }
  }
  made.at = [=](const Indices& index) {
    Indices own;
    std::size_t from = 0;
    for (const Axis& axis : axes) {
      if (!axis.kept) {
        own.push_back(axis.begin);
        continue;
      }
      const wave::ScalarRef scaled = wave::apply(Opcode::mul, {index[from++], axis.step});
      own.push_back(wave::apply(Opcode::add, {scaled, axis.begin}));
    }
    return base.at(own);
  };
  return made;
}

}  // namespace espalier::ops

#include "ops/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/bug.h"
#include "base/kinds.h"
#include "ops/scalar_eval.h"

namespace espalier::ops {
namespace {

// How to get at the tensors in a value of `type`.
std::string taken_apart(const Use& use, const fun::Type& type) {
  const bool call = std::isalpha(static_cast<unsigned char>(use.op->name[0]));
  switch (type.kind) {
    case fun::Type::Kind::list:
      return use.types.size() == 1 && call
                 ? fmt::format("; write [{}(x) for x in ..]", use.op->name)
                 : "; go through it with [.. for x in ..]";
    case fun::Type::Kind::tuple:
      return type.names.empty() ? "; take one of its fields"
                                : fmt::format("; take a field, as in .{}", type.names[0]);
    case fun::Type::Kind::data: return "; take it apart with match, or call a function on it";
    default: return "";
  }
}

// The cast that would make an operand of integers or bools fit.
std::string cast_hint(const Use& use) {
  if (use.op->name == "/") return "use '//', or cast(x, f32) first";
  return fmt::format("write {}(cast(x, f32){})", use.op->name, use.types.size() > 1 ? ", .." : "");
}

}  // namespace

Loc loc_of(const Use& use, std::size_t operand) {
  return operand < use.locs.size() ? use.locs[operand] : use.loc;
}

std::string type_text(const Use& use, std::size_t operand) {
  return fun::show(*use.types[operand]);
}

std::string dim_text(const fun::Dim& dim) { return fun::show(dim); }

Result<Operand> operand_of(const Use& use, std::size_t which, Diagnostics& diagnostics) {
  const fun::Type& type = *use.types[which];
  if (type.kind == fun::Type::Kind::tensor) return Operand{type.dtype, type.shape};
  if (type.kind == fun::Type::Kind::index) return Operand{Dtype::i64, {}};
  diagnostics.error(Kind::not_a_tensor, loc_of(use, which),
                    fmt::format("'{}' takes tensors but got {}{}", use.op->name, fun::show(type),
                                taken_apart(use, type)));
  return Failed{};
}

Result<std::vector<Operand>> operands_of(const Use& use, Diagnostics& diagnostics) {
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < use.types.size(); ++k) {
    Result<Operand> operand = operand_of(use, k, diagnostics);
    if (!operand) return Failed{};
    operands.push_back(*operand);
  }
  return operands;
}

Result<std::vector<Operand>> operands_of(const Use& use, Accept accept, Diagnostics& diagnostics) {
  Result<std::vector<Operand>> operands = operands_of(use, diagnostics);
  if (!operands || !check_same_dtype(use, *operands, diagnostics)) return Failed{};
  const bool fine = accept == Accept::floats ? check_floats(use, *operands, diagnostics)
                                             : check_numbers(use, *operands, diagnostics);
  if (!fine) return Failed{};
  return operands;
}

bool check_same_dtype(const Use& use, const std::vector<Operand>& operands,
                      Diagnostics& diagnostics) {
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k].dtype == operands[0].dtype) continue;
    diagnostics.error(Kind::dtype_mismatch, use.loc,
                      fmt::format("'{}' got {} and {}; write cast(x, {}) to make them the same",
                                  use.op->name, type_text(use, 0), type_text(use, k),
                                  dtype_name(operands[is_float(operands[0].dtype) ? 0 : k].dtype)));
    return false;
  }
  return true;
}

bool check_floats(const Use& use, const std::vector<Operand>& operands, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (is_float(operands[k].dtype)) continue;
    diagnostics.error(Kind::not_real, loc_of(use, k),
                      fmt::format("'{}' takes real numbers but got {}; {}", use.op->name,
                                  type_text(use, k), cast_hint(use)));
    return false;
  }
  return true;
}

bool check_numbers(const Use& use, const std::vector<Operand>& operands, Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].dtype != Dtype::boolean) continue;
    diagnostics.error(
        Kind::not_numbers, loc_of(use, k),
        fmt::format("'{}' takes numbers but got {}; write cast(x, f32) or cast(x, i64)",
                    use.op->name, type_text(use, k)));
    return false;
  }
  return true;
}

bool check_rank(const Use& use, std::size_t which, const Operand& operand, int rank,
                Diagnostics& diagnostics) {
  if (operand.rank() == rank) return true;
  const std::string wanted = rank == 0   ? "a scalar"
                             : rank == 1 ? "a vector"
                             : rank == 2 ? "a matrix"
                                         : fmt::format("a tensor of {} axes", rank);
  diagnostics.error(
      Kind::wrong_rank, loc_of(use, which),
      fmt::format("'{}' takes {} here but got {}", use.op->name, wanted, type_text(use, which)));
  return false;
}

bool check_same_shape(const Use& use, const std::vector<Operand>& operands,
                      Diagnostics& diagnostics) {
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k].shape == operands[0].shape) continue;
    diagnostics.error(Kind::shape_mismatch, use.loc,
                      fmt::format("'{}' takes operands of one shape but got {} and {}",
                                  use.op->name, type_text(use, 0), type_text(use, k)));
    return false;
  }
  return true;
}

const fun::Dim& named_one(const fun::Dim& a, const fun::Dim& b) { return a.is_literal() ? b : a; }

Result<Shape> broadcast(const Use& use, const std::vector<Shape>& shapes,
                        Diagnostics& diagnostics) {
  Shape result;
  const fun::Dim one(1);
  for (const Shape& shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), one);
    const std::size_t skipped = result.size() - shape.size();
    for (std::size_t k = 0; k < shape.size(); ++k) {
      fun::Dim& dim = result[k + skipped];
      if (shape[k] == dim) {
        dim = named_one(dim, shape[k]);
      } else if (dim == one) {
        dim = shape[k];
      } else if (!(shape[k] == one)) {
        std::string types;
        for (std::size_t t = 0; t < use.types.size(); ++t)
          types += (t == 0 ? "" : t + 1 == use.types.size() ? " and " : ", ") + type_text(use, t);
        diagnostics.error(Kind::shape_mismatch, use.loc,
                          fmt::format("'{}' cannot broadcast {} together: {} against {}",
                                      use.op->name, types, dim_text(dim), dim_text(shape[k])));
        return Failed{};
      }
    }
  }
  return result;
}

// ---- Options

const Option* option(const Use& use, std::string_view name) {
  const auto found = use.options.find(std::string(name));
  return found == use.options.end() ? nullptr : &found->second;
}

double number_or(const Use& use, std::string_view name, double fallback) {
  const Option* given = option(use, name);
  return given ? given->number : fallback;
}

double rounded_option(const Use& use, std::string_view name, double fallback, Dtype dtype) {
  const double value = number_or(use, name, fallback);
  return is_float(dtype) ? convert(real(value), dtype).f : value;
}

bool flag(const Use& use, std::string_view name) { return number_or(use, name, 0) != 0; }

bool check_number(const Use& use, std::string_view name, Diagnostics& diagnostics) {
  const Option* given = option(use, name);
  if (!given || (!given->is_list && given->text.empty())) return true;
  diagnostics.error(Kind::bad_option, given->loc,
                    fmt::format("'{}' takes a literal number as '{}'", use.op->name, name));
  return false;
}

Result<Shape> integers_option(const Use& use, std::string_view name, Diagnostics& diagnostics) {
  const Option& given = *option(use, name);
  const std::vector<Option> items = given.is_list ? given.list : std::vector<Option>{given};
  Shape found;
  for (const Option& item : items) {
    if (item.is_list || !item.integral || !item.text.empty()) {
      diagnostics.error(Kind::bad_option, given.loc,
                        fmt::format("'{}' takes literal integers as '{}'", use.op->name, name));
      return Failed{};
    }
    found.push_back(item.dim);
  }
  return found;
}

Result<Shape> shape_option(const Use& use, std::string_view name, Diagnostics& diagnostics) {
  Result<Shape> shape = integers_option(use, name, diagnostics);
  if (!shape) return shape;
  for (const fun::Dim& dim : *shape) {
    if (!dim.bound() || dim.value() >= 0) continue;
    diagnostics.error(Kind::negative_size, option(use, name)->loc,
                      fmt::format("'{}' got {} in '{}', which cannot be negative", use.op->name,
                                  dim_text(dim), name));
    return Failed{};
  }
  return shape;
}

Result<std::vector<int>> axes_option(const Use& use, int rank, Diagnostics& diagnostics) {
  std::vector<int> axes;
  const Option* given = option(use, "axis");
  if (!given) return axes_of(use, rank);
  Result<Shape> named = integers_option(use, "axis", diagnostics);
  if (!named) return Failed{};
  for (const fun::Dim& dim : *named) {
    const std::int64_t axis = dim.value();
    if (axis < -rank || axis >= rank) {
      diagnostics.error(Kind::axis_out_of_range, given->loc,
                        fmt::format("'{}' has no axis {} here: {} has {}", use.op->name, axis,
                                    use.types.empty() ? "it" : type_text(use, 0),
                                    rank == 0   ? "no axes"
                                    : rank == 1 ? "axis 0 only"
                                                : fmt::format("axes 0 to {}", rank - 1)));
      return Failed{};
    }
    axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  }
  if (std::set<int>(axes.begin(), axes.end()).size() != axes.size()) {
    diagnostics.error(Kind::repeated_axis, given->loc,
                      fmt::format("'{}' names an axis twice", use.op->name));
    return Failed{};
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

Result<int> axis_option(const Use& use, int rank, int fallback, Diagnostics& diagnostics) {
  Use defaulted = use;
  if (!option(use, "axis")) {
    defaulted.options["axis"].integral = true;
    defaulted.options["axis"].dim = fun::Dim(fallback);
    defaulted.options["axis"].loc = use.loc;
  }
  Result<std::vector<int>> axes = axes_option(defaulted, rank, diagnostics);
  if (!axes) return Failed{};
  if (axes->size() == 1) return axes->front();
  diagnostics.error(Kind::bad_option, option(use, "axis")->loc,
                    fmt::format("'{}' takes one axis", use.op->name));
  return Failed{};
}

std::vector<int> axes_of(const Use& use, int rank) {
  std::vector<int> axes;
  if (option(use, "axis")) {
    for (const std::int64_t axis : integers_of(use, "axis"))
      axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  } else if (!use.types.empty() && use.types[0]->kind == fun::Type::Kind::list) {
    axes.push_back(0);
  } else {
    for (int k = 0; k < rank; ++k) axes.push_back(k);
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

int axis_of(const Use& use, int rank, int fallback) {
  if (option(use, "axis")) return axes_of(use, rank).at(0);
  if (!use.types.empty() && use.types[0]->kind == fun::Type::Kind::list) return 0;
  return fallback < 0 ? fallback + rank : fallback;
}

std::vector<std::int64_t> integers_of(const Use& use, std::string_view name) {
  const Option* given = option(use, name);
  require(given != nullptr, "a checked operator lacks an option");
  std::vector<std::int64_t> found;
  if (!given->is_list) return {given->dim.value()};
  for (const Option& item : given->list) found.push_back(item.dim.value());
  return found;
}

std::vector<std::int64_t> extents_of(const Shape& shape) {
  std::vector<std::int64_t> extents;
  for (const fun::Dim& dim : shape) extents.push_back(dim.value());
  return extents;
}

Dtype result_dtype(const Use& use) {
  require(use.result != nullptr, "an operator's result has no type");
  return use.result->kind == fun::Type::Kind::tensor ? use.result->dtype : Dtype::i64;
}

std::vector<std::int64_t> result_extents(const Use& use) {
  require(use.result != nullptr, "an operator's result has no type");
  return use.result->kind == fun::Type::Kind::tensor ? extents_of(use.result->shape)
                                                     : std::vector<std::int64_t>{};
}

}  // namespace espalier::ops

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/kinds.h"
#include "ops/elementwise.h"
#include "ops/rules.h"

namespace espalier::ops {

#define STRUCTURED(function) Operator function();
#include "ops/ops.def"
#undef STRUCTURED

namespace {

std::vector<Operator> every_row() {
  std::vector<Operator> rows = elementwise_operators();
#define STRUCTURED(function) rows.push_back(function());
#include "ops/ops.def"
#undef STRUCTURED
  return rows;
}

const std::vector<Operator>& table() {
  static const std::vector<Operator> rows = every_row();
  return rows;
}

// "split(a, sections, axis=)", for messages; only "" of what is written between its operands.
std::string signature(const Operator& op) {
  if (!std::isalpha(static_cast<unsigned char>(op.name[0]))) return "";
  std::vector<std::string> parts;
  const int shown = op.max_args == any_number ? op.min_args : op.max_args;
  for (int i = 0; i < shown; ++i) parts.emplace_back(1, static_cast<char>('a' + i));
  if (op.max_args == any_number) parts.emplace_back("..");
  const bool text_first = !op.literals.empty() && op.literals[0] == "equation";
  parts.insert(text_first ? parts.begin() : parts.end(), op.literals.begin(), op.literals.end());
  for (const std::string_view name : op.options) parts.push_back(std::string(name) + "=");
  return fmt::format(": {}({})", op.name, fmt::join(parts, ", "));
}

std::string counted(int n) { return fmt::format("{} operand{}", n, n == 1 ? "" : "s"); }

bool check_count(const Use& use, Diagnostics& diagnostics) {
  const Operator& op = *use.op;
  const int given = static_cast<int>(use.types.size());
  if (given >= op.min_args && given <= op.max_args) return true;
  const std::string wanted = op.max_args == any_number ? "at least " + counted(op.min_args)
                             : op.min_args == op.max_args
                                 ? counted(op.min_args)
                                 : fmt::format("{} or {}", op.min_args, counted(op.max_args));
  const bool more = given > op.max_args;
  diagnostics.error(
      Kind::operand_count, more ? loc_of(use, static_cast<std::size_t>(op.max_args)) : use.loc,
      fmt::format("'{}' takes {} but got {}{}", op.name, wanted, given, signature(op)));
  return false;
}

bool check_options(const Use& use, Diagnostics& diagnostics) {
  std::vector<std::string> known(use.op->literals.begin(), use.op->literals.end());
  known.insert(known.end(), use.op->options.begin(), use.op->options.end());
  for (const auto& [name, given] : use.options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = did_you_mean(name, known);
    diagnostics.error(Kind::unknown_argument_name,
                      given.name_loc.file < 0 ? given.loc : given.name_loc,
                      fmt::format("'{}' has no option '{}'{}", use.op->name, name,
                                  near.empty() ? signature(*use.op) : near));
    return false;
  }
  return true;
}

// Stacked items keep an axis of this name, which no dim of a model can have.
constexpr const char* items = "number of items";

Result<fun::TypeRef> over_list(const Use& use, Diagnostics& diagnostics) {
  const fun::TypeRef item = use.types[0]->parts[0];
  Use stacked = use;
  stacked.types[0] = item;
  Result<Operand> operand = operand_of(stacked, 0, diagnostics);
  if (!operand) return Failed{};
  if (const Option* axis = option(use, "axis")) {
    diagnostics.error(
        Kind::axis_of_list, axis->name_loc.file < 0 ? axis->loc : axis->name_loc,
        fmt::format("'{}' of a list goes over its items and takes no axis", use.op->name));
    return Failed{};
  }
  Shape shape = operand->shape;
  shape.insert(shape.begin(), fun::Dim::named(items));
  stacked.types[0] = fun::tensor(operand->dtype, shape);
  Option first;
  first.integral = true;
  first.dim = fun::Dim(0);
  stacked.options["axis"] = first;
  Result<fun::TypeRef> result = use.op->type(stacked, diagnostics);
  if (!result) return result;
  const auto unbound = [](const fun::TypeRef& t) {
    return !t->shape.empty() && !t->shape[0].bound();
  };
  if ((*result)->kind == fun::Type::Kind::index && unbound(*result)) return fun::scalar(Dtype::i64);
  if (!unbound(*result)) return result;
  shape.assign((*result)->shape.begin() + 1, (*result)->shape.end());
  return fun::list_of(fun::tensor((*result)->dtype, shape));
}

}  // namespace

const std::vector<const Operator*>& all() {
  static const std::vector<const Operator*> rows = [] {
    std::vector<const Operator*> found;
    for (const Operator& row : table()) found.push_back(&row);
    return found;
  }();
  return rows;
}

const Operator* find(std::string_view name) {
  static const std::map<std::string_view, const Operator*> by_name = [] {
    std::map<std::string_view, const Operator*> found;
    for (const Operator& row : table()) found.emplace(row.name, &row);
    return found;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

Result<fun::TypeRef> infer(const Use& use, Diagnostics& diagnostics) {
  if (!check_count(use, diagnostics) || !check_options(use, diagnostics)) return Failed{};
  for (std::string_view name : use.op->literals) {
    if (option(use, name) || use.op->optional_literals) continue;
    diagnostics.error(
        Kind::missing_literal, use.loc,
        fmt::format("'{}' lacks its argument '{}'{}", use.op->name, name, signature(*use.op)));
    return Failed{};
  }
  if (use.op->over_lists && use.types[0]->kind == fun::Type::Kind::list)
    return over_list(use, diagnostics);
  return use.op->type(use, diagnostics);
}

}  // namespace espalier::ops

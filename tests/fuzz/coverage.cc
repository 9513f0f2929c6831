#include "tests/fuzz/coverage.h"

#include <fmt/format.h>

#include "eval/recursion.h"
#include "ops/op.h"
#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

using fun::Expr;

namespace {

const char* kind_name(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::variable: return "variable";
    case Expr::Kind::number: return "number";
    case Expr::Kind::text: return "text";
    case Expr::Kind::block: return "block";
    case Expr::Kind::tuple: return "tuple";
    case Expr::Kind::field: return "field";
    case Expr::Kind::conditional: return "conditional";
    case Expr::Kind::match: return "match";
    case Expr::Kind::lambda: return "lambda";
    case Expr::Kind::call: return "call";
    case Expr::Kind::op: return "op";
    case Expr::Kind::construct: return "construct";
    case Expr::Kind::list: return "list";
    case Expr::Kind::each: return "each";
    case Expr::Kind::index: return "index";
  }
  return "";
}

const std::vector<std::string> list_operators = {"fold", "scan",      "reverse",
                                                 "len",  "enumerate", "zip"};

bool over_list(const Expr& e) {
  return !e.parts.empty() && e.parts[0]->type && e.parts[0]->type->kind == fun::Type::Kind::list;
}

}  // namespace

Coverage::Coverage() {
  for (const ops::Operator* op : ops::all()) {
    counts_["operator"][std::string(op->name)];
    if (op->over_lists) counts_["of a list"][std::string(op->name)];
  }
  counts_["operator"]["- (one operand)"];
  for (const std::string& name : list_operators) counts_["of a list"][name];
  for (int k = 0; k <= static_cast<int>(Expr::Kind::index); ++k)
    counts_["expression"][kind_name(static_cast<Expr::Kind>(k))];
  for (const std::string& name : all_features()) counts_["feature"][name];
}

void Coverage::count_syntax(const fun::Module& module) {
  for (const fun::Function& f : module.functions)
    eval::each_expr(f.body, [&](const Expr& e) { ++counts_["expression"][kind_name(e.kind)]; });
}

void Coverage::count_operators(const fun::Module& module) {
  for (const fun::Function& f : module.functions)
    eval::each_expr(f.body, [&](const Expr& e) {
      if (e.kind != Expr::Kind::op) return;
      const bool listed = counts_["of a list"].count(e.name) != 0;
      if (listed && (over_list(e) || e.name == "fold" || e.name == "scan"))
        ++counts_["of a list"][e.name];
      else if (e.name == "-" && e.parts.size() == 1)
        ++counts_["operator"]["- (one operand)"];
      else
        ++counts_["operator"][e.name];
    });
}

std::string Coverage::table() const {
  std::string out;
  for (const auto& [group, rows] : counts_) {
    std::size_t seen = 0;
    std::string line;
    for (const auto& [name, count] : rows) {
      seen += count > 0;
      line += fmt::format("  {} {}", name, count);
    }
    out += fmt::format("{}: {} of {} ({:.0f} %)\n {}\n", group, seen, rows.size(),
                       100.0 * static_cast<double>(seen) / static_cast<double>(rows.size()), line);
  }
  return out;
}

std::vector<std::string> Coverage::missing() const {
  std::vector<std::string> out;
  for (const auto& [group, rows] : counts_)
    for (const auto& [name, count] : rows)
      if (count == 0) out.push_back(group + ": " + name);
  return out;
}

}  // namespace espalier::fuzz

#include "fun/notation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/bug.h"
#include "base/numbers.h"
#include "fun/walk.h"

namespace espalier::fun {

namespace {

// How tightly the rules of the grammar bind: what stands where a rule is asked for has at least its
// level, or parentheses.
enum Level { whole, or_, and_, not_, compare, sum, product, unary, power, postfix, atom };

struct Infix {
  Level own, left, right;
};

const Infix* find_infix(const std::string& name) {
  static const std::map<std::string, Infix> table = {
      {"or", {or_, or_, and_}},          {"and", {and_, and_, not_}},
      {"==", {compare, sum, sum}},       {"!=", {compare, sum, sum}},
      {"<", {compare, sum, sum}},        {"<=", {compare, sum, sum}},
      {">", {compare, sum, sum}},        {">=", {compare, sum, sum}},
      {"+", {sum, sum, product}},        {"-", {sum, sum, product}},
      {"*", {product, product, unary}},  {"/", {product, product, unary}},
      {"//", {product, product, unary}}, {"%", {product, product, unary}},
      {"@", {product, product, unary}},  {"**", {power, postfix, unary}},
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

bool is_filled(const std::string& name) {
  return name == "zeros" || name == "ones" || name == "iota";
}

struct Text {
  std::string text;
  Level level;
};

Text write(const Expr&);

std::string at_least(Level level, const Expr& expr) {
  const Text out = write(expr);
  return out.level >= level ? out.text : '(' + out.text + ')';
}

std::string comma(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

template <class T, class F>
std::string joined(const std::vector<T>& all, F text) {
  std::vector<std::string> parts;
  for (const T& one : all) parts.push_back(text(one));
  return comma(parts);
}

std::string whole_text(const ExprRef& expr) { return at_least(whole, *expr); }

std::string each_text(const Expr& expr) {
  return whole_text(expr.parts[0]) + " for " + notation(*expr.params[0]) + " in " +
         whole_text(expr.parts[1]);
}

// The parenthesized arguments from part `first` on.
std::string arguments(const Expr& expr, std::size_t first) {
  if (expr.options.empty() && expr.parts.size() == first + 1 &&
      expr.parts[first]->kind == Expr::Kind::each)
    return '(' + each_text(*expr.parts[first]) + ')';
  std::vector<std::string> parts;
  for (std::size_t i = first; i < expr.parts.size(); ++i)
    parts.push_back(whole_text(expr.parts[i]));
  for (const auto& [name, value] : expr.options) parts.push_back(name + '=' + whole_text(value));
  return '(' + comma(parts) + ')';
}

Text write_op(const Expr& expr) {
  const Infix* infix = find_infix(expr.name);
  if (infix && expr.parts.size() == 2 && expr.options.empty())
    return {at_least(infix->left, *expr.parts[0]) + ' ' + expr.name + ' ' +
                at_least(infix->right, *expr.parts[1]),
            infix->own};
  if (expr.name == "not") return {"not " + at_least(compare, *expr.parts[0]), not_};
  if (expr.name == "-") {
    // -(3), since -3 is a number of its own.
    const bool number = expr.parts[0]->kind == Expr::Kind::number;
    const std::string operand =
        number ? '(' + whole_text(expr.parts[0]) + ')' : at_least(power, *expr.parts[0]);
    return {'-' + operand, unary};
  }
  const bool shaped = expr.parts.empty() && expr.options.size() == 1 &&
                      expr.options[0].first == "shape" &&
                      expr.options[0].second->kind == Expr::Kind::list;
  if (is_filled(expr.name) && shaped)
    return {expr.name + '[' + joined(expr.options[0].second->parts, whole_text) + ']', postfix};
  return {expr.name + arguments(expr, 0), postfix};
}

std::string index_text(const Index& index) {
  if (!index.slice) return whole_text(index.at);
  const auto bound = [](const ExprRef& expr) { return expr ? whole_text(expr) : std::string(); };
  return bound(index.begin) + ':' + bound(index.end) +
         (index.step ? ':' + whole_text(index.step) : std::string());
}

std::string tuple_text(const Expr& expr) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < expr.parts.size(); ++i)
    fields.push_back((expr.names.empty() ? "" : expr.names[i] + " = ") + whole_text(expr.parts[i]));
  const bool one = fields.size() == 1 && expr.names.empty();
  return '(' + comma(fields) + (one ? ",)" : ")");
}

Text write(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::variable: return {expr.name, atom};
    case Expr::Kind::number: {
      const std::string text = number_text(expr);
      return {text, text[0] == '-' ? unary : atom};
    }
    case Expr::Kind::text: return {'\'' + expr.name + '\'', atom};
    case Expr::Kind::tuple: return {tuple_text(expr), atom};
    case Expr::Kind::field: {
      const bool number = expr.parts[0]->kind == Expr::Kind::number;
      return {(number ? '(' + whole_text(expr.parts[0]) + ')' : at_least(postfix, *expr.parts[0])) +
                  '.' + expr.name,
              postfix};
    }
    case Expr::Kind::conditional:
      return {"if " + whole_text(expr.parts[0]) + " then " + whole_text(expr.parts[1]) + " else " +
                  whole_text(expr.parts[2]),
              whole};
    case Expr::Kind::lambda:
      return {"fun (" + joined(expr.params, [](const PatternRef& p) { return notation(*p); }) +
                  ") -> " + whole_text(expr.parts[0]),
              whole};
    case Expr::Kind::call:
      if (!expr.name.empty()) return {expr.name + arguments(expr, 0), postfix};
      return {at_least(postfix, *expr.parts[0]) + arguments(expr, 1), postfix};
    case Expr::Kind::op: return write_op(expr);
    case Expr::Kind::construct:
      return {expr.type_name + '.' + expr.name + arguments(expr, 0), postfix};
    case Expr::Kind::list: return {'[' + joined(expr.parts, whole_text) + ']', atom};
    case Expr::Kind::each: return {'[' + each_text(expr) + ']', atom};
    case Expr::Kind::index:
      return {at_least(postfix, *expr.parts[0]) + '[' + joined(expr.indices, index_text) + ']',
              postfix};
    case Expr::Kind::block:
    case Expr::Kind::match: break;
  }
  throw Bug("a block or match has no notation as a string");
}

bool is_literal(const Expr& expr) {
  return expr.kind == Expr::Kind::number || (expr.kind == Expr::Kind::op && is_filled(expr.name)) ||
         (expr.kind == Expr::Kind::index && is_filled(expr.parts[0]->name));
}

bool has_own_dtype(const Expr& expr, bool checked) {
  if (!expr.type || !is_literal(expr) || expr.type->kind != Type::Kind::tensor ||
      expr.type->dtype == Dtype::boolean)
    return false;
  return !checked || expr.type->dtype != Dtype::f32;
}

// Whether an operand of `parent` other than a literal has the dtype.
bool shows(const Expr& parent, Dtype dtype) {
  return parent.kind == Expr::Kind::op &&
         std::any_of(parent.parts.begin(), parent.parts.end(), [&](const ExprRef& part) {
           return !is_literal(*part) && part->type && part->type->kind == Type::Kind::tensor &&
                  part->type->dtype == dtype;
         });
}

void collect(const ExprRef& expr, bool checked, OwnDtypes* out) {
  const auto look = [&](const ExprRef& child) {
    if (has_own_dtype(*child, checked) && !(checked && shows(*expr, child->type->dtype)))
      out->insert(child.get());
    collect(child, checked, out);
  };
  for (const ExprRef& part : expr->parts) look(part);
  for (const Statement& statement : expr->statements) look(statement.value);
  for (const Case& one : expr->cases) look(one.body);
  if (checked) return;  // options and indices are plain numbers then
  for (const auto& [name, value] : expr->options) look(value);
  for (const Index& index : expr->indices)
    for (const ExprRef& part : {index.at, index.begin, index.end, index.step})
      if (part) look(part);
}

}  // namespace

OwnDtypes own_dtypes(const ExprRef& body, bool checked) {
  OwnDtypes out;
  if (has_own_dtype(*body, checked)) out.insert(body.get());
  collect(body, checked, &out);
  return out;
}

bool has_notation(const Expr& expr, const OwnDtypes& own) {
  if (expr.kind == Expr::Kind::block || expr.kind == Expr::Kind::match || own.count(&expr))
    return false;
  if (expr.kind == Expr::Kind::text && expr.name.find('\'') != std::string::npos) return false;
  const std::vector<ExprRef> inside = children(expr);
  return std::all_of(inside.begin(), inside.end(),
                     [&](const ExprRef& child) { return has_notation(*child, own); });
}

std::string number_text(const Expr& expr) {
  if (!expr.number_text.empty()) return expr.number_text;
  const bool tensor = expr.type && expr.type->kind == Type::Kind::tensor;
  if (tensor && expr.type->dtype == Dtype::boolean) return expr.number != 0 ? "true" : "false";
  const bool integral = std::abs(expr.number) <= 0x1p53 && std::floor(expr.number) == expr.number;
  if (expr.type && integral && (!tensor || is_integer(expr.type->dtype)))
    return std::to_string(static_cast<std::int64_t>(expr.number));
  const auto narrow = static_cast<float>(expr.number);
  if (tensor && expr.type->dtype == Dtype::f32 && static_cast<double>(narrow) == expr.number)
    return shortest(narrow);
  return shortest(expr.number);
}

std::string notation(const Expr& expr) { return write(expr).text; }

std::string notation(const Pattern& pattern) {
  const auto part_text = [](const PatternRef& part) { return notation(*part); };
  switch (pattern.kind) {
    case Pattern::Kind::wildcard: return "_";
    case Pattern::Kind::variable: return pattern.name;
    case Pattern::Kind::number: {
      const double value = pattern.number;
      const bool integral = std::abs(value) <= 0x1p53 && std::floor(value) == value;
      return integral ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
    }
    case Pattern::Kind::variant:
      return (pattern.type_name.empty() ? "" : pattern.type_name + '.') + pattern.name + '(' +
             joined(pattern.parts, part_text) + ')';
    case Pattern::Kind::tuple:
      return '(' + joined(pattern.parts, part_text) + (pattern.parts.size() == 1 ? ",)" : ")");
    case Pattern::Kind::list: {
      std::vector<std::string> items;
      for (std::size_t i = 0; i < pattern.parts.size(); ++i)
        items.push_back((static_cast<int>(i) == pattern.starred ? "*" : "") +
                        notation(*pattern.parts[i]));
      return '[' + comma(items) + ']';
    }
  }
  throw Bug("pattern of no kind");
}

std::string target_notation(const Statement& statement) {
  if (!statement.function_form) return notation(*statement.pattern);
  return notation(*statement.pattern) + '(' +
         joined(statement.value->params, [](const PatternRef& p) { return notation(*p); }) + ')';
}

std::string notation(const Statement& statement) {
  const Expr& value = statement.function_form ? *statement.value->parts[0] : *statement.value;
  return target_notation(statement) + " = " + notation(value);
}

}  // namespace espalier::fun

#include "tests/fuzz/expressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace espalier::fuzz {
namespace {

const char* letters = "restbcikF";

std::string sixteenth(Random& random) {
  return fmt::format("{}", (2 * random.between(-12, 11) + 1) / 16.0);
}

}  // namespace

std::string Expressions::shape_text(const Shape& shape) const {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string Expressions::type(const Shape& shape) const {
  return globals_.real + (shape.empty() ? "" : shape_text(shape));
}

std::string Expressions::param(const Shape& shape) {
  std::vector<std::string> same;
  for (const auto& [name, s] : globals_.param_shapes)
    if (s == shape) same.push_back(name);
  if (!same.empty() && (same.size() > 2 || random_.chance(0.6))) return random_.pick(same);
  const std::string name = fresh("W");
  globals_.params[name] = type(shape);
  globals_.param_shapes[name] = shape;
  return name;
}

std::vector<Var> Expressions::open(const ListVar& list, std::string* pattern) {
  const std::string name = fresh("q");
  const auto named = [&](std::string text) {
    for (std::size_t at; (at = text.find('$')) != std::string::npos;) text.replace(at, 1, name);
    return text;
  };
  *pattern = named(list.pattern);
  std::vector<Var> vars = list.item;
  for (Var& v : vars) v.text = named(v.text);
  return vars;
}

Scope Expressions::with(const Scope& scope, const std::vector<Var>& vars, bool item) {
  Scope inner = scope;
  if (item) inner.lists.clear();
  inner.statements = nullptr;
  inner.vars.insert(inner.vars.end(), vars.begin(), vars.end());
  // Likelier to be chosen than what is further out.
  inner.vars.insert(inner.vars.end(), vars.begin(), vars.end());
  return inner;
}

std::string Expressions::fill(const std::string& pattern, const Scope& scope, const Shape& shape,
                              int depth) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool hole = pattern[i] == '$' && i + 1 < pattern.size() &&
                      std::string(letters).find(pattern[i + 1]) != std::string::npos;
    if (!hole) {
      out += pattern[i];
      continue;
    }
    switch (pattern[++i]) {
      case 'r': out += real(scope, shape, depth - 1); break;
      case 'e': out += exact(scope, shape, depth - 1); break;
      case 't': out += between(scope, shape); break;
      case 'b': out += boolean(scope, shape, depth - 1); break;
      case 's': out += real(scope, {}, depth - 1); break;
      case 'c': out += boolean(scope, {}, depth - 1); break;
      case 'i': out += integer(scope, depth - 1); break;
      case 'k': out += sixteenth(random_); break;
      default: out += globals_.real; break;
    }
  }
  return out;
}

// ---- Reals

std::string Expressions::leaf(const Scope& scope, const Shape& shape) {
  std::vector<std::string> found;
  for (const Var& v : scope.vars) {
    if (v.kind != Var::Kind::real && v.kind != Var::Kind::exact) continue;
    if (v.shape == shape) found.push_back(v.text);
    if (v.shape.size() == shape.size() + 1 &&
        std::equal(shape.begin(), shape.end(), v.shape.begin() + 1))
      if (random_.chance(0.3))
        found.push_back(fmt::format("{}[{}]", v.text, random_.below(v.shape[0])));
  }
  if (!found.empty() && random_.chance(0.85)) return random_.pick(found);
  return param(shape);
}

std::string Expressions::real(const Scope& scope, const Shape& shape, int depth) {
  if (depth <= 0 || random_.chance(0.1)) return leaf(scope, shape);
  const bool shaped = shape.size() <= 2 && random_.chance(0.55);
  if (shaped) {
    const std::vector<Row>& rows = shape.empty()       ? scalars()
                                   : shape.size() == 1 ? vectors()
                                                       : matrices();
    const std::string made = choose(rows, scope, shape, depth);
    if (!made.empty()) return made;
  }
  const std::string made = choose(anywhere(), scope, shape, depth);
  return made.empty() ? leaf(scope, shape) : made;
}

// Of two rows the one that was used less; another if it does not apply.
std::string Expressions::choose(const std::vector<Row>& rows, const Scope& scope,
                                const Shape& shape, int depth) {
  for (int tries = 0; tries < 4; ++tries) {
    const Row& a = random_.pick(rows);
    const Row& b = random_.pick(rows);
    const Row& row = globals_.used[a.name] <= globals_.used[b.name] ? a : b;
    const std::string made = row.pattern ? fill(row.pattern, scope, shape, depth)
                                         : (this->*row.make)(scope, shape, depth);
    if (made.empty()) continue;
    ++globals_.used[row.name];
    return made;
  }
  return "";
}

// ---- Exact numbers

std::string Expressions::exact(const Scope& scope, const Shape& shape, int depth) {
  std::vector<std::string> found;
  for (const Var& v : scope.vars) {
    if (v.kind != Var::Kind::exact) continue;
    if (v.shape == shape) found.push_back(v.text);
    if (shape.empty() && v.shape.size() == 1)
      found.push_back(fmt::format("{}[{}]", v.text, random_.below(v.shape[0])));
  }
  const bool some = !found.empty();
  if (depth > 0 && random_.chance(0.6)) {
    const char* patterns[] = {"($e + $e)", "($e - $e)",       "(0.5 * $e)", "(-$e)",
                              "abs($e)",   "maximum($e, $e)", "relu($e)"};
    return fill(patterns[random_.below(7)], scope, shape, depth);
  }
  if (some && random_.chance(0.85)) return random_.pick(found);
  const std::string name = fresh("C");
  std::vector<double> values(1, 0);
  for (const int d : shape) values.resize(values.size() * static_cast<std::size_t>(d));
  for (double& v : values) v = random_.eighth();
  // Rows of a matrix are lists in a list.
  std::string text;
  if (shape.empty()) text = fmt::format("{}", values[0]);
  if (shape.size() == 1) text = fmt::format("[{}]", fmt::join(values, ", "));
  if (shape.size() == 2) {
    std::vector<std::string> rows;
    const auto width = static_cast<std::size_t>(shape[1]);
    for (std::size_t r = 0; r < static_cast<std::size_t>(shape[0]); ++r)
      rows.push_back(fmt::format(
          "[{}]", fmt::join(values.begin() + static_cast<long>(r * width),
                            values.begin() + static_cast<long>((r + 1) * width), ", ")));
    text = fmt::format("[{}]", fmt::join(rows, ", "));
  }
  globals_.constants[name] = fmt::format(R"({{"type": "{}", "value": {}}})", type(shape), text);
  return name;
}

std::string Expressions::between(const Scope& scope, const Shape& shape) {
  // Halving of eighths may have given sixteenths and thirty-seconds; this is finer.
  return fmt::format("({} + {})", exact(scope, shape, 1), "0.015625");
}

// ---- Integers, bools, indices

std::string Expressions::integer(const Scope& scope, int depth) {
  if (depth > 0 && random_.chance(0.7)) {
    const char* patterns[] = {"($i + $i)",
                              "($i - $i)",
                              "(3 * $i)",
                              "(-$i)",
                              "abs($i)",
                              "sign($i)",
                              "minimum($i, $i)",
                              "maximum($i, $i)",
                              "clip($i, -3, 5)",
                              "($i // 3)",
                              "($i // -2)",
                              "($i % 3)",
                              "($i % -4)",
                              "(($i % 4) ** 2)",
                              "pow($i % 3, 3)",
                              "select($c, $i, $i)",
                              "(if $c then $i else $i)",
                              "cast($t, i64)",
                              "cast(cast($t, i32), i64)",
                              "cast(cast($i % 100, i8), i64)",
                              "cast($c, i64)"};
    return fill(patterns[random_.below(21)], scope, {}, depth);
  }
  std::vector<std::string> found;
  for (const Var& v : scope.vars) {
    if (v.kind == Var::Kind::integer) found.push_back(v.text);
    if (v.kind == Var::Kind::index)
      found.push_back(fmt::format("({} + {})", v.text, random_.below(3)));
  }
  for (const ListVar& list : scope.lists) found.push_back(fmt::format("len({})", list.text));
  if (!found.empty() && random_.chance(0.8)) return random_.pick(found);
  if (random_.chance(0.5)) {
    const int d = dim();
    const char* op = random_.chance(0.5) ? "argmax" : "argmin";
    return fmt::format("({}({}) + 1)", op, exact(scope, {d}, 1));
  }
  const std::string name = fresh("C");
  globals_.constants[name] =
      fmt::format(R"({{"type": "i64", "value": {}}})", random_.between(-4, 9));
  return name;
}

std::string Expressions::boolean(const Scope& scope, const Shape& shape, int depth) {
  std::vector<std::string> found;
  if (shape.empty())
    for (const Var& v : scope.vars)
      if (v.kind == Var::Kind::boolean) found.push_back(v.text);
  if (!found.empty() && random_.chance(0.3)) return random_.pick(found);
  if (depth > 0 && random_.chance(0.4)) {
    const char* patterns[] = {"($b and $b)", "($b or $b)", "(not $b)", "($b == $b)", "($b != $b)"};
    return fill(patterns[random_.below(5)], scope, shape, depth);
  }
  const std::vector<std::string> patterns = {
      "($e < $k)",  "($e <= $k)", "($e > $k)",  "($e >= $k)",      "($t < $e)",
      "($e != $k)", "isnan($r)",  "($e == $e)", "isnan(nan * $r)", "($e < inf)"};
  if (shape.empty() && random_.chance(0.4)) {
    const std::vector<std::string> whole = {"($i == $i)", "($i != 3)", "($i < $i)",
                                            "($i <= 2)",  "($i > $i)", "($i >= $i)"};
    return fill(random_.pick(whole), scope, shape, 1);
  }
  return fill(random_.pick(patterns), scope, shape, 1);
}

std::string Expressions::index(const Scope& scope, int bound) {
  std::vector<std::string> found;
  for (const Var& v : scope.vars)
    if (v.kind == Var::Kind::index && v.bound <= bound) found.push_back(v.text);
  if (!found.empty() && random_.chance(0.7)) return random_.pick(found);
  if (random_.chance(0.5)) return fmt::format("({} % {})", integer(scope, 1), bound);
  if (bound <= 12 && random_.chance(0.6)) {
    const char* op = random_.chance(0.5) ? "argmax" : "argmin";
    return fmt::format("{}({})", op, exact(scope, {bound}, 1));
  }
  return std::to_string(random_.below(bound));
}

}  // namespace espalier::fuzz

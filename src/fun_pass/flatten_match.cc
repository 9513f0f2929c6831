#include "fun_pass/flatten_match.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "base/bug.h"
#include "base/kinds.h"
#include "fun_pass/rebuilder.h"

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;
using fun::Type;
using fun::TypeRef;

namespace {

bool is_any(const Pattern& p) {
  return p.kind == Pattern::Kind::wildcard || p.kind == Pattern::Kind::variable;
}

// [*all] alone takes any list.
bool takes_any_list(const Pattern& p) {
  return p.kind == Pattern::Kind::list && p.parts.size() == 1 && p.starred == 0;
}

PatternRef wildcard(const TypeRef& type, Loc loc) {
  auto out = fun::make_pattern(Pattern::Kind::wildcard, loc);
  out->type = type;
  return out;
}

PatternRef named(const std::string& name, const TypeRef& type, Loc loc) {
  auto out = fun::make_pattern(Pattern::Kind::variable, loc);
  out->name = name;
  out->type = type;
  return out;
}

// A case whose patterns stand for the columns still to be looked at.
struct Row {
  std::vector<PatternRef> patterns;
  std::map<std::string, ExprRef> bound;
  ExprRef body;
};

constexpr int max_leaves = 2000;

class Flattener : public Rebuilder {
 public:
  Flattener(const fun::Module& module, Diagnostics* diagnostics)
      : Rebuilder(global_names(module)), module_(module), diagnostics_(diagnostics) {}

  bool fine = true;

 private:
  using Columns = std::vector<ExprRef>;

  ExprRef rebuild_match(const Expr& e) override {
    if (!fine) return e.parts[0];
    const Expr* on = e.parts[0].get();
    Columns columns;
    std::vector<Row> rows;
    const bool all_tuples = on->kind == Expr::Kind::tuple &&
                            std::all_of(e.cases.begin(), e.cases.end(), [](const fun::Case& each) {
                              return each.pattern->kind == Pattern::Kind::tuple ||
                                     each.pattern->kind == Pattern::Kind::wildcard;
                            });
    if (all_tuples)
      for (const ExprRef& part : on->parts) columns.push_back(column(rebuild(part)));
    else
      columns.push_back(column(rebuild(e.parts[0])));
    for (const fun::Case& each : e.cases) {
      Row row{{each.pattern}, {}, each.body};
      if (all_tuples) row.patterns = each.pattern->parts;
      if (all_tuples && each.pattern->kind == Pattern::Kind::wildcard)
        for (const ExprRef& part : on->parts)
          row.patterns.push_back(wildcard(part->type, each.pattern->loc));
      rows.push_back(std::move(row));
    }
    loc_ = e.loc;
    type_ = e.type;
    return tree(columns, rows);
  }

  // A column is a variable (or a number), so that it can be matched again.
  ExprRef column(const ExprRef& value) {
    if (value->kind == Expr::Kind::variable) return value;
    const std::string name = value->kind == Expr::Kind::field ? value->name : "matched";
    auto pattern = named(fresh(name), value->type, value->loc);
    emit(pattern, value);
    return variable(pattern->name, value->type, value->loc);
  }

  ExprRef tree(const Columns& columns, std::vector<Row> rows) {
    const Loc loc = loc_;
    const TypeRef type = type_;
    require(!rows.empty(), "a match that does not cover its values");
    for (Row& row : rows) settle(columns, &row);
    const Row& first = rows[0];
    if (const auto at = next_column(first)) {
      ExprRef out;
      switch (first.patterns[*at]->kind) {
        case Pattern::Kind::tuple: out = by_tuple(*at, columns, rows); break;
        case Pattern::Kind::number: out = by_number(*at, columns, rows); break;
        case Pattern::Kind::variant: out = by_variant(*at, columns, rows); break;
        default: out = by_list(*at, columns, rows); break;
      }
      loc_ = loc;
      type_ = type;
      return out;
    }
    if (++leaves_ > max_leaves) {
      if (fine)
        diagnostics_->error(Kind::match_too_complex, loc,
                            "this match needs too many combinations of patterns; split it");
      fine = false;
      return first.body;
    }
    const Env outer = env_;
    for (const auto& [name, value] : first.bound) env_[name] = value;
    ExprRef body = rebuild(first.body);
    env_ = outer;
    loc_ = loc;
    type_ = type;
    return body;
  }

  // The first column that the row looks at; numbers, which tell least, come last.
  static std::optional<std::size_t> next_column(const Row& row) {
    std::optional<std::size_t> number;
    for (std::size_t i = 0; i < row.patterns.size(); ++i) {
      if (is_any(*row.patterns[i])) continue;
      if (row.patterns[i]->kind != Pattern::Kind::number) return i;
      if (!number) number = i;
    }
    return number;
  }

  // Variables stand for their columns.
  void settle(const Columns& columns, Row* row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      PatternRef& p = row->patterns[i];
      if (takes_any_list(*p)) p = p->parts[0];
      if (p->kind != Pattern::Kind::variable) continue;
      row->bound[p->name] = columns[i];
      p = wildcard(p->type, p->loc);
    }
  }

  // Replaces column `at` by others.
  template <class T>
  static std::vector<T> spliced(const std::vector<T>& all, std::size_t at,
                                const std::vector<T>& with) {
    std::vector<T> out(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at));
    out.insert(out.end(), with.begin(), with.end());
    out.insert(out.end(), all.begin() + static_cast<std::ptrdiff_t>(at) + 1, all.end());
    return out;
  }

  // Names the parts of a column: as the first case that names a part does, else `otherwise`. A part
  // that no case looks at is a wildcard.
  void name_parts(const std::vector<std::vector<PatternRef>>& rows,
                  const std::vector<TypeRef>& types, const std::vector<std::string>& otherwise,
                  std::vector<PatternRef>* patterns, Columns* columns) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::string name;
      bool used = false;
      for (const auto& row : rows) {
        if (row[i]->kind != Pattern::Kind::wildcard) used = true;
        if (row[i]->kind == Pattern::Kind::variable && name.empty()) name = row[i]->name;
        if (takes_any_list(*row[i]) && name.empty()) name = row[i]->parts[0]->name;
      }
      if (!used) {
        patterns->push_back(wildcard(types[i], loc_));
        columns->push_back(variable("_", types[i], loc_));
        continue;
      }
      patterns->push_back(named(fresh(name.empty() ? otherwise[i] : name), types[i], loc_));
      columns->push_back(variable(patterns->back()->name, types[i], loc_));
    }
  }

  ExprRef by_tuple(std::size_t at, const Columns& columns, const std::vector<Row>& rows) {
    const TypeRef& type = columns[at]->type;
    std::vector<std::vector<PatternRef>> parts;
    std::vector<Row> inner = rows;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type->parts.size(); ++i)
      names.push_back(type->names.empty() ? "part_" + std::to_string(i) : type->names[i]);
    for (Row& row : inner) {
      const PatternRef p = row.patterns[at];
      parts.push_back(p->parts);
      if (is_any(*p))
        for (const TypeRef& part : type->parts) parts.back().push_back(wildcard(part, p->loc));
      row.patterns = spliced(row.patterns, at, parts.back());
    }
    auto pattern = fun::make_pattern(Pattern::Kind::tuple, loc_);
    pattern->type = type;
    Columns fields;
    name_parts(parts, type->parts, names, &pattern->parts, &fields);
    emit(pattern, columns[at]);
    return tree(spliced(columns, at, fields), inner);
  }

  ExprRef by_number(std::size_t at, const Columns& columns, const std::vector<Row>& rows) {
    const PatternRef p = rows[0].patterns[at];
    auto number = fun::make(Expr::Kind::number, p->loc);
    number->number = p->number;
    if (p->number == std::floor(p->number))
      number->number_text = std::to_string(static_cast<std::int64_t>(p->number));
    const bool index = p->type->kind == Type::Kind::index;
    number->type = index ? fun::scalar(Dtype::i64) : p->type;
    auto equal = fun::make(Expr::Kind::op, p->loc);
    equal->name = "==";
    equal->parts = {columns[at], number};
    equal->type = fun::scalar(Dtype::boolean);
    std::vector<Row> yes, no;
    for (const Row& row : rows) {
      const Pattern& each = *row.patterns[at];
      if (is_any(each) || each.number == p->number) {
        yes.push_back(row);
        yes.back().patterns[at] = wildcard(p->type, p->loc);
      }
      if (is_any(each) || each.number != p->number) no.push_back(row);
    }
    // Of an index all values may be listed.
    if (no.empty()) return tree(columns, yes);
    auto out = fun::make(Expr::Kind::conditional, loc_);
    out->type = type_;
    out->parts = {equal, region([&] { return tree(columns, yes); }),
                  region([&] { return tree(columns, no); })};
    return out;
  }

  std::shared_ptr<Expr> match_on(const ExprRef& column) {
    auto out = fun::make(Expr::Kind::match, loc_);
    out->type = type_;
    out->parts = {column};
    return out;
  }

  ExprRef by_variant(std::size_t at, const Columns& columns, const std::vector<Row>& rows) {
    const auto out = match_on(columns[at]);
    const fun::DataType* data = module_.find_type(columns[at]->type->name);
    require(data != nullptr, "a pattern of an unknown data type");
    bool rest = false;
    for (const fun::Variant& variant : data->variants) {
      const bool asked = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return row.patterns[at]->kind == Pattern::Kind::variant &&
               row.patterns[at]->name == variant.name;
      });
      if (asked)
        out->cases.push_back(variant_case(variant, at, columns, rows));
      else
        rest = true;
    }
    if (!rest) return out;
    std::vector<Row> others;
    for (const Row& row : rows)
      if (is_any(*row.patterns[at])) others.push_back(row);
    out->cases.push_back(
        {wildcard(columns[at]->type, loc_), region([&] { return tree(columns, others); })});
    return out;
  }

  fun::Case variant_case(const fun::Variant& variant, std::size_t at, const Columns& columns,
                         const std::vector<Row>& rows) {
    std::vector<Row> inner;
    std::vector<std::vector<PatternRef>> parts;
    std::vector<TypeRef> types;
    std::vector<std::string> names;
    for (const fun::Named& field : variant.fields) {
      types.push_back(field.type);
      names.push_back(field.name);
    }
    for (const Row& row : rows) {
      const Pattern& p = *row.patterns[at];
      if (!is_any(p) && p.name != variant.name) continue;
      parts.push_back(p.parts);
      if (is_any(p))
        for (const TypeRef& type : types) parts.back().push_back(wildcard(type, p.loc));
      inner.push_back(row);
      inner.back().patterns = spliced(row.patterns, at, parts.back());
    }
    auto pattern = fun::make_pattern(Pattern::Kind::variant, rows[0].patterns[at]->loc);
    for (const Row& row : rows)
      if (row.patterns[at]->name == variant.name) {
        pattern->loc = row.patterns[at]->loc;
        break;
      }
    pattern->name = variant.name;
    pattern->type = columns[at]->type;
    pattern->type_name = pattern->type->name;
    const ExprRef body = region([&] {
      Columns fields;
      name_parts(parts, types, names, &pattern->parts, &fields);
      return tree(spliced(columns, at, fields), inner);
    });
    return {pattern, body};
  }

  // ---- Lists: empty, or an item and the rest

  // Whether the list is taken from its end, by the first case that has an item.
  bool from_end(std::size_t at, const std::vector<Row>& rows) {
    bool front = false, end = false;
    for (const Row& row : rows) {
      const Pattern& p = *row.patterns[at];
      if (p.kind != Pattern::Kind::list || p.starred < 0) continue;
      end = end || p.starred == 0;
      front = front || p.starred > 0;
      if (!(front && end) || !fine) continue;
      diagnostics_->error(Kind::mixed_list_ends, p.loc,
                          "the cases of one match take a list from the front and from the end");
      fine = false;
    }
    return end;
  }

  // The item and the rest of what a non-empty list has to match; nothing if it has to be empty.
  static std::vector<PatternRef> item_and_rest(const PatternRef& p, bool end) {
    const TypeRef& type = p->type;
    if (is_any(*p)) return {wildcard(type->parts[0], p->loc), wildcard(type, p->loc)};
    if (p->parts.empty()) return {};
    auto rest = std::make_shared<Pattern>(*p);
    PatternRef item;
    if (end) {
      item = p->parts.back();
      rest->parts.pop_back();
    } else {
      item = p->parts.front();
      rest->parts.erase(rest->parts.begin());
      if (rest->starred > 0) --rest->starred;
    }
    return {item, rest};
  }

  ExprRef by_list(std::size_t at, const Columns& columns, const std::vector<Row>& rows) {
    const TypeRef& type = columns[at]->type;
    const bool end = from_end(at, rows);
    if (!fine) return rows[0].body;
    std::vector<Row> empty, filled;
    std::vector<std::vector<PatternRef>> parts;
    for (const Row& row : rows) {
      const PatternRef& p = row.patterns[at];
      if (is_any(*p) || p->parts.empty()) {
        empty.push_back(row);
        empty.back().patterns[at] = wildcard(type, p->loc);
      }
      const auto taken = item_and_rest(p, end);
      if (taken.empty()) continue;
      parts.push_back(taken);
      filled.push_back(row);
      filled.back().patterns = spliced(row.patterns, at, taken);
    }
    const auto out = match_on(columns[at]);
    auto none = fun::make_pattern(Pattern::Kind::list, rows[0].patterns[at]->loc);
    none->type = type;
    // A list that is known not to be empty may lack the case; it is then never asked.
    out->cases.push_back({none, region([&] { return tree(columns, empty); })});
    auto some = fun::make_pattern(Pattern::Kind::list, none->loc);
    some->type = type;
    some->starred = end ? 0 : 1;
    const ExprRef body = region([&] {
      std::vector<PatternRef> names;
      Columns fields;
      name_parts(parts, {type->parts[0], type}, {"item", "rest"}, &names, &fields);
      some->parts = end ? std::vector<PatternRef>{names[1], names[0]} : names;
      return tree(spliced(columns, at, fields), filled);
    });
    out->cases.push_back({some, body});
    return out;
  }

  // ---- Patterns that always match, elsewhere than in a match

  static bool flat(const Pattern& p) {
    return is_any(p) || (p.kind == Pattern::Kind::tuple &&
                         std::all_of(p.parts.begin(), p.parts.end(),
                                     [](const PatternRef& part) { return is_any(*part); }));
  }

  // The rest of a block behind a pattern that is not flat is the body of a match of one case.
  ExprRef rebuild_block(const Expr& e) override {
    for (std::size_t i = 0; i < e.statements.size(); ++i) {
      const fun::Statement& statement = e.statements[i];
      if (flat(*statement.pattern)) {
        const ExprRef value = rebuild(statement.value);
        emit(bind(statement.pattern), value);
        continue;
      }
      auto rest = std::make_shared<Expr>(e);
      rest->statements.erase(rest->statements.begin(),
                             rest->statements.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return rebuild(
          single(statement.value, statement.pattern, rest->statements.empty() ? e.parts[0] : rest));
    }
    return rebuild(e.parts[0]);
  }

  static ExprRef single(const ExprRef& on, const PatternRef& pattern, const ExprRef& body) {
    auto out = fun::make(Expr::Kind::match, pattern->loc);
    out->parts = {on};
    out->cases = {{pattern, body}};
    out->type = body->type;
    return out;
  }

  // for PATTERN in xs: for item in xs, with the pattern within.
  std::pair<PatternRef, ExprRef> outside(const PatternRef& pattern, const ExprRef& body) {
    if (flat(*pattern)) return {pattern, body};
    const std::string name = "$item";
    return {named(name, pattern->type, pattern->loc),
            single(variable(name, pattern->type, pattern->loc), pattern, body)};
  }

  ExprRef rebuild_each(const Expr& e) override {
    auto flat_one = std::make_shared<Expr>(e);
    std::tie(flat_one->params[0], flat_one->parts[0]) = outside(e.params[0], e.parts[0]);
    return Rebuilder::rebuild_each(*flat_one);
  }

  ExprRef rebuild_lambda(const Expr& e) override {
    auto flat_one = std::make_shared<Expr>(e);
    for (PatternRef& param : flat_one->params)
      std::tie(param, flat_one->parts[0]) = outside(param, flat_one->parts[0]);
    return Rebuilder::rebuild_lambda(*flat_one);
  }

  const fun::Module& module_;
  Diagnostics* diagnostics_;
  Loc loc_;
  TypeRef type_;
  int leaves_ = 0;
};

}  // namespace

bool flatten_match(fun::Module& module, Diagnostics& diagnostics) {
  Flattener flattener(module, &diagnostics);
  std::vector<fun::Function> functions = module.functions;
  for (fun::Function& f : functions) f.body = flattener.function_body(f);
  if (flattener.fine) module.functions = std::move(functions);
  return flattener.fine;
}

}  // namespace espalier::fun_pass

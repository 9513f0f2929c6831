#include "fun_pass/checker/usefulness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace espalier::fun_pass {

// One shape that a value of the column's type may have, with the types of its parts.
struct Usefulness::Constructor {
  enum class Kind : std::uint8_t { variant, tuple, number, other_number, exact, at_least, any };
  Kind kind = Kind::any;
  std::string name;
  double number = 0;
  int prefix = 0, suffix = 0;  // lists: exact has prefix parts
  std::vector<TypeRef> parts;
};

namespace {

bool is_any(const Pattern& p) {
  return p.kind == Pattern::Kind::wildcard || p.kind == Pattern::Kind::variable;
}

PatternRef wildcard() {
  static const PatternRef any = fun::make_pattern(Pattern::Kind::wildcard, {});
  return any;
}

int prefix_of(const Pattern& p) {
  return p.starred < 0 ? static_cast<int>(p.parts.size()) : p.starred;
}
int suffix_of(const Pattern& p) {
  return p.starred < 0 ? 0 : static_cast<int>(p.parts.size()) - p.starred - 1;
}

std::string join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The parts of a list pattern as those of a list of `prefix` + `suffix` known items (of exactly so
// many if `exact`); nothing if it does not fit.
std::optional<std::vector<PatternRef>> list_parts(const Pattern& p, int prefix, int suffix,
                                                  bool exact) {
  const int first = prefix_of(p), last = suffix_of(p), total = prefix + suffix;
  if (p.starred < 0 && (!exact || first != total)) return std::nullopt;
  if (first + last > total) return std::nullopt;
  std::vector<PatternRef> parts(static_cast<std::size_t>(total), wildcard());
  for (int i = 0; i < first; ++i)
    parts[static_cast<std::size_t>(i)] = p.parts[static_cast<std::size_t>(i)];
  for (int i = 0; i < last; ++i)
    parts[static_cast<std::size_t>(total - last + i)] =
        p.parts[p.parts.size() - static_cast<std::size_t>(last - i)];
  return parts;
}

using Parts = std::optional<std::vector<PatternRef>>;

template <class Constructor>
Parts specialize(const Pattern& p, const Constructor& c) {
  using Kind = typename Constructor::Kind;
  if (is_any(p)) return std::vector<PatternRef>(c.parts.size(), wildcard());
  switch (c.kind) {
    case Kind::variant: return p.name == c.name ? Parts(p.parts) : Parts();
    case Kind::tuple: return p.parts;
    case Kind::number: return p.number == c.number ? Parts(std::vector<PatternRef>()) : Parts();
    case Kind::exact: return list_parts(p, c.prefix, 0, true);
    case Kind::at_least: return list_parts(p, c.prefix, c.suffix, false);
    case Kind::other_number:
    case Kind::any: return std::nullopt;
  }
  return std::nullopt;
}

template <class Constructor>
std::string spell(const Constructor& c, std::vector<std::string> parts) {
  using Kind = typename Constructor::Kind;
  switch (c.kind) {
    case Kind::variant: return fmt::format("{}({})", c.name, join(parts));
    case Kind::tuple: return fmt::format("({}{})", join(parts), parts.size() == 1 ? "," : "");
    case Kind::number: return fmt::format("{}", c.number);
    case Kind::exact: return fmt::format("[{}]", join(parts));
    case Kind::at_least:
      // Items after the rest cannot be told from those before it where they are all alike.
      if (std::all_of(parts.begin() + c.prefix, parts.end(), [](auto& s) { return s == "_"; }))
        parts.push_back("*_");
      else
        parts.insert(parts.begin() + c.prefix, "*_");
      return fmt::format("[{}]", join(parts));
    case Kind::other_number:
    case Kind::any: return "_";
  }
  return "_";
}

}  // namespace

std::vector<Usefulness::Constructor> Usefulness::lengths(const std::vector<Row>& rows,
                                                         const Row& row, const TypeRef& type) {
  int prefix = 0, suffix = 0, exact = 0;
  bool lists = false;
  const auto look = [&](const Pattern& p) {
    if (p.kind != Pattern::Kind::list) return;
    lists = true;
    if (p.starred < 0) exact = std::max(exact, prefix_of(p));
    if (p.starred >= 0) prefix = std::max(prefix, prefix_of(p));
    if (p.starred >= 0) suffix = std::max(suffix, suffix_of(p));
  };
  for (const Row& each : rows) look(*each[0]);
  look(*row[0]);
  if (!lists) return {};
  // Lists of `limit` items or more all behave alike.
  const int limit = std::max(exact + 1, prefix + suffix);
  std::vector<Constructor> out;
  for (int n = 0; n <= limit; ++n) {
    Constructor c;
    c.kind = n < limit ? Constructor::Kind::exact : Constructor::Kind::at_least;
    c.prefix = n < limit ? n : limit - suffix;
    c.suffix = n < limit ? 0 : suffix;
    c.parts.assign(static_cast<std::size_t>(n), type->parts[0]);
    out.push_back(std::move(c));
  }
  return out;
}

std::vector<Usefulness::Constructor> Usefulness::numbers(const std::vector<Row>& rows,
                                                         const Row& row, const TypeRef& type) {
  std::set<double> seen;
  for (const Row& each : rows)
    if (each[0]->kind == Pattern::Kind::number) seen.insert(each[0]->number);
  if (row[0]->kind == Pattern::Kind::number) seen.insert(row[0]->number);
  if (seen.empty()) return {};
  std::vector<Constructor> out;
  for (const double number : seen) {
    Constructor c;
    c.kind = Constructor::Kind::number;
    c.number = number;
    out.push_back(std::move(c));
  }
  // An index has only so many values.
  const bool finite = type->kind == Type::Kind::index && type->shape[0].bound() &&
                      type->shape[0].value() <= static_cast<std::int64_t>(seen.size());
  if (!finite) out.push_back({Constructor::Kind::other_number, "", 0, 0, 0, {}});
  return out;
}

std::vector<Usefulness::Constructor> Usefulness::constructors(const std::vector<Row>& rows,
                                                              const Row& row, const TypeRef& type) {
  std::vector<Constructor> out;
  switch (type->kind) {
    case Type::Kind::list: out = lengths(rows, row, type); break;
    case Type::Kind::tuple: {
      Constructor c;
      c.kind = Constructor::Kind::tuple;
      c.parts = type->parts;
      return {c};
    }
    case Type::Kind::data: {
      const auto variant_in = [](const Row& r) { return r[0]->kind == Pattern::Kind::variant; };
      if (!std::any_of(rows.begin(), rows.end(), variant_in) && !variant_in(row)) break;
      for (const fun::Variant& variant : types_->instance(type->name).variants) {
        Constructor c;
        c.kind = Constructor::Kind::variant;
        c.name = variant.name;
        for (const fun::Named& field : variant.fields) c.parts.push_back(field.type);
        out.push_back(std::move(c));
      }
      break;
    }
    default: out = numbers(rows, row, type); break;
  }
  // No pattern asks: whatever it is.
  if (out.empty()) out.push_back({Constructor::Kind::any, "", 0, 0, 0, {}});
  return out;
}

Usefulness::Witness Usefulness::search_under(const Constructor& c, const std::vector<Row>& rows,
                                             const Row& row, const std::vector<TypeRef>& types) {
  const auto narrow = [&](const Row& from) -> std::optional<Row> {
    auto parts = specialize(*from[0], c);
    if (!parts) return std::nullopt;
    parts->insert(parts->end(), from.begin() + 1, from.end());
    return parts;
  };
  const auto asked = narrow(row);
  if (!asked) return std::nullopt;
  std::vector<Row> left;
  for (const Row& each : rows)
    if (auto narrowed = narrow(each)) left.push_back(std::move(*narrowed));
  std::vector<TypeRef> inner = c.parts;
  inner.insert(inner.end(), types.begin() + 1, types.end());
  Witness found = search(left, *asked, inner);
  if (!found) return found;
  const auto split = found->begin() + static_cast<std::ptrdiff_t>(c.parts.size());
  std::vector<std::string> out{spell(c, {found->begin(), split})};
  out.insert(out.end(), split, found->end());
  return out;
}

Usefulness::Witness Usefulness::search(const std::vector<Row>& rows, const Row& row,
                                       const std::vector<TypeRef>& types) {
  if (++steps_ > max_steps) return std::vector<std::string>(types.size(), "_");
  if (types.empty()) return rows.empty() ? Witness(std::vector<std::string>()) : std::nullopt;
  for (const Constructor& c : constructors(rows, row, types[0]))
    if (Witness found = search_under(c, rows, row, types)) return found;
  return std::nullopt;
}

bool Usefulness::useful(const std::vector<PatternRef>& rows, const PatternRef& pattern,
                        const TypeRef& type) {
  std::vector<Row> matrix;
  for (const PatternRef& row : rows) matrix.push_back({row});
  return search(matrix, {pattern}, {type}).has_value();
}

std::optional<std::string> Usefulness::uncovered(const std::vector<PatternRef>& rows,
                                                 const TypeRef& type) {
  std::vector<Row> matrix;
  for (const PatternRef& row : rows) matrix.push_back({row});
  const Witness found = search(matrix, {wildcard()}, {type});
  if (!found || gave_up()) return std::nullopt;
  return (*found)[0];
}

}  // namespace espalier::fun_pass

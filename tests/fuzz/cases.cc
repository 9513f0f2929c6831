// Cases of a match on a node, and the functions made of them.
#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

using Kind = FieldSpec::Kind;

State Generator::make_state(bool plain) {
  const int n = random_.pick(model_.globals.dims), m = random_.pick(model_.globals.dims);
  const Var::Kind real = Var::Kind::real;
  const std::string v = expressions_.type({n}), w = expressions_.type({m}), s = model_.globals.real;
  switch (random_.below(plain ? 5 : 8)) {
    case 0:
    case 1: return {{{"", real, {n}}}, v, "{}", false};
    case 2: return {{{"", real, {}}}, s, "{}", false};
    case 3:
      return {{{".h", real, {n}}, {".c", real, {m}}},
              fmt::format("(h: {}, c: {})", v, w),
              "(h = {}, c = {})",
              false};
    case 4:
      return {{{".h", real, {n}}, {".s", real, {}}},
              fmt::format("(h: {}, s: {})", v, s),
              "(h = {}, s = {})",
              false};
    case 5:
      feature("state: unnamed tuple");
      return {{{"0", real, {n}}, {"1", real, {}}}, fmt::format("({}, {})", v, s), "({}, {})", true};
    case 6:
      feature("state: nested tuple");
      return {{{".p.h", real, {n}}, {".p.c", real, {2, m}}, {".s", real, {}}},
              fmt::format("(p: (h: {}, c: {}), s: {})", v, expressions_.type({2, m}), s),
              "(p = (h = {}, c = {}), s = {})",
              false};
    default:
      feature("state: integers and bools");
      return {
          {{".h", real, {n}}, {".size", Var::Kind::integer, {}}, {".any", Var::Kind::boolean, {}}},
          fmt::format("(h: {}, size: i64, any: bool)", v),
          "(h = {}, size = {}, any = {})",
          false};
  }
}

std::vector<Var> Generator::leaves_of(const State& state, const std::string& value) {
  std::vector<Var> out = state.leaves;
  for (Var& leaf : out) leaf.text = value + leaf.text;
  return out;
}

Scope Generator::block(std::vector<std::string>* statements, Scope scope) {
  scope.statements = statements;
  return scope;
}

std::string Generator::body(const std::vector<std::string>& statements, const std::string& value) {
  if (statements.empty()) return fmt::format("\"{}\"", value);
  std::vector<std::string> lines;
  for (const std::string& s : statements) lines.push_back(s[0] == '{' ? s : "\"" + s + "\"");
  lines.push_back(value[0] == '{' ? value : "\"" + value + "\"");
  return fmt::format("[{}]", fmt::join(lines, ", "));
}

void Generator::add_function(const std::string& name, const std::string& args,
                             const std::string& returns, const std::string& text) {
  entry_.functions.emplace_back(
      name, fmt::format(R"({{"args": {{{}}}, "returns": "{}", "body": {}}})", args, returns, text));
}

void Generator::add_entry(const std::string& function, bool nodes, bool disjoint) {
  entry_.name = fmt::format("e{}", model_.entries.size());
  entry_.function = function;
  entry_.nodes = nodes;
  entry_.disjoint = disjoint;
  model_.entries.push_back(std::move(entry_));
  entry_ = {};
}

// A value of the state, of whatever is in scope.
std::string Generator::value_of(const State& state, const Scope& scope, int depth) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const Var& leaf : state.leaves)
    values.push_back(
        leaf.kind == Var::Kind::integer ? fmt::format("({} % 100)", expressions_.integer(scope, 2))
        : leaf.kind == Var::Kind::boolean ? expressions_.boolean(scope, {}, 2)
                                          : expressions_.real(scope, leaf.shape, depth));
  return fmt::vformat(state.make, values);
}

// What a payload field gives.
void Generator::payload(const FieldSpec& field, const std::string& name, Scope* scope) {
  const std::string real = model_.globals.real;
  auto& vars = scope->vars;
  switch (field.kind) {
    case Kind::index: vars.push_back({name, Var::Kind::index, {}, field.size}); break;
    case Kind::real: vars.push_back({name, Var::Kind::exact, {}}); break;
    case Kind::vector: vars.push_back({name, Var::Kind::exact, {field.size}}); break;
    case Kind::integer:
      vars.push_back({field.type == "i64" ? name : fmt::format("cast({}, i64)", name),
                      Var::Kind::integer,
                      {}});
      break;
    case Kind::half:
      vars.push_back({fmt::format("cast({}, {})", name, real), Var::Kind::exact, {}});
      break;
    case Kind::boolean: vars.push_back({name, Var::Kind::boolean, {}}); break;
    case Kind::tuple:
      vars.push_back({name + ".x", Var::Kind::exact, {}});
      vars.push_back({name + ".word", Var::Kind::index, {}, field.size / 100});
      vars.push_back({name + ".z", Var::Kind::exact, {field.size % 100}});
      break;
    case Kind::indices:
      scope->lists.push_back({name, {{"$", Var::Kind::index, {}, field.size}}});
      break;
    case Kind::vectors:
      scope->lists.push_back({name, {{"$", Var::Kind::exact, {field.size}}}});
      break;
    default: break;
  }
}

// Results of the sweep on a child field's nodes.
void Generator::child_results(const Sweep& sweep, const FieldSpec& field, Case* at) {
  const std::string f = fmt::format("{}_{}", sweep.stem, field.target), extra = sweep.passed;
  const bool edges = field.kind == Kind::edges;
  if (field.kind == Kind::child) {
    const std::string name = expressions_.fresh("r");
    const std::string call = fmt::format("{}({}{})", f, field.name, extra);
    std::vector<Var> vars;
    if (sweep.state.unnamed) {
      at->statements.push_back(fmt::format("({0}a, {0}b) = {1}", name, call));
      vars = sweep.state.leaves;
      vars[0].text = name + "a";
      vars[1].text = name + "b";
    } else {
      at->statements.push_back(fmt::format("{} = {}", name, call));
      vars = leaves_of(sweep.state, name);
    }
    at->children.insert(at->children.end(), vars.begin(), vars.end());
    at->scope.vars.insert(at->scope.vars.end(), vars.begin(), vars.end());
    return;
  }
  const std::string call = fmt::format("{}($.kid{})", f, extra),
                    plain = fmt::format("{}(${})", f, extra);
  ListVar list;
  // Called wherever its result is used; but what goes down goes to the children as they stand.
  if (!sweep.state.unnamed && extra.empty() && random_.chance(0.4)) {
    list = {field.name, leaves_of(sweep.state, edges ? call : plain)};
    if (edges) {
      list.item.push_back({"$.label", Var::Kind::index, {}, field.size});
      list.item.push_back({"$.weight", Var::Kind::exact, {}});
    }
  } else {
    const std::string name = expressions_.fresh("r"), k = expressions_.fresh("k");
    at->statements.push_back(fmt::format("{} = [{}({}{}{}) for {} in {}]", name, f, k,
                                         edges ? ".kid" : "", extra, k, field.name));
    list = {name, leaves_of(sweep.state, "$")};
    if (sweep.state.unnamed) {
      list.pattern = "($a, $b)";
      list.item[0].text = "$a";
      list.item[1].text = "$b";
    }
    if (edges)
      at->scope.lists.push_back(
          {field.name,
           {{"$.label", Var::Kind::index, {}, field.size}, {"$.weight", Var::Kind::exact, {}}}});
  }
  at->lists.push_back(list);
  at->scope.lists.push_back(list);
}

Generator::Case Generator::open_case(const Sweep& sweep, const TypeSpec& type,
                                     const VariantSpec& variant) {
  Case at;
  at.scope = sweep.outer;
  std::vector<std::string> names;
  for (const FieldSpec& f : variant.fields) {
    names.push_back(f.name);
    payload(f, f.name, &at.scope);
  }
  at.pattern = fmt::format("{}{}({})", random_.chance(0.2) ? type.name + "." : "", variant.name,
                           fmt::join(names, ", "));
  if (sweep.before) sweep.before(type, &at);
  for (const FieldSpec& f : variant.fields)
    if (f.kind >= Kind::child) child_results(sweep, f, &at);
  return at;
}

// tanh(anything + some of each child's leaf of this shape).
std::string Generator::leaf_value(Case* at, const Var& leaf) {
  const Scope scope = block(&at->statements, at->scope);
  if (leaf.kind == Var::Kind::boolean) {
    std::string out = expressions_.boolean(scope, {}, 2);
    for (const Var& c : at->children)
      if (c.kind == Var::Kind::boolean) out = fmt::format("({} != {})", out, c.text);
    return out;
  }
  const bool whole = leaf.kind == Var::Kind::integer;
  std::string out =
      whole ? expressions_.integer(scope, 2) : expressions_.real(scope, leaf.shape, 3);
  for (const Var& c : at->children)
    if (c.kind == leaf.kind && c.shape == leaf.shape) out += (whole ? " + " : " + 0.3 * ") + c.text;
  for (const ListVar& list : at->lists) {
    ListVar all = list;
    std::string pattern;
    all.item = expressions_.open(list, &pattern);
    bool used = false;
    for (const Var& v : all.item) {
      if (v.kind != leaf.kind || v.shape != leaf.shape || !random_.chance(0.8)) continue;
      used = true;
      out += fmt::format(" + {}sum({} for {} in {})", whole ? "" : "0.3 * ", v.text, pattern,
                         list.text);
    }
    // So that every child counts: the mean of a leaf of another shape.
    if (!used && !whole)
      out += fmt::format(" + 0.2 * sum(mean(1.5 * {}) for {} in {})", all.item[0].text, pattern,
                         list.text);
  }
  return whole ? "((" + out + ") % 1000)" : "tanh(" + out + ")";
}

std::string Generator::result(Case* at, const State& state) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const Var& leaf : state.leaves) values.push_back(leaf_value(at, leaf));
  return fmt::vformat(state.make, values);
}

// The case, or several: for empty lists, for one number, for a child's variant.
std::vector<std::string> Generator::cases_of(const Sweep& sweep, const TypeSpec& type,
                                             const VariantSpec& variant) {
  std::vector<std::string> out;
  const auto add = [&](Case* at) {
    const std::string value = result(at, sweep.state);
    out.push_back(fmt::format("\"{}\": {}", at->pattern, body(at->statements, value)));
  };
  std::vector<std::string> names;
  for (const FieldSpec& f : variant.fields) names.push_back(f.name);
  const auto special = [&](std::size_t field, const std::string& pattern, VariantSpec visible) {
    visible.fields.erase(visible.fields.begin() + static_cast<long>(field));
    Case at = open_case(sweep, type, visible);
    std::vector<std::string> parts = names;
    parts[field] = pattern;
    at.pattern = fmt::format("{}({})", variant.name, fmt::join(parts, ", "));
    add(&at);
  };
  bool filled = false;
  std::size_t filled_field = 0;
  for (std::size_t i = 0; i < variant.fields.size() && out.empty() && !sweep.plain; ++i) {
    const FieldSpec& f = variant.fields[i];
    if (f.kind == Kind::index && random_.chance(0.15)) {
      feature("pattern: number");
      special(i, std::to_string(random_.below(f.size)), variant);
    }
    const bool list = f.kind == Kind::children || f.kind == Kind::edges || f.kind == Kind::vectors;
    if (list && random_.chance(0.6)) {
      feature("pattern: empty list");
      special(i, "[]", variant);
      filled = true;
      filled_field = i;
    }
    // Where callers pass arguments, what stands below a child is not for them to look into.
    if (f.kind == Kind::child && sweep.passed.empty() && random_.chance(0.25)) {
      const auto target = std::find_if(model_.types.begin(), model_.types.end(),
                                       [&](const TypeSpec& t) { return t.name == f.target; });
      std::vector<std::string> parts(target->variants[0].fields.size(), "_");
      feature("pattern: nested variant");
      special(i, fmt::format("{}({})", target->variants[0].name, fmt::join(parts, ", ")), variant);
    }
  }
  Case at = open_case(sweep, type, variant);
  if (filled)
    for (auto* lists : {&at.lists, &at.scope.lists})
      for (ListVar& list : *lists) {
        const bool made =
            std::any_of(at.statements.begin(), at.statements.end(), [&](const std::string& s) {
              return s.rfind(list.text + " = [", 0) == 0 &&
                     s.find(" in " + variant.fields[filled_field].name + "]") != std::string::npos;
            });
        list.filled = made || list.text == variant.fields[filled_field].name;
      }
  add(&at);
  return out;
}

void Generator::add_sweep(const Sweep& sweep) {
  if (sweep.family.size() > 1) feature("mutual recursion");
  for (const TypeSpec* type : sweep.family) {
    std::vector<std::string> cases;
    for (const VariantSpec& v : type->variants)
      for (std::string& c : cases_of(sweep, *type, v)) cases.push_back(std::move(c));
    add_function(
        fmt::format("{}_{}", sweep.stem, type->name),
        fmt::format("\"t\": \"{}\"{}", type->name, sweep.declared), sweep.state.type,
        fmt::format("{{\"match\": \"t\", \"cases\": {{\n    {}}}}}", fmt::join(cases, ",\n    ")));
  }
}

}  // namespace espalier::fuzz

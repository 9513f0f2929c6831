// Entries over trees and DAGs.
#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

using Kind = FieldSpec::Kind;

const std::vector<Generator::Template>& Generator::templates() {
  using G = Generator;
  static const std::vector<Template> all = {&G::up,
                                            &G::up_nodes,
                                            &G::up_with_arguments,
                                            &G::up_twice,
                                            &G::up_data_state,
                                            &G::up_conditional,
                                            &G::down_builds,
                                            &G::down_returns,
                                            &G::up_down_up,
                                            &G::two_trees,
                                            &G::over_nodes,
                                            &G::ragged_children,
                                            &G::list_entry,
                                            &G::list_ragged,
                                            &G::list_recursion,
                                            &G::list_recursion_down,
                                            &G::payload_list_recursion,
                                            &G::local_data,
                                            &G::generic_data,
                                            &G::tensors};
  return all;
}

Generator::Generator(std::uint64_t seed, int entries, std::map<std::string, int>* used)
    : random_(seed), expressions_(&random_, &model_.globals) {
  model_.seed = seed;
  model_.globals.used = *used;
  if (random_.chance(0.4)) {
    model_.globals.real = "f64";
    feature("f64 model");
  }
  model_.globals.dims = {2, 3, random_.pick(std::vector<int>{4, 5, 7, 8})};
  if (random_.chance(0.5))
    model_.globals.dims.push_back(random_.pick(std::vector<int>{1, 9, 16, 17, 33}));
  make_types();
  // Each model starts elsewhere in the list, so that small models differ too.
  const int first = random_.below(static_cast<int>(templates().size()));
  for (int i = 0; i < entries; ++i)
    (this->*templates()[static_cast<std::size_t>(first + i) % templates().size()])();
  *used = model_.globals.used;
}

std::vector<const TypeSpec*> Generator::family(bool trees_only) {
  const auto type = [&](std::size_t i) { return &model_.types[i]; };
  const int which = random_.below(4);
  if (which == 0 && !trees_only) return {type(1)};
  if (which <= 1) return {type(0)};
  if (trees_only && type(2)->shared) return {type(0)};
  std::vector<const TypeSpec*> both = {type(2), type(3)};
  if (random_.chance(0.5)) std::swap(both[0], both[1]);
  return both;
}

Generator::Sweep Generator::up_sweep(bool with_arguments) {
  Sweep sweep;
  // Calls with other arguments give a node other values, so their trees may not overlap.
  sweep.family = family(with_arguments);
  sweep.stem = expressions_.fresh("up");
  sweep.state = make_state(false);
  if (!with_arguments) return sweep;
  const int n = random_.pick(model_.globals.dims);
  sweep.passed = ", vec, num";
  sweep.declared =
      fmt::format(R"(, "vec": "{}", "num": "{}")", expressions_.type({n}), model_.globals.real);
  sweep.outer.vars = {{"vec", Var::Kind::exact, {n}}, {"num", Var::Kind::exact, {}}};
  return sweep;
}

void Generator::up() {
  feature("bottom-up, roots");
  const Sweep sweep = up_sweep(false);
  add_sweep(sweep);
  add_entry(sweep.stem + "_" + sweep.family[0]->name, false, false);
}

void Generator::up_nodes() {
  feature("bottom-up, nodes");
  const Sweep sweep = up_sweep(false);
  add_sweep(sweep);
  add_entry(sweep.stem + "_" + sweep.family[0]->name, true, false);
}

void Generator::up_with_arguments() {
  feature("bottom-up with unchanging arguments");
  const Sweep sweep = up_sweep(true);
  add_sweep(sweep);
  add_entry(sweep.stem + "_" + sweep.family[0]->name, false, true);
}

// A second sweep that uses the results of a first one.
void Generator::up_twice() {
  feature("two sweeps");
  const Sweep first = up_sweep(false);
  add_sweep(first);
  Sweep second;
  second.family = first.family;
  second.stem = expressions_.fresh("up");
  second.state = make_state(false);
  second.before = [this, &first](const TypeSpec& type, Case* at) {
    Sweep self = first;
    child_results(self, {"t", Kind::child, type.name, 0, type.name}, at);
  };
  add_sweep(second);
  add_entry(second.stem + "_" + second.family[0]->name, random_.chance(0.5), false);
}

// The state is a value of a data type that the model makes.
void Generator::up_data_state() {
  feature("state: data");
  Sweep sweep;
  sweep.family = {family(true)[0]};
  const TypeSpec& type = *sweep.family[0];
  if (type.name != "Tree") sweep.family = {&model_.types[0]};
  const TypeSpec& tree = *sweep.family[0];
  sweep.stem = expressions_.fresh("up");
  const std::string f = sweep.stem + "_" + tree.name, open = expressions_.fresh("open");
  // Maybe -> f32
  add_function(
      open, "\"m\": \"Maybe\"", model_.globals.real,
      fmt::format(
          R"--({{"match": "m", "cases": {{"None()": "0.25", "Some(x, v)": "0.3 * x + 0.2 * v[1]"}}}})--"));
  std::vector<std::string> cases;
  for (const VariantSpec& v : tree.variants) {
    Case at;
    std::vector<std::string> names;
    std::string sum = "0.5";
    for (const FieldSpec& field : v.fields) {
      names.push_back(field.name);
      payload(field, field.name, &at.scope);
      if (field.kind == Kind::child) sum += fmt::format(" + {}({}({}))", open, f, field.name);
      if (field.kind == Kind::children)
        sum += fmt::format(" + sum({}({}(k)) for k in {})", open, f, field.name);
      if (field.kind == Kind::edges)
        sum += fmt::format(" + sum({}({}(k.kid)) for k in {})", open, f, field.name);
    }
    const std::string c = expressions_.boolean(at.scope, {}, 1);
    const std::string some =
        fmt::format("Maybe.Some(tanh({} + {}), {})", sum, expressions_.real(at.scope, {}, 2),
                    expressions_.real(at.scope, {3}, 2));
    cases.push_back(fmt::format(R"--("{}({})": "if {} then Maybe.None() else {}")--", v.name,
                                fmt::join(names, ", "), c, some));
  }
  add_function(f, fmt::format("\"t\": \"{}\"", tree.name), "Maybe",
               fmt::format("{{\"match\": \"t\", \"cases\": {{{}}}}}", fmt::join(cases, ", ")));
  const std::string g = expressions_.fresh("shown");
  add_function(g, fmt::format("\"t\": \"{}\"", tree.name), model_.globals.real,
               fmt::format("\"{}({}(t))\"", open, f));
  add_entry(g, random_.chance(0.5), false);
}

// Results of children behind a condition.
void Generator::up_conditional() {
  feature("recursion behind a condition");
  Sweep sweep = up_sweep(false);
  sweep.state = {{{"", Var::Kind::real, {3}}}, expressions_.type({3}), "{}", false};
  for (const TypeSpec* type : sweep.family) {
    std::vector<std::string> cases;
    for (const VariantSpec& v : type->variants) {
      Case at;
      std::vector<std::string> names;
      std::string value = "zeros[3]";
      for (const FieldSpec& field : v.fields) {
        names.push_back(field.name);
        payload(field, field.name, &at.scope);
      }
      for (const FieldSpec& field : v.fields) {
        const std::string c = expressions_.boolean(at.scope, {}, 1);
        const std::string f = fmt::format("{}_{}", sweep.stem, field.target);
        if (field.kind == Kind::child)
          value = fmt::format("(if {} then {}({}) else {})", c, f, field.name, value);
        if (field.kind == Kind::children)
          value = fmt::format("(if {} then tanh(sum({}(k) for k in {})) else {})", c, f, field.name,
                              value);
        if (field.kind == Kind::edges)
          value = fmt::format(
              "tanh({} + sum((if k.label == 1 then k.weight * {}(k.kid) else {}) for k in {}))",
              value, f, expressions_.real(Expressions::with(at.scope, {}), {3}, 1), field.name);
      }
      cases.push_back(fmt::format(R"--("{}({})": "tanh({} + {})")--", v.name,
                                  fmt::join(names, ", "), expressions_.real(at.scope, {3}, 2),
                                  value));
    }
    add_function(fmt::format("{}_{}", sweep.stem, type->name),
                 fmt::format("\"t\": \"{}\"", type->name), sweep.state.type,
                 fmt::format("{{\"match\": \"t\", \"cases\": {{{}}}}}", fmt::join(cases, ", ")));
  }
  add_entry(sweep.stem + "_" + sweep.family[0]->name, random_.chance(0.3), false);
}

// ---- Down

// An argument `p` that changes on the way; each case sets `down`, which children get.
Generator::Sweep Generator::down_sweep(const Sweep& up, bool builds) {
  Sweep sweep;
  sweep.family = up.family;
  sweep.stem = expressions_.fresh("down");
  const bool shared = sweep.family[0]->shared;
  const int n = random_.pick(model_.globals.dims);
  const std::string type = expressions_.type({n});
  const std::string combine = random_.pick(std::vector<std::string>{"sum", "max", "min"});
  if (shared) feature("top-down, shared, " + combine);
  feature(builds ? "top-down, built tree" : "top-down, results on the way up");
  sweep.declared = shared
                       ? fmt::format(R"(, "p": {{"type": "{}", "combine": "{}"}})", type, combine)
                       : fmt::format(R"(, "p": "{}")", type);
  const std::string p = shared ? "tanh(p)" : "p";
  sweep.outer.vars = {{p, Var::Kind::real, {n}}};
  sweep.passed = ", below";
  sweep.plain = true;
  sweep.before = [this, &up, n, p](const TypeSpec& t, Case* at) {
    if (!up.stem.empty()) {
      feature("up, then down");
      Sweep self = up;
      child_results(self, {"t", Kind::child, t.name, 0, t.name}, at);
    }
    const std::string value = expressions_.real(block(&at->statements, at->scope), {n}, 2);
    at->statements.push_back(fmt::format("below = tanh(0.5 * {} + {})", p, value));
    at->scope.vars.push_back({"below", Var::Kind::real, {n}});
  };
  sweep.state = make_state(true);
  return sweep;
}

// A mirror of each type of the family, with leaves of the state as payload.
std::string Generator::built_type(const std::vector<const TypeSpec*>& types, const State& state,
                                  const std::string& stem) {
  for (const TypeSpec* type : types) {
    std::vector<std::string> variants;
    for (const VariantSpec& v : type->variants) {
      std::vector<std::string> fields;
      for (std::size_t i = 0; i < state.leaves.size(); ++i)
        fields.push_back(
            fmt::format(R"("s{}": "{}")", i, expressions_.type(state.leaves[i].shape)));
      for (const FieldSpec& f : v.fields) {
        if (f.kind < Kind::child) continue;
        const std::string target = stem + f.target;
        fields.push_back(fmt::format(R"("{}": "{}")", f.name,
                                     f.kind == Kind::child ? target : "[" + target + "]"));
      }
      variants.push_back(fmt::format(R"("{}m": {{{}}})", v.name, fmt::join(fields, ", ")));
    }
    model_.more_types.push_back(
        type->shared
            ? fmt::format(R"("{}{}": {{"shared": true, "variants": {{{}}}}})", stem, type->name,
                          fmt::join(variants, ", "))
            : fmt::format(R"("{}{}": {{{}}})", stem, type->name, fmt::join(variants, ", ")));
  }
  return stem;
}

void Generator::add_down(const Sweep& sweep, const Sweep*, const std::string& built,
                         const State& state) {
  for (const TypeSpec* type : sweep.family) {
    std::vector<std::string> cases;
    for (const VariantSpec& v : type->variants) {
      Case at;
      at.scope = sweep.outer;
      std::vector<std::string> names, parts;
      for (const FieldSpec& f : v.fields) {
        names.push_back(f.name);
        payload(f, f.name, &at.scope);
      }
      sweep.before(*type, &at);
      for (const Var& leaf : state.leaves) parts.push_back(leaf_value(&at, leaf));
      const auto n = sweep.outer.vars[0].shape;
      for (const FieldSpec& f : v.fields) {
        const std::string call = fmt::format("{}_{}", sweep.stem, f.target);
        const std::string own =
            random_.chance(0.5)
                ? "below"
                : fmt::format("tanh(below + {})",
                              expressions_.real(Expressions::with(at.scope, {}), n, 1));
        if (f.kind == Kind::child) parts.push_back(fmt::format("{}({}, {})", call, f.name, own));
        if (f.kind == Kind::children)
          parts.push_back(fmt::format("[{}(k, {}) for k in {}]", call, own, f.name));
        if (f.kind == Kind::edges)
          parts.push_back(fmt::format("[{}(k.kid, {} * k.weight) for k in {}]", call, own, f.name));
      }
      cases.push_back(fmt::format(
          "\"{}({})\": {}", v.name, fmt::join(names, ", "),
          body(at.statements,
               fmt::format("{}{}.{}m({})", built, type->name, v.name, fmt::join(parts, ", ")))));
    }
    add_function(
        fmt::format("{}_{}", sweep.stem, type->name),
        fmt::format("\"t\": \"{}\"{}", type->name, sweep.declared), built + type->name,
        fmt::format("{{\"match\": \"t\", \"cases\": {{\n    {}}}}}", fmt::join(cases, ",\n    ")));
  }
}

void Generator::down_builds() {
  Sweep up = up_sweep(false);
  if (random_.chance(0.6))
    add_sweep(up);
  else
    up.stem = "";
  const Sweep down = down_sweep(up, true);
  const std::string built = built_type(down.family, down.state, expressions_.fresh("Out"));
  add_down(down, nullptr, built, down.state);
  add_entry(down.stem + "_" + down.family[0]->name, false, true);
}

void Generator::down_returns() {
  Sweep up = up_sweep(false);
  if (random_.chance(0.4))
    add_sweep(up);
  else
    up.stem = "";
  const Sweep down = down_sweep(up, false);
  add_sweep(down);
  add_entry(down.stem + "_" + down.family[0]->name, false, true);
}

// A recursion over the tree that a second one built of a first one's results.
void Generator::up_down_up() {
  feature("recursion over a built tree");
  const Sweep up = up_sweep(false);
  add_sweep(up);
  const Sweep down = down_sweep(up, true);
  const std::string built = built_type(down.family, down.state, expressions_.fresh("Out"));
  add_down(down, nullptr, built, down.state);
  const std::string total = expressions_.fresh("total"), real = model_.globals.real;
  for (const TypeSpec* type : down.family) {
    std::vector<std::string> cases;
    for (const VariantSpec& v : type->variants) {
      std::vector<std::string> names;
      Scope scope;
      for (const Var& leaf : down.state.leaves) {
        names.push_back(fmt::format("s{}", names.size()));
        scope.vars.push_back({names.back(), leaf.kind, leaf.shape});
      }
      std::string value = expressions_.real(scope, {}, 2);
      for (const FieldSpec& f : v.fields) {
        if (f.kind < Kind::child) continue;
        names.push_back(f.name);
        const std::string g = fmt::format("{}_{}", total, f.target);
        value += f.kind == Kind::child ? fmt::format(" + 0.4 * {}({})", g, f.name)
                                       : fmt::format(" + 0.3 * sum({}(k) for k in {})", g, f.name);
      }
      cases.push_back(
          fmt::format(R"--("{}m({})": "tanh({})")--", v.name, fmt::join(names, ", "), value));
    }
    add_function(fmt::format("{}_{}", total, type->name),
                 fmt::format("\"t\": \"{}{}\"", built, type->name), real,
                 fmt::format("{{\"match\": \"t\", \"cases\": {{{}}}}}", fmt::join(cases, ", ")));
  }
  const std::string name = expressions_.fresh("score"), root = down.family[0]->name;
  const auto n = down.outer.vars[0].shape;
  const std::string all =
      fmt::format("{}_{}({}_{}(t, {}))", total, root, down.stem, root, expressions_.param(n));
  add_function(name, fmt::format("\"t\": \"{}\"", root), real, fmt::format("\"{}\"", all));
  add_entry(name, false, true);
}

// ---- Others

void Generator::two_trees() {
  feature("two trees and a tensor");
  const Sweep a = up_sweep(false);
  add_sweep(a);
  Sweep b = a;
  if (random_.chance(0.6)) {
    b = up_sweep(false);
    add_sweep(b);
  }
  const std::string name = expressions_.fresh("pair"), v = expressions_.type({3});
  Case at;
  at.scope.vars = {{"vec", Var::Kind::exact, {3}}};
  child_results(a, {"a", Kind::child, "", 0, a.family[0]->name}, &at);
  child_results(b, {"b", Kind::child, "", 0, b.family[0]->name}, &at);
  const State state = make_state(false);
  const std::string value = result(&at, state);
  add_function(
      name,
      fmt::format(R"("a": "{}", "vec": "{}", "b": "{}")", a.family[0]->name, v, b.family[0]->name),
      state.type, body(at.statements, value));
  add_entry(name, false, false);
}

// No recursion: a row per node of what stands in it.
void Generator::over_nodes() {
  feature("nodes without recursion");
  Sweep sweep;
  sweep.family = {family()[0]};
  sweep.stem = expressions_.fresh("node");
  const State state = make_state(false);
  const TypeSpec& type = *sweep.family[0];
  std::vector<std::string> cases;
  for (std::size_t i = 0; i < type.variants.size(); ++i) {
    const VariantSpec& v = type.variants[i];
    Case at;
    std::vector<std::string> names;
    for (const FieldSpec& f : v.fields) {
      names.push_back(f.name);
      payload(f, f.name, &at.scope);
      if (f.kind == Kind::children || f.kind == Kind::edges) at.scope.lists.push_back({f.name, {}});
    }
    const bool last = i + 1 == type.variants.size() && random_.chance(0.4);
    if (last) {
      at.scope = {};
      feature("pattern: wildcard");
    }
    const std::string value = result(&at, state);
    cases.push_back(fmt::format("\"{}\": {}",
                                last ? "_" : fmt::format("{}({})", v.name, fmt::join(names, ", ")),
                                body(at.statements, value)));
  }
  const std::string name = sweep.stem + "_" + type.name;
  add_function(name, fmt::format("\"t\": \"{}\"", type.name), state.type,
               fmt::format("{{\"match\": \"t\", \"cases\": {{{}}}}}", fmt::join(cases, ", ")));
  add_entry(name, random_.chance(0.7), false);
}

// A list of trees as the argument, and so ragged rows.
void Generator::ragged_children() {
  feature("ragged result of a list of trees");
  Sweep sweep = up_sweep(false);
  sweep.state = make_state(true);
  add_sweep(sweep);
  const std::string name = expressions_.fresh("each"), root = sweep.family[0]->name;
  const std::string call = fmt::format("{}_{}(k)", sweep.stem, root);
  const bool single = sweep.state.leaves.size() == 1;
  const bool reduced = random_.chance(0.4);
  const std::string value = single ? fmt::format("tanh({} + {})", call, call) : call;
  add_function(name, fmt::format("\"xs\": \"[{}]\"", root),
               reduced ? sweep.state.type : "[" + sweep.state.type + "]",
               reduced ? fmt::format("\"sum({} for k in xs)\"", value)
                       : fmt::format("\"[{} for k in xs]\"", value));
  add_entry(name, false, false);
}

}  // namespace espalier::fuzz

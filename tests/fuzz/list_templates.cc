// Entries over lists, over data that the model makes, and over tensors.
#include <fmt/format.h>

#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

ListVar Generator::list_argument(std::string* type) {
  const int n = random_.pick(model_.globals.dims);
  switch (random_.below(3)) {
    case 0:
      *type = fmt::format("[{}]", expressions_.type({n}));
      return {"xs", {{"$", Var::Kind::exact, {n}}}};
    case 1: *type = "[index[9]]"; return {"xs", {{"$", Var::Kind::index, {}, 9}}};
    default:
      *type =
          fmt::format("[(v: {}, w: index[5], x: {})]", expressions_.type({n}), model_.globals.real);
      return {"xs",
              {{"$.v", Var::Kind::exact, {n}},
               {"$.w", Var::Kind::index, {}, 5},
               {"$.x", Var::Kind::exact, {}}}};
  }
}

void Generator::list_entry() {
  feature("list argument");
  std::string type;
  const ListVar list = list_argument(&type);
  const State state = make_state(false);
  const std::string name = expressions_.fresh("lists");
  const auto made = [&](ListVar xs) {
    Case at;
    at.scope.vars = {{"vec", Var::Kind::exact, {2}}};
    at.scope.lists = {xs, xs};
    const std::string value = result(&at, state);
    return body(at.statements, value);
  };
  std::string text = made(list);
  if (random_.chance(0.5)) {
    ListVar filled = list;
    filled.filled = true;
    text = fmt::format(R"({{"match": "xs", "cases": {{"[]": {}, "_": {}}}}})", text, made(filled));
  }
  add_function(name, fmt::format(R"("xs": "{}", "vec": "{}")", type, expressions_.type({2})),
               state.type, text);
  add_entry(name, false, false);
}

void Generator::list_ragged() {
  feature("ragged result of a list");
  std::string type;
  const ListVar list = list_argument(&type);
  const std::string name = expressions_.fresh("ragged");
  const int n = random_.pick(model_.globals.dims);
  std::string p;
  std::vector<Var> vars = expressions_.open(list, &p);
  Scope outer;
  outer.lists = {list};
  std::string text, returns;
  switch (random_.below(4)) {
    case 0:
      text = fmt::format("[{} for {} in xs]",
                         expressions_.real(Expressions::with(outer, vars), {n}, 3), p);
      returns = expressions_.type({n});
      break;
    case 1:
      vars.push_back({"s.h", Var::Kind::real, {n}});
      text =
          fmt::format("scan(fun(s, {}) -> (h = tanh({}), c = s.c + 1), (h = zeros[{}], c = 0), xs)",
                      p, expressions_.real(Expressions::with(outer, vars), {n}, 3), n);
      returns = fmt::format("(h: {}, c: {})", expressions_.type({n}), model_.globals.real);
      break;
    case 2:
      text = fmt::format("softmax({} for {} in xs)",
                         expressions_.real(Expressions::with(outer, vars), {}, 3), p);
      returns = model_.globals.real;
      break;
    default:
      text = fmt::format("[(i, {}) for (i, {}) in enumerate(reverse(xs))]",
                         expressions_.real(Expressions::with(outer, vars), {}, 3), p);
      returns = fmt::format("(i64, {})", model_.globals.real);
  }
  add_function(name, fmt::format(R"("xs": "{}")", type), "[" + returns + "]",
               fmt::format("\"{}\"", text));
  add_entry(name, false, false);
}

// f([]) = ..; f([x, *rest]) = .. f(rest), or from the other end.
void Generator::list_recursion() {
  const bool front = random_.chance(0.5);
  feature(front ? "list recursion [x, *rest]" : "list recursion [*init, x]");
  std::string type;
  const ListVar list = list_argument(&type);
  const State state = make_state(true);
  const std::string name = expressions_.fresh("fold"), rest = front ? "rest" : "init";
  std::string x;
  Case at, empty;
  at.scope.vars = expressions_.open(list, &x);
  at.statements.push_back(fmt::format("r = {}({}, vec)", name, rest));
  at.children = leaves_of(state, "r");
  at.scope.vars.insert(at.scope.vars.end(), at.children.begin(), at.children.end());
  for (Case* each : {&at, &empty}) each->scope.vars.push_back({"vec", Var::Kind::exact, {3}});
  const std::string none = result(&empty, state), some = result(&at, state);
  add_function(name, fmt::format(R"("xs": "{}", "vec": "{}")", type, expressions_.type({3})),
               state.type,
               fmt::format(R"({{"match": "xs", "cases": {{"[]": {}, "[{}]": {}}}}})",
                           body(empty.statements, none), front ? x + ", *rest" : "*init, " + x,
                           body(at.statements, some)));
  add_entry(name, false, false);
}

// An argument that each item changes.
void Generator::list_recursion_down() {
  feature("list recursion with a changing argument");
  const bool front = random_.chance(0.5);
  std::string type, x;
  const ListVar list = list_argument(&type);
  const int n = random_.pick(model_.globals.dims);
  const std::string name = expressions_.fresh("run"), t = expressions_.type({n});
  Case at;
  at.scope.vars = expressions_.open(list, &x);
  at.scope.vars.push_back({"s", Var::Kind::real, {n}});
  const std::string next = expressions_.real(at.scope, {n}, 3);
  const std::string some =
      random_.chance(0.5)
          ? fmt::format("{}({}, tanh({}))", name, front ? "rest" : "init", next)
          : fmt::format("tanh(0.5 * {}({}, tanh({})) + {})", name, front ? "rest" : "init", next,
                        expressions_.real(at.scope, {n}, 1));
  add_function(name, fmt::format(R"("xs": "{}", "s": "{}")", type, t), t,
               fmt::format(R"({{"match": "xs", "cases": {{"[]": "s", "[{}]": "{}"}}}})",
                           front ? x + ", *rest" : "*init, " + x, some));
  add_entry(name, false, false);
}

// Recursion over a payload list within recursion over nodes.
void Generator::payload_list_recursion() {
  feature("recursion over payload lists in a sweep");
  const std::string name = expressions_.fresh("inner"), f = expressions_.fresh("up");
  const std::string real = model_.globals.real;
  std::vector<std::string> cases;
  const TypeSpec& type = *family()[0];
  std::set<std::string> made;
  Sweep sweep;
  sweep.family = type.name == "Expr" || type.name == "Stmt"
                     ? std::vector<const TypeSpec*>{&model_.types[2], &model_.types[3]}
                     : std::vector<const TypeSpec*>{&type};
  sweep.stem = f;
  sweep.state = make_state(true);
  for (const TypeSpec* t : sweep.family) {
    cases.clear();
    for (const VariantSpec& v : t->variants) {
      Case at = open_case(sweep, *t, v);
      for (const FieldSpec& field : v.fields) {
        if (field.kind != FieldSpec::Kind::indices && field.kind != FieldSpec::Kind::vectors)
          continue;
        const bool vectors = field.kind == FieldSpec::Kind::vectors;
        const std::string inner = fmt::format("{}_{}{}", name, vectors ? "v" : "i", field.size);
        if (made.insert(inner).second) {
          const Var item = vectors ? Var{"x", Var::Kind::exact, {field.size}}
                                   : Var{"x", Var::Kind::index, {}, field.size};
          const Scope scope = Expressions::with({}, {item});
          add_function(
              inner, fmt::format(R"("xs": "{}")", field.type), real,
              fmt::format(
                  R"--({{"match": "xs", "cases": {{"[]": "0.5", "[{}]": "tanh({} - 0.5 * {}({}))"}}}})--",
                  vectors ? "x, *rest" : "*rest, x", expressions_.real(scope, {}, 2), inner,
                  "rest"));
        }
        at.scope.vars.push_back({fmt::format("{}({})", inner, field.name), Var::Kind::real, {}});
        at.scope.vars.push_back(at.scope.vars.back());
        at.children.push_back(at.scope.vars.back());
      }
      const std::string value = result(&at, sweep.state);
      cases.push_back(fmt::format("\"{}\": {}", at.pattern, body(at.statements, value)));
    }
    add_function(
        fmt::format("{}_{}", f, t->name), fmt::format("\"t\": \"{}\"", t->name), sweep.state.type,
        fmt::format("{{\"match\": \"t\", \"cases\": {{\n    {}}}}}", fmt::join(cases, ",\n    ")));
  }
  add_entry(f + "_" + sweep.family[0]->name, random_.chance(0.4), false);
}

// Values of a data type that is no argument: made, chosen between, taken apart two at a time.
void Generator::local_data() {
  feature("data made and matched");
  feature("pattern: tuple of variants");
  const std::string make = expressions_.fresh("make"), name = expressions_.fresh("local"),
                    real = model_.globals.real;
  Scope scope;
  scope.vars = {{"x", Var::Kind::exact, {}}, {"vec", Var::Kind::exact, {3}}};
  add_function(make, fmt::format(R"("x": "{}", "vec": "{}")", real, expressions_.type({3})),
               "Maybe",
               fmt::format("\"if {} then Maybe.Some({}, {}) else Maybe.None()\"",
                           expressions_.boolean(scope, {}, 1), expressions_.real(scope, {}, 2),
                           expressions_.real(scope, {3}, 2)));
  Scope both = scope;
  for (const char* v : {"a", "c"}) both.vars.push_back({v, Var::Kind::real, {}});
  for (const char* v : {"b", "d"}) both.vars.push_back({v, Var::Kind::real, {3}});
  Scope one = scope;
  one.vars.push_back({"a", Var::Kind::real, {}});
  one.vars.push_back({"b", Var::Kind::real, {3}});
  const State state = make_state(true);
  const std::string t1 = value_of(state, both, 3), t2 = value_of(state, one, 2),
                    t3 = value_of(state, scope, 2);
  add_function(
      name, fmt::format(R"("x": "{}", "vec": "{}")", real, expressions_.type({3})), state.type,
      fmt::format(
          R"--(["m1 = {0}(x, vec)", "m2 = {0}(x - 0.5, vec)", {{"match": "(m1, m2)", "cases": )--"
          R"--({{"(Some(a, b), Some(c, d))": "{1}", "(Some(a, b), _)": "{2}", "_": "{3}"}}}}])--",
          make, t1, t2, t3));
  add_entry(name, false, false);
}

void Generator::generic_data() {
  feature("generic data and functions");
  const std::string name = expressions_.fresh("generic"), swap = expressions_.fresh("swap"),
                    real = model_.globals.real;
  entry_.functions.emplace_back(
      swap,
      R"--({"forall": ["aa"], "args": {"p": "Two[aa]"}, "returns": "Two[aa]", "body": ["Two.Two(x, y) = p", "Two.Two(y, x)"]})--");
  Scope scope;
  scope.vars = {{"vec", Var::Kind::exact, {3}}, {"x", Var::Kind::exact, {}}};
  Scope inner = scope;
  for (const char* v : {"a", "b"}) inner.vars.push_back({v, Var::Kind::real, {3}});
  for (const char* v : {"c", "d"}) inner.vars.push_back({v, Var::Kind::real, {}});
  const State state = make_state(true);
  add_function(
      name, fmt::format(R"("x": "{}", "vec": "{}")", real, expressions_.type({3})), state.type,
      fmt::format(
          R"--(["Two.Two(a, b) = {0}({0}({0}(Two.Two({1}, {2}))))", "Two.Two(c, d) = {0}(Two.Two({3}, {4}))", "{5}"])--",
          swap, expressions_.real(scope, {3}, 2), expressions_.real(scope, {3}, 2),
          expressions_.real(scope, {}, 2), expressions_.real(scope, {}, 2),
          value_of(state, inner, 3)));
  add_entry(name, false, false);
}

void Generator::tensors() {
  feature("tensor arguments");
  const int n = random_.pick(model_.globals.dims);
  const std::string name = expressions_.fresh("tensors"), real = model_.globals.real;
  Case at;
  at.scope.vars = {{"vec", Var::Kind::exact, {n}},
                   {"mat", Var::Kind::exact, {2, n}},
                   {"at", Var::Kind::index, {}, 9},
                   {"flag", Var::Kind::boolean, {}},
                   {"cast(num, i64)", Var::Kind::integer, {}},
                   {"pair.x", Var::Kind::exact, {}}};
  const State state = make_state(false);
  const std::string value = result(&at, state);
  add_function(
      name,
      fmt::format(
          R"--("vec": "{}", "mat": "{}", "at": "index[9]", "flag": "bool", "num": "i32", "pair": "(x: {}, y: i64)")--",
          expressions_.type({n}), expressions_.type({2, n}), real),
      state.type, body(at.statements, value));
  add_entry(name, false, false);
}

}  // namespace espalier::fuzz

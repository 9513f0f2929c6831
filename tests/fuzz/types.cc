// Random data types, and the helpers that every model has.
#include <fmt/format.h>

#include <algorithm>

#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

FieldSpec Generator::make_field(FieldSpec::Kind kind, const std::string& target) {
  using Kind = FieldSpec::Kind;
  const std::string real = model_.globals.real;
  const int bound = random_.pick(std::vector<int>{2, 5, 9, 31}),
            width = random_.pick(model_.globals.dims);
  const std::string number = random_.chance(0.5) ? "" : "_b";
  switch (kind) {
    case Kind::index: return {"word" + number, kind, fmt::format("index[{}]", bound), bound, ""};
    case Kind::real: return {"x" + number, kind, real, 0, ""};
    case Kind::vector: return {"z" + number, kind, fmt::format("{}[{}]", real, width), width, ""};
    case Kind::integer:
      return {"count" + number, kind, random_.pick(std::vector<std::string>{"i32", "i64", "i8"}), 0,
              ""};
    case Kind::half: return {"half" + number, kind, random_.chance(0.5) ? "f16" : "bf16", 0, ""};
    case Kind::boolean: return {"flag" + number, kind, "bool", 0, ""};
    case Kind::tuple:
      return {"info" + number, kind,
              fmt::format("(x: {}, word: index[{}], z: {}[{}])", real, bound, real, width),
              bound * 100 + width, ""};
    case Kind::indices:
      return {"tokens" + number, kind, fmt::format("[index[{}]]", bound), bound, ""};
    case Kind::vectors:
      return {"rows" + number, kind, fmt::format("[{}[{}]]", real, width), width, ""};
    case Kind::child: return {"kid" + number, kind, target, 0, target};
    case Kind::children: return {"children" + number, kind, fmt::format("[{}]", target), 0, target};
    case Kind::edges:
      return {"edges" + number, kind,
              fmt::format("[(label: index[{}], weight: {}, kid: {})]", bound, real, target), bound,
              target};
  }
  return {};
}

TypeSpec Generator::make_type(const std::string& name, bool shared,
                              const std::vector<std::string>& targets) {
  using Kind = FieldSpec::Kind;
  TypeSpec type{name, shared, {}};
  const int variants = random_.between(2, 4);
  for (int v = 0; v < variants; ++v) {
    VariantSpec variant{fmt::format("{}{}", name[0], v), {}};
    const auto add = [&](Kind kind) {
      // The list leads to the other type, if there is one, so that both are one recursion.
      FieldSpec field = make_field(kind, v == 1 ? targets.back() : random_.pick(targets));
      for (const FieldSpec& f : variant.fields)
        if (f.name == field.name) return;
      variant.fields.push_back(std::move(field));
    };
    // The first is a leaf, so that there are finite trees; one has a list of children.
    const int payload = random_.between(v == 0 ? 1 : 0, 3);
    for (int i = 0; i < payload; ++i)
      add(static_cast<Kind>(random_.below(static_cast<int>(Kind::child))));
    if (v == 1) add(random_.chance(0.75) ? Kind::children : Kind::edges);
    if (v >= 2) {
      add(Kind::child);
      add(static_cast<Kind>(
          random_.between(static_cast<int>(Kind::child), static_cast<int>(Kind::edges))));
    }
    std::stable_sort(variant.fields.begin(), variant.fields.end(),
                     [&](const auto& a, const auto& b) {
                       return a.name < b.name && variant.fields.size() % 2 == 0;
                     });
    type.variants.push_back(std::move(variant));
  }
  if (variants >= 3) feature("three variants");
  for (const VariantSpec& v : type.variants)
    for (const FieldSpec& f : v.fields) {
      static const char* names[] = {
          "index",    "real",          "vector",          "integer",         "half",
          "boolean",  "tuple",         "list of indices", "list of vectors", "child",
          "children", "labelled edges"};
      feature(std::string("payload: ") + names[static_cast<int>(f.kind)]);
    }
  if (std::any_of(targets.begin(), targets.end(), [&](const auto& t) { return t != name; }))
    feature("mutually recursive types");
  if (shared) feature("shared type");
  return type;
}

void Generator::make_types() {
  model_.types.push_back(make_type("Tree", false, {"Tree"}));
  model_.types.push_back(make_type("Dag", true, {"Dag"}));
  const bool shared = random_.chance(0.25);
  model_.types.push_back(make_type("Expr", shared, {"Expr", "Stmt"}));
  model_.types.push_back(make_type("Stmt", shared, {"Expr", "Stmt", "Expr"}));
  const std::string real = model_.globals.real;
  model_.more_types.push_back(
      fmt::format(R"("Maybe": {{"None": {{}}, "Some": {{"x": "{}", "v": "{}[3]"}}}})", real, real));
  model_.more_types.push_back(R"("Two[a]": {"Two": {"x": "a", "y": "a"}})");
}

std::string Model::text(int only) const {
  if (!given.empty()) return given;
  std::vector<std::string> functions, outputs, declared = more_types;
  const std::string real = globals.real;
  functions.push_back(fmt::format(
      R"--("linear": {{"forall": ["nn", "mm"], "args": {{"p": "(weight: {0}[mm, nn], bias: {0}[mm])", "x": "{0}[nn]"}}, "body": "p.weight @ x + p.bias"}})--",
      real));
  functions.push_back(
      R"--("twice": {"forall": ["aa"], "args": {"f": "(aa) -> aa", "x": "aa"}, "body": "f(f(x))"})--");
  functions.push_back(
      R"("pick": {"forall": ["aa"], "args": {"c": "bool", "x": "aa", "y": "aa"}, "body": "if c then x else y"})");
  std::string all = functions[0];
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (only >= 0 && static_cast<std::size_t>(only) != i) continue;
    for (const auto& [name, body] : entries[i].functions) {
      functions.push_back(fmt::format("\"{}\": {}", name, body));
      all += body;
    }
    outputs.push_back(fmt::format(R"("{}": {{"function": "{}", "outputs": "{}"}})", entries[i].name,
                                  entries[i].function, entries[i].nodes ? "nodes" : "roots"));
  }
  for (const TypeSpec& type : types) {
    std::vector<std::string> variants;
    for (const VariantSpec& v : type.variants) {
      std::vector<std::string> fields;
      for (const FieldSpec& f : v.fields)
        fields.push_back(fmt::format(R"("{}": "{}")", f.name, f.type));
      variants.push_back(fmt::format(R"("{}": {{{}}})", v.name, fmt::join(fields, ", ")));
    }
    const std::string inside = fmt::format("{{{}}}", fmt::join(variants, ", "));
    declared.push_back(
        type.shared ? fmt::format(R"("{}": {{"shared": true, "variants": {}}})", type.name, inside)
                    : fmt::format(R"("{}": {})", type.name, inside));
  }
  const auto uses = [&](const std::string& name) {
    for (std::size_t at = 0; (at = all.find(name, at)) != std::string::npos; at += name.size()) {
      const char next = at + name.size() < all.size() ? all[at + name.size()] : ' ';
      if ((next < '0' || next > '9') && next != '_') return true;
    }
    return false;
  };
  std::vector<std::string> params, constants;
  for (const auto& [name, type] : globals.params)
    if (uses(name)) params.push_back(fmt::format(R"("{}": "{}")", name, type));
  for (const auto& [name, value] : globals.constants)
    if (uses(name)) constants.push_back(fmt::format(R"("{}": {})", name, value));
  return fmt::format(
      "{{\"espalier\": 1, \"name\": \"fuzz_{}\",\n\"types\": {{\n  {}}},\n\"params\": "
      "{{{}}},\n\"constants\": "
      "{{{}}},\n\"functions\": {{\n  {}}},\n\"entries\": {{{}}}}}\n",
      seed, fmt::join(declared, ",\n  "), fmt::join(params, ", "), fmt::join(constants, ", "),
      fmt::join(functions, ",\n  "), fmt::join(outputs, ", "));
}

}  // namespace espalier::fuzz

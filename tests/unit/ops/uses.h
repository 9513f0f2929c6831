// Uses of operators written as text, for tests: types as "f32[hidden, 3]", options as literals.
#pragma once

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "ops/op.h"
#include "ops/rules.h"

namespace espalier::test {

inline fun::Dim dim_of(const std::string& text) {
  static const std::map<std::string, std::int64_t> dims = {
      {"hidden", 48}, {"embed", 32}, {"vocab", 100}, {"n", 5}, {"m", 3}, {"k", 4}};
  const std::size_t star = text.find(" * ");
  if (star != std::string::npos)
    return dim_of(text.substr(0, star)) * dim_of(text.substr(star + 3));
  const auto named = dims.find(text);
  return named == dims.end() ? fun::Dim(std::stoll(text)) : fun::Dim::named(text, named->second);
}

// "f32", "f32[n, 2 * m]", "index[n]", "[f32[n]]", "(f32, f32)" (of scalars only).
inline fun::TypeRef type_of(const std::string& text) {
  if (text[0] == '[') return fun::list_of(type_of(text.substr(1, text.size() - 2)));
  if (text[0] == '(') return fun::tuple_of({fun::scalar(Dtype::f32), fun::scalar(Dtype::f32)});
  const std::size_t open = text.find('[');
  std::vector<fun::Dim> shape;
  for (std::size_t at = open; at != std::string::npos && at + 1 < text.size();) {
    const std::size_t next = text.find_first_of(",]", at + 1);
    shape.push_back(dim_of(text.substr(at + 1, next - at - 1)));
    at = text[next] == ',' ? next + 1 : std::string::npos;
  }
  const std::string name = text.substr(0, open);
  if (name == "index") return fun::index_type(shape[0]);
  for (int t = 0; t < 8; ++t)
    if (dtype_name(static_cast<Dtype>(t)) == name) return fun::tensor(static_cast<Dtype>(t), shape);
  FAIL("no type: ", text);
  return nullptr;
}

inline ops::Option number(double value) {
  ops::Option made;
  made.number = value;
  made.integral = value == static_cast<double>(static_cast<std::int64_t>(value));
  if (made.integral) made.dim = fun::Dim(static_cast<std::int64_t>(value));
  return made;
}
inline ops::Option named(const std::string& dim) {
  ops::Option made = number(static_cast<double>(dim_of(dim).value()));
  made.dim = dim_of(dim);
  return made;
}
inline ops::Option text(const std::string& value) {
  ops::Option made;
  made.text = value;
  return made;
}
inline ops::Option list(std::vector<ops::Option> items) {
  ops::Option made;
  made.is_list = true;
  made.list = std::move(items);
  return made;
}
inline ops::Option list(std::initializer_list<double> items) {
  std::vector<ops::Option> options;
  for (const double item : items) options.push_back(number(item));
  return list(options);
}

inline ops::Use use(const std::string& name, const std::vector<std::string>& types,
                    ops::Options options = {}) {
  ops::Use made;
  made.op = ops::find(name);
  REQUIRE_MESSAGE(made.op != nullptr, name);
  for (const std::string& type : types) made.types.push_back(type_of(type));
  made.options = std::move(options);
  return made;
}

// The inferred type as text, or the first mistake's kind and message.
inline std::string inferred(const ops::Use& use) {
  Diagnostics diagnostics;
  const Result<fun::TypeRef> type = ops::infer(use, diagnostics);
  if (type) return fun::str(**type);
  const Diagnostic& first = diagnostics.all().at(0);
  return std::string(kind_id(first.kind)) + ": " + first.message;
}

// With its result type set.
inline ops::Use checked(ops::Use use) {
  Diagnostics diagnostics;
  const Result<fun::TypeRef> type = ops::infer(use, diagnostics);
  REQUIRE_MESSAGE(type, use.op->name, ": ", diagnostics.all().at(0).message);
  use.result = *type;
  return use;
}

}  // namespace espalier::test

#include "read/type_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/token_stream.h"

namespace espalier::read {

using fun::Dim;
using fun::TypeRef;

namespace {

// Parts of a type with the names in it replaced, above which it is refused.
constexpr std::size_t largest_type = 10000;

constexpr Dtype dtypes[] = {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16,
                            Dtype::i8,  Dtype::i32, Dtype::i64, Dtype::boolean};

std::optional<Dtype> find_dtype(std::string_view name) {
  const auto found = std::find_if(std::begin(dtypes), std::end(dtypes),
                                  [&](Dtype t) { return dtype_name(t) == name; });
  if (found == std::end(dtypes)) return {};
  return *found;
}

class TypeParser : public TokenStream {
 public:
  TypeParser(const Snippet& snippet, std::vector<Token> tokens, const TypeScope& scope,
             Diagnostics* diagnostics)
      : TokenStream(snippet, std::move(tokens), 0, diagnostics), scope_(scope) {}

  TypeRef whole_type() {
    TypeRef out = type();
    if (peek().kind != Token::Kind::end) unexpected("the type's end");
    return out;
  }

  Dim whole_dim() {
    Dim out = dim();
    if (peek().kind != Token::Kind::end) unexpected("an operator or the dim's end");
    return out;
  }

  Declared whole_declared() {
    Declared out;
    out.name = take_name("a type's name").text;
    if (is("[")) {
      const Token& open = take();
      do {
        const Token& param = take_name("a type parameter's name");
        if (std::count(out.params.begin(), out.params.end(), param.text))
          fail(Kind::duplicate_name, param,
               fmt::format("type parameter '{}' stands twice", param.text));
        out.params.emplace_back(param.text);
      } while (take_if(","));
      close(open, "]", "',' or ']'");
    }
    if (peek().kind != Token::Kind::end) unexpected("the end of the type's name");
    return out;
  }

 private:
  TypeRef type() {
    const Level level(this);
    if (is("[")) {
      const Token& open = take();
      TypeRef item = type();
      close(open, "]", "']'");
      return count(fun::list_of(std::move(item)), 1);
    }
    if (is("(")) return parenthesized();
    return named();
  }

  // Bounds what is built: names of large types may be used again and again.
  TypeRef count(TypeRef type, std::size_t parts) {
    size_ += parts;
    if (size_ > largest_type)
      fail(Kind::type_size, peek(),
           fmt::format("the type has more than {} parts when names are replaced", largest_type));
    return type;
  }

  static std::size_t parts(const fun::Type& type) {
    std::size_t sum = 1;
    for (const TypeRef& part : type.parts) sum += parts(*part);
    return sum;
  }

  static int levels(const fun::Type& type) {
    int below = 0;
    for (const TypeRef& part : type.parts) below = std::max(below, levels(*part));
    return below + 1;
  }

  TypeRef named() {
    const Token& name = take_name("a type");
    const std::string text(name.text);
    if (text == "index") {
      if (!is("[")) unexpected("'[' and the bound of the index");
      const Token& open = take();
      Dim bound = axis();
      close(open, "]", "an operator or ']'");
      return count(fun::index_type(std::move(bound)), 1);
    }
    if (const auto dtype = find_dtype(text)) return count(fun::tensor(*dtype, shape()), 1);
    if (scope_.open.count(text)) return count(fun::name_type(text), 1);
    const auto alias = scope_.aliases.find(text);
    if (alias != scope_.aliases.end()) {
      if (depth() + levels(*alias->second) > deepest)
        fail(Kind::type_depth, name,
             fmt::format("the type nests deeper than {} levels when names are replaced", deepest));
      return count(alias->second, parts(*alias->second));
    }
    const auto data = scope_.data_types.find(text);
    if (data == scope_.data_types.end()) unknown_type(name);
    std::vector<TypeRef> args = arguments();
    if (args.size() != data->second)
      fail(Kind::type_arguments, name,
           fmt::format("type '{}' takes {} type argument{}, found {}", text, data->second,
                       data->second == 1 ? "" : "s", args.size()));
    return count(fun::data_type(text, std::move(args)), 1);
  }

  [[noreturn]] void unknown_type(const Token& name) const {
    fail(Kind::unknown_type, name,
         fmt::format("there is no type '{}'{}", name.text, meant(std::string(name.text))));
  }

  std::string meant(const std::string& name) const {
    const std::string dtype = dtype_meant(name);
    return dtype.empty() ? did_you_mean(name, scope_.all_names())
                         : fmt::format("; write {}", dtype);
  }

  std::vector<TypeRef> arguments() {
    std::vector<TypeRef> out;
    if (!is("[")) return out;
    const Token& open = take();
    do out.push_back(type());
    while (take_if(","));
    close(open, "]", "',' or ']'");
    return out;
  }

  std::vector<Dim> shape() {
    std::vector<Dim> out;
    if (!is("[")) return out;
    const Token& open = take();
    Dim size = 1;
    do {
      const Token& first = peek();
      out.push_back(axis());
      size = size * (out.back().bound() ? Dim(out.back().value()) : Dim(1));
      if (size.overflowed())
        fail(Kind::dim_overflow, first, "the size of the tensor does not fit 64 bits");
    } while (take_if(","));
    close(open, "]", "an operator, ',' or ']'");
    return out;
  }

  TypeRef parenthesized() {
    const Token& open = take();
    std::vector<TypeRef> fields;
    std::vector<std::string> names;
    bool trailing = false;
    while (!is(")")) {
      field(&fields, &names);
      trailing = take_if(",");
      if (!trailing) break;
    }
    close(open, ")", "',' or ')'");
    if (take_if("->")) {
      if (!names.empty())
        fail(Kind::named_function_argument, open, "arguments of a function type have no names");
      TypeRef result = type();
      return count(fun::function_type(std::move(fields), std::move(result)), 1);
    }
    if (fields.empty()) fail(Kind::empty_tuple, open, "a tuple has fields");
    if (fields.size() == 1 && names.empty() && !trailing) return fields[0];
    return count(fun::tuple_of(std::move(fields), std::move(names)), 1);
  }

  void field(std::vector<TypeRef>* fields, std::vector<std::string>* names) {
    const bool has_name = peek(1).is(":");
    if (!fields->empty() && has_name == names->empty())
      fail(Kind::mixed_fields, peek(), "either all fields of a tuple have names or none");
    if (has_name) {
      const Token& name = take_name("a field's name");
      if (std::count(names->begin(), names->end(), name.text))
        fail(Kind::repeated_field, name, fmt::format("field '{}' stands twice", name.text));
      names->emplace_back(name.text);
      take();
    }
    fields->push_back(type());
  }

  Dim axis() {
    const Token& first = peek();
    Dim out = dim();
    if (out.bound() && out.value() < 1)
      fail(Kind::dim_not_positive, first,
           out.is_literal() ? fmt::format("an axis of {}; axes are at least 1 long", out.value())
                            : fmt::format("an axis of {} = {}; axes are at least 1 long", out.str(),
                                          out.value()));
    return out;
  }

  Dim checked(const Token& at, Dim out) const {
    if (out.overflowed()) fail(Kind::dim_overflow, at, "the dim does not fit 64 bits");
    return out;
  }

  Dim dim() {
    const Level level(this);
    Dim left = dim_product();
    while (is_any({"+", "-"})) {
      const Token& sign = take();
      const Dim right = dim_product();
      left = checked(sign, sign.is("+") ? left + right : left - right);
    }
    return left;
  }

  Dim dim_product() {
    Dim left = dim_atom();
    while (is_any({"*", "//"})) {
      const Token& sign = take();
      const Dim right = dim_atom();
      if (sign.is("//") && right.bound() && right.value() == 0)
        fail(Kind::dim_division, sign, fmt::format("{} is divided by zero", left.str()));
      left = checked(sign, sign.is("*") ? left * right : floor_div(left, right));
    }
    if (is_any({"/", "%", "**", "@"}))
      fail(Kind::not_a_dim, peek(),
           fmt::format("found {}; a dim has the operators + - * and //", describe(peek())));
    return left;
  }

  Dim dim_atom() {
    const Token& token = peek();
    if (token.kind == Token::Kind::number) {
      take();
      if (const auto value = parse_int(token.text)) return Dim(*value);
      const bool digits = token.text.find_first_not_of("0123456789") == std::string_view::npos;
      fail(digits ? Kind::dim_overflow : Kind::not_a_dim, token,
           digits ? fmt::format("{} does not fit 64 bits", token.text)
                  : fmt::format("{} is no integer; a dim is one", token.text));
    }
    if (is("(")) {
      const Token& open = take();
      Dim out = dim();
      close(open, ")", "an operator or ')'");
      return out;
    }
    if (is("-")) fail(Kind::not_a_dim, token, "a dim begins with no sign");
    const Token& name = take_name("a dim");
    if (scope_.open.count(std::string(name.text))) return Dim::named(std::string(name.text));
    const auto found = scope_.dims.find(std::string(name.text));
    if (found != scope_.dims.end()) return found->second;
    unknown_dim(name);
  }

  [[noreturn]] void unknown_dim(const Token& name) const {
    std::vector<std::string> known(scope_.open.begin(), scope_.open.end());
    for (const auto& [dim, value] : scope_.dims) known.push_back(dim);
    fail(Kind::unknown_dim, name,
         fmt::format("there is no dim '{}'{}", name.text, did_you_mean(name.text, known)));
  }

  const TypeScope& scope_;
  std::size_t size_ = 0;
};

template <class T>
Result<T> parse(const Snippet& snippet, const TypeScope& scope, Diagnostics* diagnostics,
                T (TypeParser::*rule)()) {
  Result<std::vector<Token>> tokens = lex(snippet, diagnostics);
  if (!tokens) return Failed{};
  try {
    TypeParser parser(snippet, std::move(*tokens), scope, diagnostics);
    return (parser.*rule)();
  } catch (const SyntaxStop&) {
    return Failed{};
  }
}

}  // namespace

std::vector<std::string> TypeScope::all_names() const {
  std::vector<std::string> out(open.begin(), open.end());
  for (const auto& [name, count] : data_types) out.push_back(name);
  for (const auto& [name, type] : aliases) out.push_back(name);
  for (const Dtype dtype : dtypes) out.emplace_back(dtype_name(dtype));
  out.emplace_back("index");
  return out;
}

bool is_type_word(std::string_view name) { return name == "index" || find_dtype(name).has_value(); }

Result<TypeRef> parse_type(const Snippet& snippet, const TypeScope& scope,
                           Diagnostics* diagnostics) {
  return parse(snippet, scope, diagnostics, &TypeParser::whole_type);
}

Result<Dim> parse_dim(const Snippet& snippet, const TypeScope& scope, Diagnostics* diagnostics) {
  return parse(snippet, scope, diagnostics, &TypeParser::whole_dim);
}

Result<Declared> parse_declared(const Snippet& snippet, Diagnostics* diagnostics) {
  const TypeScope none;
  return parse(snippet, none, diagnostics, &TypeParser::whole_declared);
}

}  // namespace espalier::read

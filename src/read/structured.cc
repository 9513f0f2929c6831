#include "read/structured.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/kinds.h"
#include "base/numbers.h"
#include "read/json_number.h"
#include "read/type_parser.h"
#include "read/utf8.h"

namespace espalier::read {

using fun::Expr;
using fun::ExprRef;
using fun::PatternRef;

namespace {

using ExprPtr = std::shared_ptr<Expr>;

class BodyReader;

// A form of section 6: the key that tells it, and its other keys.
struct Form {
  const char* head;
  std::vector<std::string> needed, allowed;
  ExprPtr (BodyReader::*read)(const Json&);
};

class BodyReader {
 public:
  BodyReader(const Reading& reading, const ParseContext& context)
      : reading_(reading), context_(context) {}

  // Null after a diagnostic, as everywhere here.
  ExprRef body(const Json& json) {
    if (++context_.depth > deepest) {
      reading_.error(
          Kind::expression_depth, json,
          fmt::format("the expression nests deeper than {} levels; give parts of it names",
                      deepest));
      --context_.depth;
      return nullptr;
    }
    ExprRef out = value(json);
    --context_.depth;
    return out;
  }

 private:
  friend const std::vector<Form>& forms();

  ExprRef value(const Json& json) {
    switch (json.kind()) {
      case Json::Kind::string: return text(json);
      case Json::Kind::number:
      case Json::Kind::boolean: return json_number(reading_, json);
      case Json::Kind::array: return numbers_only(json) ? numbers(json) : block(json);
      case Json::Kind::object: return object(json);
      case Json::Kind::null: break;
    }
    reading_.error(Kind::wrong_json_type, json,
                   "an expression is a string, an object or a list of statements, found null");
    return nullptr;
  }

  Snippet snippet(const Json& json) const {
    return {reading_.file, &json.string(), reading_.file->pointer(json.offset())};
  }

  ExprRef text(const Json& json) {
    ParseContext inner = context_;
    --inner.depth;
    const Result<ExprRef> out = parse_expr(snippet(json), inner, reading_.diagnostics);
    return out ? *out : nullptr;
  }

  ExprPtr make(Expr::Kind kind, const Json& json) const {
    return fun::make(kind, reading_.file->loc(json));
  }

  ExprRef numbers(const Json& json) {
    ExprPtr out = make(Expr::Kind::list, json);
    return bodies(json, &out->parts) ? out : nullptr;
  }

  bool bodies(const Json& list, std::vector<ExprRef>* out) {
    bool ok = true;
    for (const Json& item : list.items()) {
      out->push_back(body(item));
      ok = ok && out->back();
    }
    return ok;
  }

  // ---- Statements ----

  ExprRef block(const Json& json) {
    const auto& items = json.items();
    if (items.empty()) {
      reading_.error(Kind::empty_body, json, "a body ends with its value; this one is empty");
      return nullptr;
    }
    ExprPtr out = make(Expr::Kind::block, json);
    bool ok = true;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) ok = statement(items[i], out.get()) && ok;
    ExprRef last = last_value(items.back());
    if (!ok || !last) return nullptr;
    if (out->statements.empty()) return last;
    out->parts = {std::move(last)};
    return out;
  }

  ExprRef last_value(const Json& json) {
    if (!json.is(Json::Kind::object) || !json.find("let")) return body(json);
    reading_.error(Kind::statement_as_value, json,
                   "a list of statements ends with its value, found a statement");
    return nullptr;
  }

  bool statement(const Json& json, Expr* block) {
    if (json.is(Json::Kind::string)) {
      ParseContext inner = context_;
      Result<fun::Statement> out = parse_statement(snippet(json), inner, reading_.diagnostics);
      if (out) block->statements.push_back(std::move(*out));
      return static_cast<bool>(out);
    }
    if (json.is(Json::Kind::object) && json.find("let")) return let(json, block);
    reading_.error(Kind::value_as_statement, json,
                   "a value that nothing uses; only the last of a list of statements is a value");
    return false;
  }

  bool let(const Json& json, Expr* block) {
    const bool keys = check_keys(reading_, json, {"let", "be"}, "a 'let' object");
    const Json* target = json.find("let");
    const Json* be = need(reading_, json, "be", "a 'let' object");
    if (!keys || !be || !expect(reading_, *target, Json::Kind::string, "'let'")) return false;
    Result<Target> left = parse_target(snippet(*target), context_, reading_.diagnostics);
    ExprRef value = body(*be);
    if (!left || !value) return false;
    block->statements.push_back(make_statement(std::move(*left), std::move(value)));
    return true;
  }

  // ---- Objects ----

  ExprRef object(const Json& json);
  const Form* form_of(const Json& json);

  ExprPtr variable(const Json& json) {
    ExprPtr out = make(Expr::Kind::variable, json);
    return name(*json.find("var"), "a variable", &out->name) ? out : nullptr;
  }

  bool name(const Json& json, const std::string& what, std::string* out) {
    if (!expect(reading_, json, Json::Kind::string, what)) return false;
    *out = json.text();
    return check_name(reading_, json.string(), what);
  }

  ExprPtr constant(const Json& json) {
    const Json& value = *json.find("const");
    ExprPtr out;
    if (value.is(Json::Kind::number) || value.is(Json::Kind::boolean)) {
      out = json_number(reading_, value);
    } else if (value.is(Json::Kind::string)) {
      const std::string& word = value.text();
      const bool number = word == "inf" || word == "-inf" || word == "nan";
      out = make(number ? Expr::Kind::number : Expr::Kind::text, json);
      (number ? out->number_text : out->name) = word;
      if (number) out->number = *parse_double(word);
    } else {
      reading_.error(Kind::bad_constant, value,
                     fmt::format("a constant is a number, a string or a boolean, found {}",
                                 kind_words(value.kind())));
      return nullptr;
    }
    out->loc = reading_.file->loc(json);
    return own_type(json, out.get()) ? out : nullptr;
  }

  // "type": "f64" of a constant, of zeros, ones and iota.
  bool own_type(const Json& json, Expr* out) {
    const Json* type = json.find("type");
    if (!type) return true;
    if (!expect(reading_, *type, Json::Kind::string, "'type'")) return false;
    const TypeScope none;
    const Result<fun::TypeRef> parsed = parse_type(snippet(*type), none, reading_.diagnostics);
    if (!parsed) return false;
    if ((*parsed)->kind != fun::Type::Kind::tensor || !(*parsed)->shape.empty() ||
        out->kind == Expr::Kind::text) {
      reading_.error(Kind::bad_constant_type, *type,
                     fmt::format("the type of a constant is a scalar's, as f32; found {}",
                                 fun::show(**parsed)));
      return false;
    }
    out->type = *parsed;
    return true;
  }

  bool args(const Json& json, std::vector<ExprRef>* out) {
    const Json* list = json.find("args");
    if (!list) return true;
    return expect(reading_, *list, Json::Kind::array, "'args'") && bodies(*list, out);
  }

  ExprPtr operation(const Json& json) {
    const Json& name = *json.find("op");
    if (!expect(reading_, name, Json::Kind::string, "'op'")) return nullptr;
    static const std::vector<std::string> symbols = {"+",  "-",  "*",   "/",  "//", "%",
                                                     "**", "@",  "==",  "!=", "<",  "<=",
                                                     ">",  ">=", "and", "or", "not"};
    const std::string& op = name.text();
    if (std::find(symbols.begin(), symbols.end(), op) == symbols.end() &&
        (!is_name(op) || is_reserved(op))) {
      reading_.error(Kind::unknown_operator, name, fmt::format("there is no operator '{}'", op));
      return nullptr;
    }
    if (op == "zeros" || op == "ones" || op == "iota") return filled(json, op);
    ExprPtr out = make(Expr::Kind::op, json);
    out->name = op;
    out->name_loc = reading_.file->loc(name);
    bool ok = args(json, &out->parts);
    for (std::size_t i = 0; i < json.items().size(); ++i) {
      const std::string& key = json.keys()[i].text;
      if (key == "op" || key == "args") continue;
      if (!check_name(reading_, json.keys()[i], "an argument")) return nullptr;
      out->option_locs.push_back(reading_.file->key_loc(json.keys()[i]));
      out->options.emplace_back(key, body(json.items()[i]));
      ok = ok && out->options.back().second;
    }
    return ok ? out : nullptr;
  }

  // {"op": "zeros", "args": ["n", "m"]} is zeros[n, m].
  ExprPtr filled(const Json& json, const std::string& op) {
    ExprPtr out = make(Expr::Kind::index, json);
    auto name = fun::make(Expr::Kind::variable, reading_.file->loc(*json.find("op")));
    name->name = op;
    out->parts = {name};
    std::vector<ExprRef> axes;
    if (!check_keys(reading_, json, {"op", "args", "type"}, fmt::format("operator '{}'", op)) ||
        !args(json, &axes) || !own_type(json, out.get()))
      return nullptr;
    if (axes.empty()) {
      reading_.error(Kind::missing_axes, json,
                     fmt::format("'{}' lacks its axes, as in \"args\": [3]", op));
      return nullptr;
    }
    for (ExprRef& axis : axes) out->indices.push_back({std::move(axis), {}, {}, {}, false});
    return out;
  }

  ExprPtr call(const Json& json) {
    ExprPtr out = make(Expr::Kind::call, json);
    out->parts = {body(*json.find("call"))};
    const bool ok = args(json, &out->parts);
    return ok && out->parts[0] ? out : nullptr;
  }

  ExprPtr construct(const Json& json) {
    const Json& name = *json.find("construct");
    if (!expect(reading_, name, Json::Kind::string, "'construct'")) return nullptr;
    const std::string& text = name.text();
    const std::size_t point = text.find('.');
    const std::string type = text.substr(0, point);
    const std::string variant = point == std::string::npos ? "" : text.substr(point + 1);
    if (!is_name(type) || !is_name(variant)) {
      reading_.error(
          Kind::bad_variant_name, name,
          fmt::format("'{}' is not a type and its variant, which are written Tree.Node", text));
      return nullptr;
    }
    ExprPtr out = make(Expr::Kind::construct, json);
    out->type_name = context_.data_type(type);
    out->name = variant;
    out->name_loc = reading_.file->loc(name);
    if (out->type_name.empty()) {
      reading_.error(Kind::unknown_type, name,
                     fmt::format("there is no data type '{}'{}", type,
                                 did_you_mean(type, context_.type_names)));
      return nullptr;
    }
    return args(json, &out->parts) ? out : nullptr;
  }

  ExprPtr field(const Json& json) {
    const Json& name = *json.find("field");
    if (!expect(reading_, name, Json::Kind::string, "'field'")) return nullptr;
    ExprPtr out = make(Expr::Kind::field, json);
    out->name = name.text();
    out->name_loc = reading_.file->loc(name);
    const bool number =
        !out->name.empty() && out->name.find_first_not_of("0123456789") == std::string::npos;
    if (!number && !check_name(reading_, name.string(), "a field")) return nullptr;
    out->parts = {body(*json.find("of"))};
    return out->parts[0] ? out : nullptr;
  }

  ExprPtr tuple(const Json& json) {
    const Json& fields = *json.find("tuple");
    ExprPtr out = make(Expr::Kind::tuple, json);
    if (fields.is(Json::Kind::object)) {
      for (const JsonText& key : fields.keys()) {
        if (!check_name(reading_, key, "a field")) return nullptr;
        out->names.push_back(key.text);
      }
    } else if (!expect(reading_, fields, Json::Kind::array, "'tuple'")) {
      return nullptr;
    }
    if (fields.items().empty()) {
      reading_.error(Kind::empty_tuple, fields, "a tuple has fields");
      return nullptr;
    }
    return bodies(fields, &out->parts) ? out : nullptr;
  }

  ExprPtr list(const Json& json) {
    const Json& items = *json.find("list");
    ExprPtr out = make(Expr::Kind::list, json);
    if (!expect(reading_, items, Json::Kind::array, "'list'")) return nullptr;
    return bodies(items, &out->parts) ? out : nullptr;
  }

  ExprPtr each(const Json& json) {
    ExprPtr out = make(Expr::Kind::each, json);
    out->params = {pattern(*json.find("for"), "'for'")};
    out->parts = {body(*json.find("each")), body(*json.find("in"))};
    return out->params[0] && out->parts[0] && out->parts[1] ? out : nullptr;
  }

  PatternRef pattern(const Json& json, const std::string& what) {
    if (!expect(reading_, json, Json::Kind::string, what)) return nullptr;
    const Result<PatternRef> out = parse_pattern(snippet(json), context_, reading_.diagnostics);
    return out ? *out : nullptr;
  }

  ExprPtr lambda(const Json& json) {
    const Json& params = *json.find("fun");
    if (!expect(reading_, params, Json::Kind::array, "'fun'")) return nullptr;
    ExprPtr out = make(Expr::Kind::lambda, json);
    bool ok = true;
    for (const Json& param : params.items()) {
      out->params.push_back(pattern(param, "an argument of 'fun'"));
      ok = ok && out->params.back();
    }
    out->parts = {body(*json.find("body"))};
    return ok && out->parts[0] ? out : nullptr;
  }

  ExprPtr index(const Json& json) {
    ExprPtr out = make(Expr::Kind::index, json);
    out->parts = {body(*json.find("index"))};
    const Json& at = *json.find("at");
    if (!expect(reading_, at, Json::Kind::array, "'at'")) return nullptr;
    if (at.items().empty()) {
      reading_.error(Kind::missing_expression, at, "an index has at least one expression");
      return nullptr;
    }
    bool ok = out->parts[0] != nullptr;
    for (const Json& item : at.items()) {
      out->indices.emplace_back();
      ok = one_index(item, &out->indices.back()) && ok;
    }
    return ok ? out : nullptr;
  }

  bool one_index(const Json& json, fun::Index* out) {
    if (!json.is(Json::Kind::object) || !json.find("slice")) {
      out->at = body(json);
      return out->at != nullptr;
    }
    const Json& slice = *json.find("slice");
    if (!check_keys(reading_, json, {"slice"}, "a slice") ||
        !expect(reading_, slice, Json::Kind::array, "'slice'"))
      return false;
    if (slice.items().size() < 2 || slice.items().size() > 3) {
      reading_.error(Kind::bad_slice, slice,
                     fmt::format("a slice is [begin, end] or [begin, end, step], found {} of these",
                                 slice.items().size()));
      return false;
    }
    out->slice = true;
    ExprRef* const bounds[] = {&out->begin, &out->end, &out->step};
    bool ok = true;
    for (std::size_t i = 0; i < slice.items().size(); ++i) {
      if (slice.items()[i].is(Json::Kind::null)) continue;
      *bounds[i] = body(slice.items()[i]);
      ok = ok && *bounds[i];
    }
    return ok;
  }

  ExprPtr match(const Json& json) {
    ExprPtr out = make(Expr::Kind::match, json);
    out->parts = {body(*json.find("match"))};
    const Json& cases = *json.find("cases");
    if (!expect(reading_, cases, Json::Kind::object, "'cases'")) return nullptr;
    if (cases.items().empty()) {
      reading_.error(Kind::no_cases, cases, "a match has at least one case");
      return nullptr;
    }
    bool ok = out->parts[0] != nullptr;
    for (std::size_t i = 0; i < cases.items().size(); ++i) {
      const JsonText& key = cases.keys()[i];
      const Snippet text(reading_.file, &key, reading_.file->pointer(key.offset));
      const Result<PatternRef> left = parse_pattern(text, context_, reading_.diagnostics);
      ExprRef right = body(cases.items()[i]);
      ok = ok && left && right;
      if (ok) out->cases.push_back({*left, std::move(right)});
    }
    return ok ? out : nullptr;
  }

  ExprPtr conditional(const Json& json) {
    ExprPtr out = make(Expr::Kind::conditional, json);
    out->parts = {body(*json.find("if")), body(*json.find("then")), body(*json.find("else"))};
    return out->parts[0] && out->parts[1] && out->parts[2] ? out : nullptr;
  }

  const Reading& reading_;
  ParseContext context_;
};

const std::vector<Form>& forms() {
  using B = BodyReader;
  static const std::vector<Form> table = {
      {"var", {}, {}, &B::variable},
      {"const", {}, {"type"}, &B::constant},
      {"op", {"args"}, {"*"}, &B::operation},
      {"call", {"args"}, {}, &B::call},
      {"construct", {"args"}, {}, &B::construct},
      {"field", {"of"}, {}, &B::field},
      {"tuple", {}, {}, &B::tuple},
      {"list", {}, {}, &B::list},
      {"each", {"for", "in"}, {}, &B::each},
      {"fun", {"body"}, {}, &B::lambda},
      {"index", {"at"}, {}, &B::index},
      {"match", {"cases"}, {}, &B::match},
      {"if", {"then", "else"}, {}, &B::conditional},
  };
  return table;
}

const Form* BodyReader::form_of(const Json& json) {
  const Form* found = nullptr;
  std::vector<std::string> heads;
  for (const Form& form : forms()) {
    heads.emplace_back(form.head);
    if (!json.find(form.head)) continue;
    if (found) {
      reading_.error(
          Kind::ambiguous_form, json,
          fmt::format("an expression has either '{}' or '{}', not both", found->head, form.head));
      return nullptr;
    }
    found = &form;
  }
  if (found) return found;
  std::string near;
  for (const JsonText& key : json.keys())
    if (near.empty()) near = did_you_mean(key.text, heads);
  if (json.find("let"))
    reading_.error(Kind::statement_as_value, json, "a 'let' stands in a list of statements only");
  else
    reading_.error(Kind::unknown_form, json,
                   "no expression has these keys; one has 'op', 'call', 'match', .." + near);
  return nullptr;
}

ExprRef BodyReader::object(const Json& json) {
  const Form* form = form_of(json);
  if (!form) return nullptr;
  const std::string what = fmt::format("a '{}' expression", form->head);
  std::vector<std::string> known = form->needed;
  known.insert(known.end(), form->allowed.begin(), form->allowed.end());
  known.emplace_back(form->head);
  const bool any = std::find(known.begin(), known.end(), "*") != known.end();
  bool ok = any || check_keys(reading_, json, known, what);
  for (const std::string& key : form->needed) ok = need(reading_, json, key, what) && ok;
  return ok ? (this->*form->read)(json) : nullptr;
}

}  // namespace

Result<ExprRef> read_body(const Reading& reading, const Json& json, const ParseContext& context) {
  ExprRef out = BodyReader(reading, context).body(json);
  if (!out) return Failed{};
  return out;
}

}  // namespace espalier::read

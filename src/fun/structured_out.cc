#include "fun/structured_out.h"

#include <algorithm>
#include <set>

#include "base/bug.h"
#include "base/numbers.h"
#include "fun/walk.h"

namespace espalier::fun {

namespace {

// JSON deeper than this inside a body becomes strings again: files nest 256 levels at most.
constexpr int deepest = 200;

bool is_filled(const std::string& name) {
  return name == "zeros" || name == "ones" || name == "iota";
}

class Writer {
 public:
  Writer(const ExprRef& body, const StructuredOptions& options)
      : options_(options), own_(own_dtypes(body, options.checked)) {
    visit(body, [&](const ExprRef& expr) {
      for (const PatternRef& param : expr->params) bind(*param);
      for (const Statement& statement : expr->statements) bind(*statement.pattern);
      for (const Case& one : expr->cases) bind(*one.pattern);
    });
  }

  JsonOut write(const ExprRef& expr) {
    depth_ += 2;  // an object and the list within
    JsonOut out = as_string(*expr) ? json_string(notation(*expr)) : form(*expr);
    depth_ -= 2;
    return out;
  }

 private:
  void bind(const Pattern& pattern) {
    for (std::string& name : names_bound(pattern)) bound_.insert(std::move(name));
  }

  bool as_string(const Expr& expr) const {
    return (!options_.expand || depth_ > deepest) && has_notation(expr, own_);
  }

  bool is_operator(const std::string& name) const {
    return !bound_.count(name) && options_.is_operator(name);
  }

  JsonOut list(const std::vector<ExprRef>& parts, std::size_t first = 0) {
    JsonOut out = json_list();
    for (std::size_t i = first; i < parts.size(); ++i) out.items.push_back(write(parts[i]));
    return out;
  }

  static JsonOut patterns(const std::vector<PatternRef>& all) {
    JsonOut out = json_list();
    for (const PatternRef& pattern : all) out.items.push_back(json_string(notation(*pattern)));
    return out;
  }

  JsonOut form(const Expr& expr) {
    JsonOut out = json_object();
    switch (expr.kind) {
      case Expr::Kind::block: return block(expr);
      case Expr::Kind::variable: out.add("var", json_string(expr.name)); break;
      case Expr::Kind::number: number(expr, &out); break;
      case Expr::Kind::text: out.add("const", json_string(expr.name)); break;
      case Expr::Kind::tuple: out.add("tuple", tuple(expr)); break;
      case Expr::Kind::field:
        out.add("field", json_string(expr.name));
        out.add("of", write(expr.parts[0]));
        break;
      case Expr::Kind::conditional:
        out.add("if", write(expr.parts[0]));
        out.add("then", write(expr.parts[1]));
        out.add("else", write(expr.parts[2]));
        break;
      case Expr::Kind::match: match(expr, &out); break;
      case Expr::Kind::lambda:
        out.add("fun", patterns(expr.params));
        out.add("body", write(expr.parts[0]));
        break;
      case Expr::Kind::call: call(expr, &out); break;
      case Expr::Kind::op: operation(expr.name, expr, 0, &out); break;
      case Expr::Kind::construct:
        out.add("construct", json_string(expr.type_name + '.' + expr.name));
        out.add("args", list(expr.parts));
        break;
      case Expr::Kind::list: out.add("list", list(expr.parts)); break;
      case Expr::Kind::each:
        out.add("each", write(expr.parts[0]));
        out.add("for", json_string(notation(*expr.params[0])));
        out.add("in", write(expr.parts[1]));
        break;
      case Expr::Kind::index: index(expr, &out); break;
    }
    return out;
  }

  JsonOut block(const Expr& expr) {
    JsonOut out = json_list();
    for (const Statement& statement : expr.statements) {
      const ExprRef& value = statement.function_form ? statement.value->parts[0] : statement.value;
      if (!options_.expand && has_notation(*value, own_)) {
        out.items.push_back(json_string(notation(statement)));
        continue;
      }
      JsonOut let = json_object();
      let.add("let", json_string(target_notation(statement)));
      let.add("be", write(value));
      out.items.push_back(std::move(let));
    }
    out.items.push_back(write(expr.parts[0]));
    return out;
  }

  void number(const Expr& expr, JsonOut* out) const {
    std::string text = number_text(expr);
    const bool word = text == "inf" || text == "-inf" || text == "nan";
    // JSON has no leading zeros.
    const bool minus = text[0] == '-';
    while (!word && text.size() > (minus ? 2u : 1u) && text[minus] == '0' &&
           text[minus + 1] >= '0' && text[minus + 1] <= '9')
      text.erase(minus, 1);
    out->add("const", word ? json_string(text) : json_literal(text));
    own_type(expr, out);
  }

  void own_type(const Expr& expr, JsonOut* out) const {
    if (own_.count(&expr)) out->add("type", json_string(std::string(dtype_name(expr.type->dtype))));
  }

  JsonOut tuple(const Expr& expr) {
    if (expr.names.empty()) return list(expr.parts);
    JsonOut out = json_object();
    for (std::size_t i = 0; i < expr.parts.size(); ++i)
      out.add(expr.names[i], write(expr.parts[i]));
    return out;
  }

  void match(const Expr& expr, JsonOut* out) {
    JsonOut cases = json_object();
    for (const Case& one : expr.cases) cases.add(notation(*one.pattern), write(one.body));
    out->add("match", write(expr.parts[0]));
    out->add("cases", std::move(cases));
  }

  void call(const Expr& expr, JsonOut* out) {
    if (!expr.name.empty()) {  // checked
      out->add("call", json_string(expr.name));
      out->add("args", list(expr.parts));
      return;
    }
    const Expr& callee = *expr.parts[0];
    const bool named = callee.kind == Expr::Kind::variable;
    const bool op = is_operator(callee.name) && !is_filled(callee.name);
    if (named && (!expr.options.empty() || op)) return operation(callee.name, expr, 1, out);
    out->add("call", named ? json_string(callee.name) : write(expr.parts[0]));
    out->add("args", list(expr.parts, 1));
  }

  void operation(const std::string& name, const Expr& expr, std::size_t first, JsonOut* out) {
    out->add("op", json_string(name));
    const bool filled = is_filled(name) && expr.parts.empty() && expr.options.size() == 1;
    if (filled) {
      out->add("args", list(expr.options[0].second->parts));
      return own_type(expr, out);
    }
    out->add("args", list(expr.parts, first));
    for (const auto& [option, value] : expr.options) out->add(option, write(value));
  }

  void index(const Expr& expr, JsonOut* out) {
    const Expr& base = *expr.parts[0];
    const bool slices = std::any_of(expr.indices.begin(), expr.indices.end(),
                                    [](const Index& at) { return at.slice; });
    const bool filled = base.kind == Expr::Kind::variable && is_filled(base.name) && !slices &&
                        (own_.count(&expr) || is_operator(base.name));
    JsonOut at = json_list();
    for (const Index& one : expr.indices)
      at.items.push_back(one.slice ? slice(one) : write(one.at));
    if (filled) {
      out->add("op", json_string(base.name));
      out->add("args", std::move(at));
      return own_type(expr, out);
    }
    out->add("index", write(expr.parts[0]));
    out->add("at", std::move(at));
  }

  JsonOut slice(const Index& one) {
    const auto bound = [&](const ExprRef& expr) {
      return expr ? write(expr) : json_literal("null");
    };
    JsonOut bounds = json_list({bound(one.begin), bound(one.end)});
    if (one.step) bounds.items.push_back(write(one.step));
    JsonOut out = json_object();
    out.add("slice", std::move(bounds));
    return out;
  }

  const StructuredOptions& options_;
  OwnDtypes own_;
  std::set<std::string> bound_;
  int depth_ = 0;
};

}  // namespace

JsonOut structured(const ExprRef& body, const StructuredOptions& options) {
  return Writer(body, options).write(body);
}

}  // namespace espalier::fun

#include "fun_pass/partial_evaluate.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.h"
#include "fun_pass/rebuilder.h"
#include "ops/use.h"

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;
using fun::Type;

namespace {

constexpr std::size_t max_items = 16;

bool is_number(const Expr& e) { return e.kind == Expr::Kind::number; }

ExprRef typed(std::shared_ptr<Expr> e, const fun::TypeRef& type) {
  e->type = type;
  return e;
}

// The value of a scalar operator on literals, if it is exact.
ExprRef folded(const Expr& e) {
  const bool scalar = e.type->kind == Type::Kind::tensor && e.type->shape.empty();
  const bool numbers =
      !e.parts.empty() && std::all_of(e.parts.begin(), e.parts.end(), [](const ExprRef& part) {
        return is_number(*part) && part->type->kind == Type::Kind::tensor;
      });
  if (!scalar || !numbers) return nullptr;
  const ops::Operator* op = ops::find(e.name);
  if (!op || !op->elementwise || !op->evaluate) return nullptr;
  std::vector<ops::Tensor> operands;
  for (const ExprRef& part : e.parts) {
    ops::Tensor operand = is_float(part->type->dtype)
                              ? ops::scalar(part->number)
                              : ops::integer(static_cast<std::int64_t>(part->number));
    if (const auto whole = parse_int(part->number_text); whole && !operand.real())
      operand = ops::integer(*whole);
    operand = ops::convert(operand, part->type->dtype);
    operands.push_back(operand);
  }
  const std::vector<ops::Tensor> results = op->evaluate(ops::use_of(e), operands);
  if (results.size() != 1) return nullptr;
  const ops::Tensor rounded = ops::convert(results[0], e.type->dtype);
  auto out = fun::make(Expr::Kind::number, e.loc);
  if (results[0].real()) {
    const double value = results[0].f[0];
    if (!rounded.real() || !(rounded.f[0] == value)) return nullptr;
    out->number = value;
    out->number_text = shortest(value);
  } else {
    out->number = static_cast<double>(rounded.i[0]);
    out->number_text = e.type->dtype == Dtype::boolean ? (rounded.i[0] ? "true" : "false")
                                                       : std::to_string(rounded.i[0]);
  }
  return typed(out, e.type);
}

class Evaluator : public Rebuilder {
 public:
  Evaluator(const fun::Module& module, bool fold) : Rebuilder(global_names(module)), fold_(fold) {}

 private:
  // What a name is known to be: a construct or list whose parts are trivial.
  const Expr* known(const Expr& e) const {
    if (e.kind == Expr::Kind::construct || e.kind == Expr::Kind::list) return &e;
    if (e.kind != Expr::Kind::variable) return nullptr;
    const auto it = known_.find(e.name);
    return it == known_.end() ? nullptr : it->second.get();
  }

  void region_begins() override { outer_.push_back(known_); }
  void region_ends() override {
    known_ = std::move(outer_.back());
    outer_.pop_back();
  }

  ExprRef rebuild(const ExprRef& e) override {
    if (e->kind == Expr::Kind::op && (e->name == "fold" || e->name == "scan")) return fold_list(e);
    if (e->kind == Expr::Kind::conditional) return conditional(*e);
    ExprRef out = Rebuilder::rebuild(e);
    if (out->kind == Expr::Kind::field) return field(out);
    if (out->kind != Expr::Kind::op) return out;
    if (out->parts.size() == 1)
      if (const Expr* list = known(*out->parts[0]); list && list->kind == Expr::Kind::list) {
        if (out->name == "len") return count(list->parts.size(), *out);
        if (out->name == "reverse") return reversed(*list, *out);
      }
    const ExprRef value = fold_ ? folded(*out) : nullptr;
    return value ? value : out;
  }

  static ExprRef count(std::size_t items, const Expr& at) {
    auto out = fun::make(Expr::Kind::number, at.loc);
    out->number = static_cast<double>(items);
    out->number_text = std::to_string(items);
    return typed(out, at.type);
  }

  static ExprRef reversed(const Expr& list, const Expr& at) {
    auto out = std::make_shared<Expr>(list);
    out->loc = at.loc;
    std::reverse(out->parts.begin(), out->parts.end());
    return out;
  }

  static ExprRef field(const ExprRef& e) {
    const Expr& of = *e->parts[0];
    if (of.kind != Expr::Kind::tuple) return e;
    for (std::size_t i = 0; i < of.parts.size(); ++i)
      if ((of.names.empty() ? std::to_string(i) : of.names[i]) == e->name) return of.parts[i];
    return e;
  }

  ExprRef conditional(const Expr& e) {
    const ExprRef chosen = rebuild(e.parts[0]);
    if (is_number(*chosen)) return rebuild(e.parts[chosen->number != 0 ? 1 : 2]);
    auto out = std::make_shared<Expr>(e);
    out->parts[0] = chosen;
    for (std::size_t i = 1; i < e.parts.size(); ++i)
      out->parts[i] = region([&] { return rebuild(e.parts[i]); });
    return out;
  }

  // ---- Statements

  ExprRef rebuild_block(const Expr& e) override {
    for (const fun::Statement& statement : e.statements)
      assign(statement.pattern, rebuild(statement.value));
    return rebuild(e.parts[0]);
  }

  void assign(const PatternRef& p, const ExprRef& value) {
    if (p->kind == Pattern::Kind::wildcard) return;
    if (p->kind == Pattern::Kind::tuple && value->kind == Expr::Kind::tuple) {
      for (std::size_t i = 0; i < p->parts.size(); ++i) assign(p->parts[i], value->parts[i]);
      return;
    }
    if (p->kind == Pattern::Kind::variable &&
        (value->kind == Expr::Kind::tuple || trivial(*value))) {
      env_[p->name] = named_parts(p->name, value);
      return;
    }
    const bool data = value->kind == Expr::Kind::construct || value->kind == Expr::Kind::list;
    if (p->kind == Pattern::Kind::variable && data) {
      const ExprRef parts = named_parts(p->name, value);
      const PatternRef pattern = bind(p);
      emit(pattern, parts);
      known_[pattern->name] = parts;
      return;
    }
    emit(bind(p), value);
  }

  // A tuple (or construct or list) whose parts all have names.
  ExprRef named_parts(const std::string& name, const ExprRef& value) {
    if (trivial(*value)) return value;
    const bool tuple = value->kind == Expr::Kind::tuple;
    if (!tuple && value->kind != Expr::Kind::construct && value->kind != Expr::Kind::list)
      return let(name, value);
    auto out = std::make_shared<Expr>(*value);
    for (std::size_t i = 0; i < out->parts.size(); ++i) {
      const std::string part = tuple && !out->names.empty() ? out->names[i] : std::to_string(i);
      ExprRef& each = out->parts[i];
      each = each->kind == Expr::Kind::tuple ? named_parts(name + '_' + part, each)
                                             : let(name + '_' + part, each);
    }
    return out;
  }

  // ---- Matches

  ExprRef rebuild_match(const Expr& e) override {
    auto out = std::make_shared<Expr>(e);
    out->parts[0] = rebuild(e.parts[0]);
    if (const Expr* on = known(*out->parts[0]))
      for (const fun::Case& each : e.cases) {
        const auto parts = taken(*each.pattern, *on);
        if (!parts) continue;
        if (each.pattern->kind == Pattern::Kind::variable) assign(each.pattern, out->parts[0]);
        for (std::size_t i = 0; i < parts->size(); ++i) assign(each.pattern->parts[i], (*parts)[i]);
        return rebuild(each.body);
      }
    for (fun::Case& each : out->cases)
      each.body = region([&] {
        each.pattern = bind(each.pattern);
        return rebuild(each.body);
      });
    return out;
  }

  // The parts of a known value as a flat pattern names them; nothing if it does not match.
  static std::optional<std::vector<ExprRef>> taken(const Pattern& p, const Expr& value) {
    if (p.kind == Pattern::Kind::wildcard || p.kind == Pattern::Kind::variable)
      return std::vector<ExprRef>();
    if (p.kind == Pattern::Kind::variant)
      return p.name == value.name ? std::optional(value.parts) : std::nullopt;
    if (p.kind != Pattern::Kind::list || value.kind != Expr::Kind::list) return std::nullopt;
    const std::size_t items = p.parts.size() - (p.starred >= 0 ? 1 : 0);
    if (value.parts.size() < items || (p.starred < 0 && value.parts.size() != items))
      return std::nullopt;
    std::vector<ExprRef> out = value.parts;
    if (p.starred < 0) return out;
    auto rest = std::make_shared<Expr>(value);
    const auto first = out.begin() + p.starred;
    const auto last = first + static_cast<std::ptrdiff_t>(value.parts.size() - items);
    rest->parts.assign(first, last);
    out.insert(out.erase(first, last), rest);
    return out;
  }

  // ---- Literal lists

  ExprRef rebuild_each(const Expr& e) override {
    const ExprRef over = rebuild(e.parts[1]);
    const Expr* list = known(*over);
    if (!list || list->kind != Expr::Kind::list || list->parts.size() > max_items) {
      auto out = std::make_shared<Expr>(e);
      out->parts[1] = over;
      out->parts[0] = region([&] {
        out->params = {bind(e.params[0])};
        return rebuild(e.parts[0]);
      });
      return out;
    }
    auto out = fun::make(Expr::Kind::list, e.loc);
    for (const ExprRef& item : list->parts) {
      const Env outer = env_;
      assign(e.params[0], item);
      out->parts.push_back(rebuild(e.parts[0]));
      env_ = outer;
    }
    return typed(out, e.type);
  }

  ExprRef fold_list(const ExprRef& e) {
    auto out = std::make_shared<Expr>(*e);
    out->parts[1] = rebuild(e->parts[1]);
    out->parts[2] = rebuild(e->parts[2]);
    const Expr* list = known(*out->parts[2]);
    if (!list || list->kind != Expr::Kind::list || list->parts.size() > max_items) {
      out->parts[0] = rebuild(e->parts[0]);
      return out;
    }
    const Expr& lambda = *e->parts[0];
    const std::vector<ExprRef> items = list->parts;
    ExprRef state = out->parts[1];
    auto states = fun::make(Expr::Kind::list, e->loc);
    for (const ExprRef& item : items) {
      const Env outer = env_;
      assign(lambda.params[0], state);
      assign(lambda.params[1], item);
      state = named_parts("state", rebuild(lambda.parts[0]));
      env_ = outer;
      states->parts.push_back(state);
    }
    return e->name == "fold" ? state : typed(states, e->type);
  }

  bool fold_;  // scalar operators on literals
  std::map<std::string, ExprRef> known_;
  std::vector<std::map<std::string, ExprRef>> outer_;
};

}  // namespace

void partial_evaluate(fun::Module& module) { partial_evaluate(module, false); }

void partial_evaluate(fun::Module& module, bool fold) {
  Evaluator evaluator(module, fold);
  for (fun::Function& f : module.functions) f.body = evaluator.function_body(f);
}

}  // namespace espalier::fun_pass

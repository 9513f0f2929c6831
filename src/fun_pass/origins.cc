#include "fun_pass/origins.h"

#include <algorithm>

namespace espalier::fun_pass {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;
using fun::Type;
using fun::TypeRef;

namespace {

OriginRef unknown() {
  static const OriginRef none = std::make_shared<Origin>();
  return none;
}

OriginRef from_results() {
  auto out = std::make_shared<Origin>();
  out->of_results = true;
  return out;
}

bool tainted(const Origin& origin) {
  return origin.of_results || std::any_of(origin.parts.begin(), origin.parts.end(),
                                          [](const OriginRef& part) { return tainted(*part); });
}

OriginRef list_of(OriginRef item) {
  auto out = std::make_shared<Origin>();
  out->parts = {std::move(item)};
  return out;
}

// A part of a matched value: its items (of a list field) are parts too.
OriginRef part_of(const Origin& whole, const std::string& step, const TypeRef& type, int deeper) {
  auto out = std::make_shared<Origin>();
  out->argument = whole.argument;
  out->depth = whole.depth + deeper;
  out->path = whole.path + step;
  out->of_results = whole.of_results;
  if (type->kind == Type::Kind::list) out->parts = {part_of(*out, "[]", type->parts[0], 0)};
  if (type->kind == Type::Kind::tuple)
    for (std::size_t i = 0; i < type->parts.size(); ++i)
      out->parts.push_back(part_of(*out, "." + std::to_string(i), type->parts[i], 0));
  return out;
}

bool same_origin(const Origin& a, const Origin& b) {
  return a.argument == b.argument && a.depth == b.depth && a.path == b.path &&
         a.parts.size() == b.parts.size() &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(),
                    [](const OriginRef& x, const OriginRef& y) { return same_origin(*x, *y); });
}

OriginRef either(const OriginRef& a, const OriginRef& b) {
  const bool results = tainted(*a) || tainted(*b);
  if (!results && same_origin(*a, *b)) return a;
  return results ? from_results() : unknown();
}

class Tracer {
 public:
  Tracer(const fun::Function& f, const std::set<std::string>& group) : f_(f), group_(group) {
    for (std::size_t i = 0; i < f.args.size(); ++i) {
      auto origin = std::make_shared<Origin>();
      origin->argument = static_cast<int>(i);
      origin->path = f.args[i].named.name;
      const TypeRef& type = f.args[i].named.type;
      if (type->kind == Type::Kind::list)
        origin->parts = {part_of(*origin, "[]", type->parts[0], 1)};
      if (type->kind == Type::Kind::tuple)
        for (std::size_t k = 0; k < type->parts.size(); ++k)
          origin->parts.push_back(part_of(*origin, "." + std::to_string(k), type->parts[k], 0));
      env_[f.args[i].named.name] = origin;
    }
  }

  std::vector<InnerCall> run() {
    trace(*f_.body);
    return std::move(calls_);
  }

 private:
  OriginRef trace(const Expr& e) {
    switch (e.kind) {
      case Expr::Kind::variable: {
        const auto it = env_.find(e.name);
        const bool local =
            e.binding == Expr::Binding::local || e.binding == Expr::Binding::argument;
        return local && it != env_.end() ? it->second : unknown();
      }
      case Expr::Kind::block: {
        const auto outer = env_;
        for (const fun::Statement& statement : e.statements)
          bind(*statement.pattern, trace(*statement.value));
        OriginRef out = trace(*e.parts[0]);
        env_ = outer;
        return out;
      }
      case Expr::Kind::tuple: {
        auto out = std::make_shared<Origin>();
        for (const ExprRef& part : e.parts) out->parts.push_back(trace(*part));
        return out;
      }
      case Expr::Kind::field: return trace_field(e);
      case Expr::Kind::conditional: {
        const bool chosen_by_results = tainted(*trace(*e.parts[0]));
        const OriginRef yes = trace(*e.parts[1]), no = trace(*e.parts[2]);
        return chosen_by_results ? from_results() : either(yes, no);
      }
      case Expr::Kind::match: return trace_match(e);
      case Expr::Kind::call: return trace_call(e);
      case Expr::Kind::each: {
        const OriginRef over = trace(*e.parts[1]);
        return list_of(under(e.params[0], item_of(*over), *e.parts[0]));
      }
      case Expr::Kind::op: return trace_operator(e);
      case Expr::Kind::number:
      case Expr::Kind::text:
      case Expr::Kind::lambda:
      case Expr::Kind::construct:
      case Expr::Kind::list:
      case Expr::Kind::index: break;
    }
    return trace_operands(e);
  }

  OriginRef trace_operands(const Expr& e) {
    bool results = false;
    for (const ExprRef& part : e.parts) results = tainted(*trace(*part)) || results;
    for (const fun::Index& index : e.indices)
      if (index.at) results = tainted(*trace(*index.at)) || results;
    return results ? from_results() : unknown();
  }

  OriginRef trace_field(const Expr& e) {
    const OriginRef of = trace(*e.parts[0]);
    const Type& type = *e.parts[0]->type;
    for (std::size_t i = 0; i < of->parts.size() && i < type.parts.size(); ++i)
      if ((type.names.empty() ? std::to_string(i) : type.names[i]) == e.name) return of->parts[i];
    return tainted(*of) ? from_results() : unknown();
  }

  OriginRef trace_match(const Expr& e) {
    const OriginRef on = trace(*e.parts[0]);
    OriginRef out;
    for (const fun::Case& each : e.cases) {
      const OriginRef body = under(each.pattern, on, *each.body);
      out = out ? either(out, body) : body;
    }
    return tainted(*on) ? from_results() : out;
  }

  OriginRef trace_call(const Expr& e) {
    InnerCall call{f_.name, &e, {}};
    for (const ExprRef& part : e.parts) call.args.push_back(trace(*part));
    const bool results = std::any_of(call.args.begin(), call.args.end(),
                                     [](const OriginRef& arg) { return tainted(*arg); });
    if (group_.count(e.name)) {
      calls_.push_back(std::move(call));
      return from_results();
    }
    return results ? from_results() : unknown();
  }

  OriginRef item_of(const Origin& list) {
    if (!list.parts.empty()) return list.parts[0];
    return list.of_results ? from_results() : unknown();
  }

  OriginRef trace_operator(const Expr& e) {
    if (e.name == "reverse") return list_of(item_of(*trace(*e.parts[0])));
    if (e.name == "zip" || e.name == "enumerate") {
      auto row = std::make_shared<Origin>();
      if (e.name == "enumerate") row->parts.push_back(unknown());
      for (const ExprRef& part : e.parts) row->parts.push_back(item_of(*trace(*part)));
      return list_of(row);
    }
    if (e.name != "fold" && e.name != "scan") return trace_operands(e);
    const OriginRef init = trace(*e.parts[1]), over = trace(*e.parts[2]);
    const Expr& lambda = *e.parts[0];
    // The state depends on results if the start or a step does.
    const std::size_t before = calls_.size();
    OriginRef state = tainted(*init) ? from_results() : unknown();
    const auto outer = env_;
    bind(*lambda.params[0], state);
    OriginRef out = under(lambda.params[1], item_of(*over), *lambda.parts[0]);
    if (tainted(*out) && !tainted(*state)) {
      calls_.resize(before);
      bind(*lambda.params[0], from_results());
      out = under(lambda.params[1], item_of(*over), *lambda.parts[0]);
    }
    env_ = outer;
    out = tainted(*out) || tainted(*init) ? from_results() : unknown();
    return e.name == "scan" ? list_of(out) : out;
  }

  OriginRef under(const PatternRef& pattern, const OriginRef& value, const Expr& body) {
    const auto outer = env_;
    bind(*pattern, value);
    OriginRef out = trace(body);
    env_ = outer;
    return out;
  }

  void bind(const Pattern& p, const OriginRef& value) {
    switch (p.kind) {
      case Pattern::Kind::variable: env_[p.name] = value; return;
      case Pattern::Kind::tuple:
        for (std::size_t i = 0; i < p.parts.size(); ++i)
          bind(*p.parts[i], i < value->parts.size() ? value->parts[i]
                            : tainted(*value)       ? from_results()
                                                    : unknown());
        return;
      case Pattern::Kind::variant:
      case Pattern::Kind::list:
        for (std::size_t i = 0; i < p.parts.size(); ++i) {
          const bool rest = static_cast<int>(i) == p.starred;
          const std::string step = p.kind == Pattern::Kind::list
                                       ? (rest ? "[rest]" : "[item]")
                                       : "." + p.name + "." + std::to_string(i);
          const bool known = value->argument >= 0;
          bind(*p.parts[i], known             ? part_of(*value, step, p.parts[i]->type, 1)
                            : tainted(*value) ? from_results()
                                              : unknown());
        }
        return;
      case Pattern::Kind::wildcard:
      case Pattern::Kind::number: return;
    }
  }

  const fun::Function& f_;
  const std::set<std::string>& group_;
  std::map<std::string, OriginRef> env_;
  std::vector<InnerCall> calls_;
};

}  // namespace

std::vector<InnerCall> inner_calls(const fun::Function& f, const std::set<std::string>& group) {
  return Tracer(f, group).run();
}

}  // namespace espalier::fun_pass

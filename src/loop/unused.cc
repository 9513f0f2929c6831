#include "loop/unused.h"

#include <algorithm>

#include "loop/queries.h"

namespace espalier::loop {

namespace {

bool reads(const ExprRef& e, const std::string& name) {
  if (!e) return false;
  const bool names = e->kind == Expr::Kind::variable || e->kind == Expr::Kind::item ||
                     ((e->kind == Expr::Kind::load || e->kind == Expr::Kind::address ||
                       e->kind == Expr::Kind::pointer) &&
                      e->buffer < 0);
  if (names && e->name.substr(0, e->name.find('.')) == name) return true;
  return std::any_of(e->args.begin(), e->args.end(),
                     [&](const ExprRef& arg) { return reads(arg, name); });
}

bool reads(const Stmt& s, const std::string& name) {
  if (s.kind == Stmt::Kind::assign && s.name == name) return false;
  if (s.kind == Stmt::Kind::store && s.buffer < 0 && s.name == name) return true;
  for (const ExprRef* e : {&s.begin, &s.end, &s.step, &s.index, &s.value, &s.count})
    if (reads(*e, name)) return true;
  const auto any = [&](const std::vector<Stmt>& body) {
    return std::any_of(body.begin(), body.end(),
                       [&](const Stmt& inner) { return reads(inner, name); });
  };
  return std::any_of(s.args.begin(), s.args.end(),
                     [&](const ExprRef& arg) { return reads(arg, name); }) ||
         any(s.body) || any(s.other);
}

void drop_assigns(std::vector<Stmt>* body, std::size_t from, const std::string& name) {
  for (std::size_t i = body->size(); i-- > from;) {
    Stmt& s = (*body)[i];
    if (s.kind == Stmt::Kind::assign && s.name == name) {
      body->erase(body->begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    drop_assigns(&s.body, 0, name);
    drop_assigns(&s.other, 0, name);
  }
}

bool is_empty(const Stmt& s) {
  return (s.kind == Stmt::Kind::loop || s.kind == Stmt::Kind::branch) && s.body.empty() &&
         s.other.empty();
}

}  // namespace

void drop_unused(std::vector<Stmt>* body) {
  for (std::size_t i = body->size(); i-- > 0;) {
    Stmt& s = (*body)[i];
    drop_unused(&s.body);
    drop_unused(&s.other);
    const bool variable = s.kind == Stmt::Kind::let || s.kind == Stmt::Kind::variable;
    const auto after = body->begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool unused =
        variable && std::none_of(after, body->end(),
                                 [name = s.name](const Stmt& later) { return reads(later, name); });
    if (!unused && !is_empty(s)) continue;
    const std::string name = s.name;
    body->erase(body->begin() + static_cast<std::ptrdiff_t>(i));
    if (!unused) continue;
    drop_assigns(body, i, name);
    drop_unused(body);  // what it was made of
    i = body->size();
  }
}

}  // namespace espalier::loop

#include "fun_pass/recognize.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/bug.h"

namespace espalier {

namespace {

using fun::Expr;
using fun::ExprRef;
using fun::Pattern;
using fun::PatternRef;
using fun::Role;
using fun::Type;

void visit(const ExprRef& e, const std::function<void(const Expr&)>& f) {
  if (!e) return;
  f(*e);
  for (const ExprRef& p : e->parts) visit(p, f);
  for (const fun::Statement& s : e->statements) visit(s.value, f);
  for (const fun::Case& c : e->cases) visit(c.body, f);
  for (const fun::Index& i : e->indices) visit(i.at, f);
}

// ---- Groups of functions that call each other ----

// Tarjan's strongly connected components, callees first.
class Components {
 public:
  explicit Components(const fun::Module& module) : module_(module) {
    for (const fun::Function& f : module.functions)
      if (!number_.count(f.name)) connect(f.name);
  }
  std::vector<std::vector<std::string>> recursive;

 private:
  std::vector<std::string> callees(const std::string& name) const {
    std::vector<std::string> out;
    visit(module_.find_function(name)->body, [&](const Expr& e) {
      if (e.kind == Expr::Kind::call) out.push_back(e.name);
    });
    return out;
  }

  void connect(const std::string& name) {
    number_[name] = low_[name] = static_cast<int>(number_.size());
    stack_.push_back(name);
    bool itself = false;
    for (const std::string& callee : callees(name)) {
      itself |= callee == name;
      if (!number_.count(callee)) {
        connect(callee);
        low_[name] = std::min(low_[name], low_[callee]);
      } else if (std::find(stack_.begin(), stack_.end(), callee) != stack_.end()) {
        low_[name] = std::min(low_[name], number_[callee]);
      }
    }
    if (low_[name] != number_[name]) return;
    std::set<std::string> members;
    std::string last;
    do {
      last = stack_.back();
      stack_.pop_back();
      members.insert(last);
    } while (last != name);
    if (members.size() == 1 && !itself) return;
    std::vector<std::string> in_order;
    for (const fun::Function& f : module_.functions)
      if (members.count(f.name)) in_order.push_back(f.name);
    recursive.push_back(std::move(in_order));
  }

  const fun::Module& module_;
  std::map<std::string, int> number_, low_;
  std::vector<std::string> stack_;
};

// ---- What a value is to the structural argument ----

struct Part;
using PartRef = std::shared_ptr<const Part>;

struct Part {
  enum class Kind : std::uint8_t { other, self, smaller, list, tuple } kind = Kind::other;
  std::vector<PartRef> parts;  // list: its item
};

PartRef part(Part::Kind kind, std::vector<PartRef> parts = {}) {
  return std::make_shared<const Part>(Part{kind, std::move(parts)});
}

// A payload of the argument, or of a part of it.
PartRef below(const Type& t) {
  switch (t.kind) {
    case Type::Kind::data: return part(Part::Kind::smaller);
    case Type::Kind::list: return part(Part::Kind::list, {below(*t.parts[0])});
    case Type::Kind::tuple: {
      std::vector<PartRef> parts;
      for (const fun::TypeRef& p : t.parts) parts.push_back(below(*p));
      return part(Part::Kind::tuple, std::move(parts));
    }
    case Type::Kind::tensor:
    case Type::Kind::index:
    case Type::Kind::function:
    case Type::Kind::name: break;
  }
  return part(Part::Kind::other);
}

struct Fact {
  PartRef part = espalier::part(Part::Kind::other);
  bool tainted = false;  // depends on the results of the recursion
};
using Facts = std::map<std::string, Fact>;

struct Problem {
  Kind kind{};
  Loc loc;
  std::string message;
};

// Walks a function of the group under one choice of structural arguments.
class Walk {
 public:
  Walk(const fun::Module& module, const std::map<std::string, int>& structural)
      : module_(module), structural_(structural) {}

  std::optional<Problem> function(const fun::Function& f) {
    function_ = &f;
    Facts facts;
    const int s = structural_.at(f.name);
    for (std::size_t i = 0; i < f.args.size(); i++)
      if (static_cast<int>(i) == s) facts[f.args[i].named.name].part = part(Part::Kind::self);
    walk(f.body, facts);
    return problem_;
  }

 private:
  void bind(const PatternRef& p, const Fact& fact, Facts& facts) {
    if (p->kind == Pattern::Kind::variable) facts[p->name] = fact;
    if (p->kind != Pattern::Kind::tuple) return;
    for (std::size_t i = 0; i < p->parts.size(); i++) {
      Fact f = fact;
      f.part = fact.part->kind == Part::Kind::tuple ? fact.part->parts[i] : part(Part::Kind::other);
      bind(p->parts[i], f, facts);
    }
  }

  Fact item_of(const Fact& list) const {
    return {list.part->kind == Part::Kind::list ? list.part->parts[0] : part(Part::Kind::other),
            list.tainted};
  }

  Fact match(const Expr& e, Facts facts) {
    const Fact on = walk(e.parts[0], facts);
    const bool of = on.part->kind == Part::Kind::self || on.part->kind == Part::Kind::smaller;
    Fact out;
    for (const fun::Case& c : e.cases) {
      Facts inner = facts;
      bind(c.pattern, on, inner);
      for (std::size_t i = 0; i < c.pattern->parts.size(); i++) {
        const PatternRef& p = c.pattern->parts[i];
        Fact f{part(Part::Kind::other), on.tainted};
        if (c.pattern->kind == Pattern::Kind::variant && of && p->type) f.part = below(*p->type);
        if (c.pattern->kind == Pattern::Kind::list) {
          if (static_cast<int>(i) == c.pattern->starred)
            f.part = of ? part(Part::Kind::smaller) : on.part;
          else
            f.part = item_of(on).part;
        }
        bind(p, f, inner);
      }
      const Fact value = walk(c.body, inner);
      out.tainted |= value.tainted || on.tainted;
      if (value.part->kind == Part::Kind::smaller) out.part = value.part;
    }
    return out;
  }

  Fact call(const Expr& e, const Facts& facts) {
    const auto structural = structural_.find(e.name);
    Fact out;
    std::vector<Fact> args;
    for (const ExprRef& p : e.parts) args.push_back(walk(p, facts));
    for (const Fact& a : args) out.tainted |= a.tainted;
    if (structural == structural_.end()) return out;
    out.tainted = true;
    const fun::Function& callee = *module_.find_function(e.name);
    for (std::size_t i = 0; i < args.size() && !problem_; i++) {
      const std::string& name = callee.args[i].named.name;
      if (static_cast<int>(i) == structural->second) {
        if (args[i].part->kind != Part::Kind::smaller)
          problem_ = {Kind::recursion_does_not_shrink, e.parts[i]->loc,
                      "the recursive call of '" + e.name + "' does not go on with a part of '" +
                          function_->args[static_cast<std::size_t>(structural_.at(function_->name))]
                              .named.name +
                          "': its argument '" + name +
                          "' must be a child, an item of a child list, or the rest of a list, as "
                          "bound by matching it"};
      } else if (args[i].tainted) {
        problem_ = {Kind::recursion_argument_depends, e.parts[i]->loc,
                    "argument '" + name + "' of the recursive call of '" + e.name +
                        "' depends on results of the same recursion"};
      }
    }
    return out;
  }

  Fact op(const Expr& e, Facts facts) {
    Fact out;
    if (e.name == "fold" || e.name == "scan") {
      const Fact init = walk(e.parts[1], facts), list = walk(e.parts[2], facts);
      const Expr& lambda = *e.parts[0];
      bind(lambda.params[0], {part(Part::Kind::other), init.tainted || list.tainted}, facts);
      bind(lambda.params[1], item_of(list), facts);
      out.tainted = walk(lambda.parts[0], facts).tainted || init.tainted || list.tainted;
      return out;
    }
    std::vector<Fact> operands;
    for (const ExprRef& p : e.parts) operands.push_back(walk(p, facts));
    for (const Fact& o : operands) out.tainted |= o.tainted;
    if (e.name == "reverse") out.part = operands[0].part;
    if (e.name == "enumerate")
      out.part = part(Part::Kind::list, {part(Part::Kind::tuple, {part(Part::Kind::other),
                                                                  item_of(operands[0]).part})});
    if (e.name == "zip") {
      std::vector<PartRef> items;
      for (const Fact& o : operands) items.push_back(item_of(o).part);
      out.part = part(Part::Kind::list, {part(Part::Kind::tuple, std::move(items))});
    }
    return out;
  }

  Fact walk(const ExprRef& e, Facts facts) {
    switch (e->kind) {
      case Expr::Kind::variable: {
        const auto found = facts.find(e->name);
        return found == facts.end() ? Fact() : found->second;
      }
      case Expr::Kind::block:
        for (const fun::Statement& s : e->statements) bind(s.pattern, walk(s.value, facts), facts);
        return walk(e->parts[0], facts);
      case Expr::Kind::match: return match(*e, facts);
      case Expr::Kind::call: return call(*e, facts);
      case Expr::Kind::op: return op(*e, facts);
      case Expr::Kind::each: {
        const Fact list = walk(e->parts[1], facts);
        bind(e->params[0], item_of(list), facts);
        const Fact item = walk(e->parts[0], facts);
        return {part(Part::Kind::list, {item.part}), item.tainted || list.tainted};
      }
      case Expr::Kind::conditional: {
        Fact out = walk(e->parts[1], facts);
        const Fact c = walk(e->parts[0], facts), other = walk(e->parts[2], facts);
        if (other.part->kind != out.part->kind) out.part = part(Part::Kind::other);
        out.tainted |= c.tainted || other.tainted;
        return out;
      }
      case Expr::Kind::tuple: {
        Fact out;
        std::vector<PartRef> parts;
        for (const ExprRef& p : e->parts) {
          const Fact f = walk(p, facts);
          parts.push_back(f.part);
          out.tainted |= f.tainted;
        }
        out.part = part(Part::Kind::tuple, std::move(parts));
        return out;
      }
      case Expr::Kind::field: {
        const Fact of = walk(e->parts[0], facts);
        Fact out{part(Part::Kind::other), of.tainted};
        const Type& t = *e->parts[0]->type;
        for (std::size_t i = 0; of.part->kind == Part::Kind::tuple && i < t.parts.size(); i++)
          if ((t.names.empty() ? std::to_string(i) : t.names[i]) == e->name)
            out.part = of.part->parts[i];
        return out;
      }
      case Expr::Kind::number:
      case Expr::Kind::text:
      case Expr::Kind::lambda:
      case Expr::Kind::construct:
      case Expr::Kind::list:
      case Expr::Kind::index: break;
    }
    Fact out;
    for (const ExprRef& p : e->parts) out.tainted |= walk(p, facts).tainted;
    for (const fun::Index& i : e->indices)
      if (i.at) out.tainted |= walk(i.at, facts).tainted;
    return out;
  }

  const fun::Module& module_;
  const std::map<std::string, int>& structural_;
  const fun::Function* function_ = nullptr;
  std::optional<Problem> problem_;
};

// ---- Choosing the structural arguments ----

std::vector<int> candidates(const fun::Function& f) {
  std::vector<int> out;
  for (std::size_t i = 0; i < f.args.size(); i++)
    if (f.args[i].named.type->kind == Type::Kind::data ||
        f.args[i].named.type->kind == Type::Kind::list)
      out.push_back(static_cast<int>(i));
  return out;
}

// Tries every choice of one structural argument a function, the first ones first.
bool choose(const fun::Module& module, fun::Recursion& r, std::size_t next,
            std::optional<Problem>& problem) {
  if (next == r.functions.size()) {
    for (const std::string& name : r.functions)
      if (auto found = Walk(module, r.structural).function(*module.find_function(name))) {
        if (!problem) problem = std::move(found);
        return false;
      }
    return true;
  }
  const fun::Function& f = *module.find_function(r.functions[next]);
  const std::vector<int> choices = candidates(f);
  if (choices.empty() && !problem)
    problem = {Kind::recursion_without_structure, f.loc,
               "'" + f.name + "' calls itself but has no argument of a data type or list to recur over"};
  for (const int c : choices) {
    r.structural[f.name] = c;
    if (choose(module, r, next + 1, problem)) return true;
  }
  return false;
}

// ---- Roles ----

bool passes_on(const fun::Recursion& r, const fun::Function& from,
               const Expr& call, std::size_t argument) {
  const Expr& e = *call.parts[argument];
  if (e.kind != Expr::Kind::variable || e.binding != Expr::Binding::argument) return false;
  for (std::size_t i = 0; i < from.args.size(); i++)
    if (from.args[i].named.name == e.name)
      return (from.name != call.name || i == argument) && r.roles.at(from.name)[i] == Role::unchanging;
  return false;
}

void find_roles(const fun::Module& module, fun::Recursion& r) {
  for (const std::string& name : r.functions) {
    const fun::Function& f = *module.find_function(name);
    r.roles[name].assign(f.args.size(), Role::unchanging);
    r.roles[name][static_cast<std::size_t>(r.structural.at(name))] = Role::structural;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string& name : r.functions) {
      const fun::Function& f = *module.find_function(name);
      visit(f.body, [&](const Expr& e) {
        if (e.kind != Expr::Kind::call || !r.structural.count(e.name)) return;
        std::vector<Role>& roles = r.roles.at(e.name);
        for (std::size_t i = 0; i < roles.size(); i++)
          if (roles[i] == Role::unchanging && !passes_on(r, f, e, i)) {
            roles[i] = Role::top_down;
            changed = true;
          }
      });
    }
  }
}

}  // namespace

bool recognize(fun::Module& module, Diagnostics& diagnostics) {
  module.recursions.clear();
  bool good = true;
  for (std::vector<std::string>& functions : Components(module).recursive) {
    fun::Recursion r;
    r.functions = std::move(functions);
    std::optional<Problem> problem;
    if (!choose(module, r, 0, problem)) {
      require(problem.has_value(), "recursion refused without a reason");
      diagnostics.error(problem->kind, problem->loc, problem->message);
      good = false;
      continue;
    }
    std::size_t lists = 0;
    for (const std::string& name : r.functions)
      lists += module.find_function(name)->args[static_cast<std::size_t>(r.structural.at(name))]
                   .named.type->kind == Type::Kind::list;
    if (lists > 0 && lists < r.functions.size()) {
      const fun::Function& f = *module.find_function(r.functions[0]);
      diagnostics.error(Kind::recursion_mixed, f.loc,
                        "'" + f.name + "' recurs over data and over lists of it by turns; use `for` "
                        "or `fold` for the lists");
      good = false;
      continue;
    }
    r.over_lists = lists > 0;
    find_roles(module, r);
    module.recursions.push_back(std::move(r));
  }
  return good;
}

}  // namespace espalier

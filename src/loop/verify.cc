#include "loop/verify.h"

#include <algorithm>
#include <map>
#include <set>

#include "loop/build.h"

namespace espalier::loop {

namespace {

bool is_operator(const std::string& name) {
  static const std::set<std::string> all = {"*",  "/",  "%",  "+", "-", "<",  "<=", ">",
                                            ">=", "==", "!=", "&", "|", "&&", "||"};
  return all.count(name) > 0;
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {
    for (const Function& f : module.functions) {
      if (!functions_.emplace(f.name, &f).second) wrong("two functions are called " + f.name);
    }
  }

  std::vector<std::string> run() {
    for (const Function& f : module_.functions) function(f);
    for (const Entry& entry : module_.entries) tables(entry);
    for (const std::string& name : module_.prepare) exported(name);
    return std::move(problems_);
  }

 private:
  void wrong(const std::string& what) {
    problems_.push_back((where_.empty() ? "" : where_ + ": ") + what);
  }

  bool buffer(int number) const {
    return number >= 0 && number < static_cast<int>(module_.buffers.size());
  }

  void exported(const std::string& name) {
    const auto at = functions_.find(name);
    if (at == functions_.end() || !at->second->exported) wrong("no exported function " + name);
  }

  void tables(const Entry& entry) {
    where_ = entry.name;
    for (const std::string& name : entry.kernels) exported(name);
    for (const int b : entry.buffers)
      if (!buffer(b)) wrong("no buffer #" + std::to_string(b));
    if (entry.lives.size() != entry.buffers.size()) wrong("buffers without lives");
    for (const OutputCopy& output : entry.outputs)
      if (!buffer(output.buffer)) wrong("result " + output.result + " has no buffer");
    for (std::size_t l = 0; l < entry.lists.size(); l++) {
      const ListDomain& list = entry.lists[l];
      const auto before = static_cast<int>(l);
      if (list.over >= before || list.like >= before)
        wrong("list " + list.name + " is over, or like, one that does not stand before it");
      if (list.side != ListDomain::Side::whole && list.over != list.like)
        wrong("list " + list.name + " pairs items of another list than it is over");
    }
    for (const StructureMember& member : entry.structure) {
      const bool number = member.kind <= StructureMember::Kind::edge_count;
      if (number != (member.buffer < 0)) wrong("structure member " + member.name + " has no array");
      if (member.list >= static_cast<int>(entry.lists.size()))
        wrong(member.name + " is of no list");
    }
  }

  void function(const Function& f) {
    where_ = f.name;
    names_ = {"m", "g", "w", "weights", "lanes"};
    for (const Param& param : f.params) names_.insert(param.name);
    if (!f.tile.empty()) names_.insert(f.tile);
    statements(f.body);
  }

  void statements(const std::vector<Stmt>& all) {
    const std::set<std::string> outer = names_;
    for (const Stmt& s : all) statement(s);
    names_ = outer;
  }

  void declare(const Stmt& s) {
    if (names_.count(s.name)) wrong(s.name + " hides another variable");
    names_.insert(s.name);
  }

  void statement(const Stmt& s) {
    for (const ExprRef& e : {s.begin, s.end, s.step, s.index, s.value, s.count}) expression(e);
    for (const ExprRef& e : s.args) expression(e);
    switch (s.kind) {
      case Stmt::Kind::loop: return loop(s);
      case Stmt::Kind::let:
        if (!s.value || !(s.value->type == s.type))
          wrong(s.name + " has another type than its value");
        return declare(s);
      case Stmt::Kind::variable:
      case Stmt::Kind::share: return declare(s);
      case Stmt::Kind::assign:
        if (!names_.count(s.name)) wrong("assignment to " + s.name + ", which is not there");
        return;
      case Stmt::Kind::store: return store(s);
      case Stmt::Kind::branch:
        if (!s.value || s.value->type.dtype != Dtype::boolean || s.value->type.vector)
          wrong("a branch without a condition");
        statements(s.body);
        return statements(s.other);
      case Stmt::Kind::choose: return statements(s.body);
      case Stmt::Kind::call: return call(s);
      case Stmt::Kind::fail: {
        const auto known = std::any_of(module_.statuses.begin(), module_.statuses.end(),
                                       [&](const StatusCode& code) { return code.name == s.name; });
        if (!known || s.args.size() != 2) wrong("no status " + s.name);
        return;
      }
      default: return;
    }
  }

  void loop(const Stmt& s) {
    if (!s.begin || !s.end) return wrong("loop " + s.name + " without bounds");
    const std::set<std::string> outer = names_;
    declare(s);
    statements(s.body);
    names_ = outer;
    if (s.loop != Stmt::Loop::vector) return;
    const bool whole = s.step && s.step->kind == Expr::Kind::constant && s.step->name == "lanes";
    const std::int64_t end = s.end->integer;
    if (!whole || end % 16 != 0) wrong("vector loop " + s.name + " does not end at whole vectors");
  }

  void call(const Stmt& s) {
    const auto at = functions_.find(s.name);
    if (at == functions_.end()) return;  // a helper of the runtime
    const Function& callee = *at->second;
    if (callee.params.size() != s.args.size())
      wrong("call of " + s.name + " with a wrong number of arguments");
    if (callee.tile.empty() != s.tile.empty()) wrong("call of " + s.name + " with or without rows");
  }

  void store(const Stmt& s) {
    if (!s.index || !s.value) return wrong("a store without index or value");
    if (s.buffer < 0 ? !names_.count(s.name) : !buffer(s.buffer)) wrong("a store into nothing");
    if (s.type.vector != s.value->type.vector)
      wrong("a store of a vector as a number, or the reverse");
    if (s.buffer < 0 || !buffer(s.buffer)) return;
    const Buffer& b = module_.buffer(s.buffer);
    if (s.type.vector && s.aligned && b.inner % 16 != 0 && b.stride % 16 != 0)
      wrong("vectors into " + b.name + ", whose rows are not padded");
    const bool to_user = b.space == Buffer::Space::weights || b.space == Buffer::Space::constants ||
                         b.space == Buffer::Space::structure;
    if (to_user) wrong("a store into " + b.name + ", which is only read");
  }

  void expression(const ExprRef& e) {
    if (!e) return;
    for (const ExprRef& arg : e->args) expression(arg);
    const bool named = e->kind == Expr::Kind::variable || e->kind == Expr::Kind::item ||
                       ((e->kind == Expr::Kind::load || e->kind == Expr::Kind::pointer) &&
                        e->buffer < 0 && !e->name.empty());
    if (named && !names_.count(e->name.substr(0, e->name.find('.'))))
      wrong("no variable " + e->name);
    if (e->buffer >= 0 && !buffer(e->buffer)) wrong("no buffer #" + std::to_string(e->buffer));
    if (e->kind == Expr::Kind::binary && (e->args.size() != 2 || !is_operator(e->name)))
      wrong("no operator '" + e->name + "' of two operands");
    if (e->kind == Expr::Kind::binary && e->args.size() == 2 && e->type.vector &&
        is_float(e->type.dtype) && !(e->args[0]->type.vector || e->args[1]->type.vector))
      wrong("a vector made of numbers by " + e->name);
    if (e->kind == Expr::Kind::select &&
        (e->args.size() != 3 || !(e->args[1]->type == e->args[2]->type)))
      wrong("a select between two types");
    if (e->kind == Expr::Kind::load && e->type.vector && e->buffer >= 0 && buffer(e->buffer) &&
        e->number == 0 && module_.buffer(e->buffer).inner % 16 != 0)
      wrong("vectors of " + module_.buffer(e->buffer).name + ", whose rows are not padded");
  }

  const Module& module_;
  std::map<std::string, const Function*> functions_;
  std::set<std::string> names_;
  std::string where_;
  std::vector<std::string> problems_;
};

}  // namespace

std::string verify(const Module& module) {
  const std::vector<std::string> problems = Verifier(module).run();
  return problems.empty() ? "" : problems[0];
}

}  // namespace espalier::loop

// Kernels: what every member of the team runs, one after the other.
#include <algorithm>

#include "base/bug.h"
#include "to_loop/lower.h"
#include "to_loop/notes.h"

namespace espalier::to_loop {

using wave::Domain;
using Kind = loop::StructureMember::Kind;

namespace {

// Lets that nothing uses go.
void drop_unused(loop::Function& function, const std::string& name) {
  int uses = 0;
  for (const Stmt& s : function.body)
    loop::visit(s, [&](const loop::Expr& e) { uses += e.name == name ? 1 : 0; });
  if (uses > 0) return;
  const auto drop = [&](std::vector<Stmt>& body, const auto& self) -> void {
    std::erase_if(body, [&](const Stmt& s) { return s.kind == Stmt::Kind::let && s.name == name; });
    for (Stmt& s : body) self(s.body, self);
  };
  drop(function.body, drop);
}

class Kernels {
 public:
  // `sweep`: the name of the one that follows, or "".
  Kernels(Context& context, const KernelPlan& plan, std::string sweep)
      : context_(context), plan_(plan), sweep_(std::move(sweep)) {}

  void make() {
    std::vector<std::vector<Made>> made;
    for (const Stage& stage : plan_.stages) {
      made.emplace_back();
      for (const Group& group : stage.groups)
        made.back().push_back(make_group(context_, group, plan_.sweep, false));
    }
    loop::Function kernel;
    kernel.exported = true;
    if (plan_.sweep) {
      kernel.name = plan_.name;
      kernel.comment = std::string(plan_.down ? "From the roots down" : "From the leaves up") +
                       ", one level after the other; each member of the team takes its share of "
                       "a level's nodes.";
      kernel.body.push_back(levels(made));
    } else if (made.size() == 1) {
      all_at_once(kernel, plan_.stages[0], made[0]);
    } else {
      kernel.name = sweep_.empty() ? "each_node" : "before_" + sweep_;
      kernel.comment = "All at once" + because() + ".";
      for (std::size_t i = 0; i < made.size(); i++) {
        loop::Function part;
        all_at_once(part, plan_.stages[i], made[i]);
        kernel.body.push_back(call_of(context_, finish_function(context_, std::move(part))));
      }
    }
    drop_unused(kernel, "offset");
    const int at = finish_function(context_, std::move(kernel));
    context_.out.kernels.push_back(
        context_.shared.module.functions[static_cast<std::size_t>(at)].name);
  }

 private:
  static void append(std::vector<Stmt>& to, std::vector<Stmt> more) {
    for (Stmt& s : more) to.push_back(std::move(s));
  }

  std::string each_of(Id root) const {
    const std::string name = element_name(context_, root);
    return name.empty() ? "call of the entry" : name;
  }

  std::string because() const {
    if (sweep_.empty()) return "";
    return sweep_.starts_with("sweep_down") ? ": what depends on no parent"
                                            : ": what depends on no child";
  }

  void all_at_once(loop::Function& function, const Stage& stage, const std::vector<Made>& made) {
    const bool calls_domain = context_.entry.domain(stage.root).kind == Domain::Kind::calls;
    function.name =
        free_name("each_" + (calls_domain ? "call" : context_.rows_name(stage.root)), stage);
    function.comment =
        "Every " + each_of(stage.root) + (sweep_.empty() ? "" : ", all at once" + because()) + ".";
    Stmt share = loop::simple(Stmt::Kind::share);
    share.name = "mine";
    share.value = context_.count_of(stage.root);
    function.body.push_back(std::move(share));
    append(function.body, calls(stage, made, "mine."));
    drop_unused(function, "offset");
  }

  // With what the stage computes where the name is taken.
  std::string free_name(const std::string& wanted, const Stage& stage) const {
    if (!context_.shared.names.taken(wanted)) return wanted;
    return wanted + "_" + values_name(context_, stage.groups.back());
  }

  // begin and end: the member's share of the elements from `first` on.
  static std::vector<Stmt> shares(const ExprRef& first, const ExprRef& last) {
    std::vector<Stmt> body;
    const ExprRef base = loop::variable("first");
    body.push_back(loop::let("first", first));
    Stmt share = loop::simple(Stmt::Kind::share);
    share.name = "mine";
    share.value = loop::sub(last, base);
    body.push_back(std::move(share));
    body.push_back(loop::let("begin", loop::add(base, loop::variable("mine.begin"))));
    body.push_back(loop::let("end", loop::add(base, loop::variable("mine.end"))));
    return body;
  }

  // Calls of the groups' functions for elements begin to end of the root domain.
  std::vector<Stmt> calls(const Stage& stage, const std::vector<Made>& made,
                          const std::string& range = {}) {
    std::vector<Stmt> body;
    Code code(context_, stage.root, plan_.sweep);
    for (std::size_t i = 0; i < made.size(); i++) {
      const Id over = looped_domain(context_, stage.groups[i]);
      body.push_back(
          call_of(context_, made[i].function,
                  {{"begin", code.first_within(over, stage.root, loop::variable(range + "begin"))},
                   {"end", code.first_within(over, stage.root, loop::variable(range + "end"))}}));
      if (!made[i].checks) continue;
      Stmt leave = loop::simple(Stmt::Kind::leave);
      leave.name = "member";
      body.push_back(std::move(leave));
    }
    return body;
  }

  Stmt levels(const std::vector<std::vector<Made>>& made) {
    Stmt loop = loop::for_loop("level", loop::integer(0), context_.count(Kind::levels), {});
    loop.down = plan_.down;
    for (std::size_t i = 0; i < made.size(); i++) {
      if (plan_.stages[i].barrier) barrier(loop.body);
      stage(plan_.stages[i], made[i], made.size() > 1, loop.body);
    }
    barrier(loop.body);
    return loop;
  }

  // Members leave together where a check of one of them failed.
  void barrier(std::vector<Stmt>& body) {
    bool checks = false;
    for (const Stage& stage : plan_.stages)
      for (const Group& group : stage.groups) checks = checks || has_check(group.works);
    Stmt made = loop::simple(Stmt::Kind::barrier);
    if (checks) made.name = "checks";
    body.push_back(std::move(made));
  }

  bool has_check(const std::vector<Work>& works) const {
    for (const Work& work : works) {
      if (work.kind == Work::Kind::check) return true;
      if (work.kind != Work::Kind::steps) continue;
      for (const Group& inner : context_.groups_of.at(work.steps))
        if (has_check(inner.works)) return true;
    }
    return false;
  }

  void stage(const Stage& stage, const std::vector<Made>& made, bool several,
             std::vector<Stmt>& body) {
    bool checks = false;
    for (const Made& one : made) checks = checks || one.checks;
    std::vector<Stmt> inner = level_shares(stage.root);
    append(inner, calls(stage, made));
    if (!several && !checks) return append(body, std::move(inner));
    loop::Function function;
    function.name = free_name("update_" + context_.rows_name(stage.root), stage);
    function.comment = "Every " + each_of(stage.root) + " of one level.";
    function.body = std::move(inner);
    drop_unused(function, "offset");
    body.push_back(call_of(context_, finish_function(context_, std::move(function))));
  }

  std::vector<Stmt> level_shares(Id root) {
    const Domain& d = context_.entry.domain(root);
    const ExprRef level = loop::variable("level");
    const int firsts = d.kind == Domain::Kind::all || context_.one_class()
                           ? context_.node_array(Kind::level_first)
                           : context_.class_array(Kind::class_first, root);
    std::vector<Stmt> body =
        shares(loop::load(firsts, loop::int_type, level),
               loop::load(firsts, loop::int_type, loop::add(level, loop::integer(1))));
    if (d.kind == Domain::Kind::nodes && !context_.one_class())
      body.insert(
          body.begin() + 1,
          loop::let("offset", loop::sub(loop::load(context_.class_array(Kind::class_place, root),
                                                   loop::int_type, level),
                                        loop::variable("first"))));
    return body;
  }

  Context& context_;
  const KernelPlan& plan_;
  std::string sweep_;
};

// Whether another entry's part of prepare() makes all values of the group; from now on, this one
// does.
bool loaded(Context& context, const Group& group) {
  bool all = true;
  for (const Work& work : group.works)
    if (work.kind == Work::Kind::steps || work.result == wave::none)
      all = false;
    else if (work.stored &&
             context.shared.loaded.insert(context.places.at(work.result).buffer).second)
      all = false;
  return all;
}

void make_load(Context& context, const KernelPlan& plan) {
  for (const Stage& stage : plan.stages)
    for (const Group& group : stage.groups) {
      if (loaded(context, group)) continue;
      const Made made = make_group(context, group, false, true);
      loop::Function& function =
          context.shared.module.functions[static_cast<std::size_t>(made.function)];
      const ExprRef count = context.count_of(looped_domain(context, group));
      std::vector<loop::Param> params;
      for (const loop::Param& param : function.params) {
        if (param.name == "begin")
          function.body.insert(function.body.begin(), loop::let("begin", loop::integer(0)));
        else if (param.name == "end")
          function.body.insert(function.body.begin(), loop::let("end", count));
        else
          params.push_back(param);
      }
      function.params = params;
      function.exported = true;
      context.shared.module.prepare.push_back(function.name);
    }
}

}  // namespace

void make_kernels(Context& context, const std::vector<KernelPlan>& kernels) {
  for (std::size_t k = 0; k < kernels.size(); k++) {
    const KernelPlan& plan = kernels[k];
    std::string sweep;
    for (std::size_t later = kernels.size(); later-- > k + 1;)
      if (kernels[later].sweep) sweep = kernels[later].name;
    if (plan.load) {
      make_load(context, plan);
      continue;
    }
    Kernels(context, plan, sweep).make();
    context.kernel++;
  }
}

}  // namespace espalier::to_loop

// Functions of groups: elementwise works, checks, and steps along lists.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/status.h"
#include "to_loop/lower.h"
#include "to_loop/notes.h"

namespace espalier::to_loop {

using wave::Domain;
using Kind = loop::StructureMember::Kind;

namespace {

std::string element_variable(Code& code, Id domain) {
  switch (code.context.entry.domain(domain).kind) {
    case Domain::Kind::list:
    case Domain::Kind::edges:
    case Domain::Kind::parents: return code.loop_name({"e", "item", "edge"});
    case Domain::Kind::calls: return code.loop_name({"call", "c", "n"});
    default: return code.loop_name({"n", "node", "t"});
  }
}

std::vector<Id> values_of(const Group& group) {
  std::vector<Id> values;
  for (const Work& work : group.works) {
    values.push_back(work.result != wave::none ? work.result : work.carry);
    wave::visit(work.body, [&](const wave::Scalar& s) {
      if (s.kind == wave::Scalar::Kind::load) values.push_back(s.value);
    });
  }
  std::erase(values, wave::none);
  return values;
}

void add_check(Code& code, const Env& env, const Work& work) {
  Shared& shared = code.context.shared;
  code.context.out.checks = true;
  Stmt made = loop::simple(Stmt::Kind::branch);
  const ExprRef holds = code.scalar(work.body, env);
  made.value = loop::unary("!", loop::bool_type, holds);
  Stmt fail = loop::simple(Stmt::Kind::fail);
  fail.check = shared.checks++;
  fail.name = work.code;
  fail.args = {code.original_of(env.element, work.domain),
               work.detail ? code.scalar(work.detail, env) : loop::integer(0)};
  made.body.push_back(std::move(fail));
  code.add(std::move(made));
  for (const loop::StatusCode& known : shared.module.statuses)
    if (known.name == work.code) return;
  shared.module.statuses.push_back({work.code, spelled_out(work.code)});
}

// Prepared buffers that the group writes.
std::map<int, std::string> outputs_of(const Context& context, const Group& group) {
  std::map<int, std::string> outputs;
  for (const Work& work : group.works) {
    if (!work.stored) continue;
    const Id target = work.result != wave::none ? work.result : work.carry;
    const int buffer = context.places.at(target).buffer;
    outputs[buffer] = context.shared.module.buffer(buffer).name;
  }
  return outputs;
}

}  // namespace

std::string values_name(const Context& context, const Group& group) {
  std::vector<std::string> names;
  for (const Work& work : group.works) {
    if (work.kind == Work::Kind::steps) {
      names.push_back(context.entry.domain(work.domain).name);
      continue;
    }
    if (work.kind == Work::Kind::check || !work.stored) continue;
    names.push_back(context.entry.value(work.result != wave::none ? work.result : work.carry).name);
  }
  if (names.empty()) return group.works[0].code.empty() ? "values" : group.works[0].code;
  std::string joined = names[0];
  const bool products = std::all_of(group.works.begin(), group.works.end(), [](const Work& work) {
    return work.kind == Work::Kind::product && work.stored;
  });
  if (products && names.size() > 2)
    return context.entry.value(group.works[0].product.operand).name + "_products";
  if (names.size() > 3) return joined + "_to_" + names.back();
  for (std::size_t i = 1; i < names.size(); i++) joined += "_" + names[i];
  return joined;
}

std::string class_suffix(const Context& context, const Group& group) {
  const wave::Domain& domain = context.entry.domain(group.domain);
  return domain.kind == Domain::Kind::nodes && !context.one_class() ? "_of_" + domain.name : "";
}

Id looped_domain(const Context& context, const Group& group) {
  const bool steps = group.works[0].kind == Work::Kind::steps;
  return steps ? context.entry.domain(group.domain).owner : group.domain;
}

Made make_group(Context& context, const Group& group, bool level, bool load) {
  const Work& head = group.works[0];
  if (group.tiled()) return make_tile(context, group, level);
  if (head.kind == Work::Kind::steps) return make_steps(context, head, level, load);
  const bool check = head.kind == Work::Kind::check;
  Code code(context, group.domain, level);
  code.preparing = load;
  if (load)
    for (const auto& [buffer, name] : outputs_of(context, group)) code.reserve_name(name);
  code.reserve_values(values_of(group));
  loop::Function function;
  const std::string prefix = check ? "check_" : load ? "prepare_" : "compute_";
  function.name = prefix + values_name(context, group) + class_suffix(context, group);
  function.comment = equations(context, group);
  function.lines = lines(context, group);
  function.costs = costs(context, group);

  const bool once = context.entry.domain(group.domain).kind == Domain::Kind::once;
  Env env;
  env.domain = group.domain;
  if (!once) {
    const std::string n = element_variable(code, group.domain);
    env.element = loop::variable(n);
    code.open_loop(n, loop::variable("begin"), loop::variable("end"));
  }
  if (check) {
    for (const Work& work : group.works) add_check(code, env, work);
  } else {
    add_nests(code, env, group.works);
  }
  if (!once) code.close_loop();
  function.body = code.close();
  if (once && !load) {  // by the first member alone
    Stmt guard = loop::simple(Stmt::Kind::branch);
    guard.value =
        loop::binary("<", loop::bool_type, loop::variable("begin"), loop::variable("end"));
    guard.body = std::move(function.body);
    function.body.clear();
    function.body.push_back(std::move(guard));
  }
  std::map<int, std::string> outputs;
  if (load) outputs = outputs_of(context, group);
  return {finish_function(context, std::move(function), outputs), check};
}

Made make_steps(Context& context, const Work& work, bool level, bool load) {
  const Id list = work.domain, owner = context.entry.domain(list).owner;
  const std::vector<Group>& groups = context.groups_of.at(work.steps);
  std::vector<Made> made;
  std::map<int, std::string> outputs;
  for (const Group& group : groups) {
    made.push_back(make_group(context, group, level, load));
    if (load) outputs.merge(outputs_of(context, group));
  }
  Code code(context, owner, level);
  code.preparing = load;
  loop::Function function;
  function.name = "step_along_" + context.entry.domain(list).name;
  function.comment = "The items of " + context.entry.domain(list).name + ", " +
                     (work.steps->backward ? "last to first" : "first to last") +
                     ", in each list: every step needs the one before.";
  const bool once = context.entry.domain(owner).kind == Domain::Kind::once;
  ExprRef element;
  if (!once) {
    const std::string n = element_variable(code, owner);
    code.open_loop(n, loop::variable("begin"), loop::variable("end"));
    element = loop::variable(n);
  }
  const std::string e = element_variable(code, list);
  code.open(e);
  bool checks = false;
  const ExprRef item = loop::variable(e), next = loop::add(item, loop::integer(1));
  for (std::size_t i = 0; i < made.size(); i++) {
    const Made& inner = made[i];
    const Id over = looped_domain(context, groups[i]);  // the list, or one of its items' own
    code.add(call_of(context, inner.function,
                     {{"begin", code.first_within(over, list, item)},
                      {"end", code.first_within(over, list, next)}}));
    checks = checks || inner.checks;
    if (!inner.checks) continue;
    Stmt leave = loop::simple(Stmt::Kind::leave);
    leave.name = "member";
    code.add(std::move(leave));
  }
  Stmt items =
      loop::for_loop(e, code.first_of(list, element), code.end_of(list, element), code.close());
  items.down = work.steps->backward;
  code.add(std::move(items));
  if (!once) code.close_loop();
  function.body = code.close();
  return {finish_function(context, std::move(function), outputs), checks};
}

}  // namespace espalier::to_loop

// Entries and gradients.
#include <fmt/format.h>

#include <algorithm>

#include "base/kinds.h"
#include "fun_pass/checker/checker.h"

namespace espalier::fun_pass {

namespace {

std::vector<std::string> function_names(const fun::Module& module) {
  std::vector<std::string> names;
  for (const fun::Function& f : module.functions) names.push_back(f.name);
  return names;
}

}  // namespace

void Checker::check_entries() {
  std::map<std::string, Loc> seen;
  for (const fun::Entry& entry : module_->entries) {
    const auto [it, added] = seen.emplace(entry.name, entry.loc);
    if (!added)
      error(Kind::duplicate_name, entry.loc, fmt::format("two entries are called '{}'", entry.name))
          .notes.push_back({it->second, "the first one is here"});
    check_entry(entry);
  }
}

void Checker::check_entry(const fun::Entry& entry) {
  const fun::Function* f = module_->find_function(entry.function);
  if (!f) {
    error(Kind::unknown_function, entry.loc,
          fmt::format("entry '{}' names no function: '{}'{}", entry.name, entry.function,
                      did_you_mean(entry.function, function_names(*module_))));
    return;
  }
  const Facts& facts = facts_[f->name];
  if (!facts.typed || !f->returns) {
    error(Kind::missing_signature, f->loc,
          fmt::format("'{}' is an entry and has to state the types of its {}", f->name,
                      !f->returns ? "result" : "arguments"))
        .notes.push_back({entry.loc, "the entry is here"});
    return;
  }
  if (!f->forall.empty()) {
    error(Kind::entry_forall, entry.loc,
          fmt::format("entry '{}': '{}' has a 'forall'; export a function that states its dims and "
                      "types",
                      entry.name, f->name))
        .notes.push_back({f->loc, "the function is here"});
    return;
  }
  if (facts.higher_order) {
    error(Kind::entry_type, entry.loc,
          fmt::format("entry '{}': '{}' takes or gives a function, which has no form outside",
                      entry.name, f->name))
        .notes.push_back({f->loc, "the function is here"});
    return;
  }
  const bool one_tree = f->args.size() == 1 && f->args[0].named.type->kind == Type::Kind::data;
  if (entry.nodes && !one_tree)
    error(Kind::entry_nodes, entry.loc,
          fmt::format("\"outputs\": \"nodes\" is for functions of one data type alone, and '{}' "
                      "takes {}",
                      f->name,
                      f->args.size() == 1 ? show(*f->args[0].named.type)
                                          : fmt::format("{} arguments", f->args.size())))
        .notes.push_back({f->loc, "the function is here"});
}

void Checker::check_gradients() {
  for (const fun::Gradient& gradient : module_->gradients) check_gradient(gradient);
}

bool Checker::wrt_known(const fun::Function& f, const std::string& wrt) {
  const std::string head = wrt.substr(0, wrt.find('.'));
  for (const fun::Argument& argument : f.args) {
    if (argument.named.name != head) continue;
    if (head == wrt) return true;
    const TypeRef& type = argument.named.type;
    if (!type || type->kind != Type::Kind::data) return false;
    const std::string field = wrt.substr(head.size() + 1);
    for (const fun::Variant& variant : types_.declared(type->name)->variants)
      for (const fun::Named& each : variant.fields)
        if (each.name == field) return true;
    return false;
  }
  for (const fun::Named& param : module_->params) {
    if (param.name == wrt) return true;
    for (const fun::Leaf& leaf : fun::leaves(param))
      if (leaf.name == wrt || leaf.name.rfind(wrt + ".", 0) == 0) return true;
  }
  return false;
}

void Checker::check_gradient(const fun::Gradient& gradient) {
  const fun::Function* f = module_->find_function(gradient.of);
  if (!f) {
    error(Kind::unknown_function, gradient.of_loc,
          fmt::format("gradient '{}' is of no function: '{}'{}", gradient.name, gradient.of,
                      did_you_mean(gradient.of, function_names(*module_))));
    return;
  }
  bool fine = true;
  std::vector<std::string> known;
  for (const fun::Named& param : module_->params)
    for (const fun::Leaf& leaf : fun::leaves(param)) known.push_back(leaf.name);
  for (const fun::Argument& argument : f->args) {
    known.push_back(argument.named.name);
    if (!module_->find_param(argument.named.name)) continue;
    error(Kind::gradient_argument, gradient.loc,
          fmt::format("gradient '{}': argument '{}' of '{}' shares its name with a parameter",
                      gradient.name, argument.named.name, f->name))
        .notes.push_back({argument.named.loc, "the argument is here"});
    fine = false;
  }
  for (std::size_t i = 0; i < gradient.wrt.size(); ++i) {
    const std::string& wrt = gradient.wrt[i];
    if (wrt_known(*f, wrt)) continue;
    error(Kind::gradient_name, gradient.wrt_locs[i],
          fmt::format("gradient '{}' is with respect to '{}', which is no parameter, argument or "
                      "field of an argument of '{}'{}",
                      gradient.name, wrt, f->name, did_you_mean(wrt, known)));
    fine = false;
  }
  std::vector<std::string> results;
  if (f->returns)
    for (const fun::Leaf& leaf : fun::leaves("", f->returns))
      results.push_back(leaf.name.empty() ? "value" : leaf.name);
  for (std::size_t i = 0; i < gradient.keep.size(); ++i) {
    const std::string& keep = gradient.keep[i];
    if (std::find(results.begin(), results.end(), keep) != results.end()) continue;
    error(Kind::gradient_keep, gradient.keep_locs[i],
          fmt::format("gradient '{}' keeps '{}', but '{}' gives {}{}", gradient.name, keep, f->name,
                      fmt::join(results, ", "), did_you_mean(keep, results)));
    fine = false;
  }
  if (fine)
    error(Kind::gradient_not_yet, gradient.loc,
          fmt::format("gradient '{}' is not yet compiled: gradients come with a later version",
                      gradient.name));
}

}  // namespace espalier::fun_pass

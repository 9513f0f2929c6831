#include "fun_pass/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/kinds.h"
#include "fun_pass/call_graph.h"
#include "fun_pass/origins.h"
#include "fun_pass/rebuilder.h"

namespace espalier::fun_pass {

using fun::Function;
using fun::Recursion;
using fun::Role;
using fun::Type;

namespace {

using Structural = std::map<std::string, int>;

class Recognizer {
 public:
  Recognizer(const fun::Module& module, const std::vector<std::string>& functions,
             Diagnostics* diagnostics)
      : module_(module), diagnostics_(diagnostics) {
    recursion_.functions = functions;
    const std::set<std::string> group(functions.begin(), functions.end());
    for (const std::string& name : functions)
      for (InnerCall& call : inner_calls(function(name), group)) calls_.push_back(std::move(call));
  }

  // Functions over lists that call functions over data by turns are recursions of their own, which
  // run where a function over data calls them.
  std::optional<std::vector<Recursion>> run() {
    if (!find_structural()) return std::nullopt;
    separate();
    find_roles();
    if (!check_down() || !check_twice() || !check_shared()) return std::nullopt;
    std::vector<Recursion> found = {recursion_};
    for (const auto& functions : over_lists_alone()) {
      auto lists = Recognizer(module_, functions, diagnostics_).run();
      if (!lists) return std::nullopt;
      found.insert(found.end(), lists->begin(), lists->end());
    }
    return found;
  }

 private:
  const Function& function(const std::string& name) const { return *module_.find_function(name); }

  static bool may_be_structural(const Type& type) {
    return type.kind == Type::Kind::data || type.kind == Type::Kind::list;
  }

  // ---- The structural argument of each function

  bool find_structural() {
    for (const std::string& name : recursion_.functions) {
      const auto& args = function(name).args;
      const bool any = std::any_of(args.begin(), args.end(), [](const fun::Argument& argument) {
        return may_be_structural(*argument.named.type);
      });
      if (any) continue;
      diagnostics_->error(Kind::recursion_without_structure, first_call(name).loc,
                          fmt::format("'{}' is recursive, but takes no data type or list that it "
                                      "could take apart",
                                      name));
      return false;
    }
    Structural chosen;
    if (choose(0, &chosen)) {
      recursion_.structural = chosen;
      return true;
    }
    explain();
    return false;
  }

  const fun::Expr& first_call(const std::string& callee) const {
    for (const InnerCall& call : calls_)
      if (call.call->name == callee) return *call.call;
    return *calls_[0].call;
  }

  // Tries the arguments of one function after the other.
  bool choose(std::size_t next, Structural* chosen) {
    if (next == recursion_.functions.size()) return true;
    const Function& f = function(recursion_.functions[next]);
    for (std::size_t i = 0; i < f.args.size(); ++i) {
      if (!may_be_structural(*f.args[i].named.type)) continue;
      (*chosen)[f.name] = static_cast<int>(i);
      if (consistent(*chosen) && choose(next + 1, chosen)) return true;
    }
    chosen->erase(f.name);
    return false;
  }

  static bool shrinks(const InnerCall& call, const Structural& chosen) {
    const auto from = chosen.find(call.caller), to = chosen.find(call.call->name);
    if (from == chosen.end() || to == chosen.end()) return true;
    const Origin& origin = *call.args[static_cast<std::size_t>(to->second)];
    return origin.argument == from->second && origin.depth > 0;
  }

  bool consistent(const Structural& chosen) const {
    return std::all_of(calls_.begin(), calls_.end(),
                       [&](const InnerCall& call) { return shrinks(call, chosen); });
  }

  // Names the first call that fails for the most likely arguments: the first that could be.
  void explain() {
    Structural likely;
    for (const std::string& name : recursion_.functions) {
      const auto& args = function(name).args;
      for (std::size_t i = args.size(); i-- > 0;)
        if (may_be_structural(*args[i].named.type)) likely[name] = static_cast<int>(i);
    }
    for (const InnerCall& call : calls_) {
      if (shrinks(call, likely)) continue;
      const std::size_t at = static_cast<std::size_t>(likely[call.call->name]);
      const Origin& origin = *call.args[at];
      const std::string& to = function(call.call->name).args[at].named.name;
      const std::string& from =
          function(call.caller).args[static_cast<std::size_t>(likely[call.caller])].named.name;
      const std::string found = origin.whole() ? "passes a whole argument" : "passes a value";
      diagnostics_->error(
          Kind::recursion_does_not_shrink, call.call->parts[at]->loc,
          fmt::format("'{}' recurs, but this call {} as '{}' that is not part of '{}': a child, an "
                      "item of a child list or the rest of a list",
                      call.caller, found, to, from));
      return;
    }
    diagnostics_->error(
        Kind::recursion_does_not_shrink, calls_[0].call->loc,
        fmt::format("'{}' recurs, but no argument becomes smaller in all calls", calls_[0].caller));
  }

  // ---- Data and lists by turns

  bool is_list(const std::string& name) const {
    const auto at = static_cast<std::size_t>(recursion_.structural.at(name));
    return function(name).args[at].named.type->kind == Type::Kind::list;
  }

  void separate() {
    std::vector<std::string> data, lists;
    for (const std::string& name : recursion_.functions)
      (is_list(name) ? lists : data).push_back(name);
    recursion_.over_lists = data.empty();
    if (data.empty()) return;
    recursion_.functions = std::move(data);
    recursion_.through = std::move(lists);
  }

  std::vector<std::string> all_functions() const {
    std::vector<std::string> all = recursion_.functions;
    all.insert(all.end(), recursion_.through.begin(), recursion_.through.end());
    return all;
  }

  bool through(const std::string& name) const {
    const auto& lists = recursion_.through;
    return std::find(lists.begin(), lists.end(), name) != lists.end();
  }

  // The functions over lists that call each other without one over data in between.
  std::vector<std::vector<std::string>> over_lists_alone() const {
    CallGraph graph;
    for (const InnerCall& call : calls_)
      if (through(call.caller) && through(call.call->name))
        graph[call.caller].insert(call.call->name);
    std::vector<std::vector<std::string>> out;
    std::set<std::string> done;
    for (const std::string& name : recursion_.through) {
      const std::set<std::string> from = reachable(graph, name);
      if (!from.count(name) || done.count(name)) continue;
      out.emplace_back();
      for (const std::string& other : recursion_.through)
        if (from.count(other) && reachable(graph, other).count(name)) {
          out.back().push_back(other);
          done.insert(other);
        }
    }
    return out;
  }

  // ---- The roles of the others

  using Place = std::pair<std::string, int>;  // an argument of a function

  Place root(Place place) const {
    for (auto it = joined_.find(place); it != joined_.end(); it = joined_.find(place))
      place = it->second;
    return place;
  }

  // Places that pass their values on to each other as they are become one; a place changes if it
  // gets anything else, or if one holds two arguments of a function.
  void find_roles() {
    std::set<Place> changed;
    for (const InnerCall& call : calls_)
      for (std::size_t i = 0; i < call.args.size(); ++i) {
        const Place to{call.call->name, static_cast<int>(i)};
        if (recursion_.structural[to.first] == to.second) continue;
        const Origin& origin = *call.args[i];
        const Place from{call.caller, origin.argument};
        const bool passed_on = origin.whole() && recursion_.structural[from.first] != from.second;
        if (!passed_on) {
          changed.insert(to);
          continue;
        }
        const Place a = root(from), b = root(to);
        if (a != b) joined_[a] = b;
      }
    std::map<std::pair<std::string, Place>, int> held;
    const std::vector<std::string> all = all_functions();
    for (const std::string& name : all)
      for (std::size_t i = 0; i < function(name).args.size(); ++i)
        ++held[{name, root({name, static_cast<int>(i)})}];
    std::set<Place> changed_roots;
    for (const Place& place : changed) changed_roots.insert(root(place));
    for (const auto& [key, count] : held)
      if (count > 1) changed_roots.insert(key.second);
    for (const std::string& name : all)
      for (std::size_t i = 0; i < function(name).args.size(); ++i) {
        const Place place{name, static_cast<int>(i)};
        const bool structural = recursion_.structural[name] == place.second;
        recursion_.roles[name].push_back(structural                         ? Role::structural
                                         : changed_roots.count(root(place)) ? Role::top_down
                                                                            : Role::unchanging);
      }
  }

  bool goes_down(const std::string& name) const {
    const auto& roles = recursion_.roles.at(name);
    return std::find(roles.begin(), roles.end(), Role::top_down) != roles.end();
  }

  bool check_down() {
    const std::set<Place> late = late_arguments();
    bool fine = true;
    for (const InnerCall& call : calls_) {
      if (through(call.call->name)) continue;
      const auto& roles = recursion_.roles.at(call.call->name);
      for (std::size_t i = 0; i < call.args.size(); ++i) {
        if (roles[i] != Role::top_down || !comes_late(call, *call.args[i], late)) continue;
        diagnostics_->error(
            Kind::recursion_argument_depends, call.call->parts[i]->loc,
            fmt::format("argument '{}' of this call of '{}' depends on results of the same "
                        "recursion; only what is known on the way down can be passed",
                        function(call.call->name).args[i].named.name, call.call->name));
        fine = false;
      }
    }
    return fine;
  }

  // Arguments of functions over lists that depend on results of the recursion.
  std::set<Place> late_arguments() const {
    std::set<Place> late;
    for (bool grew = true; grew;) {
      grew = false;
      for (const InnerCall& call : calls_)
        for (std::size_t i = 0; through(call.call->name) && i < call.args.size(); ++i)
          if (comes_late(call, *call.args[i], late))
            grew |= late.insert({call.call->name, static_cast<int>(i)}).second;
    }
    return late;
  }

  // A value that is not traced to an argument may be made of any of them.
  static bool comes_late(const InnerCall& call, const Origin& origin, const std::set<Place>& late) {
    if (depends(origin)) return true;
    if (origin.argument >= 0) return late.count({call.caller, origin.argument}) > 0;
    return std::any_of(late.begin(), late.end(),
                       [&](const Place& place) { return place.first == call.caller; });
  }

  static bool depends(const Origin& origin) {
    return origin.of_results || std::any_of(origin.parts.begin(), origin.parts.end(),
                                            [](const OriginRef& part) { return depends(*part); });
  }

  // A node gets one value of each top-down argument from its parent.
  bool check_twice() {
    bool fine = true;
    std::map<std::pair<std::string, std::string>, const InnerCall*> seen;
    for (const InnerCall& call : calls_) {
      if (through(call.call->name) || !goes_down(call.call->name)) continue;
      const auto at = static_cast<std::size_t>(recursion_.structural[call.call->name]);
      const Origin& child = *call.args[at];
      if (child.depth > 1 && !recursion_.over_lists) {
        diagnostics_->error(
            Kind::recursion_beyond_children, call.call->parts[at]->loc,
            fmt::format("'{}' passes values down, so it can only be called on a child or on "
                        "every item of a child list, not on what is matched out of these",
                        call.call->name));
        fine = false;
      }
      const auto [it, added] =
          seen.emplace(std::pair{call.caller + "/" + call.call->name, child.path}, &call);
      if (added || same_arguments(*it->second, call)) continue;
      diagnostics_
          ->error(Kind::child_called_twice, call.call->loc,
                  fmt::format("'{}' is called twice on one child with different arguments",
                              call.call->name))
          .notes.push_back({it->second->call->loc, "the other call is here"});
      fine = false;
    }
    return fine;
  }

  bool same_arguments(const InnerCall& a, const InnerCall& b) const {
    const auto& roles = recursion_.roles.at(a.call->name);
    for (std::size_t i = 0; i < roles.size(); ++i)
      if (roles[i] == Role::top_down && !same_expr(*a.call->parts[i], *b.call->parts[i]))
        return false;
    return true;
  }

  bool check_shared() {
    bool fine = true;
    for (const std::string& name : recursion_.functions) {
      const Function& f = function(name);
      const Type& type = *f.args[static_cast<std::size_t>(recursion_.structural[name])].named.type;
      const fun::DataType* data =
          type.kind == Type::Kind::data ? module_.find_type(type.name) : nullptr;
      if (!data || !data->shared) continue;
      if (goes_down(name) && !recursion_.through.empty()) {
        diagnostics_->error(
            Kind::recursion_mixed, first_call(name).loc,
            fmt::format("'{}' passes values down the shared type '{}' by way of '{}', which goes "
                        "over lists; go through the list with sum, fold or [.. for ..] instead",
                        name, type.name, recursion_.through[0]));
        fine = false;
        continue;
      }
      for (std::size_t i = 0; i < f.args.size(); ++i) {
        if (recursion_.roles[name][i] != Role::top_down || !f.args[i].combine.empty()) continue;
        diagnostics_->error(
            Kind::combine_missing, f.args[i].named.loc,
            fmt::format("argument '{}' of '{}' comes down to nodes of the shared type '{}', which "
                        "may have several parents; say how it combines: {{\"type\": .., "
                        "\"combine\": \"sum\"}}",
                        f.args[i].named.name, name, type.name));
        fine = false;
      }
    }
    return fine;
  }

  const fun::Module& module_;
  Diagnostics* diagnostics_;
  Recursion recursion_;
  std::vector<InnerCall> calls_;
  std::map<Place, Place> joined_;
};

}  // namespace

bool recognize(fun::Module& module, Diagnostics& diagnostics) {
  module.recursions.clear();
  bool fine = true;
  for (const auto& functions : recursions(module)) {
    const auto found = Recognizer(module, functions, &diagnostics).run();
    if (found)
      module.recursions.insert(module.recursions.end(), found->begin(), found->end());
    else
      fine = false;
  }
  return fine;
}

}  // namespace espalier::fun_pass

#include "fun_pass/inline_calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/kinds.h"
#include "fun_pass/call_graph.h"
#include "fun_pass/rebuilder.h"

namespace espalier::fun_pass {

namespace {

class Inliner : public Rebuilder {
 public:
  Inliner(const fun::Module& module, const std::set<std::string>& recursive)
      : Rebuilder(global_names(module)), module_(module), recursive_(recursive) {}

 private:
  fun::ExprRef rebuild(const fun::ExprRef& e) override {
    if (e->kind != fun::Expr::Kind::call || recursive_.count(e->name)) return Rebuilder::rebuild(e);
    const fun::Function& f = *module_.find_function(e->name);
    const bool was_foreign = foreign_;
    Env inner;
    for (std::size_t i = 0; i < e->parts.size(); ++i) {
      const fun::ExprRef value = rebuild(e->parts[i]);
      foreign_ = true;
      inner[f.args[i].named.name] = let(f.args[i].named.name, value);
      foreign_ = was_foreign;
    }
    std::swap(env_, inner);
    foreign_ = true;
    fun::ExprRef value = rebuild(f.body);
    foreign_ = was_foreign;
    std::swap(env_, inner);
    return value;
  }

  const fun::Module& module_;
  const std::set<std::string>& recursive_;
};

// How many expressions functions have with all calls in place.
class Sizes {
 public:
  Sizes(const fun::Module& module, const std::set<std::string>& recursive)
      : module_(module), recursive_(recursive) {}

  // Of a function's body and what it calls; `largest` is its dearest call.
  double of(const std::string& name, const fun::Expr** largest = nullptr) {
    if (const auto known = sizes_.find(name); known != sizes_.end() && !largest)
      return known->second;
    double size = 0, most = 0;
    visit(module_.find_function(name)->body, [&](const fun::Expr& e) {
      const bool call = e.kind == fun::Expr::Kind::call && !recursive_.count(e.name);
      const double more = call ? of(e.name) : 1;
      size += more;
      if (call && more > most && largest) {
        most = more;
        *largest = &e;
      }
    });
    return sizes_[name] = size;
  }

 private:
  const fun::Module& module_;
  const std::set<std::string>& recursive_;
  std::map<std::string, double> sizes_;
};

constexpr double most_expressions = 1e6;

}  // namespace

bool inline_calls(fun::Module& module, Diagnostics& diagnostics) {
  std::set<std::string> recursive;
  for (const auto& group : recursions(module)) recursive.insert(group.begin(), group.end());
  Sizes sizes(module, recursive);
  for (const fun::Function& f : module.functions) {
    if (sizes.of(f.name) <= most_expressions) continue;
    const fun::Expr* call = nullptr;
    sizes.of(f.name, &call);
    diagnostics.error(Kind::expansion_too_large, call ? call->loc : f.loc,
                      "with the functions that it calls put in place, '" + f.name +
                          "' has more than a million expressions; call them fewer times");
    return false;
  }
  Inliner inliner(module, recursive);
  std::vector<fun::Function> functions = module.functions;
  for (fun::Function& f : functions) f.body = inliner.function_body(f);
  module.functions = std::move(functions);
  const std::set<std::string> live = live_functions(module);
  auto& all = module.functions;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const fun::Function& f) { return !live.count(f.name); }),
            all.end());
  return true;
}

}  // namespace espalier::fun_pass

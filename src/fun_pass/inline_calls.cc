#include "fun_pass/inline_calls.h"

#include <algorithm>
#include <utility>

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

}  // namespace

void inline_calls(fun::Module& module) {
  std::set<std::string> recursive;
  for (const auto& group : recursions(module)) recursive.insert(group.begin(), group.end());
  Inliner inliner(module, recursive);
  std::vector<fun::Function> functions = module.functions;
  for (fun::Function& f : functions) f.body = inliner.function_body(f);
  module.functions = std::move(functions);
  const std::set<std::string> live = live_functions(module);
  auto& all = module.functions;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const fun::Function& f) { return !live.count(f.name); }),
            all.end());
}

}  // namespace espalier::fun_pass

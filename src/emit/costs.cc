#include "emit/costs.h"

#include <algorithm>

namespace espalier::emit {

using Json = nlohmann::json;
using loop::Function;
using loop::Stmt;

namespace {

void add(Json& to, const loop::Cost& cost) {
  if (cost.each.empty()) return;
  Json& each = to[cost.each];
  if (each.is_null()) each = Json::object();
  const auto plus = [&](const char* key, std::int64_t n) {
    each[key] = each.value(key, std::int64_t{0}) + n;
  };
  plus("flops_in_products", cost.products);
  plus("flops_elsewhere", cost.elementwise);
  plus("bytes", cost.bytes);
}

class Costs {
 public:
  explicit Costs(const loop::Module& module) {
    for (const Function& f : module.functions) functions_[f.name] = &f;
  }

  Json entry(const loop::Entry& entry) const {
    Json made;
    made["each"] = Json::object();
    for (const std::string& name : entry.kernels) {
      const Function& kernel = *functions_.at(name);
      Json& each = made["kernels"][name]["each"] = Json::object();
      walk(kernel, [&](const Function& f) {
        add(each, f.cost);
        add(made["each"], f.cost);
      });
      if (kernel.body.size() == 1 && kernel.body[0].kind == Stmt::Kind::loop)
        made["kernels"][name]["barriers_per_level"] = barriers(kernel.body[0].body);
    }
    return made;
  }

 private:
  template <class See>
  void walk(const Function& f, const See& see) const {
    see(f);
    calls(f.body, [&](const Function& callee) { walk(callee, see); });
  }

  // Functions that are called, each once: tiles are, for every number of rows.
  template <class See>
  void calls(const std::vector<Stmt>& body, const See& see) const {
    std::vector<const Function*> seen;
    for (const Stmt& s : body) {
      const auto callee = functions_.find(s.name);
      if (s.kind == Stmt::Kind::call && callee != functions_.end()) {
        if (std::find(seen.begin(), seen.end(), callee->second) == seen.end()) see(*callee->second);
        seen.push_back(callee->second);
      }
      calls(s.body, see);
      calls(s.other, see);
    }
  }

  static int barriers(const std::vector<Stmt>& body) {
    return static_cast<int>(std::count_if(body.begin(), body.end(), [](const Stmt& s) {
      return s.kind == Stmt::Kind::barrier;
    }));
  }

  std::map<std::string, const Function*> functions_;
};

}  // namespace

Json costs(const loop::Module& module) {
  Json made = Json::object();
  for (const loop::Entry& entry : module.entries) made[entry.name] = Costs(module).entry(entry);
  return made;
}

}  // namespace espalier::emit

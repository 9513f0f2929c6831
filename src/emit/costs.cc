#include "emit/costs.h"

#include <algorithm>
#include <functional>

#include "loop/queries.h"

namespace espalier::emit {

using Json = nlohmann::json;
using loop::Function;
using loop::Stmt;

namespace {

void add(Json& to, const loop::Cost& cost) {
  Json& each = to[cost.each];
  if (each.is_null()) each = Json::object();
  const auto plus = [&](const char* key, std::int64_t n) {
    each[key] = each.value(key, std::int64_t{0}) + n;
  };
  plus("flops_in_products", cost.products);
  plus("flops_elsewhere", cost.elementwise);
  plus("bytes", cost.bytes);
}

void walk(const loop::Module& module, const Function& f,
          const std::function<void(const Function&)>& see) {
  see(f);
  for (const Function* callee : loop::callees(module, f)) walk(module, *callee, see);
}

// Those of the loop over levels that is all of a sweep's function.
int barriers(const std::vector<Stmt>& levels) {
  return static_cast<int>(std::count_if(
      levels.begin(), levels.end(), [](const Stmt& s) { return s.kind == Stmt::Kind::barrier; }));
}

Json costs_of(const loop::Module& module, const loop::Entry& entry) {
  Json made;
  made["each"] = Json::object();
  for (const Function& kernel : module.functions) {
    if (std::find(entry.kernels.begin(), entry.kernels.end(), kernel.name) == entry.kernels.end())
      continue;
    Json& each = made["kernels"][kernel.name]["each"] = Json::object();
    walk(module, kernel, [&](const Function& f) {
      for (const loop::Cost& cost : f.costs) {
        add(each, cost);
        add(made["each"], cost);
      }
    });
    if (kernel.body.size() == 1 && kernel.body[0].kind == Stmt::Kind::loop)
      made["kernels"][kernel.name]["barriers_per_level"] = barriers(kernel.body[0].body);
  }
  return made;
}

}  // namespace

Json costs(const loop::Module& module) {
  Json made = Json::object();
  for (const loop::Entry& entry : module.entries) made[entry.name] = costs_of(module, entry);
  return made;
}

}  // namespace espalier::emit

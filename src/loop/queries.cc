#include "loop/queries.h"

#include <fmt/format.h>

#include <algorithm>

#include "loop/build.h"

namespace espalier::loop {

namespace {

bool same(const ExprRef& a, const ExprRef& b) { return (!a && !b) || (a && b && equal(a, b)); }

bool same(const std::vector<ExprRef>& a, const std::vector<ExprRef>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ExprRef& x, const ExprRef& y) { return same(x, y); });
}

bool same(const std::vector<Stmt>& a, const std::vector<Stmt>& b);

bool same(const Stmt& a, const Stmt& b) {
  return a.kind == b.kind && a.name == b.name && a.type == b.type && a.loop == b.loop &&
         same(a.begin, b.begin) && same(a.end, b.end) && same(a.step, b.step) && a.down == b.down &&
         a.aligned == b.aligned && a.buffer == b.buffer && a.op == b.op && a.tile == b.tile &&
         same(a.index, b.index) && same(a.value, b.value) && same(a.count, b.count) &&
         same(a.args, b.args) && same(a.body, b.body) && same(a.other, b.other);
}

bool same(const std::vector<Stmt>& a, const std::vector<Stmt>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Stmt& x, const Stmt& y) { return same(x, y); });
}

// "13824 FLOPs in products, 720 elsewhere, 1536 bytes"
std::string cost_text(const Cost& c) {
  const char* elsewhere = c.products > 0 ? "elsewhere" : "FLOPs";
  std::string text;
  if (c.products > 0) text = fmt::format("{} FLOPs in products, ", c.products);
  if (c.elementwise == 1 && c.products == 0) elsewhere = "FLOP";
  if (c.elementwise > 0) text += fmt::format("{} {}, ", c.elementwise, elsewhere);
  return text + fmt::format("{} bytes", c.bytes);
}

}  // namespace

std::string whole_comment(const Function& f) {
  std::string text = f.comment, lines;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "\n") + more; };
  for (std::size_t i = 0; i < f.lines.size();) {
    std::size_t last = i;
    while (last + 1 < f.lines.size() && f.lines[last + 1] == f.lines[last] + 1) last++;
    lines += (lines.empty() ? "" : ", ") + std::to_string(f.lines[i]);
    if (last > i) lines += (last == i + 1 ? ", " : " to ") + std::to_string(f.lines[last]);
    i = last + 1;
  }
  if (!lines.empty())
    add(fmt::format("From {} {} of the model.", f.lines.size() > 1 ? "lines" : "line", lines));
  std::string costs;
  std::int64_t flops = 0;
  for (const Cost& cost : f.costs) {
    if (cost.products + cost.elementwise + cost.bytes == 0) continue;
    costs += (costs.empty() ? "Each " : "; each ") + cost.each + ": " + cost_text(cost);
    flops += cost.products + cost.elementwise;
  }
  if (flops > 0) add(costs + ".");
  return text;
}

bool equal(const Function& a, const Function& b) {
  const auto param = [](const Param& x, const Param& y) {
    return x.type == y.type && x.name == y.name;
  };
  return a.comment == b.comment && a.tile == b.tile && a.result == b.result &&
         a.exported == b.exported &&
         std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(), param) &&
         same(a.body, b.body);
}

std::vector<StructureMember> structure_members(const Module& module) {
  std::vector<StructureMember> all;
  for (const Entry& entry : module.entries)
    for (const StructureMember& member : entry.structure) {
      const auto known = [&](const StructureMember& other) { return other.name == member.name; };
      if (std::none_of(all.begin(), all.end(), known)) all.push_back(member);
    }
  return all;
}

std::vector<int> workspace_buffers(const Module& module) {
  std::vector<int> all;
  for (const Entry& entry : module.entries)
    for (const int buffer : entry.buffers)
      if (std::find(all.begin(), all.end(), buffer) == all.end()) all.push_back(buffer);
  return all;
}

bool has_checks(const Module& module) {
  return std::any_of(module.entries.begin(), module.entries.end(),
                     [](const Entry& entry) { return entry.checks; });
}

std::vector<const Function*> callees(const Module& module, const Function& function) {
  std::vector<const Function*> all;
  visit_statements(function.body, [&](const Stmt& s) {
    if (s.kind != Stmt::Kind::call) return;
    const auto at = std::find_if(module.functions.begin(), module.functions.end(),
                                 [&](const Function& f) { return f.name == s.name; });
    if (at == module.functions.end()) return;  // of the runtime
    if (std::find(all.begin(), all.end(), &*at) == all.end()) all.push_back(&*at);
  });
  return all;
}

}  // namespace espalier::loop

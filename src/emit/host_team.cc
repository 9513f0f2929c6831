// The launch: the kernels of an entry in order, on each member of the team.
#include <fmt/format.h>

#include <algorithm>

#include "base/bug.h"
#include "base/line_buffer.h"
#include "emit/host_plan.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

const loop::Function& kernel(const EntryContext& e, const std::string& name) {
  for (const loop::Function& f : e.module().functions)
    if (f.name == name) return f;
  throw Bug("a kernel of an entry is missing");
}

// The host's variable for a kernel's parameter.
std::string argument(const loop::Param& param) { return param.name == "m" ? "model" : param.name; }

std::vector<std::string> kernel_calls(const EntryContext& e) {
  std::vector<std::string> out;
  for (const std::string& name : e.entry.kernels) {
    std::vector<std::string> arguments;
    for (const loop::Param& param : kernel(e, name).params) arguments.push_back(argument(param));
    out.push_back(name + "(" + join(arguments, ", ") + ");");
  }
  return out;
}

// The calls with a barrier between each two.
std::string with_barriers(const EntryContext& e, const std::vector<std::string>& calls,
                          const std::string& margin) {
  const std::string wait = e.entry.checks
                               ? "if (barrier.wait(w.failure[member].code != ok)) return;\n"
                               : "barrier.wait();\n";
  std::string body;
  for (const std::string& call : calls)
    body += (body.empty() ? "" : margin + wait) + margin + call + "\n";
  return body;
}

// A team of many kernels goes through them in phases, each a function: the calls of those.
std::vector<std::string> phases_of(const EntryContext& e, HostFunctions* functions) {
  constexpr std::size_t most = 20;
  const std::vector<std::string> calls = kernel_calls(e);
  if (calls.size() <= most) return calls;
  std::vector<std::string> out;
  const ParamList all = {{"const Model&", "model"},
                         {"const " + e.module().structure_type + "&", "g"},
                         {"const " + e.module().workspace_type + "&", "w"},
                         {"espalier::Barrier&", "barrier"},
                         {"int", "member"},
                         {"int", "members"}};
  for (std::size_t first = 0; first < calls.size(); first += most) {
    const std::size_t last = std::min(first + most, calls.size());
    const auto at = [&](std::size_t i) { return calls.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::string body = with_barriers(e, {at(first), at(last)}, "  ");
    const ParamList params = used_params(all, body);
    const auto text = [&](const std::string& name) {
      return fmt::format("// Kernels {} to {} of {}.\nvoid {}({}) {{\n{}}}\n\n", first + 1, last,
                         calls.size(), name, param_list(params), body);
    };
    const std::string wanted = fmt::format("phase_{}", first / most + 1);
    out.push_back(functions->add(wanted, e.names.function, text) + "(" + name_list(params) + ");");
  }
  return out;
}

}  // namespace

std::string team_text(const EntryContext& e, HostFunctions* functions) {
  if (e.entry.kernels.empty()) return "";
  const std::string body = with_barriers(e, phases_of(e, functions), "    ");
  const auto named = [&](const char* word) {
    return names_word(body, word) ? std::string(" ") + word : "";
  };
  LineBuffer out;
  if (e.entry.checks) {
    out.line("  Failure failures[espalier::max_threads] = {};");
    out.line("  w.failure = failures;");
  }
  out.line("  espalier::run_team(launch.threads, [&](espalier::Barrier&{}, int{}, int{}) {{",
           named("barrier"), named("member"), named("members"));
  out.put(body);
  out.line("  });");
  if (e.entry.checks)
    out.line(
        "  if (const Status s = first_failure(w, espalier::max_threads); s.code != ok) return s;");
  return std::move(out).text();
}

}  // namespace espalier::emit

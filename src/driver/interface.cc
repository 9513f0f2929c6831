#include "driver/interface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wave/text.h"

namespace espalier::driver {
namespace {

std::string result(const std::string& name, Dtype dtype, const std::vector<std::int64_t>& shape) {
  return fmt::format("result {} {} [{}]\n", name, static_cast<int>(dtype), fmt::join(shape, ", "));
}

std::string results(const wave::Module&, const wave::Entry& entry) {
  std::string out;
  for (const wave::Output& o : entry.outputs)
    out += result(o.entry_result, entry.value(o.value).dtype, entry.value(o.value).shape);
  return out;
}

std::string results(const loop::Module& module, const loop::Entry& entry) {
  std::string out;
  for (const loop::OutputCopy& o : entry.outputs)
    out += result(o.result, o.dtype, module.buffer(o.buffer).shape);
  return out;
}

template <class Module>
std::string print_interface(const Module& module) {
  wave::Module taken;
  taken.forest = module.forest;
  taken.parameters = module.parameters;
  std::string given;
  for (const auto& entry : module.entries) {
    wave::Entry& bare = taken.entries.emplace_back();
    bare.name = entry.name;
    bare.arguments = entry.arguments;
    bare.nodes = entry.nodes;
    given += entry.name + "\n" + results(module, entry);
  }
  return wave::print(taken) + given;
}

}  // namespace

std::string interface_of(const wave::Module& module) { return print_interface(module); }
std::string interface_of(const loop::Module& module) { return print_interface(module); }

}  // namespace espalier::driver

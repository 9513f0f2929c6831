#include "to_loop/to_loop.h"

#include <algorithm>

#include "base/bug.h"
#include "to_loop/lower.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::OutputCopy;
using wave::Domain;

namespace {

void add_output(Context& context, const wave::Output& output) {
  const wave::Value v = context.entry.value(output.value);
  const Place place = context.place_of(output.value);
  OutputCopy made;
  made.result = output.entry_result;
  made.dtype = v.dtype;
  for (std::size_t i = 0; i < v.shape.size(); i++) {
    const loop::ExprRef axis = context.shared.extent(v.shape[i], context.dim(output.value, i));
    made.axes.push_back(axis->name.empty() ? std::to_string(v.shape[i]) : axis->name);
  }
  made.buffer = place.buffer;
  made.rows = static_cast<OutputCopy::Rows>(output.rows);
  made.type = output.type;
  const Domain& d = context.entry.domain(v.domain);
  switch (d.kind) {
    case Domain::Kind::once: made.from = OutputCopy::From::one; break;
    case Domain::Kind::all: made.from = OutputCopy::From::all; break;
    case Domain::Kind::nodes:
      made.from = context.aliases.count(output.value) || context.one_class()
                      ? OutputCopy::From::all
                      : OutputCopy::From::rows;
      made.classes.push_back(context.class_of(v.domain));
      break;
    case Domain::Kind::list:
      if (d.length >= 0) {
        made.length = d.length;
      } else {
        made.list = context.list_of(v.domain);
        context.list_array(loop::StructureMember::Kind::list_first, v.domain);
      }
      break;
    default: break;
  }
  if (v.kind == wave::Value::Kind::carry)
    for (const Id part : context.parts_of[output.value])
      made.classes.push_back(context.class_of(part));
  context.out.outputs.push_back(std::move(made));
}

void find_parts(Context& context, const std::vector<wave::Op>& ops) {
  for (const wave::Op& op : ops) {
    find_parts(context, op.region);
    if (op.kind == wave::Op::Kind::set && context.entry.domain(op.part).kind == Domain::Kind::nodes)
      context.parts_of[op.result].push_back(op.part);
    if (op.kind != wave::Op::Kind::steps) continue;
    for (const wave::Op& inner : op.region)
      if (inner.kind == wave::Op::Kind::set) context.steps_of[inner.result] = &op;
  }
}

// First and last kernels that use each buffer of the entry; what becomes a result is used at the
// end.
void find_lives(Context& context) {
  loop::Module& module = context.shared.module;
  std::map<std::string, const loop::Function*> functions;
  for (const loop::Function& f : module.functions) functions[f.name] = &f;
  std::map<int, std::pair<int, int>> lives;
  const auto use = [&](int buffer, int kernel) {
    if (buffer < 0) return;
    auto [at, fresh] = lives.try_emplace(buffer, kernel, kernel);
    at->second.first = std::min(at->second.first, kernel);
    at->second.second = std::max(at->second.second, kernel);
  };
  const auto walk = [&](const loop::Function& f, int kernel, const auto& self) -> void {
    for (const Stmt& s : f.body)
      loop::visit(s, [&](const loop::Expr& e) { use(e.buffer, kernel); });
    loop::visit_statements(f.body, [&](const Stmt& s) {
      use(s.buffer, kernel);
      if (s.kind == Stmt::Kind::call && functions.count(s.name))
        self(*functions.at(s.name), kernel, self);
    });
  };
  const int kernels = static_cast<int>(context.out.kernels.size());
  for (int k = 0; k < kernels; k++)
    walk(*functions.at(context.out.kernels[static_cast<std::size_t>(k)]), k, walk);
  for (const OutputCopy& output : context.out.outputs) use(output.buffer, kernels);
  std::erase_if(context.out.buffers, [&](int buffer) { return !lives.count(buffer); });
  for (const int buffer : context.out.buffers)
    context.out.lives.push_back({lives.at(buffer).first, lives.at(buffer).second, -1});
}

void lower_entry(Shared& shared, const wave::Entry& entry, std::size_t number) {
  loop::Entry& out = shared.module.entries[number];
  Context context(shared, entry, out);
  find_parts(context, context.entry.ops);
  std::vector<KernelPlan> kernels = plan(context);
  decide_places(context, kernels);
  make_kernels(context, kernels);
  for (const wave::Output& output : entry.outputs) add_output(context, output);
  make_prepare(context);
  find_lives(context);
}

}  // namespace

loop::Module to_loop(const wave::Module& wave, const Options& options) {
  loop::Module module;
  module.name = wave.name;
  module.doc = wave.doc;
  module.dims = wave.dims;
  module.forest = wave.forest;
  module.parameters = wave.parameters;
  module.constants = wave.constants;
  for (const wave::Entry& entry : wave.entries) {
    loop::Entry made;
    made.name = entry.name;
    made.doc = entry.doc;
    made.arguments = entry.arguments;
    made.nodes = entry.nodes;
    for (const wave::Output& output : entry.outputs) {  // for their names
      loop::OutputCopy copy;
      copy.result = output.entry_result;
      copy.rows = static_cast<OutputCopy::Rows>(output.rows);
      made.outputs.push_back(copy);
    }
    module.entries.push_back(std::move(made));
  }
  Shared shared(wave, options, module, loop::api_names(module));
  for (const std::string& name : shared.api.global) {
    shared.names.reserve(name);
    shared.model_names.reserve(name);  // members of Model are parameters of the load phase too
  }
  for (const std::string& name : kernel_words()) shared.names.reserve(name);
  for (const char* name : {"m", "g", "w", "weights"}) shared.model_names.reserve(name);
  shared.workspace_names.reserve("failure");
  module.structure_type = shared.api.structure;
  module.workspace_type = shared.api.values;
  for (std::size_t i = 0; i < module.entries.size(); i++) {
    module.entries[i].outputs.clear();
  }
  for (const wave::Entry& entry : wave.entries)
    for (const wave::Op& op : entry.ops)
      if (op.kind == wave::Op::Kind::sweep_up || op.kind == wave::Op::Kind::sweep_down)
        shared.sweeps[op.kind == wave::Op::Kind::sweep_down].insert(swept(entry, op));
  for (std::size_t i = 0; i < wave.entries.size(); i++) lower_entry(shared, wave.entries[i], i);
  return module;
}

}  // namespace espalier::to_loop

#include "driver/record_check.h"

#include "base/bug.h"
#include "emit/small_inputs.h"
#include "eval/fun_eval.h"

namespace espalier::driver {

namespace {

Column column_of(const ops::Tensor& tensor) { return {tensor.f, tensor.i}; }

const fun::Entry& entry_of(const fun::Module& module, const std::string& name) {
  for (const fun::Entry& entry : module.entries)
    if (entry.name == name) return entry;
  throw Bug("an entry of the loop module is not one of the model's");
}

const eval::Rows& rows_of(const eval::Outcome& outcome, const std::string& result) {
  for (const eval::Rows& rows : outcome.results)
    if (rows.name == result) return rows;
  throw Bug("a result of an entry that the evaluator does not give");
}

}  // namespace

eval::Weights made_up_weights(const loop::Module& module) {
  eval::Weights weights;
  for (std::size_t p = 0; p < module.parameters.size(); p++) {
    const Parameter& parameter = module.parameters[p];
    ops::Tensor tensor;
    tensor.dtype = parameter.dtype;
    tensor.shape = parameter.shape;
    const auto size = static_cast<std::size_t>(tensor.size());
    for (std::size_t i = 0; i < size; i++)
      tensor.f.push_back(emit::check_weight(static_cast<std::uint32_t>(p), i));
    weights[parameter.name] = tensor;
  }
  return weights;
}

std::vector<Column> weight_columns(const loop::Module& module, const eval::Weights& weights) {
  std::vector<Column> out;
  if (weights.empty()) return out;
  for (const Parameter& parameter : module.parameters)
    out.push_back(column_of(weights.at(parameter.name)));
  return out;
}

emit::CheckVectors record_check(const fun::Module& core, const loop::Module& module,
                                const eval::Weights& given) {
  const eval::Weights weights = given.empty() ? made_up_weights(module) : given;
  emit::CheckVectors vectors;
  for (std::size_t e = 0; e < module.entries.size(); e++) {
    const loop::Entry& entry = module.entries[e];
    emit::CheckEntry checked;
    checked.entry = static_cast<int>(e);
    for (const emit::SmallInput& input :
         emit::small_inputs(module.forest, entry.arguments, entry.nodes)) {
      const eval::Outcome outcome =
          eval::evaluate(core, weights, entry_of(core, entry.name), input.forest, input.calls);
      if (!outcome.status.ok()) continue;
      emit::CheckCase check = {input.title, input.forest, input.calls, {}};
      for (const loop::OutputCopy& output : entry.outputs) {
        const eval::Rows& rows = rows_of(outcome, output.result);
        check.results.push_back({column_of(rows.data), rows.offsets});
      }
      checked.cases.push_back(std::move(check));
    }
    vectors.entries.push_back(std::move(checked));
  }
  return vectors;
}

}  // namespace espalier::driver

#include "eval/fun_eval.h"

#include "base/bug.h"
#include "eval/deep_stack.h"
#include "eval/interpreter.h"
#include "eval/rows.h"
#include "eval/validate.h"

namespace espalier::eval {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// node -> its place among the nodes of data type `type`, or -1. The forest may be a bad one.
std::vector<std::int64_t> rows_of_nodes(const Forest& forest, const ForestData& data,
                                        const std::string& type) {
  std::vector<std::int64_t> rows;
  std::int64_t next = 0;
  for (const int variant : data.variant) {
    const bool known = variant >= 0 && at(variant) < forest.variants.size();
    rows.push_back(known && forest.variants[at(variant)].type == type ? next++ : -1);
  }
  return rows;
}

// The data type of the first argument that has one, or "".
std::string structure_of(const fun::Function& f) {
  for (const fun::Argument& arg : f.args)
    if (arg.named.type->kind == fun::Type::Kind::data) return arg.named.type->name;
  return "";
}

class EntryEvaluation {
 public:
  EntryEvaluation(const fun::Module& module, const Weights& weights, const fun::Entry& entry,
                  const ForestData& data, const CallsData& calls)
      : module_(module),
        weights_(weights),
        entry_(entry),
        function_(*module.find_function(entry.function)),
        forest_(fun::forest_of(module)),
        arguments_(fun::arguments_of(function_)),
        data_(data),
        calls_(entry.nodes ? nodes_as_calls() : calls) {}

  Outcome run() {
    Outcome out;
    out.status = validate(forest_, data_, arguments_, calls_);
    if (!out.status.ok()) return out;
    RowGatherer rows(module_, *function_.returns, calls_.count,
                     rows_of_nodes(forest_, data_, structure_of(function_)));
    on_deep_stack([&] { out.status = evaluate_calls(rows); });
    if (out.status.ok()) out.results = std::move(rows).take();
    return out;
  }

 private:
  // Each node of the argument's type as a call of its own.
  CallsData nodes_as_calls() const {
    const auto rows = rows_of_nodes(forest_, data_, structure_of(function_));
    CallsData calls;
    calls.columns.resize(1);
    for (std::size_t n = 0; n < rows.size(); ++n)
      if (rows[n] >= 0) calls.columns[0].integer.push_back(static_cast<std::int64_t>(n));
    calls.count = static_cast<std::int64_t>(calls.columns[0].integer.size());
    return calls;
  }

  Status evaluate_calls(RowGatherer& rows) {
    Interpreter interpreter(module_, weights_, forest_, data_);
    Status lowest;
    for (std::int64_t c = 0; c < calls_.count; ++c) {
      interpreter.begin_call(static_cast<int>(c));
      try {
        rows.add(*function_.returns, interpreter.call(function_, arguments_of_call(c)));
      } catch (const Failure& failure) {
        if (lowest.ok() || failure.status.node < lowest.node) lowest = failure.status;
      }
    }
    if (!entry_.nodes && !interpreter.overlap().ok()) return interpreter.overlap();
    return lowest;
  }

  Value::Items arguments_of_call(std::int64_t call) const {
    Value::Items args;
    std::size_t leaf = 0;
    for (const fun::Argument& arg : function_.args) {
      args.push_back(load(*arg.named.type, arguments_.columns, leaf,
                          Columns{calls_.columns, calls_.lists}, call));
      leaf += leaf_count(*arg.named.type);
    }
    return args;
  }

  const fun::Module& module_;
  const Weights& weights_;
  const fun::Entry& entry_;
  const fun::Function& function_;
  const Forest forest_;
  const Arguments arguments_;
  const ForestData& data_;
  const CallsData calls_;
};

}  // namespace

Outcome evaluate(const fun::Module& module, const Weights& weights, const fun::Entry& entry,
                 const ForestData& data, const CallsData& calls) {
  require(module.find_function(entry.function) != nullptr, "an entry without its function");
  return EntryEvaluation(module, weights, entry, data, calls).run();
}

ops::Tensor evaluate_constant(const fun::Module& module, const fun::ExprRef& e) {
  const Weights weights;
  const Forest forest;
  const ForestData data;
  Interpreter interpreter(module, weights, forest, data);
  Env env;
  return interpreter.eval(e, env)->tensor;
}

}  // namespace espalier::eval

// What prepare() does besides the load phase's own works: copies of parameters, panels of weights.
#include <algorithm>

#include "base/bug.h"
#include "to_loop/lower.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::Expr;

namespace {

constexpr std::size_t most_outputs = 16;  // of one function

ExprRef whole(int buffer, Dtype dtype, bool writes) {
  return loop::pointer(buffer, "", {dtype, false, true, writes}, loop::integer(0));
}

// A parameter row by row, padded.
Stmt copy_parameter(Context& context, const Parameter& parameter, int to) {
  const int from = context.parameter(parameter.name, false);
  const Buffer& target = context.shared.module.buffer(to);
  const std::int64_t columns = target.shape.empty() ? 1 : target.shape.back();
  const std::int64_t rows = target.rows.number;
  Stmt made = loop::simple(Stmt::Kind::call);
  made.name = "copy_rows";
  if (parameter.dtype == Dtype::f16) made.name = "copy_f16_rows";
  if (parameter.dtype == Dtype::bf16) made.name = "copy_bf16_rows";
  const std::string dim = parameter.dims.empty() ? "" : parameter.dims.back();
  const ExprRef width = context.shared.extent(columns, dim);
  ExprRef stride = target.stride == columns ? width : context.shared.row_extent(columns, dim);
  const auto text = [](const ExprRef& e) {
    return e->kind == Expr::Kind::constant ? e->name : std::to_string(e->integer);
  };
  made.tile = text(width) + ", " + text(stride);
  const std::string row_dim =
      parameter.shape.size() == 2 && parameter.dims.size() == 2 ? parameter.dims[0] : "";
  made.args = {whole(from, parameter.dtype, false),
               row_dim.empty() ? loop::integer(rows) : context.shared.extent(rows, row_dim),
               whole(to, computed(parameter.dtype), true)};
  return made;
}

Stmt pack_parameter(Context& context, const Shared::Panels& panels) {
  const auto& all = context.shared.wave.parameters;
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Parameter& p) { return p.name == panels.leaf; });
  Stmt made = loop::simple(Stmt::Kind::call);
  made.name = "pack_panels";
  const auto text = [&](std::size_t axis) {
    const ExprRef e =
        context.shared.extent(at->shape[axis], axis < at->dims.size() ? at->dims[axis] : "");
    return e->kind == Expr::Kind::constant ? e->name : std::to_string(e->integer);
  };
  made.tile = text(0) + ", " + text(1);
  made.args = {whole(context.parameter(panels.leaf, false), at->dtype, false),
               whole(panels.buffer, Dtype::f32, true)};
  return made;
}

// Weights that are an expression: panel by panel.
std::vector<Stmt> pack_expression(Context& context, const Shared::Panels& panels) {
  Code code(context, wave::none, false);
  code.preparing = true;
  const ExprRef lanes = loop::constant("lanes", 0);
  Env env;
  const std::string p = code.loop_name({"p"}), j = code.loop_name({"j"}), r = code.loop_name({"r"});
  code.open_loop(j, loop::integer(0), loop::integer(loop::padded(panels.rows)));
  std::int64_t size = 1;
  ExprRef flat = loop::integer(0);
  for (const std::int64_t n : panels.over) {
    const std::string k = code.loop_name({"k", "l", "q", "s"});
    code.open_loop(k, loop::integer(0), loop::integer(n));
    env.bounds.push_back(loop::variable(k));
    flat = loop::add(loop::mul(flat, loop::integer(n)), loop::variable(k));
    size *= n;
  }
  code.open_loop(r, loop::integer(0), lanes);
  const ExprRef row = loop::add(loop::variable(j), loop::variable(r));
  env.axes.push_back(row);
  env.guarded = true;
  const ExprRef at = loop::add(loop::mul(loop::variable(j), loop::integer(size)),
                               loop::add(loop::mul(flat, lanes), loop::variable(r)));
  const ExprRef value = code.scalar(panels.weights, env);
  code.add(
      loop::store(panels.buffer, at,
                  loop::select(loop::binary("<", loop::bool_type, row, loop::integer(panels.rows)),
                               value, loop::number(0, Dtype::f32))));
  for (std::size_t i = 0; i < panels.over.size() + 1; i++) code.close_loop();
  code.close_loop();
  std::vector<Stmt> body = code.close();
  body.back().step = lanes;
  return body;
}

}  // namespace

void make_prepare(Context& context) {
  Shared& shared = context.shared;
  std::vector<std::pair<int, std::vector<Stmt>>> copies, panels_of_leaves;
  for (const Parameter& parameter : shared.wave.parameters) {
    const auto known = shared.parameters.find({parameter.name, true});
    if (known == shared.parameters.end() || shared.filled.count(known->second)) continue;
    copies.push_back({known->second, {copy_parameter(context, parameter, known->second)}});
  }
  const auto entry = static_cast<std::size_t>(&context.out - shared.module.entries.data());
  std::vector<std::pair<int, std::vector<Stmt>>> expressions;
  for (const Shared::Panels& panels : shared.panels) {
    if (panels.entry != entry) continue;
    if (!panels.leaf.empty())
      panels_of_leaves.push_back({panels.buffer, {pack_parameter(context, panels)}});
    else
      expressions.push_back({panels.buffer, pack_expression(context, panels)});
  }
  const auto finish = [&](std::size_t& i, const std::vector<std::pair<int, std::vector<Stmt>>>& all,
                          std::size_t most, const std::string& name, const std::string& comment) {
    loop::Function function;
    function.name = name;
    function.comment = comment;
    function.exported = true;
    std::map<int, std::string> outputs;
    for (std::size_t n = 0; n < most && i < all.size(); n++, i++) {
      outputs[all[i].first] = shared.module.buffer(all[i].first).name;
      shared.filled.insert(all[i].first);
      for (const Stmt& s : all[i].second) function.body.push_back(s);
    }
    const int made = finish_function(context, std::move(function), outputs);
    shared.module.prepare.push_back(shared.module.functions[static_cast<std::size_t>(made)].name);
  };
  for (std::size_t i = 0; i < copies.size();)
    finish(i, copies, most_outputs, "copy_weights",
           "Weights that are read row by row, with rows padded to whole vectors.");
  for (std::size_t i = 0; i < panels_of_leaves.size();)
    finish(i, panels_of_leaves, most_outputs, "pack_weights", "Matrices of products, in panels.");
  for (std::size_t i = 0; i < expressions.size();)
    finish(i, expressions, 1, "pack_" + shared.module.buffer(expressions[i].first).name,
           "The weights of a product in panels.");
}

}  // namespace espalier::to_loop

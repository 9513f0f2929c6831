// Weights of products in panels.
#include <fmt/format.h>

#include "to_loop/lower.h"

namespace espalier::to_loop {

using loop::Buffer;
using wave::Scalar;
using wave::Value;

namespace {

// The leaf of which the weights are all, as they stand: W[i0, r0]; else "".
std::string whole_parameter(const Context& context, const Work& work) {
  const Scalar& s = *work.product.weights;
  if (s.kind != Scalar::Kind::load || s.args.size() != 3 || s.args[1]->kind != Scalar::Kind::axis ||
      s.args[2]->kind != Scalar::Kind::bound)
    return "";
  const Value& v = context.entry.value(s.value);
  const std::vector<std::int64_t> shape = {context.entry.value(work.result).shape[0],
                                           work.product.over[0]};
  return v.kind == Value::Kind::parameter && v.dtype == Dtype::f32 && v.shape == shape ? v.source
                                                                                       : "";
}

}  // namespace

int panels_of(Context& context, const Work& work) {
  Shared& shared = context.shared;
  const Value& v = context.entry.value(work.result);
  const std::string leaf = whole_parameter(context, work);
  const int recipe = context.recipe(work.product.weights);
  const auto entry = static_cast<std::size_t>(&context.out - shared.module.entries.data());
  for (const Shared::Panels& known : shared.panels)
    if ((!leaf.empty() && known.leaf == leaf) ||
        (known.rows == v.shape[0] && known.over == work.product.over && known.recipe == recipe))
      return known.buffer;
  std::string name = v.name + "_weights";
  std::vector<std::string> sources;
  wave::visit(work.product.weights, [&](const Scalar& s) {
    if (s.kind == Scalar::Kind::load) sources.push_back(context.entry.value(s.value).name);
  });
  if (sources.size() == 1) name = sources[0];
  Buffer buffer;
  buffer.space = Buffer::Space::prepared;
  buffer.name = shared.model_names.unique(name);
  const std::int64_t over = size_of(work.product.over);
  buffer.shape = {loop::padded(v.shape[0]) * over};
  buffer.inner = buffer.stride = buffer.shape[0];
  const std::string dim = context.dim(work.result, 0);
  const auto& extents = work.product.over;
  const auto text = [](const ExprRef& e) {
    return e->kind == loop::Expr::Kind::constant ? e->name : std::to_string(e->integer);
  };
  const std::string k = extents.size() == 1 ? context.bound_dim(work.product.weights, 0, over) : "";
  buffer.layout = fmt::format("[{} / lanes][{}][lanes]", text(shared.row_extent(v.shape[0], dim)),
                              text(shared.extent(over, k)));
  shared.module.buffers.push_back(buffer);
  const int made = static_cast<int>(shared.module.buffers.size()) - 1;
  shared.panels.push_back(
      {leaf, work.product.weights, work.product.over, v.shape[0], made, entry, recipe});
  return made;
}

}  // namespace espalier::to_loop

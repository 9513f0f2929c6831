// Wave modules made by hand, as lowering from fun gives them.
#pragma once

#include <string>
#include <vector>

#include "wave/wave.h"

namespace espalier::test {

using wave::Id;
using wave::ScalarRef;

// Builds one entry.
struct WaveBuilder {
  wave::Module module;
  wave::Entry entry;

  Id domain(wave::Domain d) {
    entry.domains.push_back(std::move(d));
    return static_cast<Id>(entry.domains.size()) - 1;
  }

  Id value(wave::Value::Kind kind, const std::string& name, Id domain,
           std::vector<std::int64_t> shape = {}, Dtype dtype = Dtype::f32) {
    wave::Value v;
    v.kind = kind;
    v.name = name;
    v.domain = domain;
    v.shape = std::move(shape);
    v.dtype = dtype;
    entry.values.push_back(v);
    return static_cast<Id>(entry.values.size()) - 1;
  }

  Id parameter(const std::string& name, std::vector<std::int64_t> shape,
               std::vector<std::string> dims, Id once, Dtype dtype = Dtype::f32) {
    module.parameters.push_back({name, dtype, shape, std::move(dims)});
    const Id v = value(wave::Value::Kind::parameter, name, once, shape, dtype);
    entry.values.back().source = name;
    entry.values.back().phase = wave::Phase::load;
    return v;
  }

  ScalarRef load(Id v, ScalarRef element, std::vector<ScalarRef> indices = {}) const {
    const wave::Value& value = entry.value(v);
    const bool once = entry.domain(value.domain).kind == wave::Domain::Kind::once;
    return wave::load(v, value.dtype, once ? nullptr : std::move(element), std::move(indices));
  }
  ScalarRef here(Id v) const {  // the element's value at the axes at hand
    std::vector<ScalarRef> axes;
    const auto& shape = entry.value(v).shape;
    for (std::size_t i = 0; i < shape.size(); i++)
      axes.push_back(wave::axis(static_cast<int>(i), shape[i]));
    return load(v, wave::element(), axes);
  }

  wave::Op map(Id result, ScalarRef body) const {
    wave::Op op;
    op.result = result;
    op.body = std::move(body);
    return op;
  }
  wave::Op sum(Id result, std::vector<std::int64_t> axes, Id list, ScalarRef body) const {
    wave::Op op = map(result, std::move(body));
    op.reduce = wave::Reduce::sum;
    op.axes = std::move(axes);
    op.list = list;
    return op;
  }
  wave::Op set(Id carry, Id part, Id value) const {
    wave::Op op;
    op.kind = wave::Op::Kind::set;
    op.result = carry;
    op.part = part;
    op.value = value;
    return op;
  }
  // W @ x, x being read at `element`
  wave::Op product(Id result, Id weights, Id x, ScalarRef element) const {
    const std::int64_t n = entry.value(x).shape[0];
    return sum(
        result, {n}, wave::none,
        wave::apply(wave::Opcode::mul, {load(weights, nullptr, {wave::axis(0), wave::bound(0)}),
                                        load(x, std::move(element), {wave::bound(0)})}));
  }
};

// The child-sum Tree-LSTM of the language's first example.
inline wave::Module treelstm_childsum(std::int64_t hidden, std::int64_t embed, std::int64_t vocab) {
  using wave::apply;
  using wave::Opcode;
  using Kind = wave::Value::Kind;
  WaveBuilder b;
  b.module.name = "treelstm_childsum";
  b.module.dims = {{"vocab", vocab}, {"embed", embed}, {"hidden", hidden}};
  Variant variant{"Tree", "Node", {}};
  Field word;
  word.name = "word";
  word.dtype = Dtype::i32;
  word.bound = vocab;
  word.column = 0;
  Field children;
  children.name = "children";
  children.child = true;
  children.target = "Tree";
  children.lists = {0};
  children.column = 1;
  variant.fields = {word, children};
  b.module.forest.variants = {variant};
  b.module.forest.types = {{"Tree", false, {0}}};
  b.module.forest.columns = {word, children};
  b.module.forest.lists = {{"children", -1}};
  b.entry.name = "encode";
  Field t;
  t.name = "t";
  t.child = true;
  t.target = "Tree";
  t.column = 0;
  b.entry.arguments.columns = {t};

  const Id once = b.domain({});
  wave::Domain d;
  d.kind = wave::Domain::Kind::calls;
  d.name = "calls";
  const Id calls = b.domain(d);
  d.kind = wave::Domain::Kind::nodes;
  d.name = "Node";
  d.variant = 0;
  const Id node = b.domain(d);
  d = {};
  d.kind = wave::Domain::Kind::all;
  d.name = "all";
  const Id all = b.domain(d);
  d.kind = wave::Domain::Kind::list;
  d.name = "children";
  d.owner = node;
  d.list = 0;
  const Id items = b.domain(d);

  std::vector<Id> W, U, bias;
  for (const char* gate : {"i", "u", "o", "f"}) {
    W.push_back(b.parameter(std::string("W_") + gate, {hidden, embed}, {"hidden", "embed"}, once));
    U.push_back(
        b.parameter(std::string("U_") + gate, {hidden, hidden}, {"hidden", "hidden"}, once));
    bias.push_back(b.parameter(std::string("b_") + gate, {hidden}, {"hidden"}, once));
  }
  const Id E = b.parameter("E", {vocab, embed}, {"vocab", "embed"}, once);
  const Id wordv = b.value(Kind::payload, "word", node, {}, Dtype::i32);
  b.entry.values.back().field = 0;
  const Id child = b.value(Kind::child, "children", items, {}, Dtype::i32);
  b.entry.values.back().field = 1;
  const Id h = b.value(Kind::carry, "h", all, {hidden}),
           c = b.value(Kind::carry, "c", all, {hidden});
  const auto comp = [&](const std::string& name, Id dom, std::int64_t n) {
    return b.value(Kind::computed, name, dom, {n});
  };
  const Id x = comp("x", node, embed);
  b.entry.ops.push_back(b.map(
      x,
      b.load(E, nullptr, {wave::cast(Dtype::i64, b.load(wordv, wave::element())), wave::axis(0)})));
  std::vector<Id> wx;
  for (int g = 0; g < 4; g++) {
    wx.push_back(comp(std::string("W_") + "iuof"[g] + "_x", node, hidden));
    b.entry.ops.push_back(b.product(wx.back(), W[static_cast<std::size_t>(g)], x, wave::element()));
  }
  wave::Op sweep;
  sweep.kind = wave::Op::Kind::sweep_up;
  const ScalarRef k = wave::load(child, Dtype::i32, wave::item());
  const Id hs = comp("hs", node, hidden);
  sweep.region.push_back(b.sum(hs, {}, items, b.load(h, k, {wave::axis(0)})));
  std::vector<Id> uh;
  for (int g = 0; g < 3; g++) {
    uh.push_back(comp(std::string("U_") + "iuo"[g] + "_hs", node, hidden));
    sweep.region.push_back(
        b.product(uh.back(), U[static_cast<std::size_t>(g)], hs, wave::element()));
  }
  const auto gate = [&](std::size_t g, Opcode f) {
    return apply(f, {apply(Opcode::add,
                           {apply(Opcode::add, {b.here(wx[g]), b.here(uh[g])}), b.here(bias[g])})});
  };
  const Id i = comp("i", node, hidden), u = comp("u", node, hidden), o = comp("o", node, hidden);
  sweep.region.push_back(b.map(i, gate(0, Opcode::sigmoid)));
  sweep.region.push_back(b.map(u, gate(1, Opcode::tanh)));
  sweep.region.push_back(b.map(o, gate(2, Opcode::sigmoid)));
  const Id uf = comp("U_f_h", items, hidden);
  sweep.region.push_back(b.product(uf, U[3], h, wave::load(child, Dtype::i32, wave::element())));
  const Id f = comp("f", items, hidden);
  sweep.region.push_back(b.map(
      f, apply(Opcode::sigmoid,
               {apply(Opcode::add,
                      {apply(Opcode::add,
                             {b.load(wx[3], wave::owner(items, wave::element()), {wave::axis(0)}),
                              b.here(uf)}),
                       b.here(bias[3])})})));
  const Id kept = comp("kept", node, hidden);
  sweep.region.push_back(b.sum(kept, {}, items,
                               apply(Opcode::mul, {b.load(f, wave::item(), {wave::axis(0)}),
                                                   b.load(c, k, {wave::axis(0)})})));
  const Id c1 = comp("c", node, hidden), h1 = comp("h", node, hidden);
  sweep.region.push_back(
      b.map(c1, apply(Opcode::add, {apply(Opcode::mul, {b.here(i), b.here(u)}), b.here(kept)})));
  sweep.region.push_back(
      b.map(h1, apply(Opcode::mul, {b.here(o), apply(Opcode::tanh, {b.here(c1)})})));
  sweep.region.push_back(b.set(h, node, h1));
  sweep.region.push_back(b.set(c, node, c1));
  b.entry.ops.push_back(std::move(sweep));
  const Id root = b.value(Kind::root, "t", calls, {}, Dtype::i32);
  b.entry.values.back().field = 0;
  b.entry.values.back().source = "t";
  const Id out_h = comp("h", calls, hidden), out_c = comp("c", calls, hidden);
  const ScalarRef at = wave::load(root, Dtype::i32, wave::element());
  b.entry.ops.push_back(b.map(out_h, b.load(h, at, {wave::axis(0)})));
  b.entry.ops.push_back(b.map(out_c, b.load(c, at, {wave::axis(0)})));
  b.entry.outputs = {{"h", out_h, wave::Output::Rows::calls, ""},
                     {"c", out_c, wave::Output::Rows::calls, ""}};
  b.module.entries.push_back(b.entry);
  return b.module;
}

}  // namespace espalier::test

// A loop module written by hand: total(t) = value + the sum of the children's totals.
#pragma once

#include "emit/parts.h"
#include "loop/loop.h"

namespace espalier::emit {

inline loop::Buffer buffer_of(const char* name, loop::Buffer::Space space, Dtype dtype,
                              loop::Extent::Kind rows, int index = 0) {
  loop::Buffer b;
  b.name = name;
  b.space = space;
  b.dtype = dtype;
  b.rows = {rows, 1, index};
  return b;
}

inline loop::StructureMember member_of(loop::StructureMember::Kind kind, const char* name,
                                       int buffer = -1, int index = 0, int field = -1,
                                       int list = -1) {
  loop::StructureMember m;
  m.kind = kind;
  m.name = name;
  m.buffer = buffer;
  m.index = index;
  m.field = field;
  m.list = list;
  return m;
}

inline Forest sum_forest() {
  Forest forest;
  Field value;
  value.name = "value";
  value.column = 0;
  Field word;
  word.name = "word";
  word.dtype = Dtype::i32;
  word.bound = 10;
  word.column = 1;
  Field children;
  children.name = "children";
  children.child = true;
  children.target = "Tree";
  children.lists = {0};
  children.column = 2;
  forest.columns = {value, word, children};
  forest.lists = {{"children", -1}};
  forest.variants = {{"Tree", "Node", {value, word, children}}};
  forest.types = {{"Tree", false, {0}}};
  return forest;
}

inline loop::Module sum_module() {
  using Space = loop::Buffer::Space;
  using Rows = loop::Extent::Kind;
  using Kind = loop::StructureMember::Kind;
  loop::Module m;
  m.name = "tree_sum";
  m.doc = "The sum of the values of a tree, scaled by its words.";
  m.dims = {{"vocab", 10}};
  m.forest = sum_forest();
  m.parameters = {{"scale", Dtype::f32, {10}, {"vocab"}}};
  m.buffers = {
      buffer_of("scale", Space::weights, Dtype::f32, Rows::fixed),
      buffer_of("scale", Space::prepared, Dtype::f32, Rows::fixed),
      buffer_of("Node_first", Space::structure, Dtype::i32, Rows::fixed),
      buffer_of("Node_place", Space::structure, Dtype::i32, Rows::fixed),
      buffer_of("value", Space::structure, Dtype::f32, Rows::class_nodes),
      buffer_of("word", Space::structure, Dtype::i32, Rows::class_nodes),
      buffer_of("children_first", Space::structure, Dtype::i32, Rows::class_nodes),
      buffer_of("children", Space::structure, Dtype::i32, Rows::list_items),
      buffer_of("t", Space::structure, Dtype::i32, Rows::calls),
      buffer_of("total", Space::workspace, Dtype::f32, Rows::nodes),
      buffer_of("total_of_call", Space::workspace, Dtype::f32, Rows::calls),
  };
  m.buffers[0].source = "scale";
  m.buffers[1].rows.number = 10;
  m.buffers[1].layout = "[vocab]";
  m.buffers[10].layout = "[calls]";
  loop::Function prepare;
  prepare.name = "copy_scale";
  prepare.params = {{"const Weights&", "weights"}, {"float*", "scale"}};
  loop::Function sweep;
  sweep.name = "sweep_up";
  sweep.params = {{"const Model&", "m"},  {"const Structure&", "g"},
                  {"const Values&", "w"}, {"espalier::Barrier&", "barrier"},
                  {"int", "member"},      {"int", "members"}};
  loop::Function roots;
  roots.name = "roots";
  roots.params = {{"const Structure&", "g"}, {"const Values&", "w"}, {"int", "member"}};
  m.functions = {prepare, sweep, roots};
  m.prepare = {"copy_scale"};

  loop::Entry e;
  e.name = "total";
  Field t;
  t.name = "t";
  t.child = true;
  t.target = "Tree";
  t.column = 0;
  e.arguments.columns = {t};
  e.classes = {{"Node", 0, loop::Class::Part::any}};
  e.lists = {{"Node_children", 0, 0, -1}};
  e.structure = {
      member_of(Kind::levels, "levels"),
      member_of(Kind::calls, "calls"),
      member_of(Kind::class_first, "Node_first", 2, 0),
      member_of(Kind::class_place, "Node_place", 3, 0),
      member_of(Kind::payload, "value", 4, 0, 0),
      member_of(Kind::payload, "word", 5, 0, 1),
      member_of(Kind::list_first, "children_first", 6, 0, -1, 0),
      member_of(Kind::child, "children", 7, 0, 2, 0),
      member_of(Kind::root, "t", 8, 0, 0),
  };
  e.buffers = {9, 10};
  e.lives = {{0, 0, 0}, {0, 0, -1}};
  e.kernels = {"sweep_up", "roots"};
  loop::OutputCopy value;
  value.result = "value";
  value.buffer = 10;
  e.outputs = {value};
  m.entries = {e};
  return m;
}

inline KernelSource sum_kernels() {
  KernelSource text;
  text.declarations = {"void copy_scale(const Weights& weights, float* scale)",
                       "void sweep_up(const Model& m, const Structure& g, const Values& w, "
                       "espalier::Barrier& barrier, "
                       "int member, int members)",
                       "void roots(const Structure& g, const Values& w, int member)"};
  text.head = "// The kernels of tree_sum.\n";
  text.body = R"(void copy_scale(const Weights& weights, float* scale) {
  for (int word = 0; word < vocab; word++) scale[word] = weights.scale[word];
}

void sweep_up(const Model& m, const Structure& g, const Values& w, espalier::Barrier& barrier,
              int member, int members) {
  for (int level = 0; level < g.levels; level++) {
    const int begin = g.Node_first[level], count = g.Node_first[level + 1] - begin;
    const espalier::Share<int> mine(count, member, members);
    for (int node = begin + mine.begin; node < begin + mine.end; node++) {
      float total = m.scale[g.word[node]] * g.value[node];
      for (int e = g.children_first[node]; e < g.children_first[node + 1]; e++)
        total += w.total[g.children[e]];
      w.total[g.Node_place[level] + node - begin] = total;
    }
    barrier.wait();
  }
}

void roots(const Structure& g, const Values& w, int member) {
  for (int call = 0; member == 0 && call < g.calls; call++)
    w.total_of_call[call] = w.total[g.t[call]];
}
)";
  return text;
}

}  // namespace espalier::emit

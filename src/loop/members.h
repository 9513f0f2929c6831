// The members of each struct of the loop IR, for its text form: read and written by one list.
#pragma once

#include "loop/loop.h"

namespace espalier::loop {

#define MEMBERS(type)      \
  template <class Archive> \
  void members(Archive& a, type& v)

MEMBERS(Extent) {
  a.choice("kind", v.kind,
           "fixed nodes class_nodes class_widest level_widest edges list_items list_widest calls");
  a("number", v.number, 1);
  a("index", v.index, 0);
}
MEMBERS(Buffer) {
  a("name", v.name);
  a.choice("space", v.space, "weights constants prepared structure workspace scratch");
  a.choice("dtype", v.dtype, "f32 f64 f16 bf16 i8 i32 i64 bool");
  a.part("rows", v.rows);
  a("shape", v.shape);
  a("inner", v.inner, 1);
  a("stride", v.stride, 1);
  a("layout", v.layout);
  a("source", v.source);
}
MEMBERS(Stmt) {
  a("name", v.name);
  a("type", v.type);
  a.choice("order", v.loop, "serial vector unrolled");
  a("begin", v.begin);
  a("end", v.end);
  a("step", v.step);
  a("down", v.down, false);
  a("aligned", v.aligned, true);
  a("buffer", v.buffer, -1);
  a("check", v.check, 0);
  a("op", v.op);
  a("tile", v.tile);
  a("index", v.index);
  a("value", v.value);
  a("count", v.count);
  a("args", v.args);
  a("body", v.body);
  a("other", v.other);
}
MEMBERS(Param) {
  a("type", v.type);
  a("name", v.name);
}
MEMBERS(NamedConstant) {
  a("name", v.name);
  a("value", v.value);
  a("comment", v.comment);
}
MEMBERS(Cost) {
  a("each", v.each);
  a("products", v.products, 0);
  a("elementwise", v.elementwise, 0);
  a("bytes", v.bytes, 0);
}
MEMBERS(Function) {
  a("name", v.name);
  a("comment", v.comment);
  a("lines", v.lines);
  a.parts("cost", v.costs);
  a("tile", v.tile);
  a.parts("param", v.params);
  a("result", v.result, "void");
  a("exported", v.exported, false);
  a("body", v.body);
}
MEMBERS(StructureMember) {
  a.choice("kind", v.kind,
           "levels nodes calls class_count edge_count level_first class_first class_place place "
           "original child payload list_first list_owner slot parent_edge in_first in_owner "
           "in_edge variant local root_call root argument");
  a("name", v.name);
  a("buffer", v.buffer, -1);
  a("index", v.index, 0);
  a("field", v.field, -1);
  a("list", v.list, -1);
}
MEMBERS(Class) {
  a("name", v.name);
  a("variant", v.variant, 0);
  a.choice("part", v.part, "any empty filled");
}
MEMBERS(ListDomain) {
  a("name", v.name);
  a("class", v.class_index, -1);
  a("list", v.list, -1);
  a("over", v.over, -1);
  a("like", v.like, -1);
  a.choice("side", v.side, "whole from to");
  a("field", v.field, -1);
  a("length", v.length, -1);
}
MEMBERS(StatusCode) {
  a("name", v.name);
  a("describe", v.describe);
}
MEMBERS(OutputCopy) {
  a("result", v.result);
  a.choice("dtype", v.dtype, "f32 f64 f16 bf16 i8 i32 i64 bool");
  a("axes", v.axes);
  a("buffer", v.buffer, -1);
  a.choice("rows", v.rows, "calls nodes items");
  a.choice("from", v.from, "rows all one");
  a("classes", v.classes);
  a("type", v.type);
  a("list", v.list, -1);
  a("length", v.length, -1);
}
MEMBERS(Field) {
  a("name", v.name);
  a("child", v.child, false);
  a("target", v.target);
  a.choice("dtype", v.dtype, "f32 f64 f16 bf16 i8 i32 i64 bool");
  a("shape", v.shape);
  a("bound", v.bound, 0);
  a("lists", v.lists);
  a("column", v.column, -1);
}
MEMBERS(List) {
  a("name", v.name);
  a("outer", v.outer, -1);
}
MEMBERS(Variant) {
  a("type", v.type);
  a("name", v.name);
  a.parts("field", v.fields);
}
MEMBERS(DataType) {
  a("name", v.name);
  a("shared", v.shared, false);
  a("variants", v.variants);
}
MEMBERS(Forest) {
  a.parts("type", v.types);
  a.parts("variant", v.variants);
  a.parts("column", v.columns);
  a.parts("list", v.lists);
}
MEMBERS(Arguments) {
  a.parts("column", v.columns);
  a.parts("list", v.lists);
}
MEMBERS(Parameter) {
  a("name", v.name);
  a.choice("dtype", v.dtype, "f32 f64 f16 bf16 i8 i32 i64 bool");
  a("shape", v.shape);
  a("dims", v.dims);
}
MEMBERS(Constant) {
  a("name", v.name);
  a.choice("dtype", v.dtype, "f32 f64 f16 bf16 i8 i32 i64 bool");
  a("shape", v.shape);
  a("values", v.values);
}
MEMBERS(Life) {
  a("first", v.first, 0);
  a("last", v.last, 0);
  a("arena", v.arena, -1);
}
MEMBERS(Entry) {
  a("name", v.name);
  a("doc", v.doc);
  a.part("arguments", v.arguments);
  a("nodes", v.nodes, false);
  a.parts("class", v.classes);
  a.parts("list", v.lists);
  a.parts("member", v.structure);
  a("buffers", v.buffers);
  a.parts("life", v.lives);
  a("kernels", v.kernels);
  a.parts("output", v.outputs);
  a("checks", v.checks, false);
}
struct Dim {
  std::string name;
  std::int64_t value = 0;
};
MEMBERS(Dim) {
  a("name", v.name);
  a("value", v.value, 0);
}
MEMBERS(Module) {
  a("name", v.name);
  a("doc", v.doc);
  a("structure_type", v.structure_type, "Structure");
  a("workspace_type", v.workspace_type, "Values");
  std::vector<Dim> dims;
  for (const auto& [name, value] : v.dims) dims.push_back({name, value});
  a.parts("dim", dims);
  v.dims.clear();
  for (const Dim& dim : dims) v.dims.emplace_back(dim.name, dim.value);
  a.part("forest", v.forest);
  a.parts("parameter", v.parameters);
  a.parts("constant", v.constants);
  a.parts("buffer", v.buffers);
  a.parts("named", v.named);
  a.parts("function", v.functions);
  a("prepare", v.prepare);
  a.parts("status", v.statuses);
  a.parts("entry", v.entries);
}

#undef MEMBERS

}  // namespace espalier::loop

// Where values stand: parameters, constants, and the buffers of what is computed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bug.h"
#include "base/numbers.h"
#include "to_loop/context.h"

namespace espalier::to_loop {

using loop::Buffer;
using wave::Domain;
using wave::Scalar;
using wave::Value;

namespace {

const wave::Op* find_op(const std::vector<wave::Op>& ops, Id value, wave::Op::Kind kind) {
  for (const wave::Op& op : ops) {
    if (op.kind == kind && op.result == value) return &op;
    if (const wave::Op* inner = find_op(op.region, value, kind)) return inner;
  }
  return nullptr;
}

}  // namespace

std::string Shared::layout(const std::string& rows, const Buffer& buffer,
                           const std::vector<std::string>& dims) {
  std::string text = rows.empty() ? "" : "[" + rows + "]";
  for (std::size_t i = 0; i < buffer.shape.size(); i++) {
    const std::string dim = i < dims.size() ? dims[i] : "";
    const bool padded = i + 1 == buffer.shape.size() && buffer.inner != buffer.shape[i];
    const ExprRef n = padded ? row_extent(buffer.shape[i], dim) : extent(buffer.shape[i], dim);
    text +=
        "[" + (n->kind == loop::Expr::Kind::constant ? n->name : std::to_string(n->integer)) + "]";
  }
  return text;
}

std::string key_of(const Buffer& b) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", static_cast<int>(b.space),
                     static_cast<int>(b.dtype), static_cast<int>(b.rows.kind), b.rows.number,
                     b.rows.index, fmt::join(b.shape, ","), b.inner, b.stride, b.layout);
}

int Context::parameter(const std::string& leaf, bool prepared) {
  const auto key = std::tuple(leaf, prepared);
  if (const auto known = shared.parameters.find(key); known != shared.parameters.end())
    return known->second;
  const auto& all = shared.wave.parameters;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == leaf; });
  require(at != all.end(), "a parameter that the module has not");
  Buffer buffer;
  buffer.source = leaf;
  buffer.dtype = prepared ? computed(at->dtype) : at->dtype;
  buffer.space = prepared ? Buffer::Space::prepared : Buffer::Space::weights;
  buffer.name = prepared ? shared.model_names.unique(leaf)
                         : shared.api.parameters[static_cast<std::size_t>(at - all.begin())];
  lay_out(buffer, at->shape, prepared);
  buffer.layout = shared.layout("", buffer, at->dims);
  if (prepared && buffer.stride != 1) {  // rows along all axes but the last
    buffer.rows.number = buffer.stride / buffer.inner;
    buffer.stride = buffer.inner;
  }
  shared.module.buffers.push_back(buffer);
  return shared.parameters[key] = static_cast<int>(shared.module.buffers.size()) - 1;
}

int Context::constant(const std::string& name) {
  if (const auto known = shared.constants.find(name); known != shared.constants.end())
    return known->second;
  const auto& all = shared.wave.constants;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Constant& c) { return c.name == name; });
  require(at != all.end(), "a constant that the module has not");
  Buffer buffer;
  buffer.source = name;
  buffer.dtype = computed(at->dtype);
  buffer.space = Buffer::Space::constants;
  buffer.name = shared.names.unique(name + "_constant");  // beside locals of its name
  lay_out(buffer, at->shape, true);
  buffer.layout = shared.layout("", buffer, {});
  if (buffer.stride != 1) {
    buffer.rows.number = buffer.stride / buffer.inner;
    buffer.stride = buffer.inner;
  }
  shared.module.buffers.push_back(buffer);
  return shared.constants[name] = static_cast<int>(shared.module.buffers.size()) - 1;
}

std::string Context::read_name(Id value, const ScalarRef& element) const {
  const std::string& name = entry.value(value).name;
  if (!element) return name;
  if (element->kind == Scalar::Kind::apply && element->op == wave::Opcode::cast)
    return read_name(value, element->args[0]);
  if (element->kind != Scalar::Kind::load) return name;
  const Value& at = entry.value(element->value);
  if (at.kind == Value::Kind::place) return name;
  return (at.source.empty() ? at.name : at.source) + "_" + name;
}

Place Context::place_of(Id value) {
  const Value& v = entry.value(value);
  if (const auto known = places.find(value); known != places.end()) return known->second;
  switch (v.kind) {
    case Value::Kind::parameter: return {parameter(v.source, true), Place::Row::one, -1};
    case Value::Kind::constant: return {constant(v.source), Place::Row::one, -1};
    case Value::Kind::place: return {-1, Place::Row::expr, -1};
    case Value::Kind::computed:
    case Value::Kind::carry: throw Bug("value " + v.name + " has no place yet");
    case Value::Kind::previous: return {-1, Place::Row::expr, -1};
    default: return {input(v), Place::Row::element, -1};
  }
}

Place Context::carry_place(Id carry, int field) const {
  Place place = places.at(carry);
  switch (entry.domain(entry.value(carry).domain).kind) {
    case Domain::Kind::all: place.row = Place::Row::all; break;
    case Domain::Kind::edges:
      place.row = Place::Row::edge;
      place.field = field;
      break;
    default: break;
  }
  return place;
}

std::string Context::rows_key(const loop::Extent& rows) const {
  switch (rows.kind) {
    case loop::Extent::Kind::class_nodes:
    case loop::Extent::Kind::class_widest: return class_key(rows.index);
    case loop::Extent::Kind::list_items:
    case loop::Extent::Kind::list_widest: return list_key(rows.index);
    default: return "-";
  }
}

int Context::new_buffer(Id value, Buffer::Space space, loop::Extent rows) {
  const Value& v = entry.value(value);
  const bool prepared = space == Buffer::Space::prepared;
  const int made_so = prepared ? recipe(value) : -1;
  if (const auto known = shared.prepared.find(made_so); known != shared.prepared.end())
    return known->second;
  Buffer buffer;
  buffer.space = space;
  buffer.dtype = computed(v.dtype);
  buffer.rows = rows;
  lay_out(buffer, v.shape, true);
  std::vector<std::string> dims;
  for (std::size_t i = 0; i < v.shape.size(); i++) dims.push_back(dim(value, i));
  const bool level =
      space == Buffer::Space::scratch && entry.domain(v.domain).kind != Domain::Kind::once;
  buffer.layout = shared.layout((level ? "widest " : "") + rows_name(v.domain), buffer, dims);
  std::vector<int>* alike =
      prepared ? nullptr
               : &shared.buffers[fmt::format("{} {} {}", v.name, key_of(buffer), rows_key(rows))];
  if (alike)
    for (const int known : *alike)
      if (std::find(out.buffers.begin(), out.buffers.end(), known) == out.buffers.end()) {
        out.buffers.push_back(known);
        return known;
      }
  buffer.name =
      prepared ? shared.model_names.unique(v.name) : shared.workspace_names.unique(v.name);
  shared.module.buffers.push_back(buffer);
  const int made = static_cast<int>(shared.module.buffers.size()) - 1;
  if (prepared) {
    shared.prepared[made_so] = made;
  } else {
    alike->push_back(made);
    out.buffers.push_back(made);
  }
  return made;
}

// ---- Recipes

int Context::intern(const std::string& text) {
  return shared.recipes.try_emplace(text, static_cast<int>(shared.recipes.size())).first->second;
}

int Context::recipe(Id value) {
  const Value& v = entry.value(value);
  const std::string type =
      fmt::format("{}[{}]", static_cast<int>(v.dtype), fmt::join(v.shape, ","));
  if (v.kind == Value::Kind::parameter) return intern("parameter " + v.source);
  if (v.kind == Value::Kind::constant) return intern("constant " + v.source);
  const wave::Op* op = v.kind == Value::Kind::computed
                           ? find_op(entry.ops, value, wave::Op::Kind::compute)
                           : nullptr;
  if (!op || op->list != wave::none || entry.domain(v.domain).kind != Domain::Kind::once)
    return intern(fmt::format("entry {} value {}", out.name, value));
  return intern(fmt::format("{} {} {} {} {}", type, static_cast<int>(op->reduce),
                            fmt::join(op->axes, ","), recipe(op->body),
                            op->guard ? recipe(op->guard) : -1));
}

int Context::recipe(const ScalarRef& s) {
  std::string text =
      fmt::format("{} {} {} {} {} {}", static_cast<int>(s->kind), static_cast<int>(s->dtype),
                  static_cast<int>(s->op), espalier::shortest(s->number), s->integer, s->which);
  if (s->domain != wave::none) text += fmt::format(" of {} {}", out.name, s->domain);
  if (s->kind == Scalar::Kind::load) text += fmt::format(" value {}", recipe(s->value));
  for (const ScalarRef& arg : s->args) text += fmt::format(" {}", arg ? recipe(arg) : -1);
  return intern(text);
}

// ---- Names of axes

std::string Context::dim(Id value, std::size_t axis) {
  const auto known = dims_.find(value);
  if (known == dims_.end() && dims_at_work_.insert(value).second) {
    dims_[value] = infer_dims(value);
    dims_at_work_.erase(value);
  }
  const auto found = dims_.find(value);
  if (found == dims_.end() || axis >= found->second.size()) return "";
  return found->second[axis];
}

std::string Context::bound_dim(const ScalarRef& body, int which, std::int64_t extent) {
  std::string found;
  wave::visit(body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load) return;
    for (std::size_t i = 1; i < s.args.size(); i++)
      if (s.args[i]->kind == Scalar::Kind::bound && s.args[i]->which == which && found.empty() &&
          entry.value(s.value).shape[i - 1] == extent)
        found = dim(s.value, i - 1);
  });
  return found;
}

// "2 * hidden" where values as long as hidden stand behind each other along the axis; else "".
std::string Context::joined_dim(const ScalarRef& body, std::size_t which, std::int64_t extent) {
  std::map<std::int64_t, std::pair<std::int64_t, std::string>> parts;  // by where they begin
  wave::visit(body, [&](const Scalar& s) {
    for (std::size_t i = 1; s.kind == Scalar::Kind::load && i < s.args.size(); i++) {
      const Scalar* index = s.args[i].get();
      std::int64_t begin = 0;
      if (index->kind == Scalar::Kind::apply && index->op == wave::Opcode::sub &&
          index->args[1]->kind == Scalar::Kind::number) {
        begin = index->args[1]->integer;
        index = index->args[0].get();
      }
      if (index->kind == Scalar::Kind::axis && static_cast<std::size_t>(index->which) == which)
        parts[begin] = {entry.value(s.value).shape[i - 1], dim(s.value, i - 1)};
    }
  });
  if (parts.size() < 2) return "";
  std::int64_t end = 0;
  std::set<std::string> named;
  for (const auto& [begin, part] : parts) {
    if (begin != end) return "";
    end += part.first;
    named.insert(part.second);
  }
  if (end != extent || named.size() > 1 || named.begin()->empty()) return "";
  return fmt::format("{} * {}", parts.size(), *named.begin());
}

std::vector<std::string> Context::infer_dims(Id value) {
  const Value& v = entry.value(value);
  std::vector<std::string> dims(v.shape.size());
  if (v.kind == Value::Kind::parameter) {
    for (const Parameter& p : shared.wave.parameters)
      if (p.name == v.source && p.dims.size() == dims.size()) dims = p.dims;
    return dims;
  }
  ScalarRef body;
  if (const auto added = bodies.find(value); added != bodies.end())
    body = added->second;
  else if (v.kind == Value::Kind::computed)
    if (const wave::Op* op = find_op(entry.ops, value, wave::Op::Kind::compute)) body = op->body;
  Id same = wave::none;
  if (v.kind == Value::Kind::carry)
    if (const wave::Op* op = find_op(entry.ops, value, wave::Op::Kind::set)) same = op->value;
  if (v.kind == Value::Kind::previous) same = v.of;
  if (same != wave::none)
    for (std::size_t i = 0; i < dims.size(); i++) dims[i] = dim(same, i);
  if (!body) return dims;
  for (std::size_t which = 0; which < dims.size(); which++)
    dims[which] = joined_dim(body, which, v.shape[which]);
  wave::visit(body, [&](const Scalar& s) {
    if (s.kind != Scalar::Kind::load) return;
    for (std::size_t i = 1; i < s.args.size(); i++) {
      const Scalar& index = *s.args[i];
      if (index.kind != Scalar::Kind::axis) continue;
      const auto which = static_cast<std::size_t>(index.which);
      if (which < dims.size() && dims[which].empty() &&
          entry.value(s.value).shape[i - 1] == v.shape[which])
        dims[which] = dim(s.value, i - 1);
    }
  });
  return dims;
}

}  // namespace espalier::to_loop

#include "to_loop/context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/bug.h"
#include "to_loop/plan.h"
#include "wave/names.h"

namespace espalier::to_loop {

using loop::Buffer;
using loop::Extent;
using loop::StructureMember;
using wave::Domain;
using wave::Value;
using Kind = StructureMember::Kind;

void lay_out(Buffer& buffer, std::vector<std::int64_t> shape, bool pad) {
  buffer.shape = std::move(shape);
  buffer.inner = 1;
  if (!buffer.shape.empty()) {
    const std::int64_t last = buffer.shape.back();
    buffer.inner = pad && buffer.dtype == Dtype::f32 && last > 1 ? loop::padded(last) : last;
  }
  buffer.stride = buffer.inner;
  for (std::size_t i = 0; i + 1 < buffer.shape.size(); i++) buffer.stride *= buffer.shape[i];
}

// ---- Extents

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// "2 * hidden" as "hidden_2": a name for what is as long.
std::string name_of_extent(const std::string& text) {
  std::string name, numbers;
  for (const std::string& word : words_of(text)) {
    if (word.size() == 1 && std::string("+-*").find(word) != std::string::npos) continue;
    std::string& to = is_number(word) ? numbers : name;
    to += (to.empty() ? "" : "_") + word;
  }
  if (name.empty()) return "row_" + numbers;
  return name + (numbers.empty() ? "" : "_" + numbers) + "_row";
}

}  // namespace

// A sum of products of dims and numbers, in the names of the package; "" of others.
std::string Shared::extent_text(std::int64_t n, const std::string& dim) const {
  std::string text;
  std::int64_t sum = 0, product = 0, sign = 1;
  bool operand = true;
  for (const std::string& word : words_of(dim)) {
    if (!operand) {
      if (word != "+" && word != "-" && word != "*") return "";
      if (word != "*") {
        sum += sign * product;
        product = 0;
        sign = word == "+" ? 1 : -1;
      }
      text += " " + word + " ";
    } else {
      const auto named = std::find_if(module.dims.begin(), module.dims.end(),
                                      [&](const auto& known) { return known.first == word; });
      if (named == module.dims.end() && (!is_number(word) || word.size() > 9)) return "";
      const std::int64_t value = named != module.dims.end() ? named->second : std::stoll(word);
      product = text.ends_with("* ") ? product * value : value;
      text += named != module.dims.end()
                  ? api.dims[static_cast<std::size_t>(named - module.dims.begin())]
                  : word;
    }
    operand = !operand;
  }
  return !operand && sum + sign * product == n ? text : "";
}

ExprRef Shared::extent(std::int64_t n, const std::string& dim) {
  if (const std::string text = extent_text(n, dim); !text.empty() && !is_number(text) && n > 0)
    return loop::constant(text, n);
  if (!dim.empty() || n <= 1) return loop::integer(n);
  std::string found;  // the one dim of this value
  for (std::size_t i = 0; i < module.dims.size(); i++) {
    if (module.dims[i].second != n) continue;
    if (!found.empty()) return loop::integer(n);
    found = api.dims[i];
  }
  return found.empty() ? loop::integer(n) : loop::constant(found, n);
}

ExprRef Shared::row_extent(std::int64_t n, const std::string& dim) {
  const ExprRef plain = extent(n, dim);
  const std::int64_t whole = loop::padded(n);
  if (whole == n || n <= 1) return plain;
  const bool number = plain->kind == loop::Expr::Kind::integer;
  const std::string text = number ? std::to_string(n) : plain->name;
  auto& name = constant_names[text + "_row"];
  if (name.empty()) {
    name = names.unique(name_of_extent(text));
    module.named.push_back({name, std::to_string(whole), text + ", padded to whole vectors"});
  }
  return loop::constant(name, whole);
}

// ---- Domains

Context::Context(Shared& s, const wave::Entry& source, loop::Entry& o)
    : shared(s), entry(source), out(o) {
  for (Value& v : entry.values) v.name = wave::label(v.name);
}

Context::~Context() = default;

Id Context::root_of(Id domain) const {
  while (entry.domain(domain).kind == Domain::Kind::list ||
         entry.domain(domain).kind == Domain::Kind::parents)
    domain = entry.domain(domain).owner;
  return domain;
}

int Context::depth(Id domain) const {
  int depth = 0;
  for (; entry.domain(domain).owner != wave::none; depth++) domain = entry.domain(domain).owner;
  return depth;
}

bool Context::one_class() const {
  return shared.wave.forest.variants.size() == 1 &&
         std::none_of(entry.domains.begin(), entry.domains.end(),
                      [](const Domain& d) { return d.part != Domain::Part::any; });
}

int Context::class_of(Id nodes) {
  if (const auto known = classes_.find(nodes); known != classes_.end()) return known->second;
  const Domain& d = entry.domain(nodes);
  loop::Class made;
  made.name = d.name;
  made.variant = d.variant;
  made.part = static_cast<loop::Class::Part>(d.part);
  out.classes.push_back(made);
  return classes_[nodes] = static_cast<int>(out.classes.size()) - 1;
}

int Context::list_of(Id list) {
  if (const auto known = lists_.find(list); known != lists_.end()) return known->second;
  const Domain& d = entry.domain(list);
  loop::ListDomain made;
  made.name = d.name;
  made.list = d.list;
  made.length = d.length;
  made.field = d.field;
  if (d.like != wave::none) made.like = list_of(d.like);
  made.side = static_cast<loop::ListDomain::Side>(d.side);
  if (entry.domain(d.owner).kind == Domain::Kind::list) made.over = list_of(d.owner);
  const Id root = root_of(list);
  if (entry.domain(root).kind == Domain::Kind::nodes) made.class_index = class_of(root);
  out.lists.push_back(made);
  return lists_[list] = static_cast<int>(out.lists.size()) - 1;
}

ExprRef Context::count_of(Id domain) {
  const Domain& d = entry.domain(domain);
  switch (d.kind) {
    case Domain::Kind::once: return loop::integer(1);
    case Domain::Kind::calls: return count(Kind::calls);
    case Domain::Kind::nodes:
      return one_class() && d.part == Domain::Part::any
                 ? count(Kind::nodes)
                 : count(Kind::class_count, class_of(domain));
    case Domain::Kind::all: return count(Kind::nodes);
    case Domain::Kind::edges:
    case Domain::Kind::parents: return count(Kind::edge_count);
    case Domain::Kind::list: {
      const ExprRef owners = count_of(d.owner);
      if (d.length >= 0) return loop::mul(owners, loop::integer(d.length));
      return loop::load(list_array(Kind::list_first, domain), loop::int_type, owners);
    }
  }
  throw Bug("a domain without a count");
}

Extent Context::extent_of(Id domain, bool level) {
  const Domain& d = entry.domain(domain);
  Extent extent;
  switch (d.kind) {
    case Domain::Kind::once: break;
    case Domain::Kind::calls: extent.kind = Extent::Kind::calls; break;
    case Domain::Kind::nodes:
      extent.kind = level ? Extent::Kind::class_widest : Extent::Kind::class_nodes;
      extent.index = class_of(domain);
      break;
    case Domain::Kind::all:
      extent.kind = level ? Extent::Kind::level_widest : Extent::Kind::nodes;
      break;
    case Domain::Kind::edges:
    case Domain::Kind::parents: extent.kind = Extent::Kind::edges; break;
    case Domain::Kind::list:
      if (d.length >= 0) {
        extent = extent_of(d.owner, level);
        extent.number *= d.length;
      } else {
        extent.kind = level ? Extent::Kind::list_widest : Extent::Kind::list_items;
        extent.index = list_of(domain);
      }
  }
  return extent;
}

std::string Context::rows_name(Id domain) const {
  const Domain& d = entry.domain(domain);
  switch (d.kind) {
    case Domain::Kind::once: return "";
    case Domain::Kind::all: return "nodes";
    case Domain::Kind::edges: return "edges";
    default: return d.name;
  }
}

// ---- Structure

std::string Context::class_key(int index) const {
  if (index < 0 || index >= static_cast<int>(out.classes.size())) return "-";
  const loop::Class& c = out.classes[static_cast<std::size_t>(index)];
  return fmt::format("{} {} {} {}", index, c.name, c.variant, static_cast<int>(c.part));
}

std::string Context::list_key(int list) const {
  if (list < 0) return "-";
  const loop::ListDomain& l = out.lists[static_cast<std::size_t>(list)];
  return fmt::format("{} {} {} {} {} {} {} {} {}", list, l.name, class_key(l.class_index), l.list,
                     list_key(l.over), list_key(l.like), static_cast<int>(l.side), l.length,
                     l.field);
}

int Context::add_member(StructureMember member, const std::string& wanted, Buffer* buffer) {
  for (const StructureMember& known : out.structure)
    if (known.kind == member.kind && known.index == member.index && known.field == member.field &&
        known.list == member.list)
      return static_cast<int>(&known - out.structure.data());
  if (buffer) buffer->space = Buffer::Space::structure;
  const std::string key = fmt::format("{} {} {} {} {} {}", static_cast<int>(member.kind), wanted,
                                      class_key(member.index), member.field, list_key(member.list),
                                      buffer ? key_of(*buffer) : "");
  const auto known = shared.members.find(key);
  if (known != shared.members.end()) {
    member = known->second;
  } else {
    member.name = shared.structure_names.unique(wanted);
    if (buffer) {
      buffer->name = member.name;
      shared.module.buffers.push_back(*buffer);
      member.buffer = static_cast<int>(shared.module.buffers.size()) - 1;
    }
    shared.members[key] = member;
  }
  out.structure.push_back(member);
  return static_cast<int>(out.structure.size()) - 1;
}

int Context::array(StructureMember member, Buffer buffer) {
  const std::string wanted = buffer.name;
  const int at = add_member(member, wanted, &buffer);
  return out.structure[static_cast<std::size_t>(at)].buffer;
}

ExprRef Context::count(Kind kind, int index) {
  StructureMember member;
  member.kind = kind;
  member.index = index;
  std::string wanted = "levels";
  if (kind == Kind::nodes) wanted = "nodes";
  if (kind == Kind::calls) wanted = "calls";
  if (kind == Kind::edge_count) wanted = "edges";
  if (kind == Kind::class_count)
    wanted = out.classes[static_cast<std::size_t>(index)].name + "_count";
  const int at = add_member(member, wanted, nullptr);
  return loop::variable("g." + out.structure[static_cast<std::size_t>(at)].name);
}

namespace {

Buffer int_buffer(const std::string& name, const std::string& layout) {
  Buffer buffer;
  buffer.name = name;
  buffer.dtype = Dtype::i32;
  buffer.layout = layout;
  return buffer;
}

}  // namespace

int Context::class_array(Kind kind, Id nodes) {
  StructureMember member;
  member.kind = kind;
  member.index = class_of(nodes);
  const std::string& name = out.classes[static_cast<std::size_t>(member.index)].name;
  if (kind == Kind::class_first) return array(member, int_buffer(name + "_first", "[levels + 1]"));
  if (kind == Kind::class_place) return array(member, int_buffer(name + "_place", "[levels]"));
  return array(member, int_buffer(name + "_number", "[" + name + "]"));
}

// The host makes the arrays of a list of pairs from those of the lists that meet in it.
void Context::need_arrays(Kind kind, Id list) {
  const Domain& d = entry.domain(list);
  if (d.like == wave::none) return;
  if (kind == Kind::list_owner) list_array(Kind::list_first, list);
  if (d.field >= 0) {
    Value node;
    node.domain = d.owner;
    node.field = d.field;
    node.kind = Value::Kind::child;
    if (entry.domain(root_of(d.owner)).kind == Domain::Kind::calls) {
      node.kind = Value::Kind::root;
      node.source = entry.arguments.columns[static_cast<std::size_t>(d.field)].name;
    }
    input(node);
    node_array(Kind::variant);
    node_array(Kind::local);
    list_array(Kind::list_first, d.like);
    return;
  }
  for (Id outer = d.owner; outer != entry.domain(d.like).owner; outer = entry.domain(outer).owner)
    if (entry.domain(outer).length < 0) list_array(Kind::list_owner, outer);
  if (entry.domain(d.like).length < 0) list_array(Kind::list_first, d.like);
}

int Context::list_array(Kind kind, Id list) {
  StructureMember member;
  if (entry.domain(list).kind == Domain::Kind::parents) {
    member.kind = kind == Kind::list_first ? Kind::in_first : Kind::in_owner;
    return member.kind == Kind::in_first ? array(member, int_buffer("in_first", "[nodes + 1]"))
                                         : array(member, int_buffer("in_owner", "[edges]"));
  }
  member.kind = kind;
  member.list = list_of(list);
  need_arrays(kind, list);
  const std::string& name = out.lists[static_cast<std::size_t>(member.list)].name;
  const std::string owner = rows_name(entry.domain(list).owner);
  if (kind == Kind::list_first)
    return array(member, int_buffer(name + "_first", "[" + owner + " + 1]"));
  return array(member, int_buffer(name + "_owner", "[" + name + "]"));
}

int Context::node_array(Kind kind, int field) {
  StructureMember member;
  member.kind = kind;
  member.field = field;
  switch (kind) {
    case Kind::level_first: return array(member, int_buffer("level_first", "[levels + 1]"));
    case Kind::original: return array(member, int_buffer("original", "[nodes]"));
    case Kind::parent_edge: return array(member, int_buffer("parent_edge", "[nodes]"));
    case Kind::in_edge: return array(member, int_buffer("in_edge", "[edges]"));
    case Kind::root_call: return array(member, int_buffer("root_call", "[nodes]"));
    case Kind::variant: return array(member, int_buffer("variant", "[nodes]"));
    case Kind::local: return array(member, int_buffer("local", "[nodes]"));
    default: throw Bug("not an array over all nodes");
  }
}

int Context::field_array(Kind kind, Id domain, int field) {
  const Domain& d = entry.domain(domain);
  StructureMember member;
  member.kind = kind;
  member.field = field;
  const Id root = root_of(domain);
  member.index = class_of(root);
  if (d.kind == Domain::Kind::list) member.list = list_of(domain);
  const Variant& variant =
      shared.wave.forest.variants[static_cast<std::size_t>(entry.domain(root).variant)];
  const Field& leaf = variant.fields[static_cast<std::size_t>(field)];
  Buffer buffer;
  buffer.name = leaf.name + (kind == Kind::slot ? "_edge" : "");
  if (entry.domain(root).part != Domain::Part::any || !one_class())
    buffer.name = entry.domain(root).name + "_" + buffer.name;
  buffer.layout = "[" + rows_name(domain) + "]";
  if (kind == Kind::payload) {
    buffer.dtype = computed(leaf.dtype);
    lay_out(buffer, leaf.shape, true);
    buffer.layout = shared.layout(rows_name(domain), buffer, {});
  } else {
    buffer.dtype = Dtype::i32;
  }
  return array(member, buffer);
}

int Context::input(const Value& v) {
  switch (v.kind) {
    case Value::Kind::payload: return field_array(Kind::payload, v.domain, v.field);
    case Value::Kind::child: return field_array(Kind::child, v.domain, v.field);
    case Value::Kind::slot: return field_array(Kind::slot, v.domain, v.field);
    case Value::Kind::parent_edge: return node_array(Kind::parent_edge);
    case Value::Kind::in_edge: return node_array(Kind::in_edge);
    case Value::Kind::variant: return node_array(Kind::variant);
    case Value::Kind::local: return node_array(Kind::local);
    case Value::Kind::root_call: return node_array(Kind::root_call, v.field);
    case Value::Kind::root:
    case Value::Kind::argument: {
      StructureMember member;
      member.kind = v.kind == Value::Kind::root ? Kind::root : Kind::argument;
      const Field* const at = &entry.arguments.columns.at(static_cast<std::size_t>(v.field));
      member.field = v.field;
      if (entry.domain(v.domain).kind == Domain::Kind::list) member.list = list_of(v.domain);
      Buffer buffer;
      buffer.name = at->name + (at->child ? "_root" : "");
      buffer.dtype = at->child ? Dtype::i32 : computed(at->dtype);
      buffer.layout = "[" + rows_name(v.domain) + "]";
      lay_out(buffer, at->child ? std::vector<std::int64_t>{} : at->shape, true);
      buffer.layout = shared.layout(rows_name(v.domain), buffer, {});
      return array(member, buffer);
    }
    default: throw Bug("not an input");
  }
}

}  // namespace espalier::to_loop

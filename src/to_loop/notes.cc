#include "to_loop/notes.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/numbers.h"
#include "to_loop/lower.h"

namespace espalier::to_loop {

using wave::Opcode;
using wave::Reduce;
using wave::Scalar;
using wave::Value;

namespace {

struct Text {
  std::string text;
  int strength;  // of the outermost operator; 10: an atom
};

std::string wrapped(const Text& t, int needed) {
  return t.strength < needed ? "(" + t.text + ")" : t.text;
}

struct Infix {
  const char* text;
  int strength;
};

Infix infix(Opcode op) {
  switch (op) {
    case Opcode::add: return {" + ", 5};
    case Opcode::sub: return {" - ", 5};
    case Opcode::mul: return {" * ", 6};
    case Opcode::div: return {" / ", 6};
    case Opcode::floordiv: return {" // ", 6};
    case Opcode::mod: return {" % ", 6};
    case Opcode::eq: return {" == ", 4};
    case Opcode::ne: return {" != ", 4};
    case Opcode::lt: return {" < ", 4};
    case Opcode::le: return {" <= ", 4};
    case Opcode::gt: return {" > ", 4};
    case Opcode::ge: return {" >= ", 4};
    case Opcode::logical_and: return {" and ", 3};
    case Opcode::logical_or: return {" or ", 2};
    default: return {nullptr, 0};
  }
}

class Writer {
 public:
  explicit Writer(const Context& context) : context_(context) {}

  void put_in_place(Id value, Text text) { in_place_[value] = std::move(text); }

  Text write(const ScalarRef& s) const {
    switch (s->kind) {
      case Scalar::Kind::number:
        if (is_float(s->dtype)) {
          std::string text = shortest(s->number);
          if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
          return {text, 10};
        }
        return {std::to_string(s->integer), 10};
      case Scalar::Kind::axis: return {fmt::format("i{}", s->which), 10};
      case Scalar::Kind::bound: return {fmt::format("k{}", s->which), 10};
      case Scalar::Kind::element: return {"n", 10};
      case Scalar::Kind::item: return {"e", 10};
      case Scalar::Kind::owner: return {"owner(" + write(s->args[0]).text + ")", 10};
      case Scalar::Kind::first:
      case Scalar::Kind::end:
        return {context_.entry.domain(s->domain).name +
                    (s->kind == Scalar::Kind::first ? ".first" : ".end"), 10};
      case Scalar::Kind::load:
        if (const auto known = in_place_.find(s->value); known != in_place_.end())
          return known->second;
        return {load(*s), 10};
      case Scalar::Kind::apply: return apply(*s);
    }
    return {};
  }

 private:
  // The element that a value is read at, as a prefix: "" for the one at hand, "left." for a child,
  // "k." for an item of a list and for the child that it is.
  std::string prefix(const ScalarRef& x) const {
    if (!x) return "";
    if (x->kind == Scalar::Kind::item) return "k.";
    if (x->kind == Scalar::Kind::apply && x->op == Opcode::cast) return prefix(x->args[0]);
    if (x->kind != Scalar::Kind::load) return "";
    const Value& v = context_.entry.value(x->value);
    if (v.kind == Value::Kind::place) return prefix(x->args[0]);
    if (v.kind == Value::Kind::child &&
        context_.entry.domain(v.domain).kind == wave::Domain::Kind::list)
      return "k.";
    return prefix(x->args[0]) + (v.source.empty() ? v.name : v.source) + ".";
  }

  std::string load(const Scalar& s) const {
    std::string text = prefix(s.args[0]) + context_.entry.value(s.value).name;
    std::size_t end = s.args.size();
    int expected = -1;
    for (std::size_t i = 1; i < s.args.size(); i++)
      if (s.args[i]->kind == Scalar::Kind::axis) expected = std::max(expected, s.args[i]->which);
    while (end > 1 && s.args[end - 1]->kind == Scalar::Kind::axis &&
           s.args[end - 1]->which == expected) {
      end--;
      expected--;
    }
    bool whole = true;  // W[i0, k0] and x[k0] are the tensors themselves
    for (std::size_t i = 1; i < end; i++)
      whole = whole && (s.args[i]->kind == Scalar::Kind::bound || s.args[i]->kind == Scalar::Kind::axis);
    if (whole) return text;
    for (std::size_t i = 1; i < end; i++)
      text += (i == 1 ? "[" : ", ") + write(s.args[i]).text;
    return end > 1 ? text + "]" : text;
  }

  Text apply(const Scalar& s) const {
    if (s.op == Opcode::cast) return write(s.args[0]);
    if (s.op == Opcode::neg) return {"-" + wrapped(write(s.args[0]), 7), 7};
    if (s.op == Opcode::logical_not) return {"not " + wrapped(write(s.args[0]), 7), 4};
    if (s.op == Opcode::select)
      return {"if " + write(s.args[0]).text + " then " + write(s.args[1]).text + " else " +
                  write(s.args[2]).text, 1};
    if (const Infix in = infix(s.op); in.text)
      return {wrapped(write(s.args[0]), in.strength) + in.text +
                  wrapped(write(s.args[1]), in.strength + 1), in.strength};
    std::string text = wave::opcode_name(s.op);
    for (std::size_t i = 0; i < s.args.size(); i++)
      text += (i == 0 ? "(" : ", ") + write(s.args[i]).text;
    return {text + ")", 10};
  }

  const Context& context_;
  std::map<Id, Text> in_place_;  // of products that are written where they are used
};

std::int64_t operations(const ScalarRef& s) {
  std::int64_t count = 0;
  wave::visit(s, [&](const Scalar& x) {
    if (x.kind == Scalar::Kind::apply && is_float(x.dtype) && x.op != Opcode::cast &&
        x.op != Opcode::select)
      count++;
  });
  return count;
}

Text product_text(const Writer& writer, const Work& work) {
  const ScalarRef read =
      work.product.row ? wave::load(work.product.operand, Dtype::f32, nullptr, {work.product.row})
                       : wave::load(work.product.operand, Dtype::f32, work.product.element);
  return {wrapped(writer.write(work.product.weights), 6) + " @ " + writer.write(read).text, 6};
}

// The list's field, or argument.
std::string list_name(const Context& context, Id list) {
  const std::string& name = context.entry.domain(list).name;
  return name.substr(name.find('.') == std::string::npos ? 0 : name.find('.') + 1);
}

std::string equation(const Context& context, const Writer& writer, const Work& work) {
  const Id result = work.result != wave::none ? work.result : work.carry;
  const std::string name = result != wave::none ? context.entry.value(result).name + " = " : "";
  switch (work.kind) {
    case Work::Kind::product: return name + product_text(writer, work).text;
    case Work::Kind::check: return "check " + writer.write(work.body).text;
    case Work::Kind::steps: return "";
    case Work::Kind::compute: break;
  }
  const std::string body = writer.write(work.body).text;
  if (work.reduce == Reduce::map) return name == body + " = " ? "" : name + body;
  return name + wave::reduce_name(work.reduce) + "(" + body +
         (work.list != wave::none ? " for k in " + list_name(context, work.list) : "") + ")";
}

int uses(const Group& group, Id value) {
  int count = 0;
  for (const Work& work : group.works)
    wave::visit(work.body, [&](const Scalar& s) {
      count += s.kind == Scalar::Kind::load && s.value == value ? 1 : 0;
    });
  return count;
}

}  // namespace

std::string equations(const Context& context, const Group& group) {
  Writer writer(context);
  std::string text;
  for (const Work& work : group.works) {
    if (work.kind == Work::Kind::product && !work.stored && uses(group, work.result) == 1) {
      writer.put_in_place(work.result, product_text(writer, work));
      continue;
    }
    const std::string made = equation(context, writer, work);
    if (!made.empty()) text += (text.empty() ? "" : "\n") + made;
  }
  return text;
}

std::string element_name(const Context& context, Id domain) {
  const wave::Domain& d = context.entry.domain(domain);
  switch (d.kind) {
    case wave::Domain::Kind::once: return "";
    case wave::Domain::Kind::calls: return "call";
    case wave::Domain::Kind::all: return "node";
    case wave::Domain::Kind::edges:
    case wave::Domain::Kind::parents: return "edge";
    case wave::Domain::Kind::list: return "item of " + list_name(context, domain);
    case wave::Domain::Kind::nodes: break;
  }
  if (d.part == wave::Domain::Part::any) return d.name;
  return context.shared.wave.forest.variants[static_cast<std::size_t>(d.variant)].name +
         (d.part == wave::Domain::Part::empty ? " without children" : " with children");
}

loop::Cost cost(const Context& context, const Group& group) {
  loop::Cost made;
  std::set<Id> local;  // read from variables
  for (const Work& work : group.works) {
    if (work.kind == Work::Kind::steps || work.kind == Work::Kind::check) return {};
    if (work.local) local.insert(work.result);
    const Value& v = context.entry.value(work.result != wave::none ? work.result : work.carry);
    const std::int64_t size = size_of(v.shape), over = size_of(work.axes);
    const std::int64_t width = espalier::bytes(computed(v.dtype));
    if (work.stored) made.bytes += width * size;
    if (work.kind == Work::Kind::product) {
      if (made.products == 0) made.bytes += width * over;  // one operand for all
      made.products += 2 * size * over;
      continue;
    }
    const std::int64_t each = operations(work.body) + (work.reduce != Reduce::map ? 1 : 0);
    made.elementwise += size * over * each;
    wave::visit(work.body, [&](const Scalar& s) {
      if (s.kind == Scalar::Kind::load && s.args[0] && is_float(s.dtype) && !local.count(s.value))
        made.bytes += width * (s.args.size() > 1 ? size * over : 1);
    });
  }
  made.each = element_name(context, group.domain);
  return made;
}

std::vector<std::int64_t> lines(const Context& context, const Group& group) {
  std::set<std::int64_t> found;
  for (const Work& work : group.works)
    if (work.result != wave::none) found.insert(context.entry.value(work.result).line);
  found.erase(0);
  return {found.begin(), found.end()};
}

}  // namespace espalier::to_loop
